#!/bin/sh
# Makes build/linux-vanilla-BOARD, for a board that vanilla does not know: vanilla, with those
# patches of the series pushed that bench/BOARD.base names. They are right without the pipeline.
# Prints the directory. One that is up to date is kept.
#
# usage: scripts/base-tree.sh BOARD
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/bench-lib.sh"

[ $# -eq 1 ] || die "usage: base-tree.sh BOARD"
load_board "$1"
need patch patch
_van=$BUILD/linux-vanilla
_tree=$BUILD/linux-vanilla-$BOARD
_ver=$(kernel_version "$_van") || die "$_van: not a kernel tree; 'make tree' makes one"
# not in the for: there its failing would go unseen
_base=$(bench_base) || exit 1
[ -n "$_base" ] || die "bench/$BOARD.base names no patch"
build_lock "base-$BOARD"
_sum=$({ echo "$_ver"; cd "$TOP/patches" && cat $_base; } | sha256sum)
if [ "$(cat "$_tree.sum" 2>/dev/null)" = "$_sum" ] && [ -d "$_tree" ]; then
	echo "$_tree"
	exit 0
fi
rm -rf "$_tree" "$_tree.sum" "$_tree.part"
# by hard links; patch writes a new file in place of the one that it changes
cp -al "$_van" "$_tree.part" || die "cannot copy $_van (disk full?)"
for _p in $_base; do
	push_base "$TOP/patches/$_p" "$_tree.part"
done
mv "$_tree.part" "$_tree" && echo "$_sum" >"$_tree.sum" || die "cannot make $_tree (disk full?)"
say "build/${_tree##*/}: Linux $_ver, with $(echo "$_base" | wc -w) patches for the board"
echo "$_tree"
