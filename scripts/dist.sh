#!/bin/sh
# Makes the single-file patches that an I-pipe user expects (make dist):
#   build/dist/adeos-ipipe-KVER-ARCH-REL.patch
# each the whole series less the other architecture, and tries each on a pristine tree.
# REL is the release named by the newest entry of ChangeLog.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/series.sh"

[ $# = 0 ] || die "usage: dist.sh"
need_push
series_complete
[ -n "$(series_patches)" ] || die "the series is empty"
_rel=$(sed -n 's/^release \([0-9][0-9.-]*\).*/\1/p' "$TOP/ChangeLog" | head -n 1)
[ -n "$_rel" ] || die "ChangeLog: no line 'release N.N-NN'"
[ -d "$BUILD/linux-vanilla" ] || "$TOP/scripts/tree.sh" vanilla || exit 1
_kver=$(kernel_version "$BUILD/linux-vanilla") || die "build/linux-vanilla: not a kernel tree"

tmp_dir
mkdir "$TMP_DIR/a" "$TMP_DIR/b"
touched_files | copy_files "$BUILD/linux-vanilla" "$TMP_DIR/a" || die "cannot write in $TMP_DIR"
cp -a "$TMP_DIR/a/." "$TMP_DIR/b/"
_err=$(push_scratch "$TMP_DIR/b") || die "build/linux-vanilla: $_err"
# what is pushed in build/linux is the same, or somebody edits there
[ ! -d "$BUILD/linux" ] || "$TOP/scripts/tree.sh" ipipe || exit 1
if [ -s "$BUILD/linux/.pc/applied-patches" ]; then
	for _f in $(touched_files); do
		cmp -s "$TMP_DIR/b/$_f" "$BUILD/linux/$_f" ||
			[ ! -e "$TMP_DIR/b/$_f" ] ||
			die "build/linux: $_f has edits that are in no patch; 'quilt refresh' there, or undo them"
	done
fi
rm -rf "$TMP_DIR/b/.pc" "$TMP_DIR/b/patches" "$TMP_DIR/b/series"

mkdir -p "$BUILD/dist" || die "cannot make $BUILD/dist"
for _arch in powerpc arm; do
	case $_arch in
	powerpc) _other=arm ;;
	arm) _other=powerpc ;;
	esac
	if ! touched_files | grep -q "^arch/$_arch/"; then
		say "dist: the series has nothing for $_arch yet"
		continue
	fi
	_out=$BUILD/dist/adeos-ipipe-$_kver-$_arch-$_rel.patch
	(cd "$TMP_DIR" && for _f in $(touched_files | grep -v "^arch/$_other/"); do
		# diff would put the time of day in
		_a=a/$_f; _la=$_a; [ -e "$_a" ] || { _a=/dev/null; _la=$_a; }
		_b=b/$_f; _lb=$_b; [ -e "$_b" ] || { _b=/dev/null; _lb=$_b; }
		diff -up --label "$_la" --label "$_lb" "$_a" "$_b"
		[ $? -le 1 ] || exit 1
	done) >"$_out.new" || die "cannot write $_out"

	# Does it make the same of a pristine tree?
	rm -rf "$TMP_DIR/try"
	cp -a "$TMP_DIR/a" "$TMP_DIR/try"
	patch -d "$TMP_DIR/try" -p1 -F0 -s -f --no-backup-if-mismatch <"$_out.new" >"$TMP_DIR/log" 2>&1 || {
		head -n 3 "$TMP_DIR/log" >&2
		die "$_out does not apply to pristine Linux $_kver"
	}
	for _f in $(touched_files | grep -v "^arch/$_other/"); do
		[ -e "$TMP_DIR/b/$_f" ] || [ -e "$TMP_DIR/try/$_f" ] || continue
		cmp -s "$TMP_DIR/b/$_f" "$TMP_DIR/try/$_f" ||
			die "$_out makes another $_f than the series"
	done
	mv "$_out.new" "$_out" || die "cannot write $_out"
	say "$_out: $(grep -c '^+++ ' "$_out") files, equal to the pushed tree"
done
