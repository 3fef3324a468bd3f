// SPDX-License-Identifier: GPL-2.0
/*
 * bench [load=plain|dohell] [client=PERIOD_NS] [events=catch|own] [samples=N] [METRIC...]
 *
 * What the kernel's services cost, in the manner of LMbench, and how late the
 * timer interrupt is, alone or beside the load, with the latency client running
 * in a head domain or without it.  Prints a line for each metric:
 *
 *   row METRIC SAMPLES MIN AVG MAX STDDEV	in ns
 *   hist METRIC LOW HIGH COUNT			likewise, where there is one
 *
 * The time is the timebase, read in user space: no clock of the kernel under
 * test takes part.  irq_timer comes from the kernel: from the client where it
 * runs, else from the tick probe.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define SELECT_FDS	500
#define MAP_SIZE	(1024 * 1024)
#define MAP_STRIDE	(4 * 4096)
#define FILE_NAME	"/tmp/bench"

/*
 * Each of these does an operation N times, and returns the ticks that it took.
 * What has to be set up for it is set up at the first call, which is not
 * counted; it warms the caches of the kernel too.
 */
static u64 do_getppid(unsigned int n)
{
	u64 start = tb_read();

	/* Not through the C library, which may know the answer. */
	while (n--)
		syscall(SYS_getppid);

	return tb_read() - start;
}

static u64 do_gettimeofday(unsigned int n)
{
	struct timeval tv;
	u64 start = tb_read();

	/* Not through the vDSO, which never enters the kernel. */
	while (n--)
		syscall(SYS_gettimeofday, &tv, NULL);

	return tb_read() - start;
}

static u64 do_fork(unsigned int n)
{
	u64 start = tb_read();
	pid_t pid;

	while (n--) {
		pid = fork();
		if (!pid)
			_exit(0);
		if (pid < 0)
			die("fork: %s", strerror(errno));
		waitpid(pid, NULL, 0);
	}

	return tb_read() - start;
}

static u64 do_execve(unsigned int n)
{
	u64 start = tb_read();
	int status;
	pid_t pid;

	while (n--) {
		pid = fork();
		if (!pid) {
			execl("/bin/tiny", "tiny", NULL);
			_exit(1);
		}
		if (pid < 0)
			die("fork: %s", strerror(errno));
		if (waitpid(pid, &status, 0) != pid || status)
			die("/bin/tiny: status %#x", status);
	}

	return tb_read() - start;
}

static u64 do_open_close(unsigned int n)
{
	u64 start;
	int fd;

	fd = open(FILE_NAME, O_RDWR | O_CREAT, 0600);
	if (fd < 0)
		die(FILE_NAME ": %s", strerror(errno));
	close(fd);

	start = tb_read();
	while (n--) {
		fd = open(FILE_NAME, O_RDONLY);
		if (fd < 0)
			die(FILE_NAME ": %s", strerror(errno));
		close(fd);
	}

	return tb_read() - start;
}

static u64 do_select(unsigned int n)
{
	static int first = -1, last;
	struct timeval tv;
	fd_set in, set;
	u64 start;
	int i, fd;

	if (first < 0) {
		for (i = 0; i < SELECT_FDS; i++) {
			fd = open(FILE_NAME, O_RDWR | O_CREAT, 0600);
			if (fd < 0)
				die(FILE_NAME ": %s", strerror(errno));
			if (!i)
				first = fd;
			last = fd;
		}
	}
	FD_ZERO(&in);
	for (i = first; i <= last; i++)
		FD_SET(i, &in);

	start = tb_read();
	while (n--) {
		set = in;
		tv.tv_sec = 0;
		tv.tv_usec = 0;
		if (select(last + 1, &set, NULL, NULL, &tv) != SELECT_FDS)
			die("select: %s", strerror(errno));
	}

	return tb_read() - start;
}

static void select_done(void)
{
	int fd;

	/* The next metric forks, and a fork copies the table of files. */
	for (fd = 3; fd < SELECT_FDS + 16; fd++)
		close(fd);
}

static u64 do_mmap(unsigned int n)
{
	u64 start = tb_read();
	volatile char *at;
	unsigned int i;

	while (n--) {
		at = mmap(NULL, MAP_SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			die("mmap: %s", strerror(errno));
		for (i = 0; i < MAP_SIZE; i += MAP_STRIDE)
			at[i] = 1;
		munmap((void *)at, MAP_SIZE);
	}

	return tb_read() - start;
}

/* The far end of two pipes: it ends when its input does. */
static pid_t echo_start(int *to, int *from)
{
	int there[2], back[2];
	char byte;
	pid_t pid;

	if (pipe(there) || pipe(back))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		close(there[1]);
		close(back[0]);
		while (read(there[0], &byte, 1) == 1)
			if (write(back[1], &byte, 1) != 1)
				break;
		_exit(0);
	}
	if (pid < 0)
		die("fork: %s", strerror(errno));
	close(there[0]);
	close(back[1]);
	*to = there[1];
	*from = back[0];

	return pid;
}

static u64 pass(int to, int from, unsigned int n)
{
	u64 start = tb_read();
	char byte = 0;

	while (n--)
		if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
			die("pipe: %s", strerror(errno));

	return tb_read() - start;
}

static pid_t echo_pid;
static int echo_to, echo_from;

/* There and back: two writes, two reads, two switches. */
static u64 do_pipe(unsigned int n)
{
	if (!echo_pid)
		echo_pid = echo_start(&echo_to, &echo_from);

	return pass(echo_to, echo_from, n);
}

/*
 * A token round a ring of two processes, less what the same writes and reads
 * take within one process: the switch, with the sleep and the wake-up.
 */
