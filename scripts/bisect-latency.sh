#!/bin/sh
# Finds the first patch of the series at which a metric of the bench passes a limit.
#
# usage: scripts/bisect-latency.sh --board B --metric M --load L [--max N] [--all]
#                                  [--stat min|avg|max] [--kernel K] [--good STATE]
#   --max N        the limit, in ns of guest time as in build/bench/B.tsv: the first patch that
#                  passes it is named
#   --stat         which figure of the row is held against it (default avg)
#   --kernel K     ipipe or ipipe-client (default: ipipe-client for irq_timer, else ipipe)
#   --good STATE   an earlier state of the stack that kept the limit: a commit of this repository,
#                  or a series file with its patches/ beside it. Then step N is the first N
#                  patches as they are now and the others as they were. Finds a change in a patch
#                  below the one that switches the pipeline on, which no half-pushed stack shows.
#   --all          measure every step and draw them: build/bisect/B-M-L.svg, .png, .tsv; with
#                  --max the limit is drawn as well. One of the two has to be given.
#
# At each step the tree is built, booted and measured. One that does not build or boot is
# reported as such and stepped over, as git bisect skip does. What has been measured is kept
# under build/bisect/ by the checksum of the patches pushed: an interrupted run goes on.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/bench-lib.sh"

usage="usage: bisect-latency.sh --board B --metric M --load L [--max N] [--all] [--stat S] [--kernel K] [--good STATE]"
B='' M='' L='' N='' S=avg K='' GOOD='' REV='' ALL=''
while [ $# -gt 0 ]; do
	case $1 in
	--all) ALL=1; shift; continue ;;
	--board|--metric|--load|--max|--stat|--kernel|--good)
		[ $# -ge 2 ] && [ -n "$2" ] || die "$1: a value is missing; $usage" ;;
	*) die "$1: no such option; $usage" ;;
	esac
	case $1 in
	--board) B=$2 ;;
	--metric) M=$2 ;;
	--load) L=$2 ;;
	--max) N=$2 ;;
	--stat) S=$2 ;;
	--kernel) K=$2 ;;
	--good) GOOD=$2 ;;
	esac
	shift 2
done
for _o in board:$B metric:$M load:$L; do
	[ -n "${_o#*:}" ] || die "--${_o%%:*} is missing; $usage"
done
[ -n "$N$ALL" ] || die "--max or --all is missing; $usage"
load_board "$B"
METRICS=$(sed -n 's/^	{ "\([a-z_0-9]*\)",	.*/\1/p' "$TOP/tests/qemu/guest/bench.c" | tr '\n' ' ')
case $M in
*[!a-z0-9_]*) die "--metric $M: no such metric; have: irq_timer ${METRICS% }" ;;
esac
case " irq_timer $METRICS" in
*" $M "*) ;;
*) die "--metric $M: no such metric; have: irq_timer ${METRICS% }" ;;
esac
case $L in
plain|dohell) ;;
*) die "--load $L: no such load; have: plain dohell" ;;
esac
case $N in
*[!0-9]*|0*) die "--max $N: not a number of ns" ;;
esac
case $S in
min) _col=4 ;;
avg) _col=5 ;;
max) _col=6 ;;
*) die "--stat $S: no such figure; have: min avg max" ;;
esac
if [ -z "$K" ]; then
	K=ipipe
	[ "$M" = irq_timer ] && K=ipipe-client
