#!/bin/sh
# Builds one kernel for one board, out of tree, and prints its build directory.
#
# usage: scripts/build-kernel.sh BOARD [KERNEL [VARIANT]]
#   KERNEL   ipipe (default) or vanilla
#   VARIANT  more Kconfig fragments: debug, off, modules, test, kself; several joined by '+'
# environment:
#   LINUX_TREE  build this tree as it is, not build/linux or build/linux-vanilla
#   FRAGMENTS   more Kconfig fragments, file names; they win over all others
#   OUT         build there, not in build/BOARD/KERNEL[-VARIANT]
#   LAX         1: a wanted option that the tree lacks is no error (used on a half-pushed series)
#   JOBS        compile jobs (default: one a processor)
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# -ge 1 ] && [ $# -le 3 ] || die "usage: build-kernel.sh BOARD [ipipe|vanilla [VARIANT]]"
KERNEL=${2:-ipipe}
VARIANT=${3:-}
load_board "$1"

# The fragments, in the order in which later ones win: what the boards of the architecture have
# alike, the board's; then scripts/kconfig/NAME, for all boards, and the board's own config-NAME.
set --
[ ! -f "${BOARD_DIR%/*}/config" ] || set -- "${BOARD_DIR%/*}/config"
set -- "$@" "$BOARD_DIR/config"
case $KERNEL in
vanilla)
	_tree=$BUILD/linux-vanilla
	;;
ipipe)
	_tree=$BUILD/linux
	case "+$VARIANT+" in
	*+off+*) ;;
	*)
		set -- "$@" "$TOP/scripts/kconfig/ipipe"
		[ ! -f "$BOARD_DIR/config-ipipe" ] || set -- "$@" "$BOARD_DIR/config-ipipe"
		;;
	esac
	;;
preempt-rt)
	die "KERNEL=preempt-rt: not available yet; it comes with the PREEMPT_RT bench" ;;
*)
	die "KERNEL=$KERNEL: no such kernel; have: ipipe vanilla" ;;
esac
case +$VARIANT+ in
++) ;;
*++*) die "VARIANT=$VARIANT: an empty name; variants are joined by one '+', as in test+debug" ;;
esac
_v=$VARIANT
while [ -n "$_v" ]; do
	_one=${_v%%+*}
	case $_v in
	*+*) _v=${_v#*+} ;;
	*) _v= ;;
	esac
	_found=
	for _f in "$TOP/scripts/kconfig/$_one" "$BOARD_DIR/config-$_one"; do
		[ -f "$_f" ] || continue
		_found=1
		set -- "$@" "$_f"
	done
	[ -n "$_found" ] ||
		die "VARIANT=$VARIANT: no scripts/kconfig/$_one; have: $(cd "$TOP/scripts/kconfig" && ls | tr '\n' ' ')"
done

for _f in ${FRAGMENTS:-}; do
	[ -f "$_f" ] || die "FRAGMENTS: no $_f"
	set -- "$@" "$_f"
done

