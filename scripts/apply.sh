#!/bin/sh
# Pushes the whole series onto a kernel tree with quilt, or says why it cannot.
#
# usage: scripts/apply.sh [--check] TREE
#   --check  only say whether it would; writes nothing
#
# When it says no, TREE is as it was, to the byte.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/series.sh"

_check=
if [ "${1:-}" = --check ]; then
	_check=1
	shift
fi
[ $# -eq 1 ] || die "usage: apply.sh [--check] TREE"
case $1 in
-*) die "$1: no such option; usage: apply.sh [--check] TREE" ;;
esac
need_push
[ -e "$1" ] || die "$1: no such directory"
[ -d "$1" ] || die "$1: not a directory"
_tree=$(cd "$1" && pwd) || die "$1: cannot enter"
_ver=$(kernel_version "$_tree") || die "$1: not a kernel tree"
version_supported "$_ver" ||
	die "$1: Linux $_ver; the series is for 6.1.$MIN_SUBLEVEL and later 6.1.y"
series_complete
if [ -e "$_tree/.ipipe-apply" ] && { [ -L "$_tree/.ipipe-apply" ] || [ ! -d "$_tree/.ipipe-apply" ]; }; then
	die "$1: has a file .ipipe-apply, which is not ours; move it away"
fi

# --check waits for nobody and is in nobody's way
[ -n "$_check" ] || tree_lock "$_tree" ||
	die "$1: another apply.sh or tree.sh is at work there; try again when it is done"
if push_interrupted "$_tree"; then
	[ -z "$_check" ] || (tree_lock "$_tree") ||
		die "$1: another apply.sh or tree.sh is at work there"
	[ -z "$_check" ] ||
		die "$1: half-patched: an earlier apply.sh was interrupted; run 'scripts/apply.sh $1' to finish it"
	say "$1: finishing the push that was interrupted"
	_err=$(finish_push "$_tree") || die "$1: $_err"
	say "$1: done; the tree is patched"
	exit 0
fi

# Pushed already, wholly or in part?
_pc=$_tree/.pc
if [ -L "$_pc" ] || { [ -e "$_pc" ] && [ ! -d "$_pc" ]; }; then
	die "$1: has a file .pc, where quilt wants a directory; move it away"
fi
if [ -s "$_pc/applied-patches" ]; then
	_n=$(wc -l <"$_pc/applied-patches")
	_all=$(series_patches | wc -l)
	if series_patches | cmp -s - "$_pc/applied-patches"; then
		die "$1: already patched ($_n patches are pushed)"
	elif [ "$(series_patches | head -n "$_n")" = "$(cat "$_pc/applied-patches")" ]; then
		die "$1: half-patched: $_n of $_all patches are pushed; 'quilt push -a' there, or 'quilt pop -a' first"
	fi
	die "$1: $_n other patches, or an other state of this series, are pushed there with quilt; 'quilt pop -a' there first"
fi
# (a patch in a folder leaves that behind, empty, when it is popped)
if [ -d "$_pc" ] && [ -n "$(find "$_pc" -mindepth 2 -type f)" ]; then
	die "$1: half-patched: a quilt push was interrupted there ($_pc); take a fresh tree"
fi
for _l in series patches; do
	if [ -L "$_tree/$_l" ]; then
		[ "$(readlink -f "$_tree/$_l")" = "$(readlink -f "$TOP/$_l")" ] ||
			die "$1: has a link '$_l' to somewhere else"
	elif [ -e "$_tree/$_l" ]; then
		die "$1: has a '$_l' of its own"
	fi
done

# Clean?
if [ -e "$_tree/.git" ]; then
	need git git
	# without the lock: git would write what it finds into the tree's index
	_st=$(git --no-optional-locks -C "$_tree" status --porcelain --untracked-files=no 2>&1) ||
		die "$1: git cannot tell whether the tree is clean: $(echo "$_st" | head -n 1); if it is another user's, be that user"
	[ -z "$_st" ] ||
		die "$1: not clean: $(echo "$_st" | wc -l) file(s) differ from what git has, first $(echo "$_st" | sed -n '1s/^...//p')"
fi
# What cannot be read cannot be told to be clean.
_st=$(find "$_tree" -name .git -prune -o \( -name '*.rej' -o -name '*.orig' \) -print 2>&1) ||
	die "$1: cannot read all of it: $(echo "$_st" | sed -n '/^find: /{s///p;q;}')"
_st=$(echo "$_st" | head -n 1)
[ -z "$_st" ] || die "$1: not clean: ${_st#"$_tree"/} is left from a patch that failed"

[ -n "$(series_patches)" ] || die "the series is empty: nothing to push"
_new=$(series_patches | while read -r _p; do
	sed -n '/^--- \/dev\/null/{n;s,^+++ [^/]*/\([^ 	]*\).*,\1,p;}' "$TOP/patches/$_p"
done)
for _f in $_new; do
	[ ! -e "$_tree/$_f" ] ||
		die "$1: already patched, or not vanilla: it has $_f, which the series makes"
done

for _f in $(touched_files); do
	if [ -L "$_tree/$_f" ]; then
		die "$1: $_f is a symbolic link; the series changes files only"
	elif [ -e "$_tree/$_f" ] && [ ! -r "$_tree/$_f" ]; then
		die "$1: cannot read $_f"
	fi
done
if [ -z "$_check" ]; then
	[ -w "$_tree" ] && [ -x "$_tree" ] || die "$1: cannot write there"
	_err=$(touched_files | may_write "$_tree") || die "$1: $_err"
fi
tmp_dir
_err=$(touched_files | copy_files "$_tree" "$TMP_DIR" 2>&1) || die "cannot copy to $TMP_DIR: $_err"
_err=$(push_scratch "$TMP_DIR") || die "$1: $_err"
_n=$(series_patches | wc -l)
if [ -n "$_check" ]; then
	say "$1: Linux $_ver, the $_n patches of the series apply"
	exit 0
fi
_err=$(touched_files | install_push "$TMP_DIR" "$_tree") || die "$1: $_err"
say "$1: Linux $_ver, pushed $_n patches"
