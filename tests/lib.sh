# shellcheck shell=sh
# TAP for the tests on the host, and the small trees they try things on. Source it first:
#   . "$(dirname "$0")/lib.sh"

unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
T=$(mktemp -d "${TMPDIR:-/tmp}/ipipe-test.XXXXXX") || exit 1
_cleanup_more=:
trap '$_cleanup_more; rm -rf "$T"' EXIT
trap 'exit 130' INT TERM HUP
_count=0
_failed=0

# ok DESCRIPTION: by the exit code of what ran just before:   cmd; ok "it works"
ok()
{
	_rc=$?
	_count=$((_count + 1))
	if [ $_rc = 0 ]; then
		echo "ok $_count - $1"
	else
		_failed=$((_failed + 1))
		echo "not ok $_count - $1"
		[ ! -s "$T/out" ] || sed 's/^/# /' "$T/out" | tail -n 40
	fi
	return 0
}

skip()
{
	_count=$((_count + 1))
	echo "ok $_count - $1 # SKIP $2"
}

# run COMMAND...: output to $T/out, code to $rc
run()
{
	"$@" >"$T/out" 2>&1
	rc=$?
}

# refuses COMMAND... -- PATTERN DESCRIPTION: fails, with one line, and that matches
refuses()
{
	_cmd=
	while [ "$1" != -- ]; do
		_cmd="$_cmd '$(printf '%s' "$1" | sed "s/'/'\\\\''/g")'"
		shift
	done
	eval "run $_cmd"
	[ "$rc" != 0 ] && [ "$(wc -l <"$T/out")" = 1 ] && grep -q -e "$2" "$T/out"
	ok "$3"
}

finish()
{
	echo "1..$_count"
	[ $_failed = 0 ]
	exit
}

# guest_tap PREFIX: KTAP on stdin becomes tests of ours, whatever its depth
guest_tap()
{
	while read -r _line; do
		case $_line in
		'ok '*|'not ok '*)
			_count=$((_count + 1))
			case $_line in
			not*) _r='not ok'; _failed=$((_failed + 1)) ;;
			*) _r='ok' ;;
			esac
			echo "$_r $_count - $1: $(echo "$_line" | sed 's/^\(not \)\{0,1\}ok *[0-9]* *-\{0,1\} *//')"
			;;
		'#'*)
			echo "$_line"
			;;
		esac
	done
}

# tree_sum DIR: every name, mode, kind and content
tree_sum()
{
	(cd "$1" && find . -printf '%p %y %m %l\n' | sort
	 find . -type f -exec sha256sum {} + | sort) | sha256sum
}

# fake_tree DIR SUBLEVEL: as much of a kernel tree as apply.sh looks at
fake_tree()
{
	mkdir -p "$1/kernel" "$1/arch/powerpc" "$1/arch/arm" "$1/include"
	printf 'VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = %s\nEXTRAVERSION =\nNAME = x\n' "$2" >"$1/Makefile"
	echo 'obj-y += kernel/' >"$1/Kbuild"
	awk 'BEGIN { for (i = 1; i <= 60; i++) print "core line " i }' >"$1/kernel/core.c"
	awk 'BEGIN { for (i = 1; i <= 60; i++) print "powerpc line " i }' >"$1/arch/powerpc/irq.c"
	awk 'BEGIN { for (i = 1; i <= 60; i++) print "arm line " i }' >"$1/arch/arm/irq.c"
}

