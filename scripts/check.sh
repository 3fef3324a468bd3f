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
unset MAKELEVEL MAKEFLAGS MFLAGS INITRAMFS LOG LINUX_TREE OUT LAX NOT_IN_VANILLA QEMU_OURS FRAGMENTS ICOUNT EARLYCON ECHO_GUEST CONSOLE_ONLY VARIANT KERNEL
IPIPE_CHECK_RUN=$(date +%s).$$
export IPIPE_CHECK_RUN
if [ $# = 0 ]; then
	set -- tests/*.t
	# The long part first, where one sees how far it is; what fails here fails a test below.
	say "kernels for the tests (4); then the tests"
	"$TOP/scripts/tree.sh" all
	for _k in "vanilla" "ipipe off" "ipipe" "ipipe test+debug"; do
		# shellcheck disable=SC2086
		"$TOP/scripts/build-kernel.sh" "${BOARD:-ppc405}" $_k >/dev/null
	done
	say "kernels done in $(since "$_t0")"
fi
IPIPE_BOARD=${BOARD:-ppc405}
export IPIPE_BOARD
# two at a time: an emulator keeps one processor busy
prove --failures --comments -j "${PROVE_JOBS:-2}" --timer --merge -e /bin/sh "$@"
_rc=$?
say "make check: $(since "$_t0")"
exit $_rc
