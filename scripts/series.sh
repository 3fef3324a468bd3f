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
	ln -sfn "$TOP/patches" "$1/patches" && ln -sfn "$TOP/series" "$1/series" || {
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
		/^can.t find file/ { print "a file that it changes is not there"; exit }
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

# install_push SCRATCH TREE: moves what a trial push made into TREE
install_push()
{
	_j=$2/.ipipe-apply
	rm -rf "$_j"
	mkdir "$_j" "$_j/new" || { echo "cannot write in $2"; return 1; }
	# all the writing first: the disk may fill, and then nothing has happened yet
	if ! touched_files | copy_files "$1" "$_j/new" || ! cp -a "$1/.pc" "$_j/pc"; then
		rm -rf "$_j"
		echo "cannot write in $2 (disk full?)"
		return 1
	fi
	: >"$_j/ready" || { rm -rf "$_j"; echo "cannot write in $2 (disk full?)"; return 1; }
	finish_push "$2"
}

# finish_push TREE: the second half of install_push, also after a kill
finish_push()
{
	_j=$1/.ipipe-apply
	(cd "$_j/new" && find . -type f) | while read -r _f; do
		_f=${_f#./}
		case $_f in
		*/*) mkdir -p "$1/${_f%/*}" ;;
		esac
		mv -f "$_j/new/$_f" "$1/$_f" || exit 1
		# for the test that kills us here
		if [ -n "${IPIPE_APPLY_KILL:-}" ]; then
			kill -9 $$
			exit 1
		fi
	done || { echo "cannot write in $1"; return 1; }
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
	TMP_DIR=$(mktemp -d "${TMPDIR:-/tmp}/ipipe.XXXXXX") || die "cannot write in ${TMPDIR:-/tmp}"
	trap 'rm -rf "$TMP_DIR"' EXIT
	trap 'exit 130' INT TERM HUP
}
