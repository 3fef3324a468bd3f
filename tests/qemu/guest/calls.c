// SPDX-License-Identifier: GPL-2.0
/*
 * calls [CALLS [own]]: system calls at random, with random arguments, from several
 * tasks at once. Prints a line for each task, with a sum over all that Linux has
 * answered; the same on all kernels, or one of them answers otherwise.
 *
 * With "own", a domain ahead of Linux has all calls of these tasks and passes them
 * on, while another gets a timer interrupt each 100 us.
 *
 * What is called, and with what, hangs on the task's own sequence alone: each has
 * its directory, its descriptors, its memory. Nothing is taken into the sum that
 * hangs on time, on addresses or on who ran first.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define TASKS		4
#define PERIOD		100000
#define AREA		(16 * 4096)
#define FDS_MAX		24
#define FILE_MAX	65536

/* What an argument is made of. */
enum kind {
	END, ZERO, ANY, SMALL, FD, SIZE, ROOM, IN, OUT, PATH, WHERE, LENGTH, PAGES, PROT,
	NO_PID, SOME_PID, OPEN, NONBLOCK, NO_WHERE, CMD, IOCMD, WAKE, ALIGNED, PRGET, MODE,
};

struct call {
	short nr;		/* -1: any number that Linux has not */
	char quiet;		/* take in failures only: the result is an address, or time */
	unsigned char arg[5];
};

#define CALL(name, quiet, ...)	{ SYS_##name, quiet, { __VA_ARGS__ } }

static const struct call calls[] = {
	{ -1, 0, { ANY, ANY, ANY, ANY } },
	CALL(getpid, 1, END),
	CALL(getppid, 1, END),
	CALL(getuid, 0, END),
	CALL(getegid, 0, END),
	CALL(read, 0, FD, OUT, SIZE),
	CALL(write, 0, FD, IN, SIZE),
	CALL(lseek, 0, FD, ANY, SMALL),
	CALL(_llseek, 0, FD, SMALL, ANY, OUT, SMALL),
	CALL(openat, 0, SOME_PID, PATH, OPEN, MODE),
	CALL(open, 0, PATH, OPEN, MODE),
	CALL(close, 0, FD),
	CALL(dup, 0, FD),
	CALL(dup2, 0, FD, FD),
	CALL(fcntl64, 0, FD, CMD, SMALL),
	CALL(ioctl, 0, FD, IOCMD, OUT),
	CALL(fstat64, 0, FD, OUT),
	CALL(stat64, 0, PATH, OUT),
	CALL(access, 0, PATH, SMALL),
	CALL(unlink, 0, PATH),
	CALL(mkdir, 0, PATH, MODE),
	CALL(rmdir, 0, PATH),
	CALL(rename, 0, PATH, PATH),
	CALL(link, 0, PATH, PATH),
	CALL(symlink, 0, PATH, PATH),
	CALL(readlink, 0, PATH, OUT, SIZE),
	CALL(chmod, 0, PATH, MODE),
	CALL(truncate, 0, PATH, SIZE),
	CALL(ftruncate, 0, FD, SIZE),
	CALL(fsync, 0, FD),
	CALL(getdents64, 0, FD, OUT, ROOM),
	CALL(getcwd, 0, OUT, SIZE),
	CALL(pipe2, 0, OUT, NONBLOCK),
	CALL(eventfd2, 0, SMALL, NONBLOCK),
	CALL(epoll_create1, 0, SMALL),
	CALL(epoll_ctl, 0, FD, SMALL, FD, IN),
	CALL(epoll_wait, 0, FD, OUT, SMALL, ZERO),
	CALL(umask, 0, MODE),
	CALL(mprotect, 0, WHERE, LENGTH, PROT),
	CALL(munmap, 0, WHERE, LENGTH),
	CALL(madvise, 0, WHERE, LENGTH, SMALL),
	CALL(mincore, 0, WHERE, LENGTH, OUT),
	CALL(msync, 0, WHERE, LENGTH, SMALL),
	CALL(mlock, 0, WHERE, LENGTH),
	CALL(munlock, 0, WHERE, LENGTH),
	CALL(mremap, 1, WHERE, PAGES, LENGTH, ZERO),
	CALL(rt_sigaction, 0, SMALL, ZERO, OUT, SMALL),
	CALL(rt_sigpending, 0, OUT, SMALL),
	CALL(sigaltstack, 0, ZERO, OUT),
	CALL(kill, 0, NO_PID, SMALL),
	CALL(getpgid, 1, SOME_PID),
	CALL(getsid, 1, SOME_PID),
	CALL(getpriority, 0, SMALL, ZERO),
	CALL(sched_yield, 0, END),
	CALL(sched_getscheduler, 0, SOME_PID),
	CALL(sched_getparam, 0, SOME_PID, OUT),
	CALL(sched_get_priority_max, 0, SMALL),
	CALL(sched_rr_get_interval, 0, SOME_PID, OUT),
	CALL(ugetrlimit, 0, SMALL, OUT),
	CALL(getrusage, 0, SMALL, OUT),
	CALL(clock_gettime, 0, SMALL, OUT),
	CALL(clock_getres, 0, SMALL, OUT),
	CALL(gettimeofday, 0, OUT, OUT),
	CALL(nanosleep, 0, NO_WHERE, OUT),
	CALL(timer_gettime, 0, SMALL, OUT),
	CALL(timer_delete, 0, SMALL),
	CALL(futex, 0, ALIGNED, WAKE, SMALL, ZERO, ALIGNED),
	CALL(set_robust_list, 0, NO_WHERE, SIZE),
	CALL(prctl, 0, PRGET, OUT, ZERO, ZERO, ZERO),
	CALL(personality, 0, NO_WHERE),
	CALL(uname, 0, OUT),
	CALL(sysinfo, 0, OUT),
	CALL(getgroups, 0, SMALL, OUT),
	CALL(getcpu, 0, OUT, OUT, ZERO),
	CALL(setpriority, 0, ANY, ZERO, ZERO),
	CALL(wait4, 0, NO_PID, OUT, SMALL, OUT),
};

