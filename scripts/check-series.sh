#!/bin/sh
# Takes the series apart (make check-series): pushes patch after patch and at each point of the
# stack builds the kernel of each board, looks for warnings, boots it to userland, and runs
# checkpatch on the patch. Prints a table. Takes long; what is known to be good is not done again.
#
# usage: scripts/check-series.sh [BOARD...]      (default: all)
# environment:
#   FROM  name of the patch to begin with (those before it are only pushed)
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/series.sh"

[ $# -gt 0 ] && [ -n "${1:-}" ] || { _all=$(boards); set -- $_all; }
_boards=$*
for _b in $_boards; do
	load_board "$_b"
done
need quilt quilt
need perl perl
series_complete
_all=$(series_patches)
[ -n "$_all" ] || die "the series is empty"
[ -z "${FROM:-}" ] || echo "$_all" | grep -qxF "$FROM" || die "FROM=$FROM: not in the series"
[ -d "$BUILD/linux-vanilla" ] || "$TOP/scripts/tree.sh" vanilla || exit 1

_w=$BUILD/series-check
build_lock series-check
mkdir -p "$_w" || die "cannot make $_w"
_tree=$_w/linux
if [ ! -d "$_tree" ]; then
	say "copy build/linux-vanilla"
	rm -rf "$_tree.part"
	cp -a "$BUILD/linux-vanilla" "$_tree.part" && mv "$_tree.part" "$_tree" ||
		die "cannot copy to $_tree (disk full?)"
fi
# Back to pristine, whatever state an interrupted run left: the touched files are vanilla's.
rm -rf "$_tree/.pc"
for _f in $(touched_files) $(cat "$_w/touched" 2>/dev/null); do
	if [ -e "$BUILD/linux-vanilla/$_f" ]; then
		cmp -s "$BUILD/linux-vanilla/$_f" "$_tree/$_f" || cp "$BUILD/linux-vanilla/$_f" "$_tree/$_f"
	else
		rm -f "$_tree/$_f"
	fi
done
touched_files >"$_w/touched"
ln -sfn "$TOP/patches" "$_tree/patches"
ln -sfn "$TOP/series" "$_tree/series"

# done.tsv: checksum of everything that a result hangs on, board, result
touch "$_w/done.tsv"
: >"$_w/table"
_bad=0
_i=0
_n=$(echo "$_all" | wc -l)
_sum=$(cat "$BUILD/linux-vanilla/Makefile" | sha256sum)
_skip=${FROM:+1}
row()
{
	printf '%-50s %-9s %-10s %-9s %-6s\n' "$@" | tee -a "$_w/table"
}
row patch board checkpatch build boot
for _p in $_all; do
	_i=$((_i + 1))
	_sum=$({ echo "$_sum"; cat "$TOP/patches/$_p"; } | sha256sum)
	quilt_in "$_tree" push --fuzz=0 >"$_w/push.log" 2>&1 || {
		tail -n 5 "$_w/push.log" >&2
		die "$_p does not apply"
	}
	[ "$_p" != "${FROM:-}" ] || _skip=
	[ -z "$_skip" ] || continue

	# A patch may argue an exception: "Checkpatch: TYPE [TYPE...]: why" at the end of its header.
	_ignore=$(sed -n 's/^Checkpatch: \([A-Z_ ]*\):.*/\1/p; /^---/q' "$TOP/patches/$_p" | tr -s ' ' ',')
	# shellcheck disable=SC2086
	if (cd "$_tree" && perl scripts/checkpatch.pl --strict --no-signoff --terse \
		${_ignore:+--ignore $_ignore} "$TOP/patches/$_p") >"$_w/checkpatch.$_i" 2>&1; then
		_cp=clean
	else
		_cp="$(grep -c '\(ERROR\|WARNING\|CHECK\): ' "$_w/checkpatch.$_i") notes"
		_bad=1
	fi
	for _b in $_boards; do
		load_board "$_b"
		_key=$({ echo "$_sum"; cat $(board_files); } | sha256sum | cut -c1-32)
		_old=$(grep "^$_key	$_b	" "$_w/done.tsv" | tail -n 1 | cut -f3)
		if [ -n "$_old" ]; then
			row "$_p" "$_b" "$_cp" ok ok
			continue
		fi
		say "[$_i/$_n] $_p, $_b"
		_o=$_w/$_b
		_boot=-
		if LAX=1 LINUX_TREE=$_tree OUT=$_o \
			"$TOP/scripts/build-kernel.sh" "$_b" ipipe "${VARIANT:-}" >/dev/null 2>"$_w/build.err"; then
			# The whole log: a warning of a file that was compiled at an earlier patch is that patch's.
			_wn=$(compiler_warnings "$_o/build.log" | wc -l)
			cp "$_o/build.log" "$_w/build.$_i.$_b.log"
			_bl=clean
			[ "$_wn" = 0 ] || { _bl="$_wn warns"; _bad=1; }
			# the pipeline can be switched on from some patch on; before it, it is vanilla
			_want=vanilla
			! grep -q '^CONFIG_IPIPE=y' "$_o/.config" || _want=ipipe
			if LOG=$_w/boot.$_i.$_b.log "$TOP/scripts/run-guest.sh" "$_b" "$_o" "boot,$_want" 120 \
				>/dev/null 2>"$_w/boot.err"; then
				_boot=ok
			else
				_boot=FAIL; _bad=1
				tail -n 1 "$_w/boot.err" >&2
			fi
			[ "$_bl$_boot" != cleanok ] || printf '%s\t%s\tok\n' "$_key" "$_b" >>"$_w/done.tsv"
		else
			_bl=FAIL; _bad=1
			tail -n 3 "$_w/build.err" >&2
		fi
		row "$_p" "$_b" "$_cp" "$_bl" "$_boot"
	done
done
say ""
say "logs: $_w"
if [ $_bad != 0 ]; then
	die "not every step is clean"
fi
say "every step builds without a warning, boots, and is clean for checkpatch"
