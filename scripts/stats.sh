#!/bin/sh
# What the series costs to carry (make stats): lines in new files, and lines changed (added and
# removed) in files that are not ours, by patch and by area.
#
# usage: scripts/stats.sh [--tsv]
#   --tsv  area and figures, tab-separated, for other scripts
#
# A file that any patch of the series makes is ours in all of them.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/series.sh"

_tsv=0
case ${1:-} in
--tsv) _tsv=1 ;;
'') ;;
*) die "usage: stats.sh [--tsv]" ;;
esac
need awk mawk
series_complete
[ -n "$(series_patches)" ] || die "the series is empty"

cd "$TOP/patches" || exit 1
# shellcheck disable=SC2046
awk -v tsv=$_tsv '
# boards and SoCs: platform code, their drivers and their device trees
function area(f)
{
	if (f ~ /^arch\/arm\//)
		return f ~ /^arch\/arm\/(mach-|plat-|boot\/dts|configs)/ ? "arm-soc" : "arm"
	if (f ~ /^arch\/powerpc\//)
		return f ~ /^arch\/powerpc\/(platforms|sysdev|boot|configs)\// ? "powerpc-soc" : "powerpc"
	if (f ~ /^drivers\/(irqchip|clocksource|clk|gpio|pinctrl|soc)\//)
		return "soc-drivers"
	return "core"
}
# pass 1: which files are ours
FNR == 1 { pass[FILENAME]++; left = 0; minus = ""; hadd = 0 }
pass[FILENAME] == 1 {
	if (/^--- /) minus = $2
	if (/^\+\+\+ / && minus == "/dev/null") {
		f = $2; sub(/^[^\/]*\//, "", f); ours[f] = 1
	}
	next
}
# pass 2: count; only inside hunks, the header may hold anything
FNR == 1 { n++; name[n] = FILENAME; old = cur = 0 }
old <= 0 && new <= 0 && /^--- / { minus = $2; sub(/^[^\/]*\//, "", minus); next }
old <= 0 && new <= 0 && /^\+\+\+ / {
	file = $2; sub(/^[^\/]*\//, "", file)
	if ($2 == "/dev/null") file = minus
	next
}
old <= 0 && new <= 0 && /^@@ / {
	split(substr($2, 2), a, ","); old = a[2] == "" ? 1 : a[2]
	split(substr($3, 2), a, ","); new = a[2] == "" ? 1 : a[2]
	next
}
old > 0 || new > 0 {
	c = substr($0, 1, 1)
	if (c == "-") { old--; count(-1) }
	else if (c == "+") { new--; count(1) }
	else if (c != "\\") { old--; new-- }
}
function count(d,   r)
{
	r = area(file)
	areas[r] = 1
	if (file in ours) {
		pnew[n] += d; anew[r] += d
	} else {
		pchg[n]++; achg[r]++
		if (!((file) in seen)) { seen[file] = 1; nf[r]++ }
	}
}
END {
	split("core powerpc powerpc-soc arm arm-soc soc-drivers", order, " ")
	if (tsv) {
		for (i = 1; i <= 6; i++)
			printf "%s\t%d\t%d\t%d\n", order[i], anew[order[i]], achg[order[i]], nf[order[i]]
		exit
	}
	printf "%-58s %9s %9s\n", "patch", "new", "changed"
	for (i = 1; i <= n; i++)
		printf "%-58s %9d %9d\n", name[i], pnew[i], pchg[i]
	printf "\n%-38s %9s %9s %9s\n", "area", "new", "changed", "in files"
	for (i = 1; i <= 6; i++)
		if (order[i] in areas)
			printf "%-38s %9d %9d %9d\n", order[i], anew[order[i]], achg[order[i]], nf[order[i]]
	for (r in areas) { tn += anew[r]; tc += achg[r]; tf += nf[r] }
	printf "%-38s %9d %9d %9d\n", "all", tn, tc, tf
	printf "\nnew: lines in files that the series makes; changed: lines added and removed in files\n"
	printf "of the kernel, patch by patch, so that a line changed twice counts twice\n"
}' $(series_patches) $(series_patches)
