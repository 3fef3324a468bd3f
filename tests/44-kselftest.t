#!/bin/sh
# The kernel's own selftests give on the pipelined kernel what they give on vanilla, test by test; and
# the comparison sees where they do not.
. "$(dirname "$0")/lib.sh"
board=${IPIPE_BOARD:-ppc405}
S=$TOP/scripts/kselftest.sh

# results that differ, planted: in a test, in its name, in the exit code, in what there is
cat >"$T/a" <<'END'
one| 1..2
one| ok 1 first
one| not ok 2 second
one: exit 1
one: count 1 1 0
two| ok 1 first
two: exit 0
two: count 1 0 0
END
planted()
{
	sed "$1" "$T/a" >"$T/b"
	run "$S" --compare "$T/a" "$T/b"
	[ "$rc" != 0 ] && grep -q "^$2 .* DIFFERS\$" "$T/out" && [ "$(grep -c 'DIFFERS$' "$T/out")" = 1 ] &&
		grep -q -e "$3" "$T/out"
	ok "planted: $4"
}
run "$S" --compare "$T/a" "$T/a"
[ "$rc" = 0 ] && [ "$(grep -c ' same$' "$T/out")" = 2 ] && grep -q '^one  *1  *1  *0  exit 1  *exit 1  *same$' "$T/out"
ok "the same results are the same, failed tests among them"
planted 's/^one| ok 1 first/one| not ok 1 first/' one '^ipipe:   one| not ok 1 first$' "a test fails"
planted 's/^two| ok 1 first/two| ok 1 other/' two '^vanilla: two| ok 1 first$' "a test has another name"
planted 's/^two: exit 0/two: signal 11/' two ' signal 11  *DIFFERS$' "a program crashes"
planted 's/^one: exit 1/one: unfinished/' one ' unfinished  *DIFFERS$' "a program does not end"
planted '/^two/d' two ' exit 0  *none  *DIFFERS$' "a program is not there"
planted '/^one| not ok/d' one '^vanilla: one| not ok 2 second$' "a test is not there"
: >"$T/empty"
refuses "$S" --compare "$T/a" "$T/empty" -- 'empty: no results there' "no results at all are no success"
refuses "$S" "$board" sas nope -- 'nope: no such program for .*; have: .*sas' "a program that there is not"
refuses "$S" nope -- 'BOARD=nope: no such board' "a board that there is not"

# a program that does not build is not left out
echo '* sas sigaltstack/sas.c - -DSS_AUTODISARM=syntax-error(' >"$T/list"
run env KSELFTEST_LIST="$T/list" "$S" "$board" sas
[ "$rc" != 0 ] && tail -n 1 "$T/out" | grep -q 'sas does not build: .*error'
ok "a program that does not build is an error, and says why"
cat >"$T/hang.h" <<'END'
#include <unistd.h>
int main(void)
{
	for (;;)
		pause();
}
#define main	unused
END
echo "* sas sigaltstack/sas.c - -include $T/hang.h" >"$T/list"
run env KSELFTEST_LIST="$T/list" "$S" "$board" sas
[ "$rc" != 0 ] && [ "$(tail -n 1 "$T/out")" = 'kselftest.sh: vanilla does not finish: sas' ]
ok "a program that vanilla does not finish is an error"

# the real ones; what went wrong is in $T/out
t0=$(now)
"$S" "$board" >"$T/table" 2>"$T/out" </dev/null
rc=$?
sed 's/^/# /' "$T/table"
sed 1d "$T/table" | while read -r name pass fail skip rest; do
	case $rest in
	*' same') r='ok' ;;
	*) r='not ok' ;;
	esac
	echo "$r 0 $name: as on vanilla ($pass pass, $fail fail, $skip skip)"
done >"$T/ktap"
while read -r line; do
	case $line in
	ok*) true ;;
	*) false ;;
	esac
	ok "${line#*ok 0 }"
done <"$T/ktap"
want=$(awk -v board="$board" '/^[^#]/ && ($1 == "*" || $1 == board)' "$TOP/tests/kselftest.list" | wc -l)
[ "$rc" = 0 ] && [ "$(wc -l <"$T/ktap")" = "$want" ]
ok "all $want programs ran on both, with nothing bad in the log ($(since "$t0"))"
finish
