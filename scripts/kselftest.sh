#!/bin/sh
# Runs programs of the kernel's own selftests on vanilla and on the pipelined kernel, and holds the
# results of each single test against each other (make kselftest). The programs are built from
# vanilla's tree; tests/kselftest.list has their names.
#
# usage: scripts/kselftest.sh BOARD [PROGRAM ...]     (default: all that there are for the board)
#        scripts/kselftest.sh --compare VANILLA.txt IPIPE.txt
#
# environment:
#   KSELFTEST_LIST  another list than tests/kselftest.list
#
# Prints a table, then the lines that differ. The results that are compared stay in
# build/kselftest/BOARD/vanilla.txt and ipipe.txt, what the programs printed in *.log beside them.
# Exit code: 0 when all are the same, 1 otherwise.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

_usage="usage: kselftest.sh BOARD [PROGRAM ...] | --compare VANILLA.txt IPIPE.txt"
_list=${KSELFTEST_LIST:-$TOP/tests/kselftest.list}
# seconds on the host for all programs on one kernel
TIMEOUT=900

# results: what run-guest.sh prints becomes, for each program, its results: lines "PROGRAM| result", then
# "PROGRAM: exit N" (or signal, or unfinished), then "PROGRAM: count PASS FAIL SKIP".
# Results are the lines of TAP; of a program that does not know TAP, those that end in a verdict.
# All else that it says is not compared, nor are times.
results()
{
	awk '
	function verdict(line)
	{
		if (line ~ /# SKIP|\[SKIP\]|\[UNSUPPORTED\]/)
			return "skip"
		if (line ~ /^not ok/ || line ~ /\[FAIL(ED)?\]/ || line ~ /(^|[ :])FAIL(ED)?$/)
			return "fail"
		if (line ~ /^ok / || line ~ /\[(OK|PASS|PASSED)\]/ || line ~ /(^|[ :])PASS(ED)?$/)
			return "pass"
		return ""
	}
	/^# [^ ]*\| / {
		prog = $2
		sub(/\|$/, "", prog)
		line = $0
		sub(/^# [^ ]*\| /, "", line)
		if (line ~ /^K?TAP version/)
			tap[prog] = 1
		gsub(/[0-9]+ ns/, "N ns", line)
		gsub(/  +/, " ", line)
		sub(/ +$/, "", line)
		if (line ~ /^#/) {
			if (line ~ /^# Totals:/)
				print prog "| " line
			next
		}
		v = verdict(line)
		if (v == "") {
			if (line ~ /^1\.\.[0-9]|^Bail out!/)
				print prog "| " line
			next
		}
		print prog "| " line
		if (!tap[prog] || line ~ /^(not )?ok /)
			n[prog, v]++
		next
	}
	/^# [^ ]*: (exit|signal) [0-9]+$|^# [^ ]*: unfinished$/ {
		prog = $2
		sub(/:$/, "", prog)
		sub(/^# /, "")
		print
		# one that prints no verdict has only its exit code: 4 is kselftest for "skipped"
		if (n[prog, "pass"] + n[prog, "fail"] + n[prog, "skip"] == 0)
			n[prog, $0 ~ /: exit 0$/ ? "pass" : $0 ~ /: exit 4$/ ? "skip" : "fail"] = 1
		printf "%s: count %d %d %d\n", prog, n[prog, "pass"], n[prog, "fail"], n[prog, "skip"]
	}'
}

# compare VANILLA.txt IPIPE.txt: the table, and what differs
compare()
{
	awk '
	function how(line)
	{
		sub(/^[^ ]*: /, "", line)
		return line == "" ? "none" : line
	}
	FNR == 1 { k++ }
	{
		prog = $1
		sub(/[|:]$/, "", prog)
		if (!(prog in seen)) {
			seen[prog] = 1
			order[++nr] = prog
		}
		all[k, prog] = all[k, prog] $0 "\n"
		if ($0 ~ /^[^ ]*: count [0-9]+ [0-9]+ [0-9]+$/) {
			if (k == 1 || !(prog in count))
				count[prog] = sprintf("%5d %5d %5d", $3, $4, $5)
		} else if ($1 ~ /:$/) {
			end[k, prog] = $0
		}
	}
	END {
		printf "%-32s %5s %5s %5s  %-10s %-10s\n", "program", "pass", "fail", "skip", "vanilla", "ipipe"
		for (i = 1; i <= nr; i++) {
			prog = order[i]
			same = all[1, prog] == all[2, prog]
			bad += !same
			printf "%-32s %17s  %-10s %-10s %s\n", prog, count[prog], how(end[1, prog]),
				how(end[2, prog]), same ? "same" : "DIFFERS"
		}
		exit bad || !nr
	}' "$1" "$2" && return 0
	diff "$1" "$2" | sed -n 's/^< /vanilla: /p; s/^> /ipipe:   /p' >&2
	return 1
}

[ $# -ge 1 ] || die "$_usage"
if [ "$1" = --compare ]; then
	[ $# = 3 ] || die "$_usage"
	for _f in "$2" "$3"; do
		[ -s "$_f" ] || die "$_f: no results there"
	done
	compare "$2" "$3" || die "the kernels differ"
	exit 0
fi
load_board "$1"
shift

_all=$(awk -v board="$BOARD" '/^[^#]/ && ($1 == "*" || $1 == board) { print $2 }' "$_list")
for _p; do
	case $_p in
	*[!A-Za-z0-9_-]*) _known= ;;
	*) _known=$(echo "$_all" | grep -x -e "$_p") ;;
	esac
	[ -n "$_known" ] || die "$_p: no such program for $BOARD; have: $(echo "$_all" | tr '\n' ' ')"
done
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $_all
need "${CROSS_COMPILE}gcc" "gcc-${CROSS_COMPILE%-}"
need cpio cpio
need_emulator

_vanilla=$("$TOP/scripts/build-kernel.sh" "$BOARD" vanilla kself) || exit 1
_ipipe=$("$TOP/scripts/build-kernel.sh" "$BOARD" ipipe kself) || exit 1
_base=$("$TOP/scripts/guest.sh" "$BOARD") || exit 1
_tree=$BUILD/linux-vanilla
_s=$_tree/tools/testing/selftests
_h=$TOP/tests/qemu/kselftest
_out=$BUILD/kselftest/$BOARD
_bin=$_out/bin
build_lock "kselftest-$BOARD"
mkdir -p "$_bin" || die "cannot make $_bin"

# compile OUT FLAGS SOURCE...: one static program
compile()
{
	_o=$1
	_flags=$2
	shift 2
	_cflags="-O2 -w -D_GNU_SOURCE -pthread -ffile-prefix-map=$_s=."
	# The handlers of aborted rseq sequences are in a section of their own, which the linker puts
	# behind the whole C library, and there a branch of PowerPC does not reach.
	# shellcheck disable=SC2086
	"${CROSS_COMPILE}gcc" $_cflags $_flags -r -o "$_o.o" "$@" &&
	"${CROSS_COMPILE}objcopy" --rename-section __rseq_failure=.text.hot "$_o.o" &&
	"${CROSS_COMPILE}gcc" -static -s -pthread -o "$_o" "$_o.o" -lrt -ldl || return 1
	rm -f "$_o.o"
	! command -v board_program >/dev/null || board_program "$_o"
}

# program NAME: builds it, unless what is there was made from just the same
program()
{
	_line=$(awk -v board="$BOARD" -v name="$1" \
		'/^[^#]/ && $2 == name && ($1 == "*" || $1 == board)' "$_list")
	# no file names for the '*'
	set -f
	# shellcheck disable=SC2086
	set -- $_line
	set +f
	_name=$2
	_src=
	for _f in $(echo "$3" | tr ',' ' '); do
		[ -f "$_s/$_f" ] || die "$_name: no $_f in $_s"
		_src="$_src $_s/$_f"
	done
	_args=
	[ "$4" = - ] || _args=$(echo "$4" | tr ',' ' ')
	shift 4
	_words=$(echo "-I$_h -I$_s $*" | sed "
		s|@FUTEX@|-I$_s/futex/include -include $_h/time64.h -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64|
		s|@RSEQ@|-I$_s/rseq -I$_tree/tools/include|
		s|@S@|$_s|g; s|@H@|$_h|g")
	# shellcheck disable=SC2086
	_sum=$({
		echo "$_words"
		"${CROSS_COMPILE}gcc" --version
		cat $_src "$TOP/scripts/kselftest.sh" "$BOARD_DIR/board.sh" "$_h"/*.h "$_h"/sys/*.h \
			"$_s/kselftest.h" "$_s/kselftest_harness.h"
	} | sha256sum)
	if [ "$_sum" = "$_last_sum" ]; then
		:
	elif [ ! -x "$_bin/$_name" ] || [ "$(cat "$_bin/$_name.sum" 2>/dev/null)" != "$_sum" ]; then
		rm -f "$_bin/$_name.sum"
		# shellcheck disable=SC2086
		compile "$_bin/$_name" "$_words" $_src 2>"$_bin/$_name.err" ||
			die "$_name does not build: $(grep -m 1 -i 'error\|undefined\|truncated\|cannot' "$_bin/$_name.err" ||
				echo "see $_bin/$_name.err")"
		echo "$_sum" >"$_bin/$_name.sum"
	fi
	# one file for all that are the same with other arguments
	if [ "$_sum" = "$_last_sum" ]; then
		ln "$_root/kselftest/$_last" "$_root/kselftest/$_name"
	else
		cp "$_bin/$_name" "$_root/kselftest/$_name"
	fi || die "cannot write in $_root (disk full?)"
	_last=$_name
	_last_sum=$_sum
	[ -z "$_args" ] || echo "$_args" >"$_root/kselftest/$_name.args"
}

_root=$_out/root
rm -rf "$_root"
mkdir -p "$_root/bin" "$_root/kselftest" || die "cannot write in $_root (disk full?)"
say "build $# programs for $BOARD in $_bin"
_last_sum=
for _p; do
	program "$_p"
done
# what one of them starts
compile "$_root/bin/sleep" "" "$_h/sleep.c" 2>"$_bin/sleep.err" || die "sleep does not build, see $_bin/sleep.err"
ln -s tiny "$_root/bin/true"
# compressed: the kernel of the ppc405 does not find one that ends above its first 32 MB
{
	cat "$_base" &&
	(cd "$_root" && find . -mindepth 1 | sed 's,^\./,,' | sort |
		cpio --quiet --reproducible -o -H newc -R 0:0)
} | gzip -n -1 >"$_out/initramfs.cpio" || die "cannot write $_out/initramfs.cpio (disk full?)"

_bad=
for _k in vanilla ipipe; do
	say "$# programs on $BOARD, $_k"
	_t=$(now)
	_dir=$_vanilla
	[ $_k = vanilla ] || _dir=$_ipipe
	INITRAMFS=$_out/initramfs.cpio LOG=$_out/$_k.log "$TOP/scripts/run-guest.sh" "$BOARD" "$_dir" kself \
		"$TIMEOUT" >"$_out/$_k.out" 2>"$_out/$_k.err" </dev/null
	_rc=$?
	results <"$_out/$_k.out" >"$_out/$_k.txt"
	say "  $(since "$_t")"
	for _p; do
		grep -q -e "^$_p: unfinished$" "$_out/$_k.txt" && _bad="$_bad $_p"
		grep -q -e "^$_p: count " "$_out/$_k.txt" && continue
		[ $_rc != 0 ] || die "$_p: nothing of it in $_out/$_k.log"
	done
	# a program that does not come to an end is a result of that program, all else is no result at all
	if [ $_rc != 0 ]; then
		if [ -z "$_bad" ] || ! tail -n 1 "$_out/$_k.err" | grep -q ': the guest said: guest: FAIL 1$'; then
			die "$_k: $(tail -n 1 "$_out/$_k.err")"
		fi
	fi
	[ $_k = ipipe ] || [ -z "$_bad" ] || die "vanilla does not finish:$_bad"
done
compare "$_out/vanilla.txt" "$_out/ipipe.txt" || die "the kernels differ: $_out/vanilla.txt, ipipe.txt"
