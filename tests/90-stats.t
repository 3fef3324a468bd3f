#!/bin/sh
# What the series costs: lines changed in the kernel's files, and kernel size.
. "$(dirname "$0")/lib.sh"

MAX_CHANGED=800		# lines changed in existing files, core and PowerPC together
MAX_CHANGED_ARM=600	# ARM, its chips and boards aside
MAX_GROWTH=24576	# bytes of .text and .data, without client and tests
board=${IPIPE_BOARD:-ppc405}
load_board "$board"

# the counting itself, on a series of which the answer is known
R=$T/repo
fake_repo "$R"
run "$R/scripts/stats.sh" --tsv
[ $rc = 0 ] && grep -qx 'core	3	2	1' "$T/out" && grep -qx 'powerpc	0	1	1' "$T/out" &&
	grep -qx 'arm	0	1	1' "$T/out"
ok "stats.sh counts right"

run "$TOP/scripts/stats.sh" --tsv
[ $rc = 0 ]; ok "stats.sh reads the series"
n=$(awk -F'\t' '$1 !~ /^arm/ { n += $3 } END { print n + 0 }' "$T/out")
[ "$n" -le $MAX_CHANGED ]; ok "lines changed in existing files, without arm: $n, at most $MAX_CHANGED"
n=$(awk -F'\t' '$1 == "arm" { print $3 }' "$T/out")
[ "$n" -le $MAX_CHANGED_ARM ]; ok "lines changed in existing files of arm: $n, at most $MAX_CHANGED_ARM"

for k in vanilla ipipe; do
	run "$TOP/scripts/build-kernel.sh" "$board" $k
	[ $rc = 0 ]; ok "$k: builds"
	[ $rc = 0 ] || finish
	eval "$k=\$(tail -n 1 '$T/out')"
done
# .text and .data by section; "size" would count read-only data as text
sections()
{
	"${CROSS_COMPILE}size" -A "$@" 2>/dev/null |
		awk '$1 ~ /^\.(text|data|sdata)(\.|$)/ { n += $2 } END { print n + 0 }'
}
# the clients are linked in here; their objects do not count
client=$(find "$ipipe/kernel/ipipe" \( -name 'klatency.o' -o -name 'kevents.o' \))
# shellcheck disable=SC2086
c=0; [ -z "$client" ] || c=$(sections $client)
g=$(($(sections "$ipipe/vmlinux") - $(sections "$vanilla/vmlinux") - c))
[ $g -le $MAX_GROWTH ]; ok ".text and .data grow by $g bytes without the clients ($c), at most $MAX_GROWTH"
finish
