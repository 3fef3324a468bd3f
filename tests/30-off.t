#!/bin/sh
# With CONFIG_IPIPE=n the patched tree is vanilla: the same code, to the byte.
. "$(dirname "$0")/lib.sh"

board=${IPIPE_BOARD:-ppc405}
load_board "$board"
for k in vanilla ipipe; do
	v=
	[ $k = vanilla ] || v=off
	run "$TOP/scripts/build-kernel.sh" "$board" $k $v
	[ $rc = 0 ]; ok "$k${v:+-$v}: builds for $board"
	[ $rc = 0 ] || finish
	eval "$k=\$(tail -n 1 '$T/out')"
done
compiler_warnings "$ipipe/build.log" >"$T/out"
[ ! -s "$T/out" ]; ok "ipipe-off: without a warning"
for s in .text .init.text; do
	for k in vanilla ipipe; do
		eval "d=\$$k"
		"${CROSS_COMPILE}objcopy" -O binary --only-section=$s "$d/vmlinux" "$T/$k$s"
	done
	cmp "$T/vanilla$s" "$T/ipipe$s" >"$T/out" 2>&1 && [ -s "$T/vanilla$s" ]
	rc=$?
	if [ $rc != 0 ]; then
		# which functions: a byte offset helps nobody
		for k in vanilla ipipe; do
			eval "d=\$$k"
			"${CROSS_COMPILE}nm" -S --size-sort "$d/vmlinux" | awk '$3 ~ /[tT]/ { print $4, $2 }' |
				sort >"$T/$k.sym"
		done
		diff "$T/vanilla.sym" "$T/ipipe.sym" | head -n 20 >>"$T/out"
	fi
	[ $rc = 0 ]; ok "$s is vanilla's"
done
finish
