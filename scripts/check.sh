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
	# The long part first, where one sees how far it is; what fails here fails a test below.
	set -- "ppc405 vanilla" "ppc405 ipipe off" "ppc405 ipipe" "ppc405 ipipe test+debug" \
		"imx25pdk vanilla" "imx25pdk ipipe off" "imx25pdk ipipe" "imx25pdk ipipe test+debug"
	_n=0
	say "$# kernels and an emulator for the tests; then the tests"
	"$TOP/scripts/tree.sh" all
	for _k; do
		_n=$((_n + 1))
		say "[$_n/$#] $_k ($(since "$_t0"))"
		# shellcheck disable=SC2086
		"$TOP/scripts/build-kernel.sh" $_k >/dev/null
	done
	say "the emulator ($(since "$_t0"))"
	"$TOP/scripts/qemu.sh" --tests >/dev/null
	set -- tests/*.t
	say "all built in $(since "$_t0")"
fi
IPIPE_BOARD=${BOARD:-ppc405}
export IPIPE_BOARD
# two at a time: an emulator keeps one processor busy
prove --failures --comments -j "${PROVE_JOBS:-2}" --timer --merge -e /bin/sh "$@"
_rc=$?
say "make check: $(since "$_t0")"
exit $_rc
