#!/bin/sh
# Our own QEMU: it builds, its devices pass their tests and name what they lack, and neither a
# broken stack nor work in build/qemu-src comes to harm by scripts/qemu.sh.
. "$(dirname "$0")/lib.sh"

S=$TOP/scripts
unset QEMU_SOURCE

# quiet_fail PATTERN DESCRIPTION: what ran failed, and its last line says why
quiet_fail()
{
	[ "$rc" != 0 ] && tail -n 1 "$T/out" | grep -q -e "$1"
	ok "$2"
}

# a copy of the scripts with a stack of its own, and a source of its own for it
R=$T/repo
E=$R/tests/qemu/emulator
mkdir -p "$R/tests/qemu"
ln -s "$S" "$R/scripts"
cp -R "$TOP/tests/qemu/emulator" "$E"
mine()
{
	run env IPIPE_BUILD="$T/build" "$@"
}

refuses "$S/qemu.sh" --nonsense -- 'usage: qemu.sh' "qemu.sh: an unknown argument"
refuses "$S/qemu.sh" --tests x -- 'usage: qemu.sh' "qemu.sh: an argument too many"
refuses "$S/fetch-qemu.sh" x -- 'usage: fetch-qemu.sh' "fetch-qemu.sh: an argument"
refuses "$S/setup.sh" qemu x -- 'usage: setup.sh' "setup.sh: an argument too many"
refuses "$S/setup.sh" xen -- 'usage: setup.sh' "setup.sh: no such group"
: >"$T/qemu.zip"
mkdir "$T/none" "$T/old"
: >"$T/old/configure"
echo 6.2.0 >"$T/old/VERSION"
for x in "/nowhere:no such file" "$T/qemu.zip:neither a tree" "$T/none:not a source tree" \
	"$T/old:is QEMU 6.2.0; the stack is for 7.2"; do
	refuses env IPIPE_BUILD="$T/build" QEMU_SOURCE="${x%%:*}" "$S/qemu.sh" -- "QEMU_SOURCE=${x%%:*}: ${x#*:}\|${x#*:}" "QEMU_SOURCE: ${x#*:}"
done
refuses env IPIPE_BUILD=/proc/nowhere "$S/qemu.sh" -- 'cannot make' "nowhere to build"

# a stack that is not whole
echo nosuch.patch >>"$E/series"
refuses env IPIPE_BUILD="$T/build" "$R/scripts/qemu.sh" -- 'series names nosuch.patch' "a patch of the stack is missing"
rm "$E/series"
refuses env IPIPE_BUILD="$T/build" "$R/scripts/qemu.sh" -- 'there is no .*series' "there is no stack"
[ ! -d "$T/build/qemu-src" ]; ok "nothing was unpacked for those"

# all files of the source package count
mkdir -p "$T/build/dl"
for x in qemu_7.2+dfsg-7.dsc qemu_7.2+dfsg.orig.tar.xz qemu_7.2+dfsg-7.debian.tar.xz; do
	echo "$x" >"$T/build/dl/$x"
done
(cd "$T/build/dl" && sha256sum qemu_* >"$T/sums" && mv "$T/sums" qemu_7.2+dfsg-7.dsc.sha256)
mine "$S/fetch-qemu.sh"
[ $rc = 0 ] && [ "$(cat "$T/out")" = "$T/build/dl/qemu_7.2+dfsg-7.dsc" ]
ok "a verified download is used again, without a network"
echo cut >"$T/build/dl/qemu_7.2+dfsg.orig.tar.xz"
mine env http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 "$S/fetch-qemu.sh"
grep -q 'is not what was downloaded' "$T/out" || rc=0
quiet_fail 'QEMU_SOURCE=/path' "a damaged file of it is noticed; no network: says so and what to do"


_s=$(now)
run "$S/qemu.sh" --tests
[ $rc = 0 ]; ok "builds, with the tests of its devices ($(since "$_s"))"
[ $rc = 0 ] || finish
Q=$(tail -n 1 "$T/out")
ARM=$Q/qemu-system-arm
! grep -q 'warning: ' "$Q/build.log"; ok "without a warning"

