#!/bin/sh
# Makes the kernel trees: build/linux-vanilla, and build/linux with the series pushed by quilt.
#
# usage: scripts/tree.sh [--build] [ipipe|vanilla|all]     (default: all)
#   --build  for who is about to build: says nothing of a tree that is right already, and takes
#            one that somebody works in as it is: one line, and exit code 3 when not all of the
#            series is in it
# environment: LINUX, see scripts/fetch-linux.sh
#
# A tree that is there is kept. When the series changed since, build/linux gets the new state,
# unless somebody works in it: then it says so and changes nothing.
#
# Behind the series, or in somebody's hands? What we pushed last is in build/.linux. A stack in
# .pc that is neither that one nor the series as it is now was made by hand, with quilt pop or
# push; so was an edit that is neither in a patch nor what we pushed. All else may be replaced.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/series.sh"

_build=
if [ "${1:-}" = --build ]; then
	_build=1
	shift
fi
_which=${1:-all}
[ $# -le 1 ] || _which=
case $_which in
ipipe|vanilla|all) ;;
*) die "usage: tree.sh [--build] [ipipe|vanilla|all]" ;;
esac
need_push
need xz xz-utils
_src=
VAN=$BUILD/linux-vanilla
PATCHED=$BUILD/linux
# As pushed by us: "files", checksums of what the series touches; "applied", the patches;
# "series", the checksum of it all
STATE=$BUILD/.linux
# what each tree was made from
FROM=$BUILD/.from

# by_hand WHAT ADVICE: somebody works in build/linux. No reason not to build what is there.
by_hand()
{
	[ -n "$_build" ] || die "build/linux: $1; $2"
	say "build/linux: $1: building it as it is"
	exit 3
}

# A patch of the series that is not there was begun with 'quilt new' and has no refresh yet.
if [ "$_which" = ipipe ] && [ -n "$_build" ] && [ -s "$PATCHED/.pc/applied-patches" ]; then
	_err=$(series_complete 2>&1) || by_hand "${_err#*: }" ""
fi
series_complete
build_lock trees

# unpack SRC DEST: DEST appears only when it is complete
unpack()
{
	rm -rf "$2.part"
	mkdir -p "$2.part" || die "cannot make $2.part"
	if [ -d "$1" ]; then
		say "copy $1 to $2"
		# Each tar complains of each file; what it said first will do. The exit code of the
		# pipe is that of the second, so the first has to say that it failed.
		_err=$({ { tar -C "$1" --exclude=./.git --exclude=./.pc -cf - . || echo "cannot read all of $1" >&2; } |
			tar -C "$2.part" -xf -; } 2>&1)
		if [ -n "$_err" ]; then
			rm -rf "$2.part"
			die "cannot copy $1 (disk full?): $(echo "$_err" | head -n 1)"
		fi
		if [ -f "$2.part/.config" ] || [ -d "$2.part/include/config" ]; then
			make -C "$2.part" mrproper >/dev/null 2>&1 || die "cannot clean the copy of $1"
		fi
	else
		say "unpack ${1##*/} to $2 (1.4 GB)"
		_err=$(tar -C "$2.part" --strip-components=1 -xf "$1" 2>&1) || {
			rm -rf "$2.part"
			die "cannot unpack $1 (disk full, or not a whole tarball): $(echo "$_err" | head -n 1)"
		}
	fi
	_uv=$(kernel_version "$2.part") || { rm -rf "$2.part"; die "$1: holds no kernel tree"; }
	version_supported "$_uv" || {
		rm -rf "$2.part"
		die "$1: Linux $_uv; the series is for 6.1.$MIN_SUBLEVEL and later 6.1.y"
	}
	# before the tree: a tree without it would take any source for its own
	{ mkdir -p "$FROM" && source_id "$1" >"$FROM/${2##*/}"; } 2>/dev/null ||
		die "cannot write in $FROM (disk full?)"
	mv "$2.part" "$2" || die "cannot make $2"
}

# source_id SOURCE: where a source is, and what: for a tarball its size and checksum
source_id()
{
	readlink -f "$1"
	if [ -d "$1" ]; then
		echo tree
		kernel_version "$1"
	else
		stat -c '%s %Y' "$1"
		sha256sum <"$1" | cut -d' ' -f1
	fi
}

# source_same SOURCE FILE: is it the one of which FILE has the id?
source_same()
{
	if [ "$(readlink -f "$1")" = "$(sed -n 1p "$2")" ]; then
		# the checksum only when it has to be: it takes a second
		[ -d "$1" ] || [ "$(stat -c '%s %Y' "$1")" != "$(sed -n 2p "$2")" ] || return 0
		[ ! -d "$1" ] || [ "$(kernel_version "$1")" != "$(sed -n 3p "$2")" ] || return 0
	fi
	# elsewhere, or newer, and the same
	[ -f "$1" ] && [ "$(stat -c %s "$1")" = "$(sed -n '2s/ .*//p' "$2")" ] &&
		[ "$(sha256sum <"$1" | cut -d' ' -f1)" = "$(sed -n 3p "$2")" ]
}

