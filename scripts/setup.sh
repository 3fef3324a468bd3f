#!/bin/sh
# Installs the Debian packages that the other scripts need. Only what is missing, and without
# a word when nothing is.
#
# usage: scripts/setup.sh [qemu|dts]
#   qemu  what a build of our own QEMU needs as well (make qemu): a lot, and only for that
#   dts   what checks device trees against the kernel's bindings, for a test
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

# ccache is no need, but it pays; perl has prove
PACKAGES="build-essential bc bison flex quilt ccache perl xz-utils cpio git
	bzip2 gcc-powerpc-linux-gnu libc6-dev-powerpc-cross qemu-system-ppc
	gcc-arm-linux-gnueabi libc6-dev-armel-cross qemu-system-arm
	device-tree-compiler gnuplot-nox"
QEMU_PACKAGES="ninja-build meson pkg-config python3 dpkg-dev
	libglib2.0-dev libpixman-1-dev libfdt-dev"

case $#,${1:-} in
0,) ;;
1,qemu) PACKAGES="$PACKAGES $QEMU_PACKAGES" ;;
1,dts) PACKAGES="$PACKAGES dt-schema" ;;
*) die "usage: setup.sh [qemu|dts]" ;;
esac

_missing=
for _p in $PACKAGES; do
	dpkg-query -W -f '${db:Status-Abbrev}' "$_p" 2>/dev/null | grep -q '^ii' ||
		_missing="$_missing $_p"
done
[ -n "$_missing" ] || exit 0

command -v apt-get >/dev/null 2>&1 ||
	die "not a Debian system; install by hand:$_missing"
_sudo=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null 2>&1 ||
		die "packages are missing; as root: apt-get install$_missing"
	_sudo=sudo
fi
mkdir -p "$BUILD" || die "cannot make $BUILD"
_log=$BUILD/setup.log
say "install$_missing"
# A machine that was never updated has no package lists at all, an old one has stale ones.
inst()
{
	# shellcheck disable=SC2086
	$_sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install \
		--no-install-recommends -y $_missing >"$_log" 2>&1
}
if ! inst; then
	$_sudo apt-get -qq update >>"$_log" 2>&1
	if ! inst; then
		grep '^E:' "$_log" | head -n 3 >&2
		die "the packages could not be installed (no network?), see $_log"
	fi
fi
