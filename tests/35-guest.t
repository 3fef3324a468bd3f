#!/bin/sh
# scripts/run-guest.sh must not take a bad boot for a good one: an emulator of ours plays canned
# logs to it.
. "$(dirname "$0")/lib.sh"

board=${IPIPE_BOARD:-ppc405}
load_board "$board"
run "$TOP/scripts/build-kernel.sh" "$board" vanilla
[ $rc = 0 ]; ok "a kernel to wrap is built"
[ $rc = 0 ] || finish
dir=$(tail -n 1 "$T/out")
mkdir "$T/bin"
: >"$T/cpio"
INITRAMFS=$T/cpio
LOG=$T/log
export INITRAMFS LOG
PATH=$T/bin:$PATH

# play: stdin is what the emulator does from here on
play()
{
	{ echo '#!/bin/sh'; cat; } >"$T/bin/$QEMU"
	chmod +x "$T/bin/$QEMU"
	run "$TOP/scripts/run-guest.sh" "$board" "$dir" boot 3
}
# reason PATTERN DESCRIPTION: it failed, says why on the last line, and shows the log
reason()
{
	[ $rc != 0 ] && tail -n 1 "$T/out" | grep -q -e "$1"
	ok "$2"
}

play <<'END'
printf 'Linux version 6.1\r\nKTAP version 1\r\n1..2\r\nok 1 this\r\nok 2 that\r\nguest: PASS\r\nreboot: Restarting system\r\n'
END
[ $rc = 0 ] && [ "$(grep -c '^ok ' "$T/out")" = 2 ]; ok "a good guest passes, its KTAP is handed on"
! grep -q "$(printf '\r')" "$T/log"; ok "the log has no carriage returns"
play <<'END'
echo 'Linux version 6.1'; echo 'last words'; echo; sleep 60
END
reason 'hung: no result within 3 s' "a guest that hangs"
grep -q '^last words' "$T/out"; ok "the tail of its log is shown"
play <<'END'
printf 'Linux\n1\n2\nnot ok 1 this\nguest: FAIL 1\n'
END
reason 'the guest said: guest: FAIL 1' "a guest that fails"
play <<'END'
printf 'Linux\n1\n2\n3\n'
END
reason 'ended without a result' "a guest that reboots without a word"
play <<'END'
printf 'Linux\n1\n2\nqemu: fatal: something\n'; exit 134
END
reason 'the emulator failed (134)' "an emulator that crashes"
play <<'END'
exit 1
END
reason 'silent: nothing on the console' "a guest that is silent"
grep -q 'early console' "$T/out"; ok "a silent guest is tried again with an early console"
play <<'END'
printf 'Linux\n1\n2\nxguest: PASS\nguest: PASSED\n guest: PASS\n'
END
reason 'ended without a result' "only the very line counts"
while read -r bad; do
	play <<END
printf '%s\n' Linux 1 2 '$bad' 'guest: PASS'
END
	reason 'the kernel complained' "not passed with: $bad"
done <<'END'
BUG: sleeping function called from invalid context at kernel/x.c:1
WARNING: CPU: 0 PID: 1 at kernel/irq/chip.c:1 x+0x1
WARNING: possible circular locking dependency detected
WARNING: inconsistent lock state
Oops: Kernel access of bad area, sig: 11 [#1]
Kernel panic - not syncing: Attempted to kill init!
INFO: task x:1 blocked for more than 120 seconds.
rcu: INFO: rcu_preempt self-detected stall on CPU
irq 16: nobody cared (try booting with the "irqpoll" option)
BUG: scheduling while atomic: x/1/0x2
END
play <<'END'
printf '%s\n' Linux 1 2 'guest: splat expected' 'WARNING: on purpose' 'guest: splat over' 'guest: PASS'
END
[ $rc = 0 ]; ok "a complaint that the test announced is none"
play <<'END'
printf '%s\n' Linux 1 2 'guest: splat expected' 'guest: splat over' 'WARNING: after' 'guest: PASS'
END
reason 'the kernel complained' "but one after it is"
play <<'END'
printf '%s\n' Linux 1 2 'ipipe: domain kunit-misuse: local_irq_disable() at x, which is for Linux alone' 'guest: PASS'
END
[ $rc = 0 ]; ok "nor is what the test of misuse asks for"
play <<'END'
printf '%s\n' Linux 1 2 'ipipe: domain kunit-a: local_irq_disable() at x, which is for Linux alone' 'guest: PASS'
END
reason 'the kernel complained' "but any other misuse is"
# Other tests boot this kernel at the same time: theirs have the number of a process that lives.
left=
for f in $(find "$dir" -name '*.img' -o -name '*.img.tmp' -o -name '*.pid'); do
	pid=$(echo "${f##*/}" | sed 's/\.[a-z.]*$//; s/.*\.//')
	kill -0 "$pid" 2>/dev/null || left="$left $f"
done
echo "$left" >"$T/out"
[ -z "$left" ]; ok "no images are left lying about"
finish
