// SPDX-License-Identifier: GPL-2.0
/*
 * tasks [ROUNDS]: tasks of Linux that leave it for a head domain and come back, by
 * their own will or thrown out by a fault, a signal or a call of Linux; sleep there,
 * are preempted there, and die there. ROUNDS is how often one goes to and fro.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define KTASKS		"/proc/ipipe/ktasks"
#define PERIOD_NS	100000

/* The system calls of the client */
enum { MODE = 5100, TO_HEAD, TO_ROOT, NAP, COPY };

#define FOREVER		1000000000
#define CHILDREN	300
#define TURNS		500
#define AREA		(1 << 20)

static void tell(const char *what)
{
	if (file_write(KTASKS, what))
		die("%s: '%s': %s", KTASKS, what, strerror(errno));
}

static unsigned long figure(const char *what)
{
	char text[256], name[32], *line, *save;
	unsigned long n;

	if (file_read(KTASKS, text, sizeof(text)) < 0)
		die("%s: %s", KTASKS, strerror(errno));
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (sscanf(line, "%31s %lu", name, &n) == 2 && !strcmp(name, what))
			return n;
	die("%s: no figure '%s'", KTASKS, what);
}

static bool in_head(void)
{
	return syscall(MODE) == 1;
}

static bool to_head(void)
{
	return !syscall(TO_HEAD) && in_head();
}

static bool to_root(void)
{
	return !syscall(TO_ROOT) && !in_head();
}

/* As ps shows it: P is a task that is not with Linux. */
static char state_of(pid_t pid)
{
	char path[32], text[256], *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (file_read(path, text, sizeof(text)) < 0)
		return 0;
	end = strrchr(text, ')');

	return end ? end[2] : 0;
}

static bool gets_away(pid_t pid)
{
	unsigned int tries;

	for (tries = 0; tries < 1000 && state_of(pid) != 'P'; tries++)
		sleep_ns(1000000);

	return tries < 1000;
}

static volatile sig_atomic_t got;

static void on_signal(int sig)
{
	got = sig;
}

static void *fresh(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap: %s", strerror(errno));

	return p;
}

static void to_and_fro(unsigned long rounds)
{
	unsigned long i, came = figure("came"), went = figure("went"), bad = 0;
	u64 start = tb_read(), took;

	for (i = 0; i < rounds; i++)
		if (!to_head() || !to_root())
			bad++;
	took = tb_to_ns(tb_read() - start);
	ktap_ok(!bad && figure("came") - came == rounds &&
		figure("went") - went == rounds,
		"%lu times to the head and back", rounds);
	ktap_note("%lu ns each, four calls of the domain included",
		  (unsigned long)mul_div(took, 1, rounds));
}

/* Where nothing is, which the compiler need not know. */
static volatile int *volatile bad_address = (int *)16;

static void thrown_out(void)
{
	unsigned long thrown = figure("thrown");
	volatile int *page = fresh(4096);
	pid_t pid = getpid();
	bool ok;

	ok = to_head() && syscall(SYS_getpid) == pid && !in_head();
	ktap_ok(ok && figure("thrown") == thrown + 1, "by a call of Linux, which is done");

	ok = to_head();
	page[0] = 4711;
	ok = ok && !in_head() && page[0] == 4711 && !page[1];
	ktap_ok(ok && figure("thrown") == thrown + 2, "by a page that is not there yet");

	fault_skip(SIGILL);
	fault_skip(SIGSEGV);
	fault_signal = 0;
	ok = to_head();
	illegal();
	ok = ok && !in_head() && fault_signal == SIGILL;
	ktap_ok(ok && figure("thrown") == thrown + 3,
		"by an illegal instruction, to its signal");

	fault_signal = 0;
	ok = to_head();
	*bad_address = 0;
	ok = ok && !in_head() && fault_signal == SIGSEGV;
	ktap_ok(ok && figure("thrown") == thrown + 4, "by a bad address, to its signal");

	ok = to_head();
	execl("/there/is/no/such/program", "x", NULL);
	ok = ok && errno == ENOENT && !in_head();
	ktap_ok(ok, "by execve(), which fails as it should");

	ok = to_head();
	pid = fork();
	if (!pid)
		_exit(in_head());
	ok = ok && !in_head();
	{
		int status = 1;

		waitpid(pid, &status, 0);
		ktap_ok(ok && !status, "by fork(), and the child is in Linux");
	}
	munmap((void *)page, 4096);
}

