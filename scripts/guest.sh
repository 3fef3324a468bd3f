#!/bin/sh
# Builds the programs that run in the guest and packs them as its root file system;
# prints the cpio file.
#
# usage: scripts/guest.sh BOARD
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# -eq 1 ] || die "usage: guest.sh BOARD"
load_board "$1"
need "${CROSS_COMPILE}gcc" "gcc-${CROSS_COMPILE%-}"
_out=$BUILD/guest/$BOARD
build_lock "guest-$BOARD"
mkdir -p "$_out" || die "cannot make $_out"
if ! make -C "$TOP/tests/qemu/guest" ARCH="$ARCH" OUT="$_out" >"$_out/build.log" 2>&1 9>&-; then
	grep -i -m 5 'error' "$_out/build.log" >&2 || tail -n 5 "$_out/build.log" >&2
	die "the guest programs do not build, see $_out/build.log"
fi
_cpio=$BUILD/guest/$BOARD.cpio
if ! cmp -s "$_out/initramfs.cpio" "$_cpio"; then
	cp "$_out/initramfs.cpio" "$_cpio.new" && mv "$_cpio.new" "$_cpio" ||
		die "cannot write $_cpio"
fi
echo "$_cpio"
