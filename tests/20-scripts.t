#!/bin/sh
# Wrong input to the commands: one clear line each, and nothing done.
. "$(dirname "$0")/lib.sh"

S=$TOP/scripts
R=$T/repo
fake_repo "$R"
IPIPE_BUILD=$T/build
export IPIPE_BUILD
unset LINUX

mk()
{
	make -s --no-print-directory -C "$TOP" "$@" 2>&1 | grep -v '^make: \*\*\*' >"$T/mk"
	cat "$T/mk"
	[ ! -s "$T/mk" ]
}

for c in kernel boot demo bench kselftest check-series; do
	[ "$c" != bench ] || [ -x "$S/bench.sh" ] || continue
	refuses mk $c BOARD=foo -- 'BOARD=foo: no such board; have: .*ppc405' "make $c BOARD=foo"
done
refuses mk kernel BOARD=../ppc405 -- 'no such board' "a path for a board"
refuses mk kernel BOARD= -- 'no such board' "no board"
refuses mk kernel KERNEL=zircon -- 'KERNEL=zircon: no such kernel; have: ipipe vanilla' "make kernel KERNEL=zircon"
refuses mk kernel KERNEL=preempt-rt -- 'comes with the PREEMPT_RT bench' "make kernel KERNEL=preempt-rt"
for v in debug+ +debug test++debug +; do
	refuses mk kernel VARIANT=$v -- "VARIANT=$v: an empty name" "make kernel VARIANT=$v"
done
refuses mk kernel VARIANT=huge -- 'VARIANT=huge: no ' "make kernel VARIANT=huge"
refuses mk kernel LINUX=/nowhere -- 'LINUX=/nowhere: no such file' "make kernel LINUX=/nowhere"
run make -s -C "$TOP"; [ $rc = 0 ] && grep -q 'make demo' "$T/out"; ok "make alone is a help text"
[ ! -d "$T/build/ppc405" ]; ok "none of them left a build directory"

# missing tools: a PATH that holds everything but one
path_without()
{
	rm -rf "$T/bin"
	mkdir "$T/bin"
	for d in /usr/bin /bin /usr/sbin /sbin; do
		ln -s "$d"/* "$T/bin/" 2>/dev/null
	done
	for x; do
		rm -f "$T/bin/$x"
	done
}
mkdir -p "$T/kdir"
: >"$T/kdir/vmlinux"
: >"$T/cpio"
path_without powerpc-linux-gnu-gcc
refuses env PATH="$T/bin" "$S/build-kernel.sh" ppc405 vanilla -- 'powerpc-linux-gnu-gcc is missing (Debian package gcc-powerpc-linux-gnu)' "no cross compiler"
path_without qemu-system-ppc
refuses env PATH="$T/bin" INITRAMFS="$T/cpio" "$S/run-guest.sh" ppc405 "$T/kdir" boot -- 'qemu-system-ppc is missing' "no QEMU"
path_without quilt
refuses env PATH="$T/bin" "$S/apply.sh" "$T" -- 'quilt is missing' "no quilt: apply.sh"
refuses env PATH="$T/bin" "$S/tree.sh" -- 'quilt is missing' "no quilt: tree.sh"
for tool in patch:patch awk:mawk flock:util-linux; do
	# Debian's awk is a link to one of these
	path_without ${tool%:*} mawk gawk original-awk
	refuses env PATH="$T/bin" "$S/apply.sh" "$T" -- "${tool%:*} is missing (Debian package ${tool#*:})" "no ${tool%:*}: apply.sh"
	refuses env PATH="$T/bin" "$S/tree.sh" -- "${tool%:*} is missing (Debian package ${tool#*:})" "no ${tool%:*}: tree.sh"
done

# bisection: --all draws the course, --max names a patch; either or both
run "$S/bisect-latency.sh" --board ppc405 --metric irq_timer --load dohell
[ $rc != 0 ] && grep -q -e '--max or --all is missing' "$T/out"; ok "bisect-latency.sh: neither --max nor --all"
for x in --all "--max 500" "--all --max 500"; do
	# shellcheck disable=SC2086
	refuses "$S/bisect-latency.sh" --board ppc405 --metric irq_timer --load none $x -- 'load none: no such load' "bisect-latency.sh: $x is taken"
done

# CDPATH and a relative path: the scripts find themselves by cd
mkdir -p "$T/else/scripts" "$T/else/tests" "$T/else/.ci"
for x in "$S"/*.sh; do
	x=${x##*/}
	case $x in
	lib.sh|series.sh|bench-lib.sh|debian-source.sh|fetch-busybox.sh|busybox.sh|boot.sh|guest.sh|run-guest.sh|setup.sh|check.sh|demo.sh|help.sh|stats.sh|tree.sh|clean.sh|fetch-linux.sh|check-series.sh|dist.sh) continue ;;
	esac
	run sh -c "cd '$TOP' && CDPATH='$T/else' scripts/$x --nonsense 1 2 3 4 5 6"
	[ $rc != 0 ] && [ "$(wc -l <"$T/out")" = 1 ] && ! grep -q 'lib.sh' "$T/out"; ok "CDPATH: $x"
