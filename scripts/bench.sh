#!/bin/sh
# Measures what the pipeline gives and what it costs, kernel by kernel and load by load, in
# one go; writes build/bench/BOARD.tsv, a plot beside it, and prints the table.
#
# usage: scripts/bench.sh [BOARD]
# environment:
#   BENCH_KERNELS  default: vanilla ipipe ipipe-client ipipe-catch ipipe-own; the last three are
#                  ipipe with a head domain at 10 kHz, with one that catches system calls, of other
#                  tasks, and with one that has those of the task that measures
#   BENCH_LOADS    default: plain dohell
#   BENCH_SHOTS    shots of the client's timer for irq_timer (1000000, at 10 kHz)
#   BENCH_TICKS    ticks for irq_timer where there is no client (12500, at 250 Hz)
#   JOBS           compile jobs and emulators at a time (default: one a processor)
#
# bench/BOARD.base, where there is one, names patches of the series that vanilla gets too, and
# bench/BOARD.config what to configure for them: what it takes to run in the emulator at all.
#
# What a kernel has been measured to do is kept in build/bench/raw/ under the checksum of all
# that makes it: an interrupted run goes on where it was, a changed kernel is measured anew.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/bench-lib.sh"

KERNELS=${BENCH_KERNELS:-vanilla ipipe ipipe-client ipipe-catch ipipe-own}
LOADS=${BENCH_LOADS:-plain dohell}
SHOTS=${BENCH_SHOTS:-1000000}
TICKS=${BENCH_TICKS:-12500}
PERIOD=100000
RAW=$BUILD/bench/raw

for _n in "$SHOTS" "$TICKS"; do
	case $_n in
	''|0*|*[!0-9]*) die "BENCH_SHOTS, BENCH_TICKS: '$_n' is not a number of samples" ;;
	esac
done
for _k in $KERNELS; do
	case $_k in
	vanilla|ipipe|ipipe-client|ipipe-catch|ipipe-own) ;;
	*) die "BENCH_KERNELS: no kernel '$_k'; have: vanilla ipipe ipipe-client ipipe-catch ipipe-own" ;;
	esac
done
for _l in $LOADS; do
	case $_l in
	plain|dohell) ;;
	*) die "BENCH_LOADS: no load '$_l'; have: plain dohell" ;;
	esac
done

# what the guest is told to run for a kernel and a load
guest_test()
{
	case $1 in
	*-client) echo "bench,load=$2,client=$PERIOD,samples=$SHOTS" ;;
	# what it has to do with
	*-catch) echo "bench,load=$2,events=catch,getppid,gettimeofday" ;;
	*-own) echo "bench,load=$2,events=own,getppid,gettimeofday,head_call" ;;
	*) echo "bench,load=$2,samples=$TICKS" ;;
	esac
}

# kernel_dir KERNEL: where it is built. With and without a client running it is the same one.
kernel_dir()
{
	case $1 in
	ipipe-*) echo "$BUILD/bench/$BOARD/ipipe" ;;
	*) echo "$BUILD/bench/$BOARD/$1" ;;
	esac
}

# raw_file KERNEL LOAD: where its rows are kept
raw_file()
{
	_key=$({
		guest_test "$1" "$2"
		"$QEMU" --version
		echo "$QEMU_ARGS $ICOUNT_SHIFT"
		cat "$(kernel_dir "$1")/vmlinux" "$INITRAMFS" $(board_files)
	} | sha256sum | cut -c1-16)
	echo "$RAW/$BOARD-$1-$2-$_key"
}

# one KERNEL LOAD: boot it, keep its rows
one()
{
	_out=$(raw_file "$1" "$2")
	if [ -s "$_out" ]; then
		say "bench: $BOARD $1 $2: measured before, kept"
		return 0
	fi
	_t=$(now)
	say "bench: $BOARD $1 $2: starts"
	_log=$BUILD/bench/$BOARD/$1-$2.log
	: >"$_log"
	LOG=$_log "$TOP/scripts/run-guest.sh" "$BOARD" "$(kernel_dir "$1")" \
		"$(guest_test "$1" "$2")" "${BENCH_TIMEOUT:-7200}" >/dev/null 9>&- &
	_pid=$!
	trap 'kill $_pid 2>/dev/null; exit 130' INT TERM HUP
	_last=$_t
	while kill -0 $_pid 2>/dev/null; do
		sleep 1
		[ $(($(now) - _last)) -lt 60 ] && continue
		_last=$(now)
		_row=$(awk '$1 == "row" { n++; last = $2 } END { if (n) print n " rows, last " last }' "$_log")
		say "bench: $BOARD $1 $2: $(since "$_t"), ${_row:-no row yet}"
	done
	wait $_pid || { say "bench: $BOARD $1 $2: failed, see $_log"; return 1; }
	sed -n '/^row /p; /^hist /p; /^# max /p' "$_log" >"$_out.new" || return 1
	mv "$_out.new" "$_out" || return 1
	say "bench: $BOARD $1 $2: done in $(since "$_t")"
}

