// SPDX-License-Identifier: GPL-2.0
/*
 * events: what tasks do and meet with is seen by a domain that catches it, and goes
 * on as if nobody had looked, or is ended.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define CALLS		1000
#define CHILDREN	10
#define FLIPS		200

static void tell(const char *what)
{
	if (file_write(KEVENTS, what))
		die("%s: '%s': %s", KEVENTS, what, strerror(errno));
}

/* How often an event came, or was ended. */
static unsigned long figure(const char *event, bool ended)
{
	char text[1024], name[32], *line, *save;
	unsigned long came, end;

	if (file_read(KEVENTS, text, sizeof(text)) < 0)
		die("%s: %s", KEVENTS, strerror(errno));
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (sscanf(line, "%31s %lu %lu", name, &came, &end) == 3 &&
		    !strcmp(name, event))
			return ended ? end : came;
	die("%s: no event '%s'", KEVENTS, event);
}

static unsigned long came(const char *event)
{
	return figure(event, false);
}

/* The fault by which a page comes to be there, an illegal instruction, a breakpoint. */
#ifdef __arm__
#define PAGE_FAULT	"dabt"
#define ILLEGAL		"undef"
#define BREAK		"break"
#else
#define PAGE_FAULT	"dsi"
#define ILLEGAL		"program"
#define BREAK		"program"
#endif

/* The signal that an instruction ends in, 0 for none. */
static int signal_of(void (*insn)(void))
{
	fault_signal = 0;
	insn();

	return fault_signal;
}

static void do_illegal(void)
{
	illegal();
}

static void do_break(void)
{
	breakpoint();
}

static void test_calls(void)
{
	unsigned long before, seen;
	pid_t pid = getpid();
	unsigned int i, wrong = 0;
	int status;

	tell("own");
	before = came("syscall");
	for (i = 0; i < CALLS; i++)
		if (syscall(SYS_getpid) != pid)
			wrong++;
	seen = came("syscall") - before;
	/* And what it takes to read the figures. */
	ktap_ok(!wrong && seen >= CALLS && seen < CALLS + 20,
		"%u calls of a task, %lu seen, %u wrong", CALLS, seen, wrong);

	tell("end syscall");
	/* That was the write's end; this is the close of the file. */
	before = figure("syscall", true);
	ktap_ok(before == 1, "one call ended: %lu", before);
	tell("disown");

	before = came("syscall");
	for (i = 0; i < CALLS; i++)
		syscall(SYS_getpid);
	seen = came("syscall") - before;
	ktap_ok(!seen, "%u calls of a task that nobody asked for, %lu seen", CALLS,
		seen);

	tell("own");
	before = came("syscall");
	if (!fork()) {
		for (i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
		_exit(0);
	}
	wait(&status);
	seen = came("syscall") - before;
	ktap_ok(seen < 20, "a child does not inherit it: %lu seen", seen);
	tell("disown");
}

static void test_own_call(void)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < CALLS; i++)
		if (syscall(KEVENTS_CALL, i) != (long)i + 1)
			wrong++;
	ktap_ok(!wrong, "a call that Linux has not, of any task: %u wrong", wrong);
	tell("own");
	for (i = 0; i < CALLS; i++)
		if (syscall(KEVENTS_CALL, i) != (long)i + 1)
			wrong++;
	ktap_ok(!wrong, "of a task of its own: %u wrong", wrong);
	ktap_ok(syscall(KEVENTS_CALL, -1 - EIO) == -1 && errno == EIO,
		"an error comes out as one");
	ktap_ok(syscall(KEVENTS_CALL + 1) == -1 && errno == ENOSYS,
		"a call that nobody has: %s", strerror(errno));
	tell("disown");
	ktap_ok(syscall(KEVENTS_CALL + 1) == -1 && errno == ENOSYS,
		"likewise of any task: %s", strerror(errno));
}

/* A task of the domain's under a tracer: how often the tracer is told of a call. */
static unsigned int traced(unsigned int ended, bool *right)
{
	unsigned int stops = 0;
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		unsigned int i, wrong = 0;

		ptrace(PTRACE_TRACEME, 0, 0, 0);
		tell("own");
		raise(SIGSTOP);
		for (i = 0; i < 10; i++)
			syscall(SYS_getppid);
		for (i = 0; i < ended; i++)
			wrong += syscall(KEVENTS_CALL, i) != (long)i + 1;
		wrong += syscall(SYS_getppid) != getppid();
		_exit(!!wrong);
	}
	waitpid(pid, &status, 0);
	while (!WIFEXITED(status)) {
		ptrace(PTRACE_SYSCALL, pid, 0, 0);
		waitpid(pid, &status, 0);
		if (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP)
			stops++;
	}
	*right = !WEXITSTATUS(status);

	return stops;
}

