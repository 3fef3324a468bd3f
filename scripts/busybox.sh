#!/bin/sh
# Cross-builds busybox, static, for the guest of a board; prints the directory that it is installed
# in. What is in it: tests/qemu/guest/busybox.config.
#
# usage: scripts/busybox.sh BOARD
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# -eq 1 ] || die "usage: busybox.sh BOARD"
load_board "$1"
for _t in "${CROSS_COMPILE}gcc:gcc-${CROSS_COMPILE%-}" make:make gcc:gcc bzip2:bzip2; do
	need "${_t%:*}" "${_t#*:}"
done
_tar=$("$TOP/scripts/fetch-busybox.sh") || exit 1
_config=$TOP/tests/qemu/guest/busybox.config
_out=$BUILD/guest/$BOARD/busybox
_src=$BUILD/guest/busybox-src
build_lock busybox
unset KCONFIG_CONFIG KCONFIG_ALLCONFIG KBUILD_OUTPUT MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL

# All that the binary depends on; the same again is not built again.
_state=$({
	sha256sum <"$_tar"
	cat "$_config" "$0" $(board_files)
	"${CROSS_COMPILE}gcc" --version
} | sha256sum)
if [ "$(cat "$_out/.state" 2>/dev/null)" = "$_state" ]; then
	echo "$_out/root"
	exit 0
fi

_start=$(now)
_log=$BUILD/guest/$BOARD/busybox.log
rm -rf "$_out"
mkdir -p "$_out" || die "cannot make $_out"
if [ "$(cat "$_src/.tarball" 2>/dev/null)" != "$_tar" ]; then
	rm -rf "$_src"
	mkdir -p "$_src" && tar -C "$_src" --strip-components=1 -xf "$_tar" 2>"$_log" ||
		die "cannot unpack $_tar (disk full, or not a whole tarball)"
	echo "$_tar" >"$_src/.tarball"
fi
[ -f "$_src/applets/applets.c" ] || die "$_tar: not a source of busybox"
say "build busybox for $BOARD (log: $_log)"

_ccache=
command -v ccache >/dev/null 2>&1 && _ccache="ccache "
# no date in it: the same source makes the same bytes
KCONFIG_NOTIMESTAMP=1
export KCONFIG_NOTIMESTAMP
bmake()
{
	make -C "$_src" O="$_out" ARCH="$ARCH" CROSS_COMPILE="$CROSS_COMPILE" \
		CC="$_ccache${CROSS_COMPILE}gcc" HOSTCC="${_ccache}gcc" "$@" 9>&-
}
failed()
{
	grep -n -i -m 10 'error[: ]\|undefined reference\|No space left' "$_log" >&2 ||
		tail -n 10 "$_log" >&2
	die "busybox for $BOARD: $1, see $_log"
}

# This Kconfig has no KCONFIG_ALLCONFIG that works and no olddefconfig: all programs off, as
# allnoconfig writes them, then those that are wanted, and the defaults for what is new by that.
bmake allnoconfig >"$_log" 2>&1 </dev/null || failed "configuration failed"
sed -n 's/^\(CONFIG_[A-Za-z0-9_]*\)=.*/\1/p' "$_config" >"$_out/names"
{
	grep '^# CONFIG_.* is not set$' "$_out/.config" | grep -v '^# CONFIG_\(FEATURE\|ASH\)_' |
		grep -v -w -F -f "$_out/names"
	cat "$_config"
} >"$_out/config.new"
mv "$_out/config.new" "$_out/.config"
yes '' | bmake oldconfig >>"$_log" 2>&1 || failed "configuration failed"
_lost=$(grep '^CONFIG_' "$_config" | grep -v -x -F -f "$_out/.config" | tr '\n' ' ')
[ -z "$_lost" ] || die "busybox for $BOARD: Kconfig did not take: $_lost"

bmake -j"$(jobs_n)" busybox >>"$_log" 2>&1 || failed "the build failed"
bmake CONFIG_PREFIX="$_out/root" install >>"$_log" 2>&1 || failed "cannot be installed"
if command -v board_program >/dev/null; then
	board_program "$_out/root/bin/busybox" || die "$BOARD: cannot adapt $_out/root/bin/busybox"
fi
echo "$_state" >"$_out/.state"
say "built busybox for $BOARD in $(since "$_start")"
echo "$_out/root"