fi
case $K in
ipipe|ipipe-client) ;;
*) die "--kernel $K: no such kernel; have: ipipe ipipe-client" ;;
esac
if [ -n "$GOOD" ]; then
	if [ -f "$GOOD" ]; then
		GOOD=$(cd "$(dirname "$GOOD")" && pwd)/${GOOD##*/}
		[ -d "${GOOD%/*}/patches" ] || die "--good $GOOD: no patches/ beside it"
	else
		REV=$(git -C "$TOP" rev-parse -q --verify "$GOOD^{commit}" 2>/dev/null) ||
			die "--good $GOOD: neither a series file nor a commit"
	fi
fi
need quilt quilt
need patch patch
need awk mawk
need_emulator
[ -z "$ALL" ] || need gnuplot gnuplot-nox

DIR=$BUILD/bisect
W=$DIR/$BOARD
# Tree and build directory lie to each other as those of other builds do: then ccache knows most
# of the files already. By the preprocessed text, as the configuration differs in some lines.
TREE=$DIR/linux
CCACHE_NODEPEND=1
export CCACHE_NODEPEND
RESULTS=$DIR/results
mkdir -p "$W" "$RESULTS" || die "cannot make $DIR"
build_lock bisect

# The stack as it is now, and as it was: no edit during the run can mix the two up.
rm -rf "$W/now" "$W/good"
# snapshot SERIES DEST
snapshot()
{
	mkdir -p "$2/patches" || die "cannot write in $W"
	sed 's/[ 	]*#.*//; s/[ 	].*//; /^$/d' "$1" >"$2/series"
	while read -r _p; do
		[ -f "${1%/*}/patches/$_p" ] || die "$1 names $_p, which is not in patches/"
		mkdir -p "$2/patches/$(dirname "$_p")"
		cp "${1%/*}/patches/$_p" "$2/patches/$_p" || die "cannot write in $W"
	done <"$2/series"
}
[ -s "$TOP/series" ] || die "there is no series file in the repository"
snapshot "$TOP/series" "$W/now"
if [ -n "$REV" ]; then
	rm -rf "$W/rev"
	mkdir "$W/rev"
	git -C "$TOP" archive "$REV" series patches >"$W/rev.tar" 2>"$W/git.err" ||
		die "--good $GOOD: $(head -n 1 "$W/git.err")"
	tar -C "$W/rev" -xf "$W/rev.tar" || die "cannot write in $W"
	snapshot "$W/rev/series" "$W/good"
elif [ -n "$GOOD" ]; then
	snapshot "$GOOD" "$W/good"
fi
COUNT=$(wc -l <"$W/now/series")
BASE=$(bench_base) || exit 1
BASE=$(echo "$BASE" | tr '\n' ' ')
[ "$COUNT" -gt 0 ] || die "the series is empty"

# name STEP: the patch that step adds
name()
{
	if [ "$1" -eq 0 ]; then
		if [ -n "$GOOD" ]; then echo "(all patches as they were)"; else echo "(vanilla)"; fi
	else
		sed -n "$1p" "$W/now/series"
	fi
}

# stack STEP: prints the files of all patches of that step, in order. With --good, the patches
# that the step has not reached come from the former stack: those behind the last one of the
# former series that the step has. Nothing of the former stack is used twice. What vanilla gets
# as well (bench/BOARD.base) is at the bottom of every step.
stack()
{
	for _p in $BASE; do
		echo "$TOP/patches/$_p"
	done
	stack_series "$1" | while read -r _p; do
		case " $BASE " in
		*" ${_p##*/patches/} "*) ;;
		*) echo "$_p" ;;
		esac
	done
}

stack_series()
{
	head -n "$1" "$W/now/series" | sed "s,^,$W/now/patches/,"
	[ -n "$GOOD" ] || return 0
	head -n "$1" "$W/now/series" | awk '
		FILENAME == ARGV[1] { old[++n] = $0; at[$0] = n; next }
		{ if ($0 in at && at[$0] > last) last = at[$0] }
		END { for (i = last + 1; i <= n; i++) print old[i] }' "$W/good/series" - |
		sed "s,^,$W/good/patches/,"
}

TEST="bench,load=$L,$M"
case $M,$K in
irq_timer,ipipe) TEST="$TEST,samples=${BENCH_TICKS:-12500}" ;;
irq_timer,*) TEST="$TEST,client=100000,samples=${BENCH_SHOTS:-1000000}" ;;
*,ipipe-client) TEST="$TEST,client=100000" ;;
esac

"$TOP/scripts/tree.sh" vanilla 9>&- || exit 1
VANILLA=$BUILD/linux-vanilla
VERSION=$(kernel_version "$VANILLA") || die "$VANILLA: not a kernel tree"
INITRAMFS=$("$TOP/scripts/guest.sh" "$BOARD" 9>&-) || exit 1
export INITRAMFS
FIXED=$({
	echo "$VERSION $K $TEST $QEMU_ARGS $ICOUNT_SHIFT"
	"$QEMU" --version
	cat "$INITRAMFS" $(board_files) "$TOP/bench/tick-probe.patch"
	for _f in $(bench_fragments); do cat "$_f"; done
} | sha256sum)

# key STEP
key()
{
	{ echo "$FIXED"; stack "$1" | while read -r _p; do cat "$_p"; done; } |
		sha256sum | cut -c1-20
}

