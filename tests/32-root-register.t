#!/bin/sh
# On PowerPC r13 has the address of the root domain. Nothing may write it where an interrupt can
# come in, nor leave it otherwise there: the reading of all code finds what no number of boots does.
. "$(dirname "$0")/lib.sh"

board=${IPIPE_BOARD:-ppc405}
load_board "$board"
[ "$ARCH" = powerpc ] || { echo "1..0 # SKIP no register is set aside on $ARCH"; exit 0; }

check="awk -f $TOP/tests/root-register.awk"
# the check itself: an entry and an exit that are right, then each kind of wrong
good()
{
	cat <<'END'
c0000000 <Some_virt>:
c0000000:	3d a0 c0 37 	lis     r13,-16329
c0000004:	39 ad d8 dc 	addi    r13,r13,-10020
c0000008:	48 00 00 01 	bl      c0000020 <handler>
c000000c:	48 00 00 01 	b       c0000010 <ret>

c0000010 <ret>:
c0000010:	81 a1 00 44 	lwz     r13,68(r1)
c0000014:	4c 00 00 64 	bne-    c0000018 <ret+0x8>
c0000018:	4c 00 00 64 	rfi

c0000020 <handler>:
c0000020:	91 ad 00 00 	stw     r13,0(r13)
c0000024:	4e 80 00 20 	blr
END
}
good | $check >"$T/out"
[ "$(cat "$T/out")" = "entries 1 exits 1" ]; ok "what is right is found right"
wrong()
{
	good | sed "$1" | $check >"$T/out"
	grep -q "$2" "$T/out"; ok "found: $3"
}
wrong 's/bl  /nop /; /<handler>$/s/nop .*/nop/; s/c0000004:.*/c0000004:	48 	bl      c0000020 <handler>/' \
	'lis r13 without addi' "a call between the two instructions"
wrong 's/<Some_virt>/<some>/' 'this is no entry' "r13 written in the midst of code"
wrong 's/rfi/bl      c0000020 <handler>/' 'not on the way out' "a call after r13 has the user's value"
wrong 's/bne-    c0000018/bne-    c0000020/' 'not on the way out' "a branch elsewhere after it"
wrong 's/stw     r13,0(r13)/mr      r13,r5/' 'mr r13,r5' "r13 used for something else"
wrong 's/stw     r13,0(r13)/lis     r13,-16329/' 'this is no entry' "an entry that is none"

run "$TOP/scripts/build-kernel.sh" "$board" ipipe
[ $rc = 0 ]; ok "ipipe: builds for $board"
[ $rc = 0 ] || finish
_dir=$(tail -n 1 "$T/out")
"${CROSS_COMPILE}objdump" -d "$_dir/vmlinux" | $check >"$T/out"
[ "$(grep -vc '^entries ' "$T/out")" = 0 ]; ok "no write of r13 where an interrupt may come in"
# each vector has an entry; there are more than 20
n=$(awk '/^entries / { print $2 }' "$T/out")
[ "${n:-0}" -ge 20 ]; ok "$n entries load it"
n=$(awk '/^entries / { print $4 }' "$T/out")
[ "${n:-0}" -ge 4 ]; ok "$n ways out give the user's back"
finish
