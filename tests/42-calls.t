#!/bin/sh
# A million system calls at random, on vanilla, and on the pipelined kernel while a domain ahead of
# Linux has all of them and another gets 10,000 timer interrupts a second: Linux answers alike.
. "$(dirname "$0")/lib.sh"
board=${IPIPE_BOARD:-ppc405}
run "$TOP/scripts/guest.sh" "$board"
[ $rc = 0 ]; ok "the guest programs build"
for k in vanilla ipipe; do
	run "$TOP/scripts/build-kernel.sh" "$board" $k
	[ $rc = 0 ]; ok "$k: builds for $board"
	[ $rc = 0 ] || finish
	dir=$(tail -n 1 "$T/out")
	arg=calls,1000000
	[ $k = vanilla ] || arg=$arg,own
	"$TOP/scripts/run-guest.sh" "$board" "$dir" "$arg" 600 >"$T/$k" 2>"$T/out" </dev/null
	rc=$?
	guest_tap "$k" <"$T/$k"
	[ $rc = 0 ]; ok "$k: passes, with nothing bad in its log"
	grep '^# task' "$T/$k" >"$T/$k.sums"
done
diff "$T/vanilla.sums" "$T/ipipe.sums" >"$T/out" && [ "$(wc -l <"$T/ipipe.sums")" -ge 4 ]
ok "Linux answers as vanilla does"
finish
