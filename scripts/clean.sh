#!/bin/sh
# Removes what was built (make clean): kernels, guest programs, single-file patches, the trees
# that bench, bisection and check-series made for themselves.
#
# What stays: downloads; build/linux and build/linux-vanilla, the first may hold work; and what
# was measured, in build/bench and build/bisect, which may have taken hours. It is kept by the
# checksum of the kernels, so it is good for the same kernel built again. 'rm -rf build' removes
# all.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# = 0 ] || die "usage: clean.sh"
for _b in $(boards); do
	rm -rf "${BUILD:?}/$_b" "$BUILD/bench/$_b" "$BUILD/bisect/$_b"
done
rm -rf "$BUILD/guest" "$BUILD/kselftest" "$BUILD/dist" "$BUILD/test" "$BUILD/series-check" "$BUILD/apt" \
	"$BUILD/bench/linux" "$BUILD/bench/linux-vanilla" \
	"$BUILD/bisect/linux" "$BUILD/bisect/.linux-ready" "$BUILD/bisect/.linux-moving"
rm -rf "$BUILD"/*.part
