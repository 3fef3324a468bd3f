#!/bin/sh
# Removes what was built (make clean). Downloads stay, and so does build/linux, which may hold
# work; 'rm -rf build' removes all.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

for _b in $(boards); do
	rm -rf "${BUILD:?}/$_b"
done
rm -rf "$BUILD/guest" "$BUILD/dist" "$BUILD/test" "$BUILD/series-check" "$BUILD/apt"
rm -rf "$BUILD"/*.part
