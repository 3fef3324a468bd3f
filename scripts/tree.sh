#!/bin/sh
# Makes the kernel trees: build/linux-vanilla, and build/linux with the series pushed by quilt.
#
# usage: scripts/tree.sh [ipipe|vanilla|all]     (default: all)
# environment: LINUX, see scripts/fetch-linux.sh
#
# A tree that is there is kept. When the series changed since, build/linux gets the new state,
# unless somebody edited the files there: then it says so and changes nothing.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/series.sh"

_which=${1:-all}
case $_which in
ipipe|vanilla|all) ;;
*) die "usage: tree.sh [ipipe|vanilla|all]" ;;
esac
need_push
need xz xz-utils
series_complete
build_lock trees
VAN=$BUILD/linux-vanilla
PATCHED=$BUILD/linux
# "files": checksums of what the series touches, as pushed by us
STATE=$BUILD/.linux

# unpack SRC DEST: DEST appears only when it is complete
unpack()
{
	rm -rf "$2.part"
	mkdir -p "$2.part" || die "cannot make $2.part"
	if [ -d "$1" ]; then
		say "copy $1 to $2"
		tar -C "$1" --exclude=./.git --exclude=./.pc -cf - . | tar -C "$2.part" -xf - ||
			die "cannot copy $1 (disk full?)"
		if [ -f "$2.part/.config" ] || [ -d "$2.part/include/config" ]; then
			make -C "$2.part" mrproper >/dev/null 2>&1 || die "cannot clean the copy of $1"
		fi
	else
		say "unpack ${1##*/} to $2 (1.4 GB)"
		tar -C "$2.part" --strip-components=1 -xf "$1" 2>"$BUILD/.tar.log" || {
			tail -n 1 "$BUILD/.tar.log" >&2
			rm -rf "$2.part"
			die "cannot unpack $1 (disk full, or not a whole tarball)"
		}
	fi
	_uv=$(kernel_version "$2.part") || { rm -rf "$2.part"; die "$1: holds no kernel tree"; }
	version_supported "$_uv" || {
		rm -rf "$2.part"
		die "$1: Linux $_uv; the series is for 6.1.$MIN_SUBLEVEL and later 6.1.y"
	}
	mv "$2.part" "$2" || die "cannot make $2"
}

# source_now: the tarball or tree to use; asked for once, and only when needed
source_now()
{
	if [ -z "${_src:-}" ]; then
		_src=$("$TOP/scripts/fetch-linux.sh" 9>&-) || exit 1
		if [ -d "$_src" ] && [ -s "$_src/.pc/applied-patches" ]; then
			die "LINUX=$_src: has patches pushed; 'quilt pop -a' there first"
		fi
	fi
}

# given_version TREE: LINUX= must not silently be another version than the tree we keep
given_version()
{
	[ -n "${LINUX:-}" ] && [ -d "$1" ] || return 0
	if [ -d "$LINUX" ]; then
		_vg=$(kernel_version "$LINUX")
	else
		_vg=$(echo "${LINUX##*/}" | sed -n 's/.*\(6\.1\.[0-9]*\).*/\1/p')
	fi
	_vh=$(kernel_version "$1")
	[ -z "$_vg" ] || [ "$_vg" = "$_vh" ] ||
		die "LINUX=$LINUX is Linux $_vg but $1 is $_vh; move that away first"
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
		[ -f "$_f" ] && sha256sum "$_f"
	done)
}

remember()
{
	mkdir -p "$STATE"
	sums "$PATCHED" >"$STATE/files.new"
	series_sum >"$STATE/series.new"
	mv "$STATE/files.new" "$STATE/files"
	mv "$STATE/series.new" "$STATE/series"
}

make_vanilla()
{
	if [ -d "$VAN" ]; then
		return
	fi
	source_now
	unpack "$_src" "$VAN"
	say "build/linux-vanilla: Linux $(kernel_version "$VAN")"
}

make_patched()
{
	if [ ! -d "$PATCHED" ]; then
		rm -rf "$STATE"
		source_now
		unpack "$_src" "$PATCHED"
	fi
	if push_interrupted "$PATCHED"; then
		say "build/linux: finishing the push that was interrupted"
		_err=$(finish_push "$PATCHED") || die "build/linux: $_err"
	fi
	_ver=$(kernel_version "$PATCHED") || die "build/linux: not a kernel tree; delete it"
	if [ ! -s "$PATCHED/.pc/applied-patches" ]; then
		# fresh, or popped by hand
		ln -sfn "$TOP/patches" "$PATCHED/patches"
		ln -sfn "$TOP/series" "$PATCHED/series"
		if [ -z "$(series_patches)" ]; then
			say "build/linux: Linux $_ver; the series is empty"
			return
		fi
		"$TOP/scripts/apply.sh" "$PATCHED" || exit 1
		remember
		return
	fi
	_top=$(tail -n 1 "$PATCHED/.pc/applied-patches")
	if [ "$(cat "$STATE/series" 2>/dev/null)" = "$(series_sum)" ]; then
		if series_patches | cmp -s - "$PATCHED/.pc/applied-patches"; then
			say "build/linux: Linux $_ver, $(series_patches | wc -l) patches pushed, up to date"
			return
		fi
		die "build/linux: $_top is the topmost patch, not the last of the series; 'quilt push -a' there first"
	fi

	# The series is another one than at our last push. What would the tree look like now?
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
			die "build/linux: $_f has edits that are in no patch and the series changed; 'quilt refresh' there, or move build/linux away"
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

given_version "$VAN"
given_version "$PATCHED"
case $_which in
vanilla) make_vanilla ;;
ipipe) make_patched ;;
all)
	make_patched
	if [ -z "${_src:-}" ] && [ ! -d "$VAN" ]; then
		# of the same version as the tree that is there
		_v=$(kernel_version "$PATCHED")
		[ -n "${LINUX:-}" ] || _src=$("$TOP/scripts/fetch-linux.sh" "$_v" 9>&-) || exit 1
	fi
	make_vanilla
	;;
esac
same_version "$PATCHED" "$VAN"
