#!/bin/sh
# The shell of make boot, worked by hand as a user would: through the serial console. The client of
# README.md, compiled as README.md says, must load. All in the kernel that watches the rules.
# SHELL_VARIANT: another variant of the kernel; it needs modules.
. "$(dirname "$0")/lib.sh"

board=${IPIPE_BOARD:-ppc405}
variant=${SHELL_VARIANT:-test+debug}
load_board "$board"

for v in "FILES=$T/none.ko:none.ko: no such file" "FILES=$T:no such file"; do
	mkb()
	{
		make -s --no-print-directory -C "$TOP" boot BOARD="$board" "$@" </dev/null 2>&1 |
			grep -v '^make: \*\*\*' >"$T/mk"
		cat "$T/mk"
		[ ! -s "$T/mk" ]
	}
	refuses mkb "${v%%:*}" -- "${v#*:}" "make boot ${v%%:*}"
done

run "$TOP/scripts/build-kernel.sh" "$board" ipipe "$variant"
[ $rc = 0 ]; ok "a kernel with modules builds"
[ $rc = 0 ] || finish
dir=$(tail -n 1 "$T/out")

# the client, out of the text
mkdir "$T/metronome"
awk '/^A small client/ { seen = 1; next } seen && /^```c/ { on = 1; next } on && /^```/ { exit } on' \
	"$TOP/README.md" >"$T/metronome/metronome.c"
echo 'obj-m := metronome.o' >"$T/metronome/Makefile"
run make -C "$dir" M="$T/metronome" ARCH="$ARCH" CROSS_COMPILE="$CROSS_COMPILE" modules
[ $rc = 0 ] && ! grep -q 'warning: ' "$T/out"; ok "README's client compiles, without a warning"
[ -f "$T/metronome/metronome.ko" ] || finish
# and one that is wrong
mkdir "$T/crash"
cat >"$T/crash/crash.c" <<'END'
#include <linux/ipipe.h>
#include <linux/module.h>

static struct ipipe_domain domain;

static void fault(unsigned int irq, void *cookie)
{
	*(volatile int *)cookie = 0;
}

static int __init crash_init(void)
{
	struct ipipe_domain_attr attr;
	int virq = ipipe_alloc_virq();

	ipipe_init_attr(&attr);
	attr.name = "crash";
	attr.domid = 1;
	attr.priority = IPIPE_HEAD_PRIORITY;

	return ipipe_register_domain(&domain, &attr) ?:
	       ipipe_virtualize_irq(&domain, virq, fault, (void *)0x10, NULL, IPIPE_HANDLE_MASK) ?:
	       ipipe_trigger_irq(virq);
}
module_init(crash_init);
MODULE_LICENSE("GPL");
END
echo 'obj-m := crash.o' >"$T/crash/Makefile"
run make -C "$dir" M="$T/crash" ARCH="$ARCH" CROSS_COMPILE="$CROSS_COMPILE" modules
[ $rc = 0 ]; ok "a client that faults compiles"
printf 'int main(void) { return 7; }\n' >"$T/seven.c"
run "${CROSS_COMPILE}gcc" -static -o "$T/seven" "$T/seven.c"
"${CROSS_COMPILE}gcc" -o "$T/shared" "$T/seven.c"
gcc -static-pie -o "$T/foreign" "$T/seven.c" 2>/dev/null || gcc -o "$T/foreign" "$T/seven.c"
run "$TOP/scripts/shell.sh" "$board" "$dir"
[ $rc = 0 ]; ok "busybox builds"
[ $rc = 0 ] || finish
refuses "$TOP/scripts/shell.sh" "$board" "$dir" "$T/shared" -- 'link it with -static' "a program that wants shared libraries"
refuses "$TOP/scripts/shell.sh" "$board" "$dir" "$T/foreign" -- 'is for ' "a program for another machine"
refuses "$TOP/scripts/shell.sh" "$board" "$dir" "$T/seven" "$T/../${T##*/}/seven" -- 'two files' "two files of one name"

mkfifo "$T/in"
# boot_shell ARGUMENTS OF MAKE...: boots, with descriptor 3 to type on
boot_shell()
{
	: >"$T/console"
	TERM=vt100 timeout -k 5 400 make -s --no-print-directory -C "$TOP" boot BOARD="$board" "$@" \
		<"$T/in" >"$T/console" 2>&1 &
	boot=$!
	exec 3>"$T/in"
}
# end_shell: waits for the end of the emulator; what it said last is in $T/out
end_shell()
{
	exec 3>&-
	wait $boot
	rc=$?
	cp "$T/console" "$T/out"
}

