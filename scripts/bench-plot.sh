#!/bin/sh
# Draws the histograms of irq_timer, a curve a kernel and load, on logarithmic axes.
#
# usage: scripts/bench-plot.sh HIST OUT TITLE NS
#   HIST  lines "kernel load low_ns high_ns count", as scripts/bench.sh writes them
#   OUT   the plots are OUT.svg and OUT.png
#   NS    what an instruction takes
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# -eq 4 ] || die "usage: bench-plot.sh HIST OUT TITLE NS"
need gnuplot gnuplot-nox
need awk mawk
grep -q '^[^#]' "$1" || die "$1: no histogram in there"

# The kernels count in bins of different width, and not equally many: cast into common bins,
# eight an octave, and into parts of all. gnuplot separates data sets by two empty lines.
_dat=$2.dat
awk '
/^#/ { next }
{
	name = $1 ", " $2
	if (!(name in total))
		order[++n] = name
	bin = int(log($3 < 1 ? 1 : $3) / log(2) * 8 + 1e-9)
	count[name, bin] += $5
	total[name] += $5
	if (n == 1 && total[name] == $5 || bin < low)
		low = bin
	if (bin > high)
		high = bin
}
END {
	floor = 1e-8
	for (i = 1; i <= n; i++) {
		name = order[i]
		printf "\"%s\"\n", name
		for (bin = low - 1; bin <= high + 1; bin++) {
			y = count[name, bin] ? count[name, bin] / total[name] : floor
			printf "%g %g\n%g %g\n", 2 ^ (bin / 8), y, 2 ^ ((bin + 1) / 8), y
		}
		printf "\n\n"
	}
}' "$1" >"$_dat" || die "cannot write $_dat"
_n=$(grep -c '^"' "$_dat")

for _term in svg png; do
	case $_term in
	svg) _set="svg size 1000,600 dynamic background rgb 'white'" ;;
	png) _set="png size 1000,600" ;;
	esac
	gnuplot <<-END || die "gnuplot failed"
		set terminal $_set
		set output '$2.$_term'
		set title "$3: from the programmed time to the handler\n{/*0.8 emulated instructions times $4 ns: not hardware, no cache}"
		set logscale xy
		set xlabel 'ns'
		set ylabel 'part of all interrupts'
		set yrange [5e-8:1]
		set format y '10^{%L}'
		set grid
		set key outside bottom center horizontal
		plot for [i=0:$((_n - 1))] '$_dat' index i using 1:2 with lines linewidth 2 title columnheader(1)
	END
done
rm -f "$_dat"