#undef CALL

static struct shared {
	u32 sum[TASKS], done[TASKS];
} *shared;

/* What is read is written by nobody; what Linux writes to is read by nobody. */
static char *in, *out, *map;
static char in_before[AREA];
static u32 state;

static u32 draw(u32 below)
{
	state = state * 1664525 + 1013904223;

	return (u32)((u64)state * below >> 32);
}

/*
 * Past the end of what is a task's. On ARM that is below the kernel's RAM: without
 * CONFIG_CPU_SW_DOMAIN_PAN, put_user() of vanilla goes through to there on ARMv5.
 */
#ifdef __arm__
#define NO_TASKS	0xbf000000U
#else
#define NO_TASKS	0xc0000000U
#endif

/* A pointer, one in four of which is bad. */
static long pointer(char *area)
{
	switch (draw(12)) {
	case 0:
		return 0;
	case 1:
		return (long)(NO_TASKS + draw(0x1000000));
	case 2:
		return (long)(0xfffffff0 + draw(16));
	default:
		return (long)(area + draw(AREA - 8192));
	}
}

static long path(void)
{
	static const char * const names[] = {
		"a", "b", "c", "d", "d/a", "d/b", "e/f", "", ".", "d/..", "d/../a", "a/b",
	};
	static char too_long[5000];

	if (!too_long[0])
		memset(too_long, 'x', sizeof(too_long) - 1);
	switch (draw(16)) {
	case 0:
		return pointer(in);
	case 1:
		return (long)too_long;
	default:
		return (long)names[draw(ARRAY_SIZE(names))];
	}
}

static long argument(enum kind kind)
{
	static const int cmds[] = { F_DUPFD, F_GETFD, F_SETFD, F_GETFL, 1000, -1 };
	static const u32 iocmds[] = { 0x5401, 0x541b, 0x12345678, 0, 0xffffffff };
	static const int prget[] = {
		PR_GET_DUMPABLE, PR_GET_KEEPCAPS, PR_GET_NO_NEW_PRIVS, PR_GET_NAME,
		PR_GET_PDEATHSIG, PR_GET_SECCOMP, 12345, -1,
	};
	static const int opens[] = {
		O_RDONLY, O_WRONLY, O_RDWR, O_CREAT | O_RDWR, O_CREAT | O_EXCL | O_RDWR,
		O_CREAT | O_TRUNC | O_WRONLY, O_DIRECTORY, O_PATH, O_APPEND | O_WRONLY,
	};
	static const int wakes[] = { FUTEX_WAKE, FUTEX_REQUEUE, 99, FUTEX_WAKE | 128 };

	switch (kind) {
	case END:
	case ZERO:
		return 0;
	case ANY:
		return draw(UINT_MAX);
	case SMALL:
		return (long)draw(12) - 2;
	case FD:
		return draw(16) ? (long)draw(FDS_MAX - 6) : (long)draw(UINT_MAX) | 1L << 30;
	case SIZE:
		return draw(8) ? (long)draw(4096) : (long)draw(UINT_MAX) | INT_MIN;
	case ROOM:	/* all of it may be used */
		return draw(4096);
	case IN:
		return pointer(in);
	case OUT:
		return pointer(out);
	case ALIGNED:
		return pointer(out) & ~3L;
	case PATH:
		return path();
	case WHERE:
		return (long)map + (long)draw(12) * 4096 + !draw(8);
	case LENGTH:
		return draw(8) ? (long)draw(4) * 4096 : (long)draw(UINT_MAX) | INT_MIN;
	case PAGES:
		return (long)(draw(3) + 1) * 4096;
	case PROT:
		return draw(9);
	case NO_PID:
		return -(long)draw(1000) - 100000;
	case SOME_PID:
		return draw(2) ? 0 : -(long)draw(1000) - 100000;
	case OPEN:
		return opens[draw(ARRAY_SIZE(opens))] | O_NONBLOCK;
	case NONBLOCK:
		return draw(4) ? O_NONBLOCK : (long)draw(UINT_MAX) | 1L << 30;
	case NO_WHERE:
		return (long)0xffffffff;
	case CMD:
		return cmds[draw(ARRAY_SIZE(cmds))];
	case IOCMD:
		return (long)iocmds[draw(ARRAY_SIZE(iocmds))];
	case WAKE:
		return wakes[draw(ARRAY_SIZE(wakes))];
	case PRGET:
		return prget[draw(ARRAY_SIZE(prget))];
	case MODE:
		return draw(01000) | 0600;
	}

	return 0;
}

