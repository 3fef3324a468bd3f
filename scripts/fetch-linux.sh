#!/bin/sh
# Gets vanilla Linux 6.1 and prints where it is: a tarball under build/dl, or what LINUX= names.
#
# usage: scripts/fetch-linux.sh [VERSION]
#   VERSION  a point release such as 6.1.187; default: the newest that can be had
# environment:
#   LINUX  a tarball (.tar, .tar.xz, .tar.gz) or a kernel tree to take instead
#
# "Vanilla" is the upstream tarball of Debian's source package "linux", see debian-source.sh.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/debian-source.sh"

SOURCE_HINT="give a kernel: LINUX=/path/to/linux-6.1.y.tar.xz"
_want=${1:-}
[ $# -le 1 ] || die "usage: fetch-linux.sh [6.1.N]"
case ${_want#6.1.} in
*[!0-9]*) die "Linux $_want: the series is for 6.1.$MIN_SUBLEVEL and later 6.1.y" ;;
esac

if [ -n "${LINUX:-}" ]; then
	if [ -d "$LINUX" ]; then
		_v=$(kernel_version "$LINUX") || die "LINUX=$LINUX: not a kernel tree"
	elif [ -f "$LINUX" ]; then
		case $LINUX in
		*.tar|*.tar.xz|*.tar.gz|*.tgz) ;;
		*) die "LINUX=$LINUX: neither a directory nor a .tar, .tar.xz or .tar.gz" ;;
		esac
		_v=
	else
		die "LINUX=$LINUX: no such file or directory"
	fi
	[ -z "$_v" ] || version_supported "$_v" ||
		die "LINUX=$LINUX is Linux $_v; the series is for 6.1.$MIN_SUBLEVEL and later 6.1.y"
	(cd "$(dirname "$LINUX")" && printf '%s/%s\n' "$(pwd)" "$(basename "$LINUX")")
	exit
fi

# versions on their own lines, newest first; argument: the same with "oldest last"
newest_first()
{
	sort -t. -k1,1nr -k2,2nr -k3,3nr
}

[ -z "$_want" ] || version_supported "$_want" ||
	die "Linux $_want: the series is for 6.1.$MIN_SUBLEVEL and later 6.1.y"
build_lock dl
mkdir -p "$DL" || die "cannot make $DL"

# What is there is used: asking the mirror costs time and needs a network.
for _v in $(ls "$DL" 2>/dev/null |
	sed -n 's/^linux_\([0-9.]*\)\.orig\.tar\.xz$/\1/p' | newest_first); do
	[ -z "$_want" ] || [ "$_want" = "$_v" ] || continue
	version_supported "$_v" || continue
	kept "$DL/linux_$_v.orig.tar.xz" && exit 0
done

apt_ask "Linux 6.1.y"

# "linux 6.1.187-1": package versions, newest first
_list=$(source_versions linux | grep '^6\.1\.[0-9]*-' | sort -t. -k3,3Vr)
[ -n "$_list" ] ||
	die "no Linux 6.1 source can be had from the package mirror (no network?); give one: LINUX=/path/to/linux-6.1.y.tar.xz"

_tried=
for _pv in $_list; do
	_v=${_pv%%-*}
	[ -z "$_want" ] || [ "$_want" = "$_v" ] || continue
	version_supported "$_v" || continue
	# several package revisions share one upstream tarball
	case " $_tried " in *" $_v "*) continue ;; esac
	say "fetch Linux $_v (130 MB) into build/dl"
	fetch_source linux "$_pv" && exit 0
	_tried="$_tried $_v"
	say "Linux $_v is listed but cannot be fetched; taking the next older one"
done
[ -z "$_want" ] || die "Linux $_want cannot be had from the package mirror"

# The binary package has Debian's patches on top: the series applies to it or tree.sh says no.
say "no upstream tarball to be had; trying the package linux-source-6.1"
_part=$DL/part
mkdir -p "$_part" || die "cannot make $_part"
sed 's/^deb-src /deb /' "$APT/parts/debian.list" >"$APT/parts/bin.list" 2>/dev/null || rm -f "$APT/parts/bin.list"
sed 's/^Types:.*/Types: deb/' "$APT/parts/debian.sources" >"$APT/parts/bin.sources" 2>/dev/null || rm -f "$APT/parts/bin.sources"
apt_get update >"$APT/log" 2>&1
if (cd "$_part" && apt_get download linux-source-6.1 >"$APT/log" 2>&1) &&
   dpkg-deb --fsys-tarfile "$_part"/linux-source-6.1_*.deb 2>/dev/null |
	tar -C "$_part" -xf - ./usr/src/linux-source-6.1.tar.xz 2>/dev/null; then
	keep "$_part/usr/src/linux-source-6.1.tar.xz"
	rm -rf "$_part"
	say "this is Debian's kernel source, with Debian's patches"
	exit 0
fi
rm -rf "$_part"
die "no Linux 6.1 source could be fetched; give one: LINUX=/path/to/linux-6.1.y.tar.xz"
