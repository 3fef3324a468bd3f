# shellcheck shell=sh
# What the scripts know about pushing the quilt series on a kernel tree. Source after lib.sh.
#
# A push is done in two steps. First on a scratch directory which holds nothing but the files
# that the series touches: when a patch does not apply, no tree has been written to. Then the
# result, the files and quilt's .pc, is moved into the tree by renames. What is still to be
# moved lies in TREE/.ipipe-apply/new; a run that was killed is finished by the next one.

# touched_files: every file that the series changes or makes, each once
touched_files()
{
	series_patches | while read -r _p; do
		# the path after the first slash, as -p1 would have it
		sed -n 's,^\(---\|+++\) [^/ 	]*/\([^ 	]*\).*,\2,p' "$TOP/patches/$_p"
	done | grep -v '^dev/null$\|^null$' | sort -u
}

# series_complete: does every patch named in the series exist?
series_complete()
{
	[ -f "$TOP/series" ] || die "there is no series file in the repository"
	! grep -q "$(printf '\r')" "$TOP/series" ||
		die "the series has CRLF at line ends; take them off: sed -i 's/\\r//' $TOP/series"
	for _p in $(series_patches); do
		[ -f "$TOP/patches/$_p" ] || die "the series names $_p, which is not in patches/"
	done
}

# quilt_in DIR ARGS: quilt as the repository wants it, whatever the user's ~/.quiltrc says
quilt_in()
{
	_qd=$1
	shift
	(cd "$_qd" && QUILT_PATCHES=patches QUILT_SERIES=series QUILT_PC=.pc \
		quilt --quiltrc - "$@")
}

