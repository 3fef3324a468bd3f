#!/bin/sh
# Boots a kernel in the board's emulator with a console on this terminal (make boot).
# Builds it first when it is not there.
#
# usage: scripts/boot.sh BOARD [KERNEL [VARIANT]]
set -u
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# -ge 1 ] && [ $# -le 3 ] || die "usage: boot.sh BOARD [ipipe|vanilla [VARIANT]]"
load_board "$1"
_dir=$("$TOP/scripts/build-kernel.sh" "$@") || exit 1
say "boot $BOARD; Ctrl-A x ends the emulator"
# In real time: somebody sits in front of it.
ICOUNT=${ICOUNT:-0} CONSOLE_ONLY=1 exec "$TOP/scripts/run-guest.sh" "$BOARD" "$_dir" shell
