# shellcheck shell=sh
# What every script here shares: where things are, how to talk to the user, how to fail.
# Source it with $TOP set to the repository: . "$TOP/scripts/lib.sh"

BUILD=${IPIPE_BUILD:-$TOP/build}
case $BUILD in
/*) ;;
*) BUILD=$PWD/$BUILD ;;
esac
# The first 6.1.y that the series is made for; older ones are refused.
MIN_SUBLEVEL=164

LC_ALL=C
export LC_ALL
# Nothing in the caller's environment may change what the tools do. (The scripts unset CDPATH
# first of all, as $TOP is found by cd.)
unset CDPATH GREP_OPTIONS TAR_OPTIONS XZ_OPT XZ_DEFAULTS POSIXLY_CORRECT PATCH_GET \
	VERSION_CONTROL PATCH_VERSION_CONTROL SIMPLE_BACKUP_SUFFIX BASH_ENV \
	GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_NAMESPACE GIT_PREFIX \
	GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
for _v in $(env | sed -n 's/^\(QUILT_[A-Za-z0-9_]*\)=.*/\1/p'); do
	unset "$_v"
done

# Progress goes to stderr, so that a script's stdout stays its answer.
say()
{
	printf '%s\n' "$*" >&2
}

# One line, then out.
die()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# need TOOL PACKAGE: is it there?
need()
{
	command -v "$1" >/dev/null 2>&1 ||
		die "$1 is missing (Debian package $2); 'scripts/setup.sh' installs it"
}

boards()
{
	for _b in "$TOP"/arch-*/*/board.sh; do
		[ -f "$_b" ] || continue
		_b=${_b%/board.sh}
		printf '%s ' "${_b##*/}"
	done
}

# load_board NAME: sets what board.sh sets, and BOARD_DIR
load_board()
{
	case $1 in
	''|*[!A-Za-z0-9_-]*)
		_lb= ;;
	*)
		_lb=$(echo "$TOP"/arch-*/"$1"/board.sh) ;;
	esac
	if [ -z "$_lb" ] || [ ! -f "$_lb" ]; then
		_h=$(boards)
		die "BOARD=$1: no such board; have: ${_h% }"
	fi
	BOARD=$1
	BOARD_DIR=${_lb%/board.sh}
	# nothing of a board loaded before
	unset QEMU_OURS NOT_IN_VANILLA
	unset -f board_program board_clip 2>/dev/null || :
	# shellcheck disable=SC1090
	. "$_lb"
}

# board_files: all that tells how the kernel of the board is configured and booted
board_files()
{
	for _bf in "$BOARD_DIR"/* "${BOARD_DIR%/*}"/* "$TOP"/scripts/kconfig/*; do
		case $_bf in
		*.md) ;;
		*) [ ! -f "$_bf" ] || echo "$_bf" ;;
		esac
	done
}

# need_emulator: the board's, stock or our own; that is built when it is not there
need_emulator()
{
	if [ -n "${QEMU_OURS:-}" ]; then
		"$TOP/scripts/qemu.sh" >/dev/null || exit 1
	else
		need "$QEMU" "$QEMU_PACKAGE"
	fi
}

# build_lock NAME: hold build/.NAME.lock till this process ends, however it ends.
# The kernel drops the lock with the process: there is no stale lock to clear away.
build_lock()
{
	need flock util-linux
	mkdir -p "$BUILD" 2>/dev/null || die "cannot make $BUILD"
	# exec would end the shell before we could say anything
	touch "$BUILD/.$1.lock" 2>/dev/null || die "cannot write in $BUILD (disk full?)"
	exec 9>"$BUILD/.$1.lock"
	if ! flock -n 9; then
		say "waiting for another make that works on $1"
		flock 9 || die "cannot lock $BUILD/.$1.lock"
	fi
}

# kernel_version TREE: prints 6.1.187; fails when TREE is not a kernel tree
kernel_version()
{
	[ -f "$1/Makefile" ] && [ -f "$1/Kbuild" ] && [ -d "$1/kernel" ] || return 1
	sed -n '
		s/^VERSION = *\([0-9]*\)$/\1/p
		s/^PATCHLEVEL = *\([0-9]*\)$/.\1/p
		s/^SUBLEVEL = *\([0-9]*\)$/.\1/p
		/^NAME/q' "$1/Makefile" | tr -d '\n' | grep -x '[0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*'
}

# version_supported 6.1.187
version_supported()
{
	case $1 in
	# more digits than the shell can count
	6.1.??????*) false ;;
	6.1.*) [ "${1##*.}" -ge "$MIN_SUBLEVEL" ] ;;
	*) false ;;
	esac
}

# series_patches: the names in the series, in order, without comments
series_patches()
{
	[ -f "$TOP/series" ] || return 0
	sed 's/[ 	]*#.*//; s/[ 	].*//; /^$/d' "$TOP/series"
}

# series_sum: changes when the series or any patch in it does
series_sum()
{
	{
		series_patches
		# all by one cat: make kernel asks each time
		(cd "$TOP/patches" 2>/dev/null && series_patches | xargs -r cat 2>/dev/null)
	} | sha256sum | cut -d' ' -f1
}

now()
{
	date +%s
}

# since SECONDS: "1 min 07 s"
since()
{
	_t=$(($(now) - $1))
	if [ $_t -ge 60 ]; then
		printf '%d min %02d s' $((_t / 60)) $((_t % 60))
	else
		printf '%d s' $_t
	fi
}

jobs_n()
{
	echo "${JOBS:-$(nproc)}"
}

# What must not stand in a guest's log: one extended regular expression, kept here only.
GUEST_BAD='Oops|BUG:|WARNING:|Kernel panic|Unable to handle|Internal error|kernel BUG at|INFO: (possible|inconsistent|suspicious|task )|possible (circular|recursive) locking|inconsistent lock state|DEADLOCK|held lock freed|bad unlock balance|rcu: INFO|lockup|nobody cared|Bad page|Call Trace:|[Ss]tack overflow|turning off the locking|which is for Linux alone'
export GUEST_BAD

# compiler_warnings LOG: the lines of a build log that warn. Left out is what the linker says of
# vanilla's own boot wrapper.
compiler_warnings()
{
	grep 'warning: ' "$1" | grep -v '^[^ ]*-ld: warning: .*\(note.GNU-stack\|RWX permissions\)'
}