# for our own xargs below
if [ "${1:-}" = --one ]; then
	load_board "$2"
	one "$3" "$4"
	exit
fi

[ $# -le 1 ] || die "usage: bench.sh [BOARD]"
load_board "${1:-ppc405}"
need_emulator
need xargs findutils
need awk mawk
need patch patch
# the kernels here differ in a line of configuration: only by the preprocessed text ccache sees that
CCACHE_NODEPEND=1
export CCACHE_NODEPEND
mkdir -p "$RAW" "$BUILD/bench/$BOARD" || die "cannot make $RAW"
build_lock "bench-$BOARD"
_begin=$(now)

INITRAMFS=$("$TOP/scripts/guest.sh" "$BOARD" 9>&-) || exit 1
export INITRAMFS

# probe_tree TREE COPY: a copy, by hard links, with the tick probe pushed on top, and on vanilla
# what it has to have from the series
probe_tree()
{
	rm -rf "$2"
	cp -al "$1" "$2" || die "cannot copy $1 to $2 (disk full?)"
	# not in the for: there its failing would go unseen
	_base=$(bench_base) || exit 1
	for _p in $_base; do
		[ "$1" = "$BUILD/linux-vanilla" ] || continue
		push_base "$TOP/patches/$_p" "$2"
	done
	push_base "$TOP/bench/tick-probe.patch" "$2"
}

# build KERNEL: with the probe, and else what its name says
build()
{
	case $1 in
	vanilla) _dir=linux-vanilla; _which=vanilla ;;
	ipipe|ipipe-*) _dir=linux; _which=ipipe ;;
	esac
	# Tree and build directory lie to each other as those of other builds do: then ccache knows
	# most of the files already.
	_copy=$BUILD/bench/$_dir
	case " $_copied " in
	*" $_dir "*) ;;
	*)
		probe_tree "$BUILD/$_dir" "$_copy"
		_copied="$_copied $_dir"
		;;
	esac
	LINUX_TREE=$_copy OUT=$(kernel_dir "$1") FRAGMENTS=$(bench_fragments) \
		"$TOP/scripts/build-kernel.sh" "$BOARD" "$_which" \
		>/dev/null 9>&- || exit 1
}

_which=all
[ "$KERNELS" = vanilla ] && _which=vanilla
"$TOP/scripts/tree.sh" $_which 9>&- || exit 1
_copied=
_n=0
for _k in $KERNELS; do
	_n=$((_n + 1))
	say "bench: kernel $_n of $(echo "$KERNELS" | wc -w): $_k"
	build "$_k"
done

# The longest first. Emulators side by side do not disturb each other: they count instructions.
_jobs=$(for _l in $(echo "$LOADS" | tr ' ' '\n' | sort); do
	for _k in $KERNELS; do
		echo "$BOARD $_k $_l"
	done
done)
_total=$(echo "$_jobs" | wc -l)
say "bench: $_total runs, $(jobs_n) at a time; the ones under load take many minutes each"
echo "$_jobs" | xargs -P "$(jobs_n)" -L 1 "$TOP/scripts/bench.sh" --one 9>&- || {
	die "not all of the $_total runs succeeded; the others are kept, run it again"
}

# All rows into one table.
_tsv=$BUILD/bench/$BOARD.tsv
_hist=$BUILD/bench/$BOARD.hist
{
	printf 'board\tkernel\tload\tmetric\tunit\tsamples\tmin\tavg\tmax\tstddev\n'
	for _l in $LOADS; do
		for _k in $KERNELS; do
			awk -v OFS='\t' -v b="$BOARD" -v k="$_k" -v l="$_l" \
				'$1 == "row" { print b, k, l, $2, "ns", $3, $4, $5, $6, $7 }' \
				"$(raw_file "$_k" "$_l")" || exit 1
		done
	done
} >"$_tsv.new" && mv "$_tsv.new" "$_tsv" || die "cannot write $_tsv"
for _l in $LOADS; do
	for _k in $KERNELS; do
		awk -v k="$_k" -v l="$_l" '$1 == "hist" && $2 == "irq_timer" { print k, l, $3, $4, $5 }
			/^# max / { sub(/^# /, ""); print "#", k, l, $0 }' "$(raw_file "$_k" "$_l")"
	done
done >"$_hist.new" && mv "$_hist.new" "$_hist" || die "cannot write $_hist"

if command -v gnuplot >/dev/null 2>&1; then
	"$TOP/scripts/bench-plot.sh" "$_hist" "$BUILD/bench/$BOARD" "$BOARD" $((1 << ICOUNT_SHIFT)) ||
		die "the plot failed"
else
	say "bench: no plot: gnuplot is missing (Debian package gnuplot-nox)"
fi
say "bench: $(since "$_begin"); $_tsv"
awk -v board="$BOARD" -v insn="$((1 << ICOUNT_SHIFT))" -v hist="$_hist" \
	-v published="$TOP/bench/published.tsv" -f "$TOP/scripts/bench-table.awk" "$_tsv"