/* Who traces a task sees what goes on, and sees it unchanged. */
static void test_traced(void)
{
	unsigned long before = came("syscall"), seen;
	unsigned int stops, more;
	bool right;

	stops = traced(0, &right);
	seen = came("syscall") - before;
	ktap_ok(right && stops >= 24 && seen >= 12,
		"traced as well: %lu calls seen, %u stops of the tracer", seen,
		stops);
	more = traced(10, &right);
	ktap_ok(right && more == stops,
		"a call that is ended is no affair of the tracer's: %u stops", more);
}

static void test_faults(void)
{
	unsigned long before, page = sysconf(_SC_PAGESIZE), seen;
	unsigned int i;
	char *mem;
	int sig;

	fault_skip(SIGILL);
	fault_skip(SIGTRAP);

	mem = mmap(NULL, 50 * page, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	before = came(PAGE_FAULT);
	for (i = 0; i < 50; i++)
		mem[i * page] = 1;
	seen = came(PAGE_FAULT) - before;
	ktap_ok(seen >= 50, "50 pages touched, %lu faults seen", seen);
	munmap(mem, 50 * page);

	before = came(ILLEGAL);
	sig = signal_of(do_illegal);
	ktap_ok(sig == SIGILL && came(ILLEGAL) == before + 1,
		"an illegal instruction: signal %d, %lu seen", sig,
		came(ILLEGAL) - before);
	tell("end " ILLEGAL);
	sig = signal_of(do_illegal);
	ktap_ok(!sig && figure(ILLEGAL, true) == 1,
		"ended by the domain: signal %d", sig);
	sig = signal_of(do_illegal);
	ktap_ok(sig == SIGILL, "once: signal %d", sig);

	before = came(BREAK);
	sig = signal_of(do_break);
	ktap_ok(sig == SIGTRAP && came(BREAK) == before + 1,
		"a breakpoint: signal %d, %lu seen", sig, came(BREAK) - before);
}

static void test_tasks(void)
{
	unsigned long before[5] = {
		came("init"), came("exit"), came("cleanup"), came("schedule"),
		came("switched")
	};
	unsigned long n, after;
	unsigned int i;
	int status;
	pid_t pid;

	for (i = 0; i < CHILDREN; i++) {
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, &status, 0);
	}
	n = came("init") - before[0];
	ktap_ok(n >= CHILDREN, "%u children born: %lu", CHILDREN, n);
	n = came("exit") - before[1];
	ktap_ok(n >= CHILDREN, "%u children gone: %lu", CHILDREN, n);
	n = came("cleanup") - before[2];
	ktap_ok(n >= CHILDREN, "%u memories gone: %lu", CHILDREN, n);
	n = came("schedule") - before[3];
	after = came("switched") - before[4];
	ktap_ok(n >= 2 * CHILDREN, "%u switches at least: %lu", 2 * CHILDREN, n);
	/* Each is seen twice, but for those between one reading and the other. */
	ktap_ok(after + 4 >= n && after <= n + 4, "and done: %lu", after);

	before[0] = came("sigwake");
	pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	n = came("sigwake") - before[0];
	ktap_ok(n >= 1, "a task is signalled: %lu", n);

	before[0] = came("setsched");
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ 1 });
	sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
	n = came("setsched") - before[0];
	ktap_ok(n == 2, "a task's scheduling is set twice: %lu", n);

	before[0] = came("return");
	tell("return");
	n = came("return") - before[0];
	ktap_ok(n == 1, "a task returns to user mode: %lu", n);
}

/* The catcher comes and goes while the events fly. */
static void test_flips(void)
{
	unsigned int i;
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		for (;;) {
			pid = fork();
			if (!pid)
				_exit(syscall(SYS_getppid) != getppid());
			if (waitpid(pid, &status, 0) != pid || status)
				_exit(1);
			if (signal_of(do_illegal) != SIGILL)
				_exit(2);
		}
	}
	for (i = 0; i < FLIPS; i++) {
		tell("off");
		sched_yield();
		tell("catch");
		sleep_ns(1000000);
	}
	status = 0;
	i = waitpid(pid, &status, WNOHANG);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ktap_ok(!i, "caught and not, %u times, a task goes on (status 0x%x)", FLIPS,
		status);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		die("usage: events");
	if (!file_exists(KEVENTS))
		die("no %s: a kernel with CONFIG_IPIPE_KEVENTS is needed", KEVENTS);

	ktap_start(28);
	errno = 0;
	ktap_ok(syscall(KEVENTS_CALL, 1) == -1 && errno == ENOSYS,
		"no catcher: %s", strerror(errno));
	tell("reset");
	tell("catch");
	ktap_ok(file_write(KEVENTS, "catch") && errno == EBUSY,
		"once is enough: %s", strerror(errno));
	test_calls();
	test_own_call();
	test_traced();
	test_faults();
	test_tasks();
	test_flips();
	tell("off");
	ktap_ok(syscall(KEVENTS_CALL, 1) == -1 && errno == ENOSYS,
		"no catcher any more: %s", strerror(errno));

	return ktap_finish();
}
