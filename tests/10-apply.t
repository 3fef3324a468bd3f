#!/bin/sh
# scripts/apply.sh: the ways a tree can be wrong, and that it stays as it was.
. "$(dirname "$0")/lib.sh"

R=$T/repo
fake_repo "$R"
A=$R/scripts/apply.sh
W=$T/linux

# fresh: a new tree to spoil, and its checksum
fresh()
{
	rm -rf "$W"
	fake_tree "$W" "${1:-187}"
}
same()
{
	[ "$(tree_sum "$W")" = "$sum" ]
	ok "$1"
}

fresh
sum=$(tree_sum "$W")
run "$A" --check "$W"; [ $rc = 0 ]; ok "--check: a good tree would do"
same "--check: nothing was written"
run "$A" "$W"; [ $rc = 0 ]; ok "a good tree is patched"
[ "$(cat "$W/include/pipe.h")" = "$(printf 'one\ntwo\nthree')" ] &&
	grep -q '^core line eleven$' "$W/kernel/core.c" &&
	[ "$(grep -c '^more$' "$W/arch/powerpc/irq.c" "$W/arch/arm/irq.c" | grep -c ':1$')" = 2 ]
ok "all three patches are in"
[ "$(cd "$W" && quilt --quiltrc - applied 2>/dev/null | wc -l)" = 3 ]; ok "quilt sees them as applied"
p=$(tree_sum "$W")
refuses "$A" "$W" -- 'already patched (3 patches' "patched already: refused"
refuses "$A" --check "$W" -- 'already patched' "patched already: --check says so"
[ "$(tree_sum "$W")" = "$p" ]; ok "patched already: as it was"
run sh -c "cd '$W' && quilt --quiltrc - pop -a"; rm -rf "$W/.pc" "$W/series" "$W/patches"
same "quilt pops all of it"

fresh
(cd "$W" && ln -s "$R/patches" patches && ln -s "$R/series" series &&
	quilt --quiltrc - push 2) >/dev/null 2>&1
sum=$(tree_sum "$W")
refuses "$A" "$W" -- 'half-patched: 2 of 3' "half-patched: refused"
same "half-patched: as it was"

fresh
(cd "$W" && mkdir patches && printf 'other\n' >series && cp "$R/patches/three.patch" patches/other &&
	quilt --quiltrc - push) >/dev/null 2>&1
sum=$(tree_sum "$W")
refuses "$A" "$W" -- 'other patches' "patched with something else: refused"
same "patched with something else: as it was"

fresh
patch -s -d "$W" -p1 <"$R/patches/core/one.patch"
sum=$(tree_sum "$W")
refuses "$A" "$W" -- 'already patched, or not vanilla: it has include/pipe.h' "patched without quilt: refused"
same "patched without quilt: as it was"

for v in 163 4; do
	fresh $v
	sum=$(tree_sum "$W")
	refuses "$A" "$W" -- "Linux 6.1.$v; the series is for 6.1.164" "6.1.$v: too old"
	same "6.1.$v: as it was"
done
for v in 164 999; do
	fresh $v
	run "$A" --check "$W"; [ $rc = 0 ]; ok "6.1.$v: taken"
done
fresh
sed -i 's/^PATCHLEVEL.*/PATCHLEVEL = 6/' "$W/Makefile"
refuses "$A" "$W" -- 'Linux 6.6.187; the series' "6.6.y: refused"
fresh
sed -i 's/^SUBLEVEL.*/SUBLEVEL =/' "$W/Makefile"
refuses "$A" "$W" -- 'not a kernel tree' "a Makefile without a version: refused"

refuses "$A" "$T/nowhere" -- 'no such directory' "no such directory"
refuses "$A" "$R/series" -- 'not a directory' "a file, not a directory"
mkdir "$T/empty"
refuses "$A" "$T/empty" -- 'not a kernel tree' "a directory, not a kernel"
[ -z "$(ls -A "$T/empty")" ]; ok "it stays empty"
refuses "$A" -- 'usage' "no argument"
refuses "$A" --chekc "$W" -- 'usage' "an unknown option"

