# shellcheck shell=sh
# What bench and bisection know alike of the kernels that they measure. Source after lib.sh.

# bench_base: the patches of the series that vanilla gets too, see scripts/bench.sh
bench_base()
{
	[ -f "$TOP/bench/$BOARD.base" ] || return 0
	for _bb in $(sed 's/[ 	]*#.*//' "$TOP/bench/$BOARD.base"); do
		[ -f "$TOP/patches/$_bb" ] ||
			die "bench/$BOARD.base names $_bb, which is not in patches/"
		echo "$_bb"
	done
}

# bench_fragments: Kconfig fragments for every kernel that is measured
bench_fragments()
{
	printf '%s' "$TOP/bench/config-bench"
	[ ! -f "$TOP/bench/$BOARD.config" ] || printf ' %s' "$TOP/bench/$BOARD.config"
}
