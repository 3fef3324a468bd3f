#!/bin/sh
# Draws the course of a metric along the series.
#
# usage: scripts/bisect-plot.sh TSV OUT TITLE LIMIT
#   LIMIT  may be empty
#   TSV  as scripts/bisect-latency.sh --all writes it; the plots are OUT.svg and OUT.png
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# -eq 4 ] || die "usage: bisect-plot.sh TSV OUT TITLE LIMIT"
need gnuplot gnuplot-nox
need awk mawk
awk -F '\t' 'NR > 1 && $3 == "ok" { n++ } END { exit !n }' "$1" ||
	die "$1: nothing measured, nothing to draw"

# A step without a figure leaves a gap in the curve.
_dat=$2.dat
awk -F '\t' 'NR > 1 {
	ok = $3 == "ok"
	printf "%s \"%s\" %s %s %s\n", $1, $2, ok ? $4 : "NaN", ok ? $5 : "NaN", ok ? $6 : "NaN"
}' "$1" >"$_dat" || die "cannot write $_dat"

for _term in svg png; do
	case $_term in
	svg) _set="svg size 1100,700 dynamic background rgb 'white'" ;;
	png) _set="png size 1100,700" ;;
	esac
	gnuplot <<-END || die "gnuplot failed"
		set terminal $_set noenhanced
		set output '$2.$_term'
		set title "$3 (ns of guest time: an instruction count, not hardware)"
		set logscale y
		set ylabel 'ns'
		set xtics rotate by -60 nomirror
		set grid
		set bmargin 16
		set rmargin 12
		plot '$_dat' using 1:5:xtic(2) with linespoints title 'max', \
			'$_dat' using 1:4 with linespoints linewidth 2 title 'avg', \
			'$_dat' using 1:3 with linespoints title 'min'${4:+, $4 with lines dashtype 2 title 'limit'}
	END
done
rm -f "$_dat"