# goto STEP: our tree becomes vanilla with that step's patches and the tick probe. Patches that
# stay pushed are left alone, so that make has less to do.
goto()
{
	_tree=$TREE
	if [ ! -f "$DIR/.linux-ready" ] || [ "$(cat "$DIR/.linux-ready")" != "$VERSION" ]; then
		rm -rf "$_tree" "$DIR/.linux-ready"
		cp -al "$VANILLA" "$_tree" || die "cannot copy $VANILLA (disk full?)"
		rm -rf "$_tree/.pc" "$_tree/patches" "$_tree/series"
		mkdir "$_tree/patches"
		: >"$_tree/patches/series"
		echo "$VERSION" >"$DIR/.linux-ready"
	fi
	# A patch goes by its content here: what is pushed is known by its name alone.
	{
		echo "$TOP/bench/tick-probe.patch"
		stack "$1"
	} >"$W/wanted.files"
	: >"$W/wanted"
	while read -r _p; do
		_id=$(sha256sum <"$_p" | cut -c1-24)
		[ -f "$_tree/patches/$_id" ] || cp "$_p" "$_tree/patches/$_id" ||
			die "cannot write in $_tree"
		echo "$_id" >>"$W/wanted"
	done <"$W/wanted.files"
	# A run that was killed in the middle of a move leaves a tree that cannot be trusted.
	if [ -f "$DIR/.linux-moving" ]; then
		rm -rf "$DIR/.linux-ready" "$DIR/.linux-moving"
		goto "$1"
		return
	fi
	: >"$DIR/.linux-moving" || die "cannot write in $DIR"
	_keep=0
	if [ -s "$_tree/.pc/applied-patches" ]; then
		_keep=$(awk 'FILENAME == ARGV[1] { want[FNR] = $0; next }
			want[FNR] != $0 { exit } { n++ } END { print n + 0 }' \
			"$W/wanted" "$_tree/.pc/applied-patches")
		_have=$(wc -l <"$_tree/.pc/applied-patches")
		if [ "$_have" -gt "$_keep" ] &&
		   ! in_tree pop $((_have - _keep)) >"$W/quilt.log" 2>&1; then
			goto "$1"
			return
		fi
	fi
	cp "$W/wanted" "$_tree/patches/series"
	_all=$(wc -l <"$W/wanted")
	while [ "$_keep" -lt "$_all" ]; do
		if ! in_tree push --fuzz=0 >"$W/quilt.log" 2>&1; then
			rm -f "$DIR/.linux-moving"
			_p=$(sed -n "$((_keep + 1))p" "$W/wanted.files")
			echo "${_p##*/patches/} does not apply"
			return 1
		fi
		_keep=$((_keep + 1))
	done
	rm -f "$DIR/.linux-moving"
}

in_tree()
{
	(cd "$TREE" && QUILT_PATCHES=patches QUILT_SERIES=series QUILT_PC=.pc quilt --quiltrc - "$@")
}

# measure STEP: leaves the result in RESULTS; sets R to "ok VALUE", "skip WHY" or "none WHY"
measure()
{
	_file=$RESULTS/$(key "$1")
	if [ ! -s "$_file" ]; then
		_mt=$(now)
		measure_anew "$1" >"$_file.new" || exit 1
		mv "$_file.new" "$_file" || die "cannot write in $RESULTS"
		_mt=", $(since "$_mt")"
	else
		_mt=", measured before"
	fi
	R=$(awk -v c=$_col '$1 == "row" { print "ok", $c; exit } { print; exit }' "$_file")
	case $R in
	ok*) _say="$S ${R#ok } ns" ;;
	*) _say=${R#* } ;;
	esac
	say "bisect: step $1 of $COUNT, $(name "$1"): $_say$_mt"
}

# On stdout: the row, or one line that begins with "skip" (cannot be told) or "none" (there is
# nothing to measure yet, and was not at any earlier step).
measure_anew()
{
	say "bisect: step $1 of $COUNT, $(name "$1"): build, boot, measure"
	if ! _why=$(goto "$1"); then
		# without a reason it was no patch: the disk, say, and said so
		[ -n "$_why" ] || exit 1
		echo "skip $_why"
		return 0
	fi
	if [ "$K" = ipipe-client ] && ! grep -rqs 'config IPIPE_KLATENCY' "$TREE/kernel/ipipe"; then
		echo "none no client in the tree yet"
		return 0
	fi
	# Not olddefconfig on what the last step left: a symbol that comes again has no past.
	rm -f "$W/$K/fragments"
	if ! LINUX_TREE=$TREE OUT=$W/$K LAX=1 FRAGMENTS=$(bench_fragments) \
	     "$TOP/scripts/build-kernel.sh" "$BOARD" ipipe >/dev/null 2>"$W/build.err" 9>&-
	then
		grep -qs 'No space left' "$W/build.err" "$W/$K/build.log" && die "the disk is full"
		echo "skip does not build: $(sed -n '/error/{s/^[0-9]*://;p;q;}' "$W/build.err")"
		return 0
	fi
	if [ "$K" = ipipe-client ] && ! grep -q '^CONFIG_IPIPE_KLATENCY=y' "$W/$K/.config"; then
		echo "none no client in the kernel yet"
		return 0
	fi
	: >"$W/guest.log"
	if ! LOG=$W/guest.log "$TOP/scripts/run-guest.sh" "$BOARD" "$W/$K" "$TEST" \
	     "${BENCH_TIMEOUT:-7200}" >/dev/null 2>"$W/guest.err" 9>&-; then
		if grep -q '^guest: .* starts' "$W/guest.log"; then
			echo "skip boots but fails: $(tail -n 1 "$W/guest.err")"
		else
			echo "skip does not boot: $(tail -n 1 "$W/guest.err")"
		fi
		return 0
	fi
	grep "^row $M " "$W/guest.log" || echo "skip gave no row of $M"
}

