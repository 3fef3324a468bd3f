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

# make kernel: a tree of the user's is built as it is, any other one is brought up to date first
run tree --build ipipe
[ $rc = 3 ] && [ "$(wc -l <"$T/out")" = 1 ] && grep -q 'two.patch is the topmost.*as it is' "$T/out"
ok "--build, popped by hand: said in one line, taken as it is"
sed -i 's/^+still more/+once more/' "$R/patches/three.patch"
p=$(tree_sum "$B/linux")
run tree --build ipipe; [ $rc = 3 ] && [ "$(tree_sum "$B/linux")" = "$p" ]
ok "--build, popped by hand and the series changed: the same"
(cd "$B/linux" && quilt --quiltrc - pop -qa) >/dev/null 2>&1
p=$(tree_sum "$B/linux")
run tree --build ipipe; [ $rc = 3 ] && [ "$(tree_sum "$B/linux")" = "$p" ] && grep -q 'no patch is pushed' "$T/out"
ok "--build, all popped by hand: the same"
run tree ipipe; [ $rc = 0 ] && grep -q '^once more' "$B/linux/arch/arm/irq.c"; ok "without --build it is pushed again"
run tree --build ipipe; [ $rc = 0 ] && [ ! -s "$T/out" ]; ok "--build, up to date: not a word"
sed -i 's/^+once more/+twice more/' "$R/patches/three.patch"
run tree --build ipipe; [ $rc = 0 ] && grep -q '^twice more' "$B/linux/arch/arm/irq.c"; ok "--build, behind the series: brought up to date"
echo 'my work' >>"$B/linux/kernel/core.c"
run tree --build ipipe; [ $rc = 0 ] && grep -q '^my work' "$B/linux/kernel/core.c"; ok "--build, an edit: kept"
sed -i 's/^+twice more/+thrice more/' "$R/patches/three.patch"
run tree --build ipipe
[ $rc = 3 ] && grep -q '^my work' "$B/linux/kernel/core.c" && grep -q 'edits that are in no patch.*as it is' "$T/out"
ok "--build, an edit and a changed series: said, kept"
sed -i '/^my work$/d' "$B/linux/kernel/core.c"
IPIPE_APPLY_KILL=1 "$R/scripts/tree.sh" --build ipipe >/dev/null 2>&1
[ -f "$B/linux/.ipipe-apply/ready" ] && grep -q '^twice more' "$B/linux/arch/arm/irq.c" ||
	[ -f "$B/linux/.ipipe-apply/ready" ]
ok "killed half-way"
run tree --build ipipe; [ $rc = 0 ] && grep -q '^thrice more' "$B/linux/arch/arm/irq.c" && [ ! -e "$B/linux/.ipipe-apply" ]
ok "--build, an interrupted push: finished"
echo 'new.patch' >>"$R/series"
(cd "$B/linux" && echo new.patch >>.pc/applied-patches && mkdir .pc/new.patch)
run tree --build ipipe; [ $rc = 3 ] && grep -q 'new.patch, which is not in patches' "$T/out"
ok "--build, a patch begun with quilt new: said, taken as it is"
sed -i '/^new.patch$/d' "$R/series" "$B/linux/.pc/applied-patches"
rmdir "$B/linux/.pc/new.patch"
run tree ipipe

# LINUX= must be what the trees were made from
run tree all; [ $rc = 0 ]; ok "LINUX= the same tarball again"
cp "$LINUX" "$T/copy-6.1.187.tar.xz"
LINUX=$T/copy-6.1.187.tar.xz
run tree ipipe; [ $rc = 0 ]; ok "LINUX= a copy of it"
p=$(tree_sum "$B/linux")
LINUX=$T/src/linux-6.1.187
refuses tree ipipe -- "was made from $T/linux-6.1.187.tar.xz; to change that: rm -rf $B/linux $B/linux-vanilla" "LINUX= another source of the same version: refused"
refuses tree --build vanilla -- 'was made from' "LINUX= another source: refused by --build too"
LINUX=$T/nothere
refuses tree --build ipipe -- 'LINUX=.*nothere: no such file' "LINUX= not there, trees there: refused"
[ "$(tree_sum "$B/linux")" = "$p" ]; ok "refused: nothing changed"
unset LINUX
rm -rf "$B/linux-vanilla"
run tree vanilla; [ $rc = 0 ] && [ "$(tree_sum "$B/linux-vanilla")" = "$(tree_sum "$T/src/linux-6.1.187")" ]
ok "without LINUX= the second tree is made from what the first was"
LINUX=$T/linux-6.1.187.tar.xz
export LINUX
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

# a full disk, wherever it fills: one line, no half tree, and with room it goes on
mkdir -p "$T/small"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=16k,nr_inodes=1000 none "$T/small" 2>/dev/null; then
	_cleanup_more="umount $T/small"
	IPIPE_BUILD=$T/small
	export IPIPE_BUILD
	# many files, of which tar could complain one by one
	for i in $(seq 60); do
		head -c 5000 /dev/zero >"$T/src/linux-6.1.187/kernel/f$i"
	done
	tar -C "$T/src" -cJf "$T/linux-6.1.187.tar.xz" linux-6.1.187
	for LINUX in "$T/linux-6.1.187.tar.xz" "$T/src/linux-6.1.187"; do
		bad=
		for size in 8k 200k 440k 560k; do
			rm -rf "${T:?}/small"/* "$T/small"/.[a-z]*
			mount -o "remount,size=$size" "$T/small"
			run tree ipipe
			[ $rc != 0 ] || continue
			# what it is doing may be said before
			[ "$(grep -vc '^copy \|^unpack ' "$T/out")" = 1 ] && grep -q 'disk full' "$T/out" || {
				bad="$bad $size"
				cat "$T/out" >>"$T/full"
			}
			mount -o remount,size=10m "$T/small"
			run tree ipipe
			[ $rc = 0 ] && grep -q '^three' "$T/small/linux/include/pipe.h" || bad="$bad $size:again"
		done
		mount -o remount,size=10m "$T/small"
		{ echo "$bad"; cat "$T/full" 2>/dev/null; } >"$T/out"
		[ -z "$bad" ]; ok "a full disk, from ${LINUX##*/}: one line, and the next run goes through"
	done
	unset IPIPE_BUILD
else
	skip "a full disk" "cannot mount a small one"
fi
finish