# await REGEX [SECONDS]: till a line on the console has it
await()
{
	_left=$((${2:-60} * 5))
	until tr -d '\r' <"$T/console" | grep -q -e "$1"; do
		_left=$((_left - 1))
		[ $_left -gt 0 ] && kill -0 $boot 2>/dev/null || return 1
		sleep 0.2
	done
}
n=0
# type_in COMMAND: types it, waits for its end; its output is in $T/out, its exit code in $rc
type_in()
{
	n=$((n + 1))
	printf '%s\n' "echo \"<\"$n; $1; echo \">\"$n=\$?" >&3
	await "^>$n=[0-9]" 90
	tr -d '\r' <"$T/console" | sed -n "/^<$n\$/,/^>$n=/p" | sed '1d;$d' >"$T/out"
	rc=$(tr -d '\r' <"$T/console" | sed -n "s/^>$n=//p")
	: "${rc:=no end}"
}
# has REGEX
has()
{
	grep -q -e "$1" "$T/out"
}

boot_shell KERNEL=ipipe VARIANT="$variant" \
	FILES="$T/metronome/metronome.ko $T/crash/crash.ko $T/seven"
await "^$board:~# " 240
rc=$?
cp "$T/console" "$T/out"
[ $rc = 0 ]; ok "a prompt"
[ $rc = 0 ] || { kill $boot; finish; }
has 'To leave: exit' && has 'in /root: crash.ko metronome.ko seven'; ok "it says how to leave, and what is in /root"
! has "job control turned off"; ok "it has its terminal"
type_in 'tty; ps | head -n 3'; [ "$rc" = 0 ] && has "/dev/$CONSOLE" && has ' init'; ok "tty, ps"
type_in "awk 'BEGIN { printf \"%.3f %d\\n\", 22 / 7, \"12\" + 1 }'; seq 1 3 | wc -l"
[ "$rc" = 0 ] && has '^3.143 13$' && has '^ *3$'; ok "awk and seq, which have floating point"
type_in 'seven'; [ "$rc" = 7 ]; ok "a program of the user's"

# Ctrl-C, and jobs
printf 'sleep 1000\n' >&3
sleep 2
printf '\003' >&3
type_in 'sleep 500 & jobs; kill %1; sleep 0.2; echo killed'
[ "$rc" = 0 ] && has 'sleep 500' && has killed; ok "Ctrl-C ends a command; jobs"

# as README.md has it
type_in 'cat /proc/ipipe/version'; [ "$rc" = 0 ]; ok "/proc/ipipe/version"
type_in '[ -e /proc/ipipe/klatency ] || modprobe klatency'; [ "$rc" = 0 ]; ok "klatency is there, built in or as a module"
type_in 'echo start 1000000 > /proc/ipipe/klatency && sleep 1'; [ "$rc" = 0 ]; ok "klatency starts"
type_in 'insmod metronome.ko'; [ "$rc" != 0 ] && has 'busy'; ok "a second head domain is refused"
type_in 'echo irqsoff 5000000 > /proc/ipipe/klatency; cat /proc/ipipe/klatency'
[ "$rc" = 0 ] && has '^shots [1-9]' && has '^irqsoff_shots [1-9]'; ok "klatency has shots, with Linux's interrupts off too"
type_in 'echo stop > /proc/ipipe/klatency'; [ "$rc" = 0 ]; ok "klatency stops"
type_in 'insmod metronome.ko'; [ "$rc" = 0 ]; ok "README's client loads"
type_in 'sleep 5; lsmod; cat /proc/ipipe/metronome'; [ "$rc" = 0 ] && has '^metronome '; ok "it is there"
type_in 'dmesg | grep "worst latency"'; [ "$rc" = 0 ] && has 'worst latency [0-9]* ns'; ok "it says its worst latency"
type_in 'rmmod metronome && ls /proc/ipipe'; [ "$rc" = 0 ] && ! has metronome; ok "it unloads, and leaves nothing behind"
type_in 'insmod metronome.ko && rmmod metronome'; [ "$rc" = 0 ]; ok "and again"
type_in "dmesg | grep -v 'domain kunit-misuse: ' | grep -E '$GUEST_BAD'"; [ "$rc" = 1 ]; ok "the kernel has nothing to complain of"

# A fault in a handler takes the machine down, and says so where one sees it.
printf 'insmod crash.ko\n' >&3
end_shell
[ $rc = 0 ] && has 'NIP .* fault+' && has 'Kernel panic'; ok "a fault in a handler: all of it is on the console"

boot_shell KERNEL=ipipe VARIANT="$variant"
await "^$board:~# " 240; ok "another, without files of the user's"
printf 'exit\n' >&3
end_shell
[ $rc = 0 ] && has 'Restarting system'; ok "exit ends the guest and the emulator"
finish