OUT=${OUT:-$BUILD/$BOARD/$KERNEL${VARIANT:+-$VARIANT}}
case $OUT in
/*) ;;
*) OUT=$PWD/$OUT ;;
esac

need "${CROSS_COMPILE}gcc" "gcc-${CROSS_COMPILE%-}"
for _t in awk:mawk flock:util-linux make:make gcc:gcc flex:flex bison:bison bc:bc dtc:device-tree-compiler; do
	need "${_t%:*}" "${_t#*:}"
done

if [ -n "${LINUX_TREE:-}" ]; then
	_tree=$(cd "$LINUX_TREE" 2>/dev/null && pwd) || die "LINUX_TREE=$LINUX_TREE: no such directory"
else
	# A tree that is behind the series, or whose push was interrupted, is brought up to date
	# first. One that somebody works in is built as it is; half-pushed, it lacks options.
	"$TOP/scripts/tree.sh" --build "$KERNEL"
	case $? in
	0) ;;
	3) LAX=1 ;;
	*) exit 1 ;;
	esac
	# what "vanilla" is on a board that vanilla does not know; and for the selftests, where its
	# emulator wants patches to be right
	_base=${NOT_IN_VANILLA:-}
	case +$VARIANT+ in
	*+kself+*) [ ! -f "$TOP/bench/$BOARD.base" ] || _base=1 ;;
	esac
	if [ "$KERNEL" = vanilla ] && [ -n "$_base" ]; then
		_tree=$("$TOP/scripts/base-tree.sh" "$BOARD") || exit 1
	fi
fi
_ver=$(kernel_version "$_tree") || die "$_tree: not a kernel tree"

mkdir -p "$OUT" 2>/dev/null || die "cannot make $OUT"
# exec would end the shell before we could say anything
touch "$OUT/.lock" 2>/dev/null || die "cannot write in $OUT (disk full?)"
exec 9>"$OUT/.lock"
flock 9

# Same words in every kernel: two builds of the same source are the same to the bit.
KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 2026'
KBUILD_BUILD_USER=ipipe
KBUILD_BUILD_HOST=qemu
KBUILD_BUILD_VERSION=1
export KBUILD_BUILD_TIMESTAMP KBUILD_BUILD_USER KBUILD_BUILD_HOST KBUILD_BUILD_VERSION
unset KCONFIG_CONFIG KBUILD_OUTPUT MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL LOCALVERSION

# ccache where there is one; going by the compiler's list of included files spares it a run
# of the preprocessor for every file that it does not have, a quarter of a cold build
_ccache=
command -v ccache >/dev/null 2>&1 && _ccache="ccache "
CCACHE_DEPEND=1
export CCACHE_DEPEND
# In this mode it does not see that assembly takes in a file by .incbin: the compressed kernel in
# ARM's zImage would be that of the first build for ever. With this option, which only leaves
# the preprocessed text beside the object, ccache keeps its hands off assembly.
_aflags=
[ -z "$_ccache" ] || _aflags=-save-temps=obj

kmake()
{
	make -C "$_tree" O="$OUT" ARCH="$ARCH" CROSS_COMPILE="$CROSS_COMPILE" LOCALVERSION= \
		CC="$_ccache${CROSS_COMPILE}gcc" HOSTCC="${_ccache}gcc" KAFLAGS="$_aflags" "$@" 9>&-
}

# One 'make check' asks for the same kernel several times; once is enough.
if [ -n "${IPIPE_CHECK_RUN:-}" ] && [ "$(cat "$OUT/.check-run" 2>/dev/null)" = "$IPIPE_CHECK_RUN" ]; then
	echo "$OUT"
	exit 0
fi

_start=$(now)
_name="$BOARD $KERNEL${VARIANT:+ ($VARIANT)}, Linux $_ver"
cat "$@" >"$OUT/fragments.new"

# configure TARGET: allnoconfig or olddefconfig
configure()
{
	KCONFIG_ALLCONFIG="$OUT/fragments.new" kmake "$1" >"$OUT/config.log" 2>&1 || {
		tail -n 20 "$OUT/config.log" >&2
		die "$_name: configuration failed, see $OUT/config.log"
	}
}

# Kconfig drops what it cannot satisfy without a word; we do not.
lost()
{
	sed -n 's/^\(CONFIG_[A-Za-z0-9_]*=.*\)/\1/p; s/^\(# CONFIG_[A-Za-z0-9_]* is not set\)$/\1/p' "$OUT/fragments.new" |
	awk '
	FILENAME == ARGV[1] { have[$0] = 1; next }
	{
		n = $0
		sub(/^# /, "", n); sub(/[ =].*/, "", n)
		want[n] = $0
	}
	END {
		for (n in want)
			if (!(want[n] in have) && want[n] !~ /is not set/)
				printf "%s ", want[n]
	}' "$OUT/.config" -
}

# the tree may have got new options since, or have lacked some the last time
_lost=new
if [ -f "$OUT/.config" ] && cmp -s "$OUT/fragments.new" "$OUT/fragments"; then
	configure olddefconfig
	_lost=$(lost)
fi
if [ -n "$_lost" ]; then
	say "configure $_name"
	rm -f "$OUT/fragments"
	configure allnoconfig
	_lost=$(lost)
fi
if [ -n "$_lost" ] && [ "${LAX:-0}" != 1 ]; then
	die "$_name: Kconfig did not take: $_lost"
fi
mv "$OUT/fragments.new" "$OUT/fragments"

_modules=
! grep -q '^CONFIG_MODULES=y' "$OUT/.config" || _modules=modules

say "build $_name (log: $OUT/build.log)"
# shellcheck disable=SC2086
kmake -j"$(jobs_n)" $KERNEL_TARGET $_modules >"$OUT/build.log" 2>&1 &
_pid=$!
trap 'kill $_pid 2>/dev/null; wait $_pid 2>/dev/null; exit 130' INT TERM HUP
# One line now and then: how far it is.
_last=$(now)
while kill -0 $_pid 2>/dev/null; do
	sleep 0.3
	if [ $(($(now) - _last)) -ge 20 ]; then
		_last=$(now)
		say "  $BOARD $KERNEL${VARIANT:+ ($VARIANT)}: $(grep -c '^  \(CC\|AS\)' "$OUT/build.log") files compiled, $(since "$_start")"
	fi
done
if ! wait $_pid; then
	grep -n -i -m 15 'error[: ]\|undefined reference\|No space left' "$OUT/build.log" >&2 ||
		tail -n 15 "$OUT/build.log" >&2
	die "$_name: the build failed, see $OUT/build.log"
fi
[ -f "$OUT/$KERNEL_IMAGE" ] || die "$_name: $OUT/$KERNEL_IMAGE was not made"
[ -z "${IPIPE_CHECK_RUN:-}" ] || echo "$IPIPE_CHECK_RUN" >"$OUT/.check-run"
say "built $_name in $(since "$_start")"
echo "$OUT"