done
run sh -c "cd '$TOP' && CDPATH='$T/else' scripts/help.sh"; [ $rc = 0 ]; ok "CDPATH: help.sh"
run sh -c "cd '$TOP' && CDPATH='$T/else' scripts/stats.sh"; [ $rc = 0 ]; ok "CDPATH: stats.sh"
mkdir "$T/ci"
printf '#!/bin/sh\npwd\n' >"$T/ci/make"
chmod +x "$T/ci/make"
run sh -c "cd '$TOP' && CDPATH='$T/else' PATH='$T/ci:$PATH' .ci/run"
[ $rc = 0 ] && [ "$(cat "$T/out")" = "$TOP" ]; ok "CDPATH: .ci/run"

# make kernel: the tree is looked at each time, and one of the caller's is let alone
mkdir -p "$T/bin2" "$T/build/linux"
refuses mk kernel BOARD=ppc405 LINUX=/nowhere -- 'LINUX=/nowhere: no such file' "make kernel LINUX=/nowhere with a tree there"
run env LINUX=/nowhere LINUX_TREE="$T/kdir" "$S/build-kernel.sh" ppc405
[ $rc != 0 ] && grep -q 'kdir: not a kernel tree' "$T/out"; ok "build-kernel.sh with LINUX_TREE: no look at other trees"
rm -rf "$T/build/linux"

# make clean: what was built goes, what was measured stays
for x in bench/raw/x bench/ppc405/ipipe/vmlinux bench/linux/x bench/linux-vanilla/x bench/ppc405.tsv \
	bisect/results/x bisect/linux/x bisect/ppc405/x bisect/.linux-ready linux/x linux-vanilla/x dl2/x ppc405/x; do
	mkdir -p "$T/c/${x%/*}"
	: >"$T/c/$x"
done
run env IPIPE_BUILD="$T/c" "$S/clean.sh"
[ $rc = 0 ] && [ "$(cd "$T/c" && find . -type f | sort | tr '\n' ' ')" = \
	'./bench/ppc405.tsv ./bench/raw/x ./bisect/results/x ./dl2/x ./linux-vanilla/x ./linux/x ' ]
ok "make clean: figures, trees and downloads stay"

