#!/bin/sh
# make dist: the single-file patches are what the series makes.
. "$(dirname "$0")/lib.sh"

# on a small series, by hand
R=$T/repo
fake_repo "$R"
fake_tree "$T/linux-6.1.187" 187
(
	unset IPIPE_BUILD
	LINUX=$T/linux-6.1.187
	export LINUX
	"$R/scripts/dist.sh"
) >"$T/out" 2>&1
ok "dist.sh makes patches of a small series"
p=$R/build/dist/adeos-ipipe-6.1.187-powerpc-1.0-01.patch
[ "$(sed -n 's/^+++ b.//p' "$p" | tr '\n' ' ')" = 'arch/powerpc/irq.c include/pipe.h kernel/core.c ' ]
ok "the powerpc one has core and powerpc"
p=$R/build/dist/adeos-ipipe-6.1.187-arm-1.0-01.patch
[ "$(sed -n 's/^+++ b.//p' "$p" | tr '\n' ' ')" = 'arch/arm/irq.c include/pipe.h kernel/core.c ' ]
ok "the arm one has core and arm"
(cd "$T/linux-6.1.187" && patch -p1 -F0 -s) <"$p" >"$T/out" 2>&1 &&
	grep -q '^three$' "$T/linux-6.1.187/include/pipe.h"
ok "it applies"
sed -i 's/^release.*//' "$R/ChangeLog"
refuses env LINUX="$T/linux-6.1.187" "$R/scripts/dist.sh" -- "no line 'release" "a ChangeLog without a release"

# the real one
run "$TOP/scripts/dist.sh"
[ $rc = 0 ]; ok "make dist"
for a in powerpc arm; do
	ls "$BUILD"/dist/adeos-ipipe-6.1.*-$a-*.patch >"$T/out" 2>&1; ok "the patch for $a is there"
done
finish