static void __attribute__((noreturn)) task(unsigned int id, u32 n, bool own)
{
	char dir[32];
	u32 sum = 2166136261U, i;
	int fd;

	state = 0x1234567 + id;
	snprintf(dir, sizeof(dir), "/tmp/calls%u", id);
	if (mkdir(dir, 0700) || chdir(dir) || mkdir("d", 0700))
		die("%s: %s", dir, strerror(errno));
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ FDS_MAX, FDS_MAX });
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ FILE_MAX, FILE_MAX });
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	for (i = 0; i < AREA; i++)
		in[i] = draw(256);
	memcpy(in_before, in, AREA);
	if (own && file_write(KEVENTS, "own"))
		die("%s: %s", KEVENTS, strerror(errno));
	for (fd = 0; fd < FDS_MAX; fd++)
		close(fd);

	for (i = 0; i < n; i++) {
		u32 what = draw(ARRAY_SIZE(calls));
		const struct call *c = &calls[what];
		long nr = c->nr >= 0 ? c->nr : (long)draw(40000) + 5001;
		long a[5], ret;
		unsigned int k;

		for (k = 0; k < ARRAY_SIZE(a); k++)
			a[k] = argument(c->arg[k]);
		errno = 0;
		ret = syscall(nr, a[0], a[1], a[2], a[3], a[4]);
		if (ret == -1)
			ret = -errno;
		else if (c->quiet)
			ret = 0;
		sum = (sum ^ what) * 16777619;
		sum = (sum ^ (u32)ret) * 16777619;
	}
	if (memcmp(in, in_before, AREA))
		sum = 0;
	shared->sum[id] = sum;
	shared->done[id] = i;
	_exit(0);
}

static char *area(void)
{
	char *p = mmap(NULL, AREA, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap: %s", strerror(errno));

	return p;
}

int main(int argc, char **argv)
{
	u64 n = 1000000, before, started, stopping, stopped;
	static struct klat k;
	unsigned int i;
	bool own;
	int status, bad = 0;

	if (argc > 1)
		n = parse_u64("calls", argv[1]);
	own = argc > 2 && !strcmp(argv[2], "own");
	if (argc > 3 || (argc > 2 && !own) || n < TASKS || n > UINT_MAX)
		die("usage: calls [CALLS [own]]");
	n /= TASKS;

	ktap_start(own ? 5 : 1);
	in = area();
	out = area();
	map = area();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	if (own && file_write(KEVENTS, "catch"))
		die("%s: %s", KEVENTS, strerror(errno));

	before = tb_read();
	if (own)
		klat_start(PERIOD);
	started = tb_read();
	for (i = 0; i < TASKS; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork: %s", strerror(errno));
		if (!pid)
			task(i, n, own);
	}
	for (i = 0; i < TASKS; i++) {
		pid_t pid = wait(&status);

		if (status)
			ktap_note("process %d ended with status %#x", pid, status);
		bad |= status;
	}
	stopping = tb_read();
	if (own)
		klat_pause();
	stopped = tb_read();

	for (i = 0; i < TASKS; i++) {
		ktap_note("task %u: %u calls, sum %08x", i, shared->done[i],
			  shared->sum[i]);
		if (shared->done[i] != n || !shared->sum[i])
			bad = 1;
	}
	ktap_ok(!bad, "%u tasks, %llu calls each", TASKS, (unsigned long long)n);
	if (own) {
		char text[1024];
		unsigned long seen = 0;
		char *line;

		klat_stop();
		if (file_read(KEVENTS, text, sizeof(text)) > 0 &&
		    (line = strstr(text, "syscall ")))
			sscanf(line, "syscall %lu", &seen);
		ktap_ok(seen >= TASKS * n, "%lu calls seen by the domain", seen);
		file_write(KEVENTS, "off");
		if (klat_read(KLATENCY, &k))
			die("%s: %s", KLATENCY, strerror(errno));
		ktap_ok(!k.overruns, "%llu overruns",
			(unsigned long long)k.overruns);
		ktap_ok(k.shots + 1 >= (stopping - started) / ns_to_tb(PERIOD),
			"%llu shots, none lost", (unsigned long long)k.shots);
		ktap_ok(k.shots <= (stopped - before) / ns_to_tb(PERIOD) + 1,
			"none doubled");
		ktap_note("latency min %llu avg %llu max %llu ns",
			  (unsigned long long)k.min_ns,
			  (unsigned long long)k.avg_ns,
			  (unsigned long long)k.max_ns);
	}

	return ktap_finish();
}
