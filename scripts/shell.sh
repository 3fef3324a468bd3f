#!/bin/sh
# Packs the root file system of 'make boot': that of the tests, busybox, the kernel's modules and
# the user's files; prints the cpio file. The tests and the bench boot without all this.
#
# usage: scripts/shell.sh BOARD BUILDDIR [FILE ...]
#   FILE  goes into /root of the guest
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# -ge 2 ] || die "usage: shell.sh BOARD BUILDDIR [FILE ...]"
load_board "$1"
_dir=$2
shift 2

_machine=
_seen=" "
# elf FILE FIELD: a line of its ELF header; nothing when it is no ELF file
elf()
{
	"${CROSS_COMPILE}readelf" -h "$1" 2>/dev/null | sed -n "s/^ *$2: *//p"
}
for _f; do
	[ -e "$_f" ] || die "FILES: $_f: no such file"
	[ -f "$_f" ] || die "FILES: $_f: not a file"
	[ -f "$_f" ] && [ -r "$_f" ] || die "FILES: $_f: not a file that can be read"
	case $_seen in
	*" ${_f##*/} "*) die "FILES: ${_f##*/}: two files of this name" ;;
	esac
	_seen="$_seen${_f##*/} "
done

_base=$("$TOP/scripts/guest.sh" "$BOARD") || exit 1
_bb=$("$TOP/scripts/busybox.sh" "$BOARD") || exit 1
_cpio=$BUILD/guest/$BOARD-shell.cpio
_root=$BUILD/guest/$BOARD/shell
build_lock "shell-$BOARD"
rm -rf "$_root"
mkdir -p "$_root" && cp -a "$_bb/." "$_root" && cp -R "$TOP/tests/qemu/guest/shell/." "$_root" &&
	mkdir -p "$_root/root" || die "cannot write in $_root (disk full?)"
sed "s/@CONSOLE@/$CONSOLE/" "$TOP/tests/qemu/guest/shell/etc/inittab" >"$_root/etc/inittab"

_machine=$(elf "$_root/bin/busybox" Machine)
for _f; do
	_to=$_root/root/${_f##*/}
	cp "$_f" "$_to" || die "cannot write in $_root (disk full?)"
	_m=$(elf "$_to" Machine)
	[ -n "$_m" ] || continue
	[ "$_m" = "$_machine" ] || die "FILES: $_f: is for $_m; $BOARD is $_machine"
	case $(elf "$_to" Type) in
	REL*) continue ;;
	esac
	! "${CROSS_COMPILE}readelf" -lW "$_to" | grep -q '^ *INTERP' ||
		die "FILES: $_f: wants shared libraries, which the guest has not; link it with -static"
	chmod +x "$_to"
	if command -v board_program >/dev/null; then
		board_program "$_to" || die "FILES: $_f: cannot be adapted to $BOARD"
	fi
done

# The kernel's own modules, in the order in which it built them
if [ -s "$_dir/modules.order" ]; then
	_lib=$_root/lib/modules/$(cat "$_dir/include/config/kernel.release")
	while read -r _m; do
		mkdir -p "$_lib/kernel/${_m%/*}" && cp "$_dir/$_m" "$_lib/kernel/$_m" ||
			die "cannot copy $_dir/$_m"
	done <"$_dir/modules.order"
fi

chmod -R u=rwX,go=rX "$_root"
find "$_root" -exec touch -h -d @0 {} +
{
	cat "$_base" &&
	(cd "$_root" && find . -mindepth 1 | sed 's,^\./,,' | sort |
		cpio --quiet --reproducible -o -H newc -R 0:0)
} >"$_cpio.$$" && mv "$_cpio.$$" "$_cpio" || die "cannot write $_cpio (disk full?)"
echo "$_cpio"