touch "$T/before"
run "$S/qemu.sh" --tests
[ $rc = 0 ] && [ "$(cat "$T/out")" = "$Q" ]; ok "a second time it has nothing to say"
run "$S/qemu.sh"
[ $rc = 0 ] && [ "$(cat "$T/out")" = "$Q" ]; ok "nor without the tests"
[ -z "$(find "$Q" "$BUILD/qemu-src" -newer "$T/before" | head -n 1)" ]; ok "and does nothing"

run "$ARM" -M help
grep -q '^csb535fs .*i.MX21' "$T/out"; ok "it has csb535fs"
grep -q '^imx25-pdk ' "$T/out"; ok "it has imx25-pdk"
run "$Q/qemu-system-ppc" -M help
grep -q '^ref405ep ' "$T/out"; ok "it has ref405ep"
refuses "$ARM" -M csb535fs -m 128 -display none -- '64 MiB of RAM' "csb535fs has the RAM that the board has"

# their own tests
for x in imx21-gpt imx21-gpio; do
	QTEST_QEMU_BINARY=$ARM "$Q/tests/qtest/$x-test" --tap -k >"$T/ktap" 2>"$T/out"
	rc=$?
	# only results: it tells of each emulator that it starts
	grep "^\(not \)\{0,1\}ok " "$T/ktap" >"$T/results"
	guest_tap "$x" <"$T/results"
	[ $rc = 0 ] && grep -q '^ok ' "$T/ktap"; ok "$x: all of them"
done

# on_bus: gives the qtest commands in $T/cmds to the machine; what it logs of them is in $T/log.
# A reset by the watchdog ends it: without one it would go on after the end of its input.
on_bus()
{
	: >"$T/log"
	echo 'writew 0x10002000 0' >>"$T/cmds"
	run timeout 60 "$ARM" -M csb535fs -accel qtest -qtest stdio -qtest-log /dev/null \
		-display none -monitor none -serial none -no-reboot -d unimp,guest_errors -D "$T/log" <"$T/cmds"
}

# What of the chip and the board is not there is a block with a name, that is, with the log of its
# own. Addresses: memory map of the reference manual.
cat >"$T/blocks" <<'END'
imx21.aipi1 0x10000000
imx21.dma 0x10001000
imx21.pwm 0x10006000
imx21.rtc 0x10007000
imx21.kpp 0x10008000
imx21.owire 0x10009000
imx21.cspi1 0x1000e000
imx21.cspi2 0x1000f000
imx21.ssi1 0x10010000
imx21.ssi2 0x10011000
imx21.i2c 0x10012000
imx21.sdhc1 0x10013000
imx21.sdhc2 0x10014000
imx21.audmux 0x10016000
imx21.cspi3 0x10017000
imx21.aipi2 0x10020000
imx21.lcdc 0x10021000
imx21.slcdc 0x10022000
imx21.rtic 0x10023000
imx21.usbotg 0x10024000
imx21.usbotg 0x10025000
imx21.emma 0x10026000
imx21.firi 0x10028000
imx21.rnga 0x10029000
imx21.jam 0x1003e000
imx21.max 0x1003f000
imx21.rompatch 0x10041000
imx21.csi 0x80000000
imx21.sdramc 0xdf000000
imx21.eim 0xdf001000
imx21.pcmcia 0xdf002000
imx21.nfc 0xdf003000
csb535fs.cs0 0xc8000000
csb535fs.cs1 0xcc000000
END
while read -r name addr; do
	printf 'readl %s\nwritel %s 0\n' "$addr" "$addr"
done <"$T/blocks" >"$T/cmds"
on_bus
[ $rc = 0 ]; ok "every block that is not there can be accessed"
sed 's/ .*//' "$T/blocks" | while read -r name; do
	printf '%s: unimplemented device read\n%s: unimplemented device write\n' "$name" "$name"
done >"$T/want"
sed 's/\(device [a-z]*\).*/\1/' "$T/log" | cmp -s - "$T/want"
ok "and each is named in the log ($(wc -l <"$T/blocks"))"

# WHAT, and the accesses that use it. Registers: clock controller, timer 1.
while IFS='|' read -r what cmds; do
	echo "$cmds" >"$T/cmds"
	on_bus
	[ $rc = 0 ] && [ "$(cat "$T/log")" = "$what is not implemented" ]
	ok "named in the log: $what"