static u64 do_ctx(unsigned int n)
{
	static int own[2];
	u64 ring, alone;

	if (!echo_pid) {
		echo_pid = echo_start(&echo_to, &echo_from);
		if (pipe(own))
			die("pipe: %s", strerror(errno));
	}
	ring = pass(echo_to, echo_from, n) / 2;
	alone = pass(own[1], own[0], n);

	/* Under a load the second may have been the slower one. */
	return ring > alone ? ring - alone : 0;
}

static void echo_done(void)
{
	close(echo_to);
	close(echo_from);
	waitpid(echo_pid, NULL, 0);
	echo_pid = 0;
}

/* A system call that a head domain has: there and back. */
static u64 do_head_call(unsigned int n)
{
	u64 start = tb_read();
	unsigned int i;

	for (i = 0; i < n; i++)
		if (syscall(KEVENTS_CALL, i) != (long)i + 1)
			die("the domain does not answer: %s", strerror(errno));

	return tb_read() - start;
}

#define HEAD_CALL	"head_call"

static const struct metric {
	const char *name;
	u64 (*run)(unsigned int n);
	void (*done)(void);
	unsigned int samples, batch;
} metrics[] = {
	{ "getppid",		do_getppid,	NULL,		500, 200 },
	{ "gettimeofday",	do_gettimeofday, NULL,		500, 100 },
	{ "fork",		do_fork,	NULL,		300, 1 },
	{ "open_close",		do_open_close,	NULL,		5000, 10 },
	{ "execve",		do_execve,	NULL,		150, 1 },
	{ "select_500fd",	do_select,	select_done,	200, 5 },
	{ "mmap",		do_mmap,	NULL,		1000, 1 },
	{ "pipe",		do_pipe,	echo_done,	5000, 10 },
	{ "ctx",		do_ctx,		echo_done,	5000, 10 },
	/* Only where the domain of kevents has the calls of this task. */
	{ HEAD_CALL,		do_head_call,	NULL,		500, 200 },
};

static void measure(const struct metric *m)
{
	struct stats s;
	unsigned int i;

	stats_init(&s, m->samples);
	m->run(m->batch);
	for (i = 0; i < m->samples; i++)
		stats_add(&s, m->run(m->batch));
	if (m->done)
		m->done();
	stats_row(m->name, &s, m->batch);
	stats_done(&s);
}

static void irq_timer(bool client, u64 period, u64 samples)
{
	const char *path = client ? KLATENCY : TICK_PROBE;
	static struct klat k;

	/* Nothing of the other metrics in it. */
	if (client)
		klat_start(period);
	else if (file_write(path, "reset"))
		die("%s: %s", path, strerror(errno));

	do {
		sleep_ns(50000000);
		if (klat_read(path, &k))
			die("%s: %s", path, strerror(errno));
	} while (k.shots < samples);
	if (client) {
		klat_stop();
		klat_read(path, &k);
	}
	if (klat_hist_sum(&k) != k.shots)
		die("%s: %llu shots, %llu in the histogram", path,
		    (unsigned long long)k.shots,
		    (unsigned long long)klat_hist_sum(&k));
	if (k.overruns)
		die("%s: %llu overruns", path, (unsigned long long)k.overruns);
	if (k.early)
		die("%s: %llu ticks before their time", path,
		    (unsigned long long)k.early);
	klat_row("irq_timer", &k);
}

int main(int argc, char **argv)
{
	const char *load = "plain", *events = NULL;
	u64 client = 0, samples = 0;
	bool all = true, timer = false, wanted[ARRAY_SIZE(metrics)] = { 0 };
	pid_t pid = 0;
	unsigned int i;
	int a;

	tb_plain();
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (a = 1; a < argc; a++) {
		if (!strncmp(argv[a], "load=", 5)) {
			load = argv[a] + 5;
			continue;
		}
		if (!strncmp(argv[a], "client=", 7)) {
			client = parse_u64("client", argv[a] + 7);
			continue;
		}
		if (!strncmp(argv[a], "events=", 7)) {
			events = argv[a] + 7;
			continue;
		}
		if (!strncmp(argv[a], "samples=", 8)) {
			samples = parse_u64("samples", argv[a] + 8);
			continue;
		}
		all = false;
		if (!strcmp(argv[a], "irq_timer")) {
			timer = true;
			continue;
		}
		for (i = 0; i < ARRAY_SIZE(metrics); i++)
			if (!strcmp(argv[a], metrics[i].name))
				break;
		if (i == ARRAY_SIZE(metrics))
			die("no metric '%s'", argv[a]);
		wanted[i] = true;
	}
	if (events && strcmp(events, "catch") && strcmp(events, "own"))
		die("events=%s: catch or own", events);
	if (strcmp(load, "plain") && strcmp(load, "dohell"))
		die("no load '%s'", load);
	/* The tick comes 250 times a second, the client's shot 10,000 times. */
	if (!samples)
		samples = client ? 1000000 : 12500;

	if (!strcmp(load, "dohell"))
		pid = load_start();
	if (client)
		klat_start(client);
	if (events && (file_write(KEVENTS, "calls") ||
		       (!strcmp(events, "own") && file_write(KEVENTS, "own"))))
		die("%s: %s", KEVENTS, strerror(errno));
	for (i = 0; i < ARRAY_SIZE(metrics); i++) {
		if (all && !strcmp(metrics[i].name, HEAD_CALL))
			continue;
		if (all || wanted[i])
			measure(&metrics[i]);
	}
	if (client)
		klat_stop();
	if (all || timer)
		irq_timer(client, client, samples);
	if (pid)
		load_stop(pid);

	return 0;
}