refuses "$S/run-guest.sh" ppc405 "$T" boot -- 'no kernel built there' "run-guest.sh: nothing built"
refuses "$S/run-guest.sh" ppc405 "$T/kdir" boot soon -- 'TIMEOUT=soon: not a number' "run-guest.sh: a timeout that is none"
refuses "$S/run-guest.sh" -- 'usage' "run-guest.sh: no arguments"
refuses env INITRAMFS="$T/none" "$S/run-guest.sh" ppc405 "$T/kdir" boot -- 'none: no such file' "run-guest.sh: no initramfs"
refuses "$S/tree.sh" everything -- 'usage' "tree.sh: unknown argument"
refuses "$S/stats.sh" --all -- 'usage' "stats.sh: unknown argument"
refuses "$S/fetch-linux.sh" 5.10.1 -- 'the series is for 6.1' "fetch-linux.sh: another version"
refuses "$S/fetch-linux.sh" 6.1.x -- 'Linux 6.1.x: the series is for 6.1' "fetch-linux.sh: no number"
refuses "$S/tree.sh" ipipe x -- 'usage' "tree.sh: an argument too many"
refuses "$S/dist.sh" --help -- 'usage: dist.sh' "dist.sh: an argument"
refuses "$S/clean.sh" --help -- 'usage: clean.sh' "clean.sh: an argument, and nothing is cleaned"
refuses mk check TESTS=nope -- 'TESTS: nope: no such test; have: tests/' "make check TESTS=nope"
refuses "$S/bisect-latency.sh" --board ppc405 --metric 'irq_timer getppid' --load plain --all -- 'no such metric' "bisect-latency.sh: two metrics"

# a download that was cut or changed is not taken for good
mkdir -p "$T/build/dl"
echo whole >"$T/build/dl/linux_6.1.187.orig.tar.xz"
(cd "$T/build/dl" && sha256sum linux_6.1.187.orig.tar.xz >linux_6.1.187.orig.tar.xz.sha256)
run "$S/fetch-linux.sh"
[ $rc = 0 ] && grep -q "^$T/build/dl/linux_6.1.187.orig.tar.xz\$" "$T/out"
ok "a verified download is used again, without a network"
echo cut >"$T/build/dl/linux_6.1.187.orig.tar.xz"
run env http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 "$S/fetch-linux.sh"
[ $rc != 0 ] && grep -q 'is not what was downloaded' "$T/out" && tail -n 1 "$T/out" | grep -q 'LINUX=/path' &&
	[ ! -e "$T/build/dl/linux_6.1.187.orig.tar.xz" ]
ok "a damaged download is thrown away; no network: says so and what to do"

# two at once: the second waits for the first, and no lock outlives its holder
(. "$S/lib.sh"; build_lock x; sleep 2; echo first >>"$T/order") &
sleep 0.5
(. "$S/lib.sh"; build_lock x; echo second >>"$T/order") 2>"$T/out"
[ "$(tr '\n' ' ' <"$T/order")" = 'first second ' ] && grep -q 'waiting for another make' "$T/out"
ok "two at once: the second waits, and says so"
wait
(. "$S/lib.sh"; build_lock y; kill -9 "$(sh -c 'echo $PPID')") 2>/dev/null
run timeout 5 sh -c "TOP='$TOP'; . '$S/lib.sh'; build_lock y"; [ $rc = 0 ]
ok "a killed holder leaves no lock"

# a place where nothing can be written
if [ "$(id -u)" = 0 ] && mkdir "$T/ro" && mount -t tmpfs -o ro none "$T/ro" 2>/dev/null; then
	_cleanup_more="umount $T/ro"
	run env IPIPE_BUILD="$T/ro/build" "$R/scripts/tree.sh" ipipe
	[ $rc != 0 ] && tail -n 1 "$T/out" | grep -q 'cannot make'; ok "a read-only build directory: said"
else
	skip "a read-only build directory" "cannot mount one"
fi

# what the repository must not hold
[ -z "$(cd "$TOP" && grep -rlE 'https?://[a-z0-9.]*debian\.org|security\.debian' --include='*' \
	Makefile scripts tests .ci 2>/dev/null | grep -v '^tests/20-scripts.t$')" ]
ok "no package server's address in the scripts"
run "$S/setup.sh"; [ $rc = 0 ] && [ ! -s "$T/out" ]; ok "setup.sh has nothing to say when all is there"
finish
