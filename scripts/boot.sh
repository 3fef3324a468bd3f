#!/bin/sh
# Boots a kernel in the board's emulator, with a shell on this terminal (make boot).
# Builds it first when it is not there.
#
# usage: scripts/boot.sh BOARD [KERNEL [VARIANT [FILE ...]]]
#   FILE  a kernel module, a program (static) or whatever else is wanted in /root of the guest
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# -ge 1 ] || die "usage: boot.sh BOARD [ipipe|vanilla [VARIANT [FILE ...]]]"
load_board "$1"
_kernel=${2:-ipipe}
_variant=${3:-}
if [ $# -gt 3 ]; then
	shift 3
else
	set --
fi
for _f; do
	[ -f "$_f" ] || die "FILES: $_f: no such file"
done
_dir=$("$TOP/scripts/build-kernel.sh" "$BOARD" "$_kernel" "$_variant") || exit 1
if [ -z "${INITRAMFS:-}" ]; then
	INITRAMFS=$("$TOP/scripts/shell.sh" "$BOARD" "$_dir" "$@") || exit 1
	export INITRAMFS
fi

# The guest cannot see how large this terminal is. These words end up in its environment.
set --
_size=$(stty size 2>/dev/null) && [ "${_size% *}" -gt 0 ] && set -- "LINES=${_size% *}" "COLUMNS=${_size#* }"
case ${TERM:-} in
''|dumb|*[!A-Za-z0-9+.-]*) ;;
*) set -- "$@" "TERM=$TERM" ;;
esac
say "boot $BOARD; Ctrl-A x ends the emulator"
# In real time: somebody sits in front of it.
ICOUNT=${ICOUNT:-0} CONSOLE_ONLY=1 exec "$TOP/scripts/run-guest.sh" "$BOARD" "$_dir" shell -- "$@"