/* All that a locked task touches is there. */
static void locked(void)
{
	unsigned long thrown;
	bool ok, copied, refused, back;
	volatile u32 *area;
	unsigned int i;

	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		die("mlockall: %s", strerror(errno));
	area = fresh(AREA);
	tell("lock");
	/* What is done in the head has been executed before. */
	(void)in_head();
	thrown = figure("thrown");

	/* What is printed is printed by Linux, so it has to wait. */
	ok = to_head();
	for (i = 0; i < AREA / 4; i++)
		area[i] = i;
	for (i = 0; i < AREA / 4; i++)
		ok = ok && area[i] == i;
	ok = ok && in_head();
	area[0] = 0xabcd1234;
	copied = !syscall(COPY, area) && area[1] == 0xabcd1234 && in_head();
	refused = syscall(COPY, bad_address) == -1 && errno == EFAULT && in_head();
	back = to_root();

	ktap_ok(ok, "a locked task finds its memory in the head");
	ktap_ok(copied, "so does a handler in the head");
	ktap_ok(refused, "which cannot copy from a bad address");
	ktap_ok(back && figure("thrown") == thrown, "and it was never thrown out");
	munmap((void *)area, AREA);
}

static void naps(void)
{
	volatile unsigned long *count = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned long before, after;
	u64 start, ns;
	pid_t pid;
	bool ok;

	*count = 0;
	pid = fork();
	if (!pid)
		for (;;)
			++*count;
	while (!*count)
		sleep_ns(1000000);
	tell("lock");
	(void)tb_read();
	ok = to_head();
	before = *count;
	start = tb_read();
	ok = ok && !syscall(NAP, 100);
	ns = tb_to_ns(tb_read() - start);
	after = *count;
	ok = ok && in_head() && to_root();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ktap_ok(ok && ns >= 99 * PERIOD_NS && ns < 101 * PERIOD_NS,
		"sleeps 100 shots in the head");
	ktap_note("%lu us", (unsigned long)(ns / 1000));
	ktap_ok(after > before, "and Linux goes on meanwhile");
	munmap((void *)count, 4096);
}

/* A child that sleeps in the head till something wakes it. */
static pid_t sleeper(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	pid_t pid = fork();

	if (pid)
		return pid;
	sigaction(SIGUSR1, &sa, NULL);
	got = 0;
	if (!to_head() || syscall(NAP, FOREVER) != -1 || errno != EINTR)
		_exit(1);
	_exit(in_head() || got != SIGUSR1 ? 2 : 0);
}

static void signals(void)
{
	int status;
	pid_t pid;
	bool ok;

	pid = sleeper();
	ok = gets_away(pid);
	kill(pid, SIGUSR1);
	waitpid(pid, &status, 0);
	ktap_ok(ok && !status, "a signal brings a sleeper back");

	pid = sleeper();
	ok = gets_away(pid);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	ktap_ok(ok && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
		"SIGKILL ends a sleeper");

	pid = sleeper();
	ok = gets_away(pid);
	ktap_ok(ok && file_write(KTASKS, "off") && errno == EBUSY,
		"the domain cannot go while it has a task");
	ok = !ptrace(PTRACE_ATTACH, pid, NULL, NULL) &&
		waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status);
	ktap_ok(ok, "a debugger gets hold of a sleeper");
	ptrace(PTRACE_KILL, pid, NULL, NULL);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);

	/* And one that is traced stays. */
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		_exit(!(syscall(TO_HEAD) == -1 && errno == EPERM && !in_head()));
	}
	waitpid(pid, &status, 0);
	ktap_ok(!status, "one that is traced may not leave");
}

static __thread u32 mine;

