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

# Objects of which the code is not vanilla's as it is; of some only line numbers are in the way.
text_of()
{
	"${CROSS_COMPILE}objdump" -d -r --no-show-raw-insn "$1" | sed 1,3d
}
(cd "$ipipe" && find . -name '.*.o.cmd' | sed 's,^\./,,; s,\.\([^/]*\)\.cmd$,\1,' | sort) >"$T/objects"
: >"$T/differ"
: >"$T/out"
n=0
while read -r o; do
	grep -q ' -c -o ' "$ipipe/${o%"${o##*/}"}.${o##*/}.cmd" || continue
	case $o in
	scripts/*|usr/*|*/boot/*|*/vdso*|*.mod.o) continue ;;
	esac
	n=$((n + 1))
	cmp -s "$vanilla/$o" "$ipipe/$o" && continue
	text_of "$vanilla/$o" >"$T/a" 2>/dev/null
	text_of "$ipipe/$o" >"$T/b"
	cmp -s "$T/a" "$T/b" && continue
	echo "$o" >>"$T/differ"
	sh "$TOP/tests/same-object.sh" "$vanilla" "$ipipe" "$o" >"$T/diff" 2>&1 || {
		echo "$o:"
		head -n 10 "$T/diff"
	} >>"$T/out"
done <"$T/objects"
d=$(grep -c . "$T/differ")
[ "$n" -gt 100 ] && [ ! -s "$T/out" ]
ok "$n objects have the same code, $d of these after their line numbers were made alike"

# what is linked of them
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
	if [ -s "$T/differ" ]; then
		# line numbers are in there
		skip "$s is vanilla's" "line numbers in the code; the objects were compared"
		continue
	fi
	[ $rc = 0 ]; ok "$s is vanilla's"
done
finish