# source_now OTHER: the tarball or tree to use; asked for once, and only when needed. Without
# LINUX= it is what the other tree was made from, or the same version at least.
source_now()
{
	if [ -z "$_src" ]; then
		_v=
		if [ -d "$1" ]; then
			_v=$(kernel_version "$1") || die "$1: not a kernel tree; delete it"
			if [ -f "$FROM/${1##*/}" ]; then
				_src=$(sed -n 1p "$FROM/${1##*/}")
				[ -e "$_src" ] && source_same "$_src" "$FROM/${1##*/}" || _src=
			fi
		fi
		[ -n "$_src" ] || _src=$("$TOP/scripts/fetch-linux.sh" ${_v:+"$_v"} 9>&-) || exit 1
	fi
	if [ -d "$_src" ] && [ -s "$_src/.pc/applied-patches" ]; then
		die "LINUX=$_src: has patches pushed; 'quilt pop -a' there first"
	fi
}

# given_source TREE: LINUX= must not silently be another source than that of the tree we keep
given_source()
{
	[ -n "${LINUX:-}" ] && [ -d "$1" ] || return 0
	if [ -f "$FROM/${1##*/}" ]; then
		source_same "$_src" "$FROM/${1##*/}" ||
			die "LINUX=$LINUX: build/${1##*/} was made from $(sed -n 1p "$FROM/${1##*/}"); to change that: rm -rf $PATCHED $VAN"
		return 0
	fi
	# made before such things were written down
	if [ -d "$LINUX" ]; then
		_vg=$(kernel_version "$LINUX")
	else
		_vg=$(echo "${LINUX##*/}" | sed -n 's/.*\(6\.1\.[0-9]*\).*/\1/p')
	fi
	_vh=$(kernel_version "$1")
	[ -z "$_vg" ] || [ "$_vg" = "$_vh" ] ||
		die "LINUX=$LINUX is Linux $_vg but $1 is $_vh; to change that: rm -rf $PATCHED $VAN"
}

# both trees are of one version, or comparing them makes no sense
same_version()
{
	[ -d "$2" ] && [ -d "$1" ] || return 0
	_va=$(kernel_version "$1")
	_vb=$(kernel_version "$2")
	[ "$_va" = "$_vb" ] ||
		die "$1 is Linux $_va but $2 is $_vb; delete one of them"
}

sums()
{
	(cd "$1" && touched_files | while read -r _f; do
		[ ! -f "$_f" ] || echo "$_f"
	done | xargs -r sha256sum)
}

remember()
{
	{
		mkdir -p "$STATE" &&
		sums "$PATCHED" >"$STATE/files.new" &&
		cp "$PATCHED/.pc/applied-patches" "$STATE/applied.new" &&
		series_sum >"$STATE/series.new" && [ -s "$STATE/series.new" ] &&
		mv "$STATE/files.new" "$STATE/files" &&
		mv "$STATE/applied.new" "$STATE/applied" &&
		mv "$STATE/series.new" "$STATE/series"
	} 2>/dev/null || die "cannot write in $STATE (disk full?)"
}

make_vanilla()
{
	if [ -d "$VAN" ]; then
		return
	fi
	source_now "$PATCHED"
	unpack "$_src" "$VAN"
	say "build/linux-vanilla: Linux $(kernel_version "$VAN")"
}

make_patched()
{
	if [ ! -d "$PATCHED" ]; then
		rm -rf "$STATE"
		source_now "$VAN"
		unpack "$_src" "$PATCHED"
	fi
	if push_interrupted "$PATCHED"; then
		tree_lock "$PATCHED" || die "build/linux: an apply.sh is at work there; try again when it is done"
		say "build/linux: finishing the push that was interrupted"
		_err=$(finish_push "$PATCHED") || die "build/linux: $_err"
		exec 8<&-
		# that push was ours, too
		[ ! -d "$STATE" ] || cp "$PATCHED/.pc/applied-patches" "$STATE/applied" 2>/dev/null || :
	fi
	_ver=$(kernel_version "$PATCHED") || die "build/linux: not a kernel tree; delete it"
	if [ ! -s "$PATCHED/.pc/applied-patches" ]; then
		# fresh, or popped by hand
		[ -z "$_build" ] || [ ! -s "$STATE/series" ] || [ ! -d "$PATCHED/.pc" ] ||
			by_hand "no patch is pushed there"
		{ ln -sfn "$TOP/patches" "$PATCHED/patches" && ln -sfn "$TOP/series" "$PATCHED/series"; } 2>/dev/null ||
			die "build/linux: cannot write there (disk full?)"
		if [ -z "$(series_patches)" ]; then
			say "build/linux: Linux $_ver; the series is empty"
			return
		fi
		"$TOP/scripts/apply.sh" "$PATCHED" || exit 1
		remember
		return
	fi
	_top=$(tail -n 1 "$PATCHED/.pc/applied-patches")
	_same=
	[ "$(cat "$STATE/series" 2>/dev/null)" != "$(series_sum)" ] || _same=1
	if series_patches | cmp -s - "$PATCHED/.pc/applied-patches"; then
		if [ -n "$_same" ]; then
			[ -n "$_build" ] ||
				say "build/linux: Linux $_ver, $(series_patches | wc -l) patches pushed, up to date"
			return
		fi
	elif [ -n "$_same" ] ||
	     { [ -f "$STATE/applied" ] && ! cmp -s "$STATE/applied" "$PATCHED/.pc/applied-patches"; }; then
		by_hand "$_top is the topmost patch, not the last of the series" "'quilt push -a' there first"
	fi

	# The series is another one than at our last push. What would the tree look like now?
	tree_lock "$PATCHED" || die "build/linux: an apply.sh is at work there; try again when it is done"
	say "build/linux: the series changed; comparing"
	tmp_dir
	_s=$TMP_DIR/tree
	mkdir "$_s"
	{
		touched_files
		sed 's/^[0-9a-f]*  //' "$STATE/files" 2>/dev/null
		while read -r _p; do
			(cd "$PATCHED/.pc/$_p" 2>/dev/null && find . -type f ! -name .timestamp) | sed 's,^\./,,'
		done <"$PATCHED/.pc/applied-patches"
	} | sort -u >"$TMP_DIR/all"
	copy_files "$PATCHED" "$_s" <"$TMP_DIR/all" && cp -a "$PATCHED/.pc" "$_s/.pc" ||
		die "cannot write in $TMP_DIR"
	cp "$_s/.pc/applied-patches" "$TMP_DIR/applied"
	unpush "$_s" "$TMP_DIR/applied"
	_err=$(push_scratch "$_s") || die "build/linux: $_err"
	_differ=
	while read -r _f; do
		cmp -s "$_s/$_f" "$PATCHED/$_f" && continue
		[ -e "$_s/$_f" ] || [ -e "$PATCHED/$_f" ] || continue
		_differ="$_differ $_f"
	done <"$TMP_DIR/all"
	if [ -n "$_differ" ]; then
		# only what we pushed ourselves may be replaced
		for _f in $_differ; do
			[ -e "$PATCHED/$_f" ] || continue
			_have=$(cd "$PATCHED" && sha256sum "$_f")
			grep -qxF "$_have" "$STATE/files" 2>/dev/null && continue
			# untouched so far: its content is what it was unpacked with
			if ! grep -q "^[0-9a-f]*  $_f\$" "$STATE/files" 2>/dev/null &&
			   { [ ! -d "$VAN" ] || cmp -s "$VAN/$_f" "$PATCHED/$_f"; }; then
				continue
			fi
			by_hand "$_f has edits that are in no patch and the series changed" \
				"there: 'quilt pop' to the patch that has the file, 'quilt refresh', 'quilt push -a'; or 'quilt new' for a new one"
		done
	fi
	# with those of the old series that are vanilla again, or gone
	# shellcheck disable=SC2086
	_err=$({ touched_files; printf '%s\n' $_differ; } | sed '/^$/d' | sort -u |
		install_push_changed "$_s" "$PATCHED") || die "build/linux: $_err"
	remember
	say "build/linux: Linux $_ver, $(series_patches | wc -l) patches pushed"
}

# like install_push, but a file that is right already keeps its time stamp: make need not
# compile it again
install_push_changed()
{
	cat >"$1/.changed" || { echo "cannot write in $1 (disk full?)"; return 1; }
	while read -r _f; do
		if cmp -s "$1/$_f" "$2/$_f"; then
			touch -r "$2/$_f" "$1/$_f"
		elif [ -e "$1/$_f" ]; then
			# newer than any object made from the former content
			touch "$1/$_f"
		fi
	done <"$1/.changed"
	install_push "$1" "$2" <"$1/.changed"
}

# asked for at once: what is wrong with it is wrong with trees there as well
[ -z "${LINUX:-}" ] || _src=$("$TOP/scripts/fetch-linux.sh" 9>&-) || exit 1
given_source "$VAN"
given_source "$PATCHED"
case $_which in
vanilla) make_vanilla ;;
ipipe) make_patched ;;
all)
	make_patched
	make_vanilla
	;;
esac
same_version "$PATCHED" "$VAN"