# over VALUE: does it pass the limit?
over()
{
	[ -n "$N" ] || return 1
	awk -v v="$1" -v n="$N" 'BEGIN { exit !(v > n) }'
}

# classify STEP: sets C to good, bad, skip or none
classify()
{
	measure "$1"
	case $R in
	ok*) if over "${R#ok }"; then C=bad; else C=good; fi ;;
	none*) C=none ;;
	*) C=skip ;;
	esac
}

say "bisect: $BOARD, $K: $M under $L, $S${N:+ at most $N ns}; $COUNT patches on Linux $VERSION"

if [ -n "$ALL" ]; then
	_tsv=$DIR/$BOARD-$M-$L.tsv
	printf 'step\tpatch\tresult\tmin\tavg\tmax\n' >"$_tsv.new" || die "cannot write $_tsv"
	_i=0
	_first=
	_before=
	while [ $_i -le "$COUNT" ]; do
		classify $_i
		if [ $C = bad ] && [ -z "$_first" ]; then
			_first=$_i
			_skipped=$_before
		fi
		if [ $C = skip ]; then _before="$_before $_i"; else _before=; fi
		awk -v OFS='\t' -v i=$_i -v p="$(name $_i)" '
			$1 == "row" { print i, p, "ok", $4, $5, $6; exit }
			{ print i, p, $0, "", "", ""; exit }' "$RESULTS/$(key $_i)" >>"$_tsv.new"
		_i=$((_i + 1))
	done
	mv "$_tsv.new" "$_tsv" || die "cannot write $_tsv"
	"$TOP/scripts/bisect-plot.sh" "$_tsv" "$DIR/$BOARD-$M-$L" \
		"$BOARD $K: $M under $L" "$N" || die "the plot failed"
	cat "$_tsv"
	say "bisect: $_tsv, and the plot beside it"
	[ -n "$N" ] || exit 0
	[ -n "$_first" ] ||
		die "no patch: $M under $L keeps within $N ns ($S) at every step that can be measured"
	_bad=$_first
else
	classify "$COUNT"
	case $C in
	good) die "no patch: with the whole series $M under $L is at ${R#ok } ns ($S), within $N ns" ;;
	none) die "--kernel $K: the whole series has no client to measure" ;;
	esac
	# With its end in no state to be measured, the last step that is.
	_bad=$COUNT
	while [ $C = skip ]; do
		_bad=$((_bad - 1))
		[ $_bad -ge 0 ] || die "no step can be measured"
		classify $_bad
	done
	[ $C = bad ] || die "no patch: the last step that can be measured, $_bad, is within $N ns; those behind it: see above"
	classify 0
	[ $C = bad ] && die "no patch: $(name 0) is at ${R#ok } ns ($S) already, over $N ns"
	# good, or nothing to measure yet: either way before the one we look for
	_good=0
	_skips=" "
	while [ $((_bad - _good)) -gt 1 ]; do
		# the middle, or the nearest to it that has not been found unusable
		_mid=$(((_bad + _good) / 2))
		_d=0
		_at=
		while [ $_d -lt $((_bad - _good)) ]; do
			for _c in $((_mid - _d)) $((_mid + _d)); do
				if [ $_c -le "$_good" ] || [ $_c -ge "$_bad" ]; then continue; fi
				case $_skips in
				*" $_c "*) ;;
				*) _at=$_c; break 2 ;;
				esac
			done
			_d=$((_d + 1))
		done
		[ -n "$_at" ] || break
		classify "$_at"
		case $C in
		bad) _bad=$_at ;;
		good|none) _good=$_at ;;
		skip) _skips="$_skips$_at " ;;
		esac
	done
	_skipped=
	_i=$((_good + 1))
	while [ $_i -lt "$_bad" ]; do
		_skipped="$_skipped $_i"
		_i=$((_i + 1))
	done
fi

measure "$_bad"
echo "the first patch at which $M under $L passes $N ns ($S): $(name "$_bad") (${R#ok } ns)"
for _i in $_skipped; do
	echo "  or this one before it, which could not be measured: $(name "$_i")"
done
# Nothing of the pipeline is in the build before some patch: say so, where that is this one.
if [ -z "$GOOD" ] && [ "$_bad" -gt 0 ]; then
	measure $((_bad - 1))
	case $R in
	none*)
		echo "  before it $K could not be measured at all, so a patch below it may be the cause:"
		echo "  --good STATE, with a stack that kept the limit, finds which"
		;;
	esac
fi
