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

# Two at once: a slow quilt holds the first up.
fresh
sum=$(tree_sum "$W")
mkdir "$T/slow"
cat >"$T/slow/quilt" <<END
#!/bin/sh
touch '$T/slow/started'
while [ ! -e '$T/slow/go' ]; do sleep 0.1; done
exec '$(command -v quilt)' "\$@"
END
chmod +x "$T/slow/quilt"
PATH="$T/slow:$PATH" "$A" "$W" >/dev/null 2>&1 &
first=$!
while [ ! -e "$T/slow/started" ]; do sleep 0.1; done
refuses "$A" "$W" -- 'another apply.sh or tree.sh is at work there' "two at once: the second says so"
run timeout 60 "$A" --check "$W"; [ $rc = 0 ]; ok "two at once: --check does not wait"
same "two at once: the second changed nothing"
touch "$T/slow/go"
wait $first; [ $? = 0 ] && [ "$(cd "$W" && quilt --quiltrc - applied 2>/dev/null | wc -l)" = 3 ]
ok "two at once: the first goes through"

# No place to write: said before the first file is touched. Root may write anywhere, so somebody
# else has to try.
mine()
{
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}
chmod 755 "$T"
if (cd / && mine test -r "$R/series" -a -r "$TOP/scripts/lib.sh") 2>/dev/null; then
	while read -r d; do
		fresh
		[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$W"
		chmod 555 "$W/$d"
		sum=$(tree_sum "$W")
		refuses mine "$A" "$W" -- "cannot write there in $d; nothing was changed" "$d is read-only: said"
		same "$d is read-only: as it was"
		chmod 755 "$W/$d"
	done <<-'END'
		include
		kernel
		arch/powerpc
	END
	fresh
	mkdir "$W/kernel/locked"
	echo x >"$W/kernel/locked/file"
	[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$W"
	sum=$(tree_sum "$W")
	chmod 000 "$W/kernel/locked"
	refuses mine "$A" "$W" -- 'cannot read all of it: .*kernel/locked' "a directory that cannot be read: said"
	chmod 755 "$W/kernel/locked"
	same "a directory that cannot be read: as it was"
	fresh
	[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$W"
	sum=$(tree_sum "$W")
	chmod 000 "$W/kernel/core.c"
	refuses mine "$A" "$W" -- 'cannot read kernel/core.c' "a file that cannot be read: said"
	chmod 644 "$W/kernel/core.c"
	same "a file that cannot be read: as it was"
else
	skip "directories without permission" "nobody else can read this directory"
fi
fresh
rmdir "$W/include"
echo file >"$W/include"
sum=$(tree_sum "$W")
refuses "$A" "$W" -- 'include is not a directory' "a file where the series wants a directory: said"
same "a file where the series wants a directory: as it was"
fresh
sum=$(tree_sum "$W")
if chattr +i "$W/kernel/core.c" 2>/dev/null; then
	refuses "$A" "$W" -- 'cannot replace kernel/core.c' "a file that is immutable: said"
	chattr -i "$W/kernel/core.c"
	same "a file that is immutable: as it was"
else
	skip "a file that is immutable" "no chattr here"
fi
# A disk that fills, wherever it does: all or nothing.
mkdir "$T/small"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64m none "$T/small" 2>/dev/null; then
	_cleanup_more="umount $T/small"
	sed -i 's,include/pipe,include/new/dir/pipe,' "$R"/patches/core/*.patch
	W=$T/small/linux
	fresh
	sum=$(tree_sum "$W")
	used=$(($(find "$T/small" | wc -l) + 1))
	bad='' full=0
	for n in 0 3 6 9 11 13 15 17 19 21 23 25 27 29 31 60; do
		mount -o "remount,nr_inodes=$((used + n))" "$T/small" 2>/dev/null || continue
		run "$A" "$W"
		[ $rc != 0 ] || break
		full=$((full + 1))
		[ "$(wc -l <"$T/out")" = 1 ] && grep -q 'nothing was changed' "$T/out" || bad="$bad $n:lines"
		mount -o "remount,nr_inodes=1000" "$T/small"
		[ "$(tree_sum "$W")" = "$sum" ] || bad="$bad $n:tree"
	done
	echo "$bad" >>"$T/out"
	[ -z "$bad" ] && [ $full -gt 3 ] && [ $rc = 0 ]
	ok "a full disk, at $full points: one line, and the tree is as it was"
	umount "$T/small"
	_cleanup_more=:
	W=$T/linux
	rm -rf "$R"
	fake_repo "$R"
else
	skip "a full disk" "cannot mount a small one"
fi

# Things in the tree that the series cannot go over.
fresh
mv "$W/kernel/core.c" "$W/kernel/real.c"
ln -s real.c "$W/kernel/core.c"
sum=$(tree_sum "$W")
refuses "$A" "$W" -- 'kernel/core.c is a symbolic link' "a file that is a link: said"
same "a file that is a link: as it was"
for d in .pc .ipipe-apply; do
	fresh
	echo mine >"$W/$d"
	sum=$(tree_sum "$W")
	refuses "$A" "$W" -- "has a file $d" "a file of the name $d: said"
	same "a file of the name $d: as it was"
done
fresh 99999999999999999999
refuses "$A" "$W" -- 'Linux 6.1.99999999999999999999; the series is for' "a version beyond all numbers: refused"

# What the caller's environment may not do.
fresh
sum=$(tree_sum "$W")
run env QUILT_PUSH_ARGS=--nonsense QUILT_PATCHES=none QUILT_PATCH_OPTS=--reverse QUILT_COMMAND_ARGS=x \
	POSIXLY_CORRECT=1 CDPATH=/tmp:/ "$A" --check "$W"
[ $rc = 0 ]; ok "quilt's variables in the environment do not matter"
same "they write nothing"
run env -u HOME -u TERM -u USER -u LOGNAME -u PWD "$A" --check "$W"
[ $rc = 0 ]; ok "no HOME, no TERM: does not matter"
run sh -c "cd '$R/scripts' && CDPATH=/tmp:/ && export CDPATH && cd ../patches && cd .. >/dev/null && ./scripts/apply.sh --check '$W'"
[ $rc = 0 ]; ok "CDPATH does not matter (./scripts/)"
mkdir -p "$T/else/scripts" "$T/else/linux"
run sh -c "cd '$R' && CDPATH='$T/else' scripts/apply.sh --check ../linux"
[ $rc = 0 ]; ok "CDPATH does not matter (scripts/), nor that the tree's path is relative"
run sh -c "cd '$T' && CDPATH='$T/else' repo/scripts/apply.sh --check linux"
[ $rc = 0 ]; ok "CDPATH does not matter (a relative tree)"
refuses env TMPDIR="$T/none" "$A" --check "$W" -- "cannot write in $T/none; set TMPDIR" "a TMPDIR that is not there: said"
(umask 077; "$A" "$W") >"$T/out" 2>&1 && [ "$(stat -c %a "$W/kernel/core.c")" = 644 ]
ok "umask 077: the files keep their modes"
mkdir "$T/with space"
fake_tree "$T/with space/li nux" 187
run "$A" "$T/with space/li nux"; [ $rc = 0 ]; ok "a tree with spaces in its name"
if command -v git >/dev/null; then
	fresh
	(cd "$W" && git init -q . && git add . &&
		git -c user.name=t -c user.email=t@t commit -qm x) >/dev/null 2>&1
	# git would write down that it has looked at this one again
	touch -d '2 days ago' "$W/Kbuild"
	sum=$(tree_sum "$W")
	run "$A" --check "$W"; [ $rc = 0 ]; ok "--check on a git tree"
	same "--check writes nothing in .git"
	run env GIT_DIR=/nowhere GIT_WORK_TREE=/tmp GIT_INDEX_FILE=/tmp/none "$A" --check "$W"
	[ $rc = 0 ]; ok "git's variables in the environment do not matter"
	same "they write nothing"
fi

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
