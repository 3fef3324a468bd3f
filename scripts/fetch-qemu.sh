#!/bin/sh
# Gets the source of QEMU 7.2 and prints where it is: Debian's source package under build/dl, by
# its .dsc, or what QEMU_SOURCE= names.
#
# usage: scripts/fetch-qemu.sh
# environment:
#   QEMU_SOURCE  a .dsc, a tarball or an unpacked tree to take instead
#
# All of the package is wanted, not the upstream tarball alone: what came with the stable updates
# is in Debian's patches. See debian-source.sh.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/debian-source.sh"

# Debian 12 has this one, and the stack is made for it.
VERSION=7.2
SOURCE_HINT="give one: QEMU_SOURCE=/path/to/qemu-$VERSION.y.tar.xz"
[ $# = 0 ] || die "usage: fetch-qemu.sh"
if [ -n "${QEMU_SOURCE:-}" ]; then
	if [ -d "$QEMU_SOURCE" ]; then
		_v=$(cat "$QEMU_SOURCE/VERSION" 2>/dev/null)
		[ -f "$QEMU_SOURCE/configure" ] && [ -n "$_v" ] ||
			die "QEMU_SOURCE=$QEMU_SOURCE: not a source tree of QEMU"
		case $_v in
		"$VERSION"|"$VERSION".*) ;;
		*) die "QEMU_SOURCE=$QEMU_SOURCE is QEMU $_v; the stack is for $VERSION" ;;
		esac
	elif [ -f "$QEMU_SOURCE" ]; then
		case $QEMU_SOURCE in
		*.dsc|*.tar|*.tar.*|*.tgz) ;;
		*) die "QEMU_SOURCE=$QEMU_SOURCE: neither a tree nor a .dsc or tarball" ;;
		esac
	else
		die "QEMU_SOURCE=$QEMU_SOURCE: no such file or directory"
	fi
	(cd "$(dirname "$QEMU_SOURCE")" && printf '%s/%s\n' "$(pwd)" "$(basename "$QEMU_SOURCE")")
	exit
fi

build_lock dl
mkdir -p "$DL" || die "cannot make $DL"
for _n in $(ls "$DL" 2>/dev/null | sed -n "/^qemu_$VERSION[+.~-].*\.dsc\$/p" | sort -rV); do
	kept "$DL/$_n" && exit 0
done

apt_ask "QEMU $VERSION"
# 1:7.2+dfsg-7+deb12u18, newest first
_list=$(source_versions qemu | grep "^\([0-9]*:\)\{0,1\}$VERSION[+.~-]" | sort -rV)
[ -n "$_list" ] ||
	die "no source of QEMU $VERSION can be had from the package mirror (no network, or not Debian 12); $SOURCE_HINT"
for _pv in $_list; do
	say "fetch QEMU ${_pv#*:} (25 MB) into build/dl"
	fetch_package qemu "$_pv" && exit 0
	say "QEMU ${_pv#*:} is listed but cannot be fetched"
done
die "no source of QEMU $VERSION could be fetched; $SOURCE_HINT"
