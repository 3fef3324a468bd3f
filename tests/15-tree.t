#!/bin/sh
# scripts/tree.sh: made once, kept, brought up to date, and nobody's edits thrown away.
. "$(dirname "$0")/lib.sh"

R=$T/repo
fake_repo "$R"
fake_tree "$T/src/linux-6.1.187" 187
tar -C "$T/src" -cJf "$T/linux-6.1.187.tar.xz" linux-6.1.187
unset IPIPE_BUILD
LINUX=$T/linux-6.1.187.tar.xz
export LINUX
tree()
{
	"$R/scripts/tree.sh" "$@"
}
B=$R/build

run tree all; [ $rc = 0 ]; ok "both trees are made from a tarball"
[ "$(tree_sum "$B/linux-vanilla")" = "$(tree_sum "$T/src/linux-6.1.187")" ]; ok "vanilla is vanilla"
[ "$(wc -l <"$B/linux/.pc/applied-patches")" = 3 ] && [ -L "$B/linux/series" ] && [ -L "$B/linux/patches" ]
ok "the series is pushed, the links are there"
p=$(tree_sum "$B/linux")
run tree all; [ $rc = 0 ] && [ "$(tree_sum "$B/linux")" = "$p" ]; ok "again: nothing changes"

# an edit, refreshed: the patch file changes, the tree is right already
(cd "$B/linux" && QUILT_PATCHES=patches quilt --quiltrc - add -P three.patch kernel/core.c &&
	echo 'appended' >>kernel/core.c && QUILT_PATCHES=patches quilt --quiltrc - refresh) >/dev/null 2>&1
grep -q '^+appended' "$R/patches/three.patch"; ok "an edit in build/linux is refreshed into the patch"
p=$(tree_sum "$B/linux")
run tree ipipe; [ $rc = 0 ] && grep -q '^appended' "$B/linux/kernel/core.c"; ok "after a refresh the tree is kept"

# the series changes elsewhere, nobody edits: the tree follows
stamp=$(stat -c %Y "$B/linux/arch/powerpc/irq.c")
sed -i 's/^+more$/+much more/' "$R/patches/three.patch"
run tree ipipe; [ $rc = 0 ] && grep -q '^much more' "$B/linux/arch/arm/irq.c"; ok "a changed patch reaches the tree"
[ "$(stat -c %Y "$B/linux/arch/powerpc/irq.c")" = "$stamp" ]; ok "what did not change keeps its time"
sed -i '/three/d' "$R/series"
run tree ipipe
[ $rc = 0 ] && cmp -s "$B/linux/arch/arm/irq.c" "$B/linux-vanilla/arch/arm/irq.c"
ok "a patch taken out of the series leaves the tree"
printf 'core/one.patch\ncore/two.patch\nthree.patch\n' >"$R/series"
run tree ipipe; [ $rc = 0 ] && grep -q '^much more' "$B/linux/arch/arm/irq.c"; ok "and comes back"

# an unrefreshed edit and a changed series: refused
echo 'my work' >>"$B/linux/kernel/core.c"
run tree ipipe; [ $rc = 0 ] && grep -q '^my work' "$B/linux/kernel/core.c"; ok "an edit with the same series is left alone"
sed -i 's/^+much more$/+still more/' "$R/patches/three.patch"
p=$(tree_sum "$B/linux")
run tree ipipe
[ $rc != 0 ] && grep -q 'kernel/core.c has edits that are in no patch' "$T/out"; ok "an edit and a changed series: refused"
[ "$(tree_sum "$B/linux")" = "$p" ]; ok "refused: nothing is lost"
sed -i '/^my work$/d' "$B/linux/kernel/core.c"
run tree ipipe; [ $rc = 0 ] && grep -q '^still more' "$B/linux/arch/arm/irq.c"; ok "the edit gone, it goes on"

(cd "$B/linux" && quilt --quiltrc - pop -q) >/dev/null 2>&1
refuses tree ipipe -- "topmost patch, not the last" "popped by hand: says so"
rm -rf "$B"

# interrupted, wrong, cut short
mkdir -p "$B/linux.part/junk"
run tree ipipe; [ $rc = 0 ] && [ ! -e "$B/linux/junk" ]; ok "left-overs of an interrupted run are cleared"
rm -rf "$B"
head -c 500 "$LINUX" >"$T/cut-6.1.187.tar.xz"
LINUX=$T/cut-6.1.187.tar.xz
run tree ipipe; [ $rc != 0 ] && tail -n 1 "$T/out" | grep -q 'not a whole tarball' && [ ! -d "$B/linux" ]
ok "a tarball cut short: one line, no tree"
LINUX=$T/src
refuses tree ipipe -- 'not a kernel tree' "LINUX= a directory without a kernel"
LINUX=$T/nothere
refuses tree ipipe -- 'no such file' "LINUX= something that is not there"
LINUX=$R/series
refuses tree ipipe -- 'neither a directory nor' "LINUX= a file that is no tarball"
LINUX=$T/src/linux-6.1.187
run tree ipipe; [ $rc = 0 ] && [ -L "$B/linux/series" ] && [ ! -e "$LINUX/series" ]
ok "LINUX= a tree: copied, itself not touched"
fake_tree "$T/old" 100
LINUX=$T/old
run tree ipipe; [ $rc != 0 ] && grep -q '6.1.100' "$T/out"; ok "LINUX= an older tree: refused"
rm -rf "$B"
refuses tree ipipe -- 'Linux 6.1.100; the series is for' "LINUX= an older tree, from scratch: refused"

# a full disk
LINUX=$T/linux-6.1.187.tar.xz
mkdir -p "$T/small"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=16k,nr_inodes=200 none "$T/small" 2>/dev/null; then
	_cleanup_more="umount $T/small"
	IPIPE_BUILD=$T/small
	export IPIPE_BUILD
	run tree ipipe
	[ $rc != 0 ] && tail -n 1 "$T/out" | grep -q 'disk full' && [ ! -d "$T/small/linux" ]
	ok "a full disk: said, no tree left"
	unset IPIPE_BUILD
else
	skip "a full disk" "cannot mount a small one"
fi
finish
