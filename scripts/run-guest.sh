#!/bin/sh
# Boots a built kernel in the board's emulator, runs one guest test in it, and judges its log.
#
# usage: scripts/run-guest.sh BOARD BUILDDIR TEST [TIMEOUT] [-- more words for the command line]
#   TEST     NAME or NAME,ARGUMENT,...: the program in the guest and its arguments
#   TIMEOUT  seconds on the host after which the guest counts as hung (default 120)
# environment:
#   INITRAMFS  a cpio file; default: build/guest/BOARD.cpio, made when it is not there
#   LOG        the log file; default: BUILDDIR/guest-NAME.log
#   ECHO_GUEST  1: what the test prints goes to stderr at once
#   ICOUNT     0: do not count instructions; the guest then runs in real time
#   EARLYCON   1: with a console from the first instruction on, if the board has one; slow
#   CONSOLE_ONLY  1: no test, a console on this terminal, no judgement (make boot)
#
# The guest's KTAP lines go to stdout. Success is a line "guest: PASS" and nothing in the log
# that the kernel prints when something went wrong. A test that provokes such a message
# on purpose prints "guest: splat expected" before it and "guest: splat over" after it;
# what the pipeline says of a domain called kunit-misuse its own test has asked for.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# -ge 3 ] || die "usage: run-guest.sh BOARD BUILDDIR TEST [TIMEOUT] [-- CMDLINE...]"
load_board "$1"
_dir=$2
_test=$3
shift 3
_timeout=120
case ${1:---} in
--) ;;
*[!0-9]*) die "TIMEOUT=$1: not a number of seconds" ;;
*) _timeout=$1; shift ;;
esac
[ "${1:-}" = -- ] && shift

[ -f "$_dir/vmlinux" ] || die "$_dir: no kernel built there"
_dir=$(cd "$_dir" && pwd)
need_emulator
need fdtput device-tree-compiler

if [ -z "${INITRAMFS:-}" ]; then
	INITRAMFS=$("$TOP/scripts/guest.sh" "$BOARD") || exit 1
fi
[ -f "$INITRAMFS" ] || die "$INITRAMFS: no such file"

_base=$_dir/guest-${_test%%,*}
_log=${LOG:-$_base.log}
_img=$_base.$$.img
_rcf=$_base.$$.rc
_pidf=$_base.$$.pid
cleanup()
{
	# "timeout" passes it on to the emulator
	[ -f "$_pidf" ] && kill "$(cat "$_pidf")" 2>/dev/null
	rm -rf "$_img" "$_img.tmp" "$_rcf" "$_pidf"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

board_image "$_dir" "$INITRAMFS" \
	"console=$CONSOLE panic=-1 oops=panic ipipe.guest=$_test ipipe.shift=$ICOUNT_SHIFT $*" "$_img" ||
	die "cannot make the boot image from $_dir"

_icount="-icount shift=$ICOUNT_SHIFT,sleep=off -rtc base=2026-01-01T00:00:00,clock=vm"
[ "${ICOUNT:-1}" = 0 ] && _icount=

# Word splitting is wanted here: these are lists of options.
# shellcheck disable=SC2046,SC2086
if [ "${CONSOLE_ONLY:-0}" = 1 ]; then
	"$QEMU" $QEMU_ARGS -nographic -no-reboot $_icount $(board_qemu_image "$_img")
	exit
fi

# shellcheck disable=SC2046,SC2086
{
	sh -c 'echo $$ >"$0"; exec timeout "$@"' "$_pidf" \
		-k 5 "$_timeout" "$QEMU" $QEMU_ARGS -display none -monitor none -serial stdio \
		-no-reboot $_icount $(board_qemu_image "$_img") </dev/null 2>&1
	echo $? >"$_rcf"
} | sed -u 's/\r//g' >"$_log" &
_pipe=$!
if [ "${ECHO_GUEST:-0}" = 1 ]; then
	tail -n +1 -f --pid=$_pipe "$_log" 2>/dev/null | sed -u -n '
		/^guest: .* starts/,/^guest: [PF]A/{/^guest: /d;/^KTAP/d;/^1\.\./d;/^ok /d;p}' >&2 &
	_echo=$!
fi
# A guest that has not said anything by now never will; no need to wait for the timeout.
_silent=0
while kill -0 $_pipe 2>/dev/null; do
	sleep 0.2
	_silent=$((_silent + 1))
	if [ $_silent = 150 ] && [ ! -s "$_log" ]; then
		kill "$(cat "$_pidf")" 2>/dev/null
	fi
done
wait $_pipe
[ -z "${_echo:-}" ] || wait "$_echo"
_rc=$(cat "$_rcf" 2>/dev/null || echo 1)
rm -f "$_pidf"

grep -E '^ *(KTAP version|TAP version|1\.\.[0-9]|(not )?ok( |$)|# )' "$_log"

_bad=$(awk -v bad="$GUEST_BAD" '
	/^guest: splat expected/ { skip = 1 }
	/^guest: splat over/ { skip = 0 }
	!skip && $0 ~ bad && !/ipipe: domain kunit-misuse: / { print; exit }' "$_log")

_why=
if [ -n "$_bad" ]; then
	_why="the kernel complained: $_bad"
elif grep -q '^guest: PASS$' "$_log"; then
	[ "$_rc" = 124 ] && _why="passed, but did not end within $_timeout s"
elif grep -q '^guest: FAIL' "$_log"; then
	_why="the guest said: $(grep -m 1 '^guest: FAIL' "$_log")"
elif [ ! -s "$_log" ] || ! grep -qv '^qemu' "$_log"; then
	_why="silent: nothing on the console"
	if [ "${EARLYCON:-0}" != 1 ]; then
		# once more, to have something to show
		say "the guest is silent; once more with an early console"
		cleanup
		EARLYCON=1 LOG=$_log exec "$0" "$BOARD" "$_dir" "$_test" 60 -- "$@"
	fi
elif [ "$_rc" = 124 ] || [ "$_rc" = 137 ]; then
	_why="hung: no result within $_timeout s"
elif [ "$_rc" != 0 ]; then
	_why="the emulator failed ($_rc)"
else
	_why="ended without a result"
fi
[ -z "$_why" ] && exit 0

say "--- the last lines of $_log:"
tail -n 40 "$_log" >&2
say "---"
die "$BOARD, guest test $_test: $_why"
