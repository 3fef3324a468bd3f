#!/bin/sh
# Gets the source of busybox and prints where the tarball is: under build/dl, or what BUSYBOX= names.
#
# usage: scripts/fetch-busybox.sh
# environment:
#   BUSYBOX  a tarball of busybox to take instead
#
# It is the upstream tarball of Debian's source package "busybox", see debian-source.sh.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/debian-source.sh"

SOURCE_HINT="give a tarball: BUSYBOX=/path/to/busybox-1.y.z.tar.bz2"
if [ -n "${BUSYBOX:-}" ]; then
	[ -f "$BUSYBOX" ] || die "BUSYBOX=$BUSYBOX: no such file"
	(cd "$(dirname "$BUSYBOX")" && printf '%s/%s\n' "$(pwd)" "$(basename "$BUSYBOX")")
	exit
fi

build_lock dl
mkdir -p "$DL" || die "cannot make $DL"
for _n in $(ls "$DL" 2>/dev/null |
	sed -n '/^busybox_.*\.orig\.tar\.[a-z0-9]*$/p' | sort -rV); do
	kept "$DL/$_n" && exit 0
done

apt_ask busybox
_list=$(source_versions busybox | sort -rV)
for _pv in $_list; do
	say "fetch busybox $(upstream_version "$_pv") (3 MB) into build/dl"
	fetch_source busybox "$_pv" && exit 0
	say "busybox $_pv is listed but cannot be fetched"
done
die "no source of busybox can be had from the package mirror (no network?); $SOURCE_HINT"