# push_scratch SCRATCH: SCRATCH holds pristine files; push the whole series there.
# On failure: one line on stdout that names patch, file and hunk, and a non-zero return.
push_scratch()
{
	{ ln -sfn "$TOP/patches" "$1/patches" && ln -sfn "$TOP/series" "$1/series"; } 2>/dev/null || {
		echo "cannot write in $1"
		return 1
	}
	if quilt_in "$1" push -a --fuzz=0 >"$1/.log" 2>&1; then
		rm -f "$1/.log"
		return 0
	fi
	if grep -q 'No space left' "$1/.log"; then
		echo "no space left in $1"
		return 1
	fi
	_pp=$(sed -n 's/^Applying patch \(patches\/\)\{0,1\}//p' "$1/.log" | tail -n 1)
	_pw=$(awk '
		/^patching file / { file = $3 }
		/^can.t find file/ { missing = 1 }
		missing && /^\|\+\+\+ / { sub(/^[^\/]*\//, "", $2); print $2 ": no such file"; exit }
		/already exists|which already exists/ { print file ": there already"; exit }
		/^Hunk #[0-9]+ FAILED/ {
			sub(/^#/, "", $2); print file ": hunk " $2 " fails"; exit
		}' "$1/.log")
	[ -n "$_pw" ] || _pw=$(grep -v '^$' "$1/.log" | tail -n 1)
	echo "patch ${_pp:-?} does not apply: $_pw"
	return 1
}

# copy_files FROM TO: copies those of the files named on stdin that FROM has
copy_files()
{
	while read -r _f; do
		[ -f "$1/$_f" ] || continue
		case $_f in
		*/*) mkdir -p "$2/${_f%/*}" || return 1 ;;
		esac
		cp -a "$1/$_f" "$2/$_f" || return 1
	done
}

# unpush DIR APPLIED: takes DIR (a scratch copy with .pc) back to pristine out of quilt's
# backups; the patches themselves may have changed since and are not looked at
unpush()
{
	for _p in $(tac "$2"); do
		[ -d "$1/.pc/$_p" ] || continue
		(cd "$1/.pc/$_p" && find . -type f ! -name .timestamp) | while read -r _f; do
			_f=${_f#./}
			if [ -s "$1/.pc/$_p/$_f" ]; then
				cp -a "$1/.pc/$_p/$_f" "$1/$_f"
			else
				# quilt's mark for "was not there"
				rm -f "$1/$_f"
			fi
		done
	done
	rm -rf "$1/.pc"
}

# need_push: the programs that all this takes
need_push()
{
	need quilt quilt
	need patch patch
	need awk mawk
	need flock util-linux
}

# tree_lock TREE: hold TREE, by fd 8, till this process ends or closes it. It is the directory
# itself that is locked: no file of ours is left in somebody's tree.
tree_lock()
{
	[ -r "$1" ] || return 0
	exec 8<"$1"
	flock -n -E 75 8 2>/dev/null
	# any other failure: a file system that locks no directories, as some NFS; go without
	[ $? != 75 ]
}

# may_write TREE: could the files named on stdin be replaced, made or removed there? If not, one
# line on stdout that says which could not, and a non-zero return.
may_write()
{
	_uid=$(id -u)
	while read -r _f; do
		_d=$1/$_f
		while :; do
			_d=${_d%/*}
			[ "$_d" != "$1" ] && [ ! -e "$_d" ] && [ ! -L "$_d" ] || break
		done
		if [ ! -d "$_d" ]; then
			echo "${_d#"$1"/} is not a directory, and the series has files in it"
		elif [ ! -w "$_d" ] || [ ! -x "$_d" ]; then
			if [ "$_d" = "$1" ]; then _d=; else _d=" in ${_d#"$1"/}"; fi
			echo "cannot write there$_d; nothing was changed"
		elif [ -d "$1/$_f" ]; then
			echo "$_f is a directory; the series has a file of that name"
		elif [ "$_uid" = 0 ] && [ -e "$1/$_f" ] && [ ! -w "$1/$_f" ]; then
			# what root may not write is immutable, or on a read-only file system
			echo "cannot replace $_f; nothing was changed"
		else
			continue
		fi
		return 1
	done
}

# make_dirs TREE: the directories of the new files. When one cannot be made, the others go again.
make_dirs()
{
	_made=
	# a directory comes before those in it
	for _d in $(cd "$1/.ipipe-apply/new" && find . -mindepth 1 -type d); do
		[ ! -d "$1/$_d" ] || continue
		if ! mkdir "$1/$_d" 2>/dev/null; then
			for _m in $_made; do
				rmdir "$1/$_m"
			done
			echo "cannot make ${_d#./} there (disk full?); nothing was changed"
			return 1
		fi
		_made="$_d $_made"
	done
}

# install_push SCRATCH TREE: moves what a trial push made into TREE. The files that may have
# changed are named on stdin; one that SCRATCH does not have is removed from TREE.
install_push()
{
	_j=$2/.ipipe-apply
	cat >"$1/.names" || { echo "cannot write in $1 (disk full?)"; return 1; }
	may_write "$2" <"$1/.names" || return 1
	# all the writing first: the disk may fill, and then nothing has happened yet
	rm -rf "$_j"
	if ! {
		while read -r _f; do
			[ -e "$1/$_f" ] || [ ! -e "$2/$_f" ] || echo "$_f"
		done <"$1/.names" >"$1/.gone" &&
		mkdir "$_j" "$_j/new" &&
		cp "$1/.gone" "$_j/gone" &&
		copy_files "$1" "$_j/new" <"$1/.names" &&
		cp -a "$1/.pc" "$_j/pc" &&
		touch "$_j/ready.new"
	} 2>/dev/null; then
		rm -rf "$_j"
		echo "cannot write there (disk full?); nothing was changed"
		return 1
	fi
	make_dirs "$2" || { rm -rf "$_j"; return 1; }
	mv "$_j/ready.new" "$_j/ready" || { echo "cannot write in $2"; return 1; }
	finish_push "$2"
}

# finish_push TREE: the second half of install_push, also after a kill
finish_push()
{
	_j=$1/.ipipe-apply
	{
		(cd "$_j/new" && find . -type f | sed 's,^\./,,')
		cat "$_j/gone" 2>/dev/null
	} | may_write "$1" && make_dirs "$1" || return 1
	(cd "$_j/new" && find . -type f) | while read -r _f; do
		_f=${_f#./}
		mv -f "$_j/new/$_f" "$1/$_f" 2>/dev/null || { echo "cannot replace $_f"; exit 1; }
		# for the test that kills us here
		if [ -n "${IPIPE_APPLY_KILL:-}" ]; then
			kill -9 $$
			exit 1
		fi
	done || return 1
	if [ -s "$_j/gone" ]; then
		while read -r _f; do
			rm -f "$1/$_f" || return 1
		done <"$_j/gone"
	fi
	if [ -d "$_j/pc" ]; then
		rm -rf "$1/.pc"
		mv "$_j/pc" "$1/.pc" || { echo "cannot write in $1"; return 1; }
	fi
	ln -sfn "$TOP/patches" "$1/patches" && ln -sfn "$TOP/series" "$1/series" &&
		rm -rf "$_j" || { echo "cannot write in $1"; return 1; }
}

# push_interrupted TREE
push_interrupted()
{
	[ -f "$1/.ipipe-apply/ready" ]
}

# tmp_dir: makes $TMP_DIR, removed when the script ends
tmp_dir()
{
	TMP_DIR=$(mktemp -d "${TMPDIR:-/tmp}/ipipe.XXXXXX" 2>/dev/null) ||
		die "cannot write in ${TMPDIR:-/tmp}; set TMPDIR to a directory that can be written"
	trap 'rm -rf "$TMP_DIR"' EXIT
	trap 'exit 130' INT TERM HUP
}