fresh
sed -i 's/^core line 12$/core line dozen/' "$W/kernel/core.c"
sum=$(tree_sum "$W")
refuses "$A" "$W" -- 'one.patch does not apply: kernel/core.c: hunk 1 fails' "a hunk that would need fuzz: refused"
same "fuzz: as it was"
fresh
sed -i 's/^powerpc line 31$/gone/' "$W/arch/powerpc/irq.c"
sum=$(tree_sum "$W")
refuses "$A" --check "$W" -- 'two.patch does not apply: arch/powerpc/irq.c: hunk 1 fails' "a hunk that fails: --check says so"
refuses "$A" "$W" -- 'two.patch does not apply: arch/powerpc/irq.c: hunk 1 fails' "a hunk that fails: refused"
same "a hunk that fails in the second patch: as it was"
fresh
rm "$W/arch/arm/irq.c"
sum=$(tree_sum "$W")
refuses "$A" "$W" -- 'three.patch does not apply' "a file is missing: refused"
same "a file is missing: as it was"
fresh
sed -i '1i an offset\nof two lines' "$W/kernel/core.c"
run "$A" "$W"; [ $rc = 0 ]; ok "offsets are allowed"

fresh
echo x >"$W/kernel/core.c.rej"
sum=$(tree_sum "$W")
refuses "$A" "$W" -- 'not clean: kernel/core.c.rej' "a reject lies about: refused"
same "a reject: as it was"
if command -v git >/dev/null; then
	fresh
	(cd "$W" && git init -q . && git add . &&
		git -c user.name=t -c user.email=t@t commit -qm x) >/dev/null 2>&1
	echo dirt >>"$W/Kbuild"
	sum=$(tree_sum "$W")
	refuses "$A" "$W" -- 'not clean: 1 file(s) differ.*Kbuild' "a git tree with an edit: refused"
	(cd "$W" && git checkout -q Kbuild)
	run "$A" "$W"; [ $rc = 0 ]; ok "a clean git tree is patched"
else
	skip "git trees" "no git"
fi
fresh
mkdir "$W/patches"
sum=$(tree_sum "$W")
refuses "$A" "$W" -- "a 'patches' of its own" "a tree with a patches/ of its own: refused"
same "patches of its own: as it was"

# Killed between two renames: said, finished, and the same as if nothing had happened.
fresh
"$A" "$W" >/dev/null 2>&1
want=$(tree_sum "$W")
fresh
IPIPE_APPLY_KILL=1 "$A" "$W" >/dev/null 2>&1
rc=$?
[ $rc != 0 ] && [ -d "$W/.ipipe-apply" ]; ok "killed half-way"
sum=$(tree_sum "$W")
refuses "$A" --check "$W" -- "half-patched: an earlier apply.sh was interrupted; run '.*apply.sh.*' to finish" "killed: --check says what to do"
same "killed: --check wrote nothing"
run "$A" "$W"; [ $rc = 0 ] && grep -q finishing "$T/out"; ok "killed: the next run finishes it"
rm -f "$W/.pc/.timestamp"
[ "$(tree_sum "$W")" = "$want" ]; ok "killed: the result is the same"

# A series that is wrong itself.
fresh
sum=$(tree_sum "$W")
echo 'nosuch.patch' >>"$R/series"
refuses "$A" "$W" -- 'names nosuch.patch, which is not' "a series that names a missing patch"
same "missing patch: as it was"
echo '# nothing' >"$R/series"
refuses "$A" "$W" -- 'series is empty' "an empty series"

# The real series, on what it touches of the real tree.
. "$TOP/scripts/series.sh"
if [ ! -d "$BUILD/linux-vanilla" ]; then
	"$TOP/scripts/tree.sh" vanilla >/dev/null 2>"$T/out"
fi
if [ -n "$(series_patches)" ] && [ -d "$BUILD/linux-vanilla" ]; then
	rm -rf "$W"
	mkdir -p "$W/kernel"
	{ touched_files; echo Makefile; echo Kbuild; } | copy_files "$BUILD/linux-vanilla" "$W"
	sum=$(tree_sum "$W")
	run "$TOP/scripts/apply.sh" --check "$W"; [ $rc = 0 ]; ok "the real series applies"
	same "the real series: --check wrote nothing"
	run "$TOP/scripts/apply.sh" "$W"; [ $rc = 0 ]; ok "the real series is pushed"
	# one line of context gone, and nothing may change
	f=$(touched_files | while read -r f; do [ -s "$BUILD/linux-vanilla/$f" ] && echo "$f" && break; done)
	rm -rf "$W"
	mkdir -p "$W/kernel"
	{ touched_files; echo Makefile; echo Kbuild; } | copy_files "$BUILD/linux-vanilla" "$W"
	sed -i 's/^/x/' "$W/$f"
	sum=$(tree_sum "$W")
	if version_supported "$(kernel_version "$W")"; then
		refuses "$TOP/scripts/apply.sh" "$W" -- 'does not apply' "the real series on a changed $f: refused"
		same "the real series on a changed file: as it was"
	fi
else
	skip "the real series" "no series or no vanilla tree"
fi
finish