done <<'END'
imx21.ccm: PMCTL|writel 0x1002702c 1
imx21.ccm: PMCOUNT|readl 0x10027030
imx21.ccm: WKGDCTL|writel 0x10027034 1
imx21.gpt: capture|writel 0x10003000 0x20
imx21.gpt: capture|readl 0x1000300c
imx21.gpt: TOUT|writel 0x10003000 0x200
imx21.gpt: TIN|writel 0x10003000 0x6
END
printf '%s\n' 'readl 0x10003010' 'writel 0x10003000 0x113' 'readl 0x10015000' 'readl 0x1002780c' \
	'readl 0x10027000' 'writel 0x10027000 0x77380607' 'readl 0x10040040' >"$T/cmds"
on_bus
[ $rc = 0 ] && [ ! -s "$T/log" ]; ok "what is there says nothing"

# a stack that does not fit, work in the tree: with a source that takes no time
mkdir "$T/src"
echo 7.2.0 >"$T/src/VERSION"
printf '#!/bin/sh\necho "ERROR: nothing to configure"\nexit 1\n' >"$T/src/configure"
chmod +x "$T/src/configure"
awk 'BEGIN { for (i = 1; i <= 20; i++) print "line " i }' >"$T/src/timer.c"
rm -rf "$E/patches"
mkdir "$E/patches"
echo 'one.patch  # a comment' >"$E/series"
# one LINE: a patch that changes that line of the source
one()
{
	printf 'One\n\n--- a/timer.c\n+++ b/timer.c\n@@ -9,3 +9,3 @@\n line 9\n-%s\n+line ten\n line 11\n' \
		"$1" >"$E/patches/one.patch"
}
D=$T/build/qemu-src
build_it()
{
	mine env QEMU_SOURCE="$T/src" "$R/scripts/qemu.sh"
}
one 'line 12'
build_it
quiet_fail 'one.patch: .*FAILED' "a patch that does not apply is named"
[ ! -e "$T/build/qemu" ]; ok "and nothing is built"
build_it
quiet_fail 'one.patch: .*FAILED' "the same again"
one 'line 10'
build_it
quiet_fail 'configuration failed.*nothing to configure' "mended, it goes on; so does what configure says"
grep -q '^line ten$' "$D/timer.c" && ! grep -q ten "$T/src/timer.c"
ok "pushed there, and not in the source"
mine env QEMU_SOURCE="$T/old/../src" "$R/scripts/qemu.sh"
quiet_fail 'configuration failed' "the same source by another name"
cp -R "$T/src" "$T/src2"
refuses env IPIPE_BUILD="$T/build" QEMU_SOURCE="$T/src2" "$R/scripts/qemu.sh" -- 'was made from .*/src; to change that' "another source than before"
sed -i 's/ten/zehn/' "$D/timer.c"
echo >>"$E/patches/one.patch"
build_it
quiet_fail 'edits that are in no patch' "edits there and another stack: not lost"
grep -q '^line zehn$' "$D/timer.c"; ok "they are still there"
(cd "$D" && QUILT_PATCHES=patches QUILT_SERIES=series quilt --quiltrc - refresh) >"$T/out" 2>&1
build_it
quiet_fail 'both changed' "a refreshed patch there and another stack: not lost either"
cp "$D/patches/one.patch" "$E/patches/one.patch"
build_it
quiet_fail 'configuration failed' "copied back, it goes on"
# as kill -9 in the middle of a push leaves it
rm -rf "$D/.pc"
: >"$D/.pushing"
build_it
quiet_fail 'configuration failed' "a push that was cut off is done anew"
grep -q '^line zehn$' "$D/timer.c" && [ ! -e "$D/.pushing" ]; ok "and is whole then"

# a tool that is not there although its package is
mkdir "$T/bin"
for x in /usr/bin /bin /usr/sbin /sbin; do
	ln -s "$x"/* "$T/bin/" 2>/dev/null
done
rm -f "$T/bin/ninja"
refuses env PATH="$T/bin" IPIPE_BUILD="$T/build" "$R/scripts/qemu.sh" -- 'ninja is missing (Debian package ninja-build)' "no ninja"
finish
