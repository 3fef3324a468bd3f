#!/bin/sh
# From nothing to a measured interrupt latency (make demo): packages, vanilla Linux, the series,
# a cross-build, a boot in QEMU, the table and histogram of a head domain.
#
# usage: scripts/demo.sh BOARD
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# -eq 1 ] || die "usage: demo.sh BOARD"
load_board "$1"
_t0=$(now)
# nothing of the caller's may get in
unset INITRAMFS LOG LINUX_TREE OUT LAX FRAGMENTS ICOUNT EARLYCON CONSOLE_ONLY

step()
{
	say ""
	say "[$1/5] $2   ($(since "$_t0"))"
}

step 1 "packages"
"$TOP/scripts/setup.sh" || exit 1
step 2 "Linux 6.1, with the series pushed"
"$TOP/scripts/tree.sh" ipipe || exit 1
step 3 "the kernel for $BOARD: $BOARD_TITLE"
_dir=$("$TOP/scripts/build-kernel.sh" "$BOARD" ipipe) || exit 1
step 4 "the programs for the guest"
"$TOP/scripts/guest.sh" "$BOARD" >/dev/null || exit 1
step 5 "boot it in $QEMU"
ECHO_GUEST=1 "$TOP/scripts/run-guest.sh" "$BOARD" "$_dir" demo,50000 400 >/dev/null || exit 1
say ""
say "Figures are guest time at $(awk "BEGIN { print 1000 / 2 ^ $ICOUNT_SHIFT }") million instructions a second: they count"
say "instructions on the path, and know nothing of caches. Not figures of a real board."
say "demo: done in $(since "$_t0")"