# fake_repo DIR: this repository's scripts with a series of three patches for fake_tree
fake_repo()
{
	mkdir -p "$1/patches/core"
	ln -s "$TOP/scripts" "$1/scripts"
	ln -s "$TOP/arch-powerpc" "$1/arch-powerpc"
	printf 'release 1.0-01 (test)\n' >"$1/ChangeLog"
	printf '# a comment\ncore/one.patch\n\ncore/two.patch  # another\nthree.patch\n' >"$1/series"
	cat >"$1/patches/core/one.patch" <<'END'
Make a file, change a line

--- /dev/null
+++ b/include/pipe.h
@@ -0,0 +1,2 @@
+one
+two
--- a/kernel/core.c
+++ b/kernel/core.c
@@ -9,5 +9,5 @@
 core line 9
 core line 10
-core line 11
+core line eleven
 core line 12
 core line 13
END
	cat >"$1/patches/core/two.patch" <<'END'
Change a file of ours, and one of powerpc

--- a/include/pipe.h
+++ b/include/pipe.h
@@ -1,2 +1,3 @@
 one
 two
+three
--- a/arch/powerpc/irq.c
+++ b/arch/powerpc/irq.c
@@ -29,6 +29,7 @@
 powerpc line 29
 powerpc line 30
 powerpc line 31
+more
 powerpc line 32
 powerpc line 33
 powerpc line 34
END
	cat >"$1/patches/three.patch" <<'END'
Change one of arm

--- a/arch/arm/irq.c
+++ b/arch/arm/irq.c
@@ -29,6 +29,7 @@
 arm line 29
 arm line 30
 arm line 31
+more
 arm line 32
 arm line 33
 arm line 34
END
}

# guest_tests KERNEL VARIANT: builds that kernel, boots it for each of its lines in
# guest-tests.list. IPIPE_BOARD: another board than ppc405; KERNEL_BOARD: with that one's kernel.
# GUEST_ONLY: a pattern of tests to run.
guest_tests()
{
	_board=${IPIPE_BOARD:-ppc405}
	_var=$2
	[ "$_var" != - ] || _var=
	_name=$1${_var:+-$_var}
	load_board "$_board"
	run "$TOP/scripts/build-kernel.sh" "${KERNEL_BOARD:-$_board}" "$1" "$_var"
	[ $rc = 0 ]; ok "$_name: builds for ${KERNEL_BOARD:-$_board}"
	[ $rc = 0 ] || finish
	_dir=$(tail -n 1 "$T/out")
	compiler_warnings "$_dir/build.log" >"$T/out"
	[ ! -s "$T/out" ]; ok "$_name: without a warning"
	case $KERNEL_IMAGE in
	*/zImage)
		# ccache once took the compressed kernel of an earlier build for this one's
		_at=$(grep -abo -m 1 -P '\x1f\x8b\x08' "$_dir/$KERNEL_IMAGE" | head -n 1 | cut -d: -f1)
		tail -c +$((_at + 1)) "$_dir/$KERNEL_IMAGE" | gzip -dc 2>/dev/null |
			cmp - "$_dir/${KERNEL_IMAGE%/*}/Image" >"$T/out" 2>&1
		ok "$_name: what is compressed in zImage is this kernel"
		;;
	esac
	run "$TOP/scripts/guest.sh" "$_board"
	[ $rc = 0 ]; ok "$_name: the guest programs build"
	[ $rc = 0 ] || finish
	sed 's/#.*//' "$TOP/tests/guest-tests.list" >"$T/list"
	while read -r _b _k _v _t _to; do
		[ "$_k" = "$1" ] && [ "$_v" = "$2" ] || continue
		[ "$_b" = '*' ] || [ "$_b" = "$_board" ] || continue
		# shellcheck disable=SC2254
		case ${_t%%,*} in
		${GUEST_ONLY:-*}) ;;
		*) continue ;;
		esac
		_s=$(now)
		"$TOP/scripts/run-guest.sh" "$_board" "$_dir" "$_t" "$_to" >"$T/ktap" 2>"$T/out" </dev/null
		rc=$?
		guest_tap "$_name ${_t%%,*}" <"$T/ktap"
		[ $rc = 0 ]; ok "$_name ${_t%%,*}: passes, with nothing bad in its log ($(since "$_s"))"
	done <"$T/list"
	finish
}