/* Takes a while in registers; the same for the same seed. */
static u32 compute(u32 seed)
{
	u32 a = seed, b = ~seed, c = seed * 3, d = 7, e = seed ^ 0x5555, f = 1, i;

	for (i = 0; i < 3000; i++) {
		a = a * 1664525 + b;
		b ^= c >> 3;
		c += d << 2;
		d = (d ^ e) + f;
		e = e * 5 + a;
		f += b ^ (e >> 7);
	}

	return a ^ b ^ c ^ d ^ e ^ f;
}

static int take_turns(u32 seed)
{
	u32 want = compute(seed);
	unsigned int i;

	if (mlockall(MCL_CURRENT))
		return 1;
	tell("lock");
	mine = seed;
	if (!to_head())
		return 2;
	for (i = 0; i < TURNS; i++) {
		if (compute(seed) != want || mine != seed)
			return 3;
		if (syscall(NAP, i % 3))
			return 4;
		/* Thrown out now and then, as the pages of a new process are. */
		if (!in_head() && !to_head())
			return 5;
	}

	return to_root() ? 0 : 6;
}

static void several(void)
{
	pid_t pid[4], other;
	unsigned int i, bad = 0;
	int status;

	for (i = 0; i < ARRAY_SIZE(pid); i++) {
		pid[i] = fork();
		if (!pid[i])
			_exit(take_turns(0x1234 * (i + 1)));
	}
	/* Linux has something to do as well, address spaces that come and go. */
	for (i = 0; i < 100; i++) {
		other = fork();
		if (!other)
			_exit(compute(i) == 0);
		waitpid(other, &status, 0);
	}
	for (i = 0; i < ARRAY_SIZE(pid); i++) {
		waitpid(pid[i], &status, 0);
		if (status) {
			ktap_note("task %u: status %x", i, status);
			bad++;
		}
	}
	ktap_ok(!bad, "%u tasks preempt each other, and find all as it was",
		(unsigned int)ARRAY_SIZE(pid));
}

static unsigned long mem_free_kb(void)
{
	char text[2048], *p;

	if (file_read("/proc/meminfo", text, sizeof(text)) < 0)
		die("/proc/meminfo: %s", strerror(errno));
	p = strstr(text, "MemFree:");

	return p ? strtoul(p + 8, NULL, 10) : 0;
}

static bool child_leaves(bool home)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		bool ok = to_head();

		if (home)
			ok = to_root() && ok;
		_exit(!ok);
	}
	waitpid(pid, &status, 0);

	return !status;
}

static void no_leak(void)
{
	unsigned long before, after;
	unsigned int i, bad = 0;

	for (i = 0; i < 20; i++)
		bad += !child_leaves(i & 1);
	before = mem_free_kb();
	for (i = 0; i < CHILDREN; i++)
		bad += !child_leaves(i & 1);
	after = mem_free_kb();
	ktap_ok(!bad, "%u children leave, and end in Linux or in the head", CHILDREN);
	/* One stack each would be 2.4 MB at least. */
	ktap_ok(before <= after + 1024, "which costs no memory");
	ktap_note("%lu kB free before, %lu after", before, after);
}

static void woken(void)
{
	unsigned long i, before = figure("woken"), bad = 0;

	for (i = 0; i < 1000; i++)
		bad += !!file_write(KTASKS, "wait");
	ktap_ok(!bad && figure("woken") - before == 1000,
		"the domain wakes a task of Linux 1000 times");
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? parse_u64("ROUNDS", argv[1]) : 1000;

	if (!file_exists(KTASKS))
		die(KTASKS ": not there (CONFIG_IPIPE_KTASKS)");
	ktap_start(27);
	ktap_ok(syscall(TO_HEAD) == -1 && errno == ENOSYS, "there is no domain yet");
	tell("on");
	ktap_ok(!in_head() && to_root(), "a task is in Linux first");
	ktap_ok(file_write(KTASKS, "here") && errno == EPERM && !in_head(),
		"it may leave in a handler of the head only");
	to_and_fro(rounds);
	thrown_out();
	locked();
	naps();
	signals();
	several();
	no_leak();
	woken();
	ktap_ok(figure("came") == figure("went"), "as many came as went");
	tell("off");
	ktap_ok(syscall(MODE) == -1 && errno == ENOSYS, "the domain goes");

	return ktap_finish();
}
