#!/bin/sh
# Runs the tests under prove (make check) and says how long it took.
#
# usage: scripts/check.sh [TEST.t ...]     (default: all of tests/)
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

for _t in "$@"; do
	[ -f "$_t" ] || [ -f "$TOP/$_t" ] ||
		die "TESTS: $_t: no such test; have: $(cd "$TOP" && echo tests/*.t)"
done
_t0=$(now)
"$TOP/scripts/setup.sh" || exit 1
need prove perl
cd "$TOP" || exit 1
# nothing of the caller's may get in
unset KSELFTEST_LIST MAKELEVEL MAKEFLAGS MFLAGS INITRAMFS LOG LINUX_TREE OUT LAX NOT_IN_VANILLA QEMU_OURS FRAGMENTS ICOUNT EARLYCON ECHO_GUEST CONSOLE_ONLY VARIANT KERNEL
IPIPE_CHECK_RUN=$(date +%s).$$
export IPIPE_CHECK_RUN
if [ $# = 0 ]; then
	# The long part first, where one sees how far it is; what fails here fails a test below. Two at
	# a time, the longest first: a single build leaves a processor idle now and then.
	set -- "qemu.sh --tests" \
		"build-kernel.sh ppc405 ipipe test+debug" "build-kernel.sh imx25pdk ipipe test+debug" \
		"build-kernel.sh ppc405 vanilla" "build-kernel.sh imx25pdk vanilla" \
		"build-kernel.sh ppc405 ipipe" "build-kernel.sh imx25pdk ipipe" \
		"build-kernel.sh ppc405 vanilla kself" "build-kernel.sh imx25pdk vanilla kself" \
		"build-kernel.sh ppc405 ipipe kself" "build-kernel.sh imx25pdk ipipe kself" \
		"build-kernel.sh ppc405 ipipe off" "build-kernel.sh imx25pdk ipipe off"
	say "an emulator and $(($# - 1)) kernels for the tests; then the tests"
	"$TOP/scripts/tree.sh" all
	"$TOP/scripts/setup.sh" qemu && "$TOP/scripts/setup.sh" dts || exit 1
	_n=0
	for _k; do
		_n=$((_n + 1))
		echo "$_n/$# $_k"
	done | xargs -P 2 -L 1 "$TOP/scripts/check-build.sh" "$_t0"
	# the longest first here, too
	set --
	for _p in boot-debug boot-ipipe csb535fs kselftest ''; do
		for _t in tests/*"$_p"*.t; do
			case " $* " in
			*" $_t "*) ;;
			*) set -- "$@" "$_t" ;;
			esac
		done
	done
	say "all built in $(since "$_t0")"
fi
IPIPE_BOARD=${BOARD:-ppc405}
export IPIPE_BOARD
# two at a time: an emulator keeps one processor busy
prove --failures --comments -j "${PROVE_JOBS:-2}" --timer --merge -e /bin/sh "$@"
_rc=$?
say "make check: $(since "$_t0")"
exit $_rc
