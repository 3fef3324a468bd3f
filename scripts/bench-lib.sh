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

# push_base PATCH TREE: pushes it, without quilt, onto a tree that is a copy
push_base()
{
	patch -d "$2" -p1 -F0 -s <"$1" || die "${1#"$TOP"/} does not apply to $2"
	# as old as the patch, or each run would compile them again
	sed -n 's,^+++ [^/]*/\([^	 ]*\).*,\1,p' "$1" | (cd "$2" && xargs touch -r "$1")
}
