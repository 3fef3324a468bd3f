// SPDX-License-Identifier: GPL-2.0
/*
 * clocks [SECONDS [PERIOD_NS]]: Linux's own clocks and timers stay right while
 * a head domain owns the hardware timer.  The timebase is the reference.  With
 * a period of 0 nobody takes the timer: then it tests the test.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

#define PPM_MAX		100
#define MSEC		1000000ull
#define SEC		1000000000ull

static u64 tick_ns;		/* a tick of Linux's, from the kernel */
static volatile sig_atomic_t alarms;

static u64 clock_ns(clockid_t id)
{
	struct timespec ts;

	if (clock_gettime(id, &ts))
		die("clock %d: %s", id, strerror(errno));

	return ts.tv_sec * SEC + ts.tv_nsec;
}

/* The system call; on PowerPC the C library's function stays in user space. */
static u64 clock_call_ns(clockid_t id)
{
	long ts[2];	/* the old timespec: two longs */

	if (syscall(SYS_clock_gettime, id, ts))
		die("clock %d: %s", id, strerror(errno));

	return (u64)ts[0] * SEC + ts[1];
}

struct pair {
	u64 tb, ns;
};

/* The clock and the timebase at the same time: the closest of some tries. */
static struct pair look(clockid_t id)
{
	struct pair best = { 0, 0 };
	u64 before, after, ns, span, least = ~0ull;
	int i;

	for (i = 0; i < 8; i++) {
		before = tb_read();
		ns = clock_ns(id);
		after = tb_read();
		span = after - before;
		if (span < least) {
			least = span;
			best.tb = before + span / 2;
			best.ns = ns;
		}
	}

	return best;
}

/* How far the clock has run from the timebase since FIRST, in ppm. */
static u64 drift_ppm(clockid_t id, struct pair first, u64 *by)
{
	struct pair now = look(id);
	u64 real = tb_to_ns(now.tb - first.tb), ns = now.ns - first.ns;

	*by = ns > real ? ns - real : real - ns;

	return (*by * 1000000 + real - 1) / real;
}

static u64 backwards;

/* In a burst, by both ways: none may show less than the one before. */
static void watch(clockid_t id, u64 *last)
{
	u64 ns;
	int i;

	for (i = 0; i < 400; i++) {
		ns = i & 1 ? clock_call_ns(id) : clock_ns(id);
		if (ns < *last)
			backwards++;
		*last = ns;
	}
}

/* Was it neither too early nor, by more than two ticks and a bit, too late? */
static bool in_time(const char *what, u64 want, u64 start)
{
	u64 took = tb_to_ns(tb_read() - start);

	if (took >= want && took < want + 2 * tick_ns + MSEC)
		return true;
	ktap_note("%s of %llu ns took %llu ns", what, (unsigned long long)want,
		  (unsigned long long)took);

	return false;
}

static bool nanosleeps(void)
{
	static const u64 want[] = {
		MSEC, 3 * MSEC, 4 * MSEC, 10 * MSEC, 17 * MSEC, 50 * MSEC,
		123 * MSEC, 400 * MSEC,
	};
	unsigned int i;
	bool ok = true;
	u64 start;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		start = tb_read();
		sleep_ns(want[i]);
		ok &= in_time("a nanosleep", want[i], start);
	}

	return ok;
}

static bool polls(void)
{
	static const unsigned int want[] = { 1, 5, 20, 100, 333 };
	unsigned int i;
	bool ok = true;
	u64 start;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		start = tb_read();
		poll(NULL, 0, want[i]);
		ok &= in_time("a poll", want[i] * MSEC, start);
	}

	return ok;
}

static void on_alarm(int sig)
{
	(void)sig;
	alarms++;
}

/* 50 alarms at 20 ms: they come one by one, and no slip adds up. */
static bool interval_timer(void)
{
	const struct itimerval every = { { 0, 20000 }, { 0, 20000 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = on_alarm };
	sigset_t block, old;
	bool ok = true;
	u64 start;
	int i;

	sigaction(SIGALRM, &action, NULL);
	sigemptyset(&block);
	sigaddset(&block, SIGALRM);
	sigprocmask(SIG_BLOCK, &block, &old);
	alarms = 0;
	start = tb_read();
	setitimer(ITIMER_REAL, &every, NULL);
	for (i = 1; i <= 50; i++) {
		sigsuspend(&old);
		ok &= alarms == i;
		ok &= in_time("an interval timer", i * 20 * MSEC, start);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	sigprocmask(SIG_SETMASK, &old, NULL);

	return ok;
}

/*
 * The terminal layer sleeps by jiffies, not by a clock: a read from a terminal
 * where nobody types gives up after VTIME tenths of a second.  Two at most:
 * beyond 63 jiffies the timer wheel rounds up, to 8 of them and more.
 */
static int terminal_sleep(void)
{
	struct termios tio;
	int master, slave;
	bool ok = true;
	char byte;
	u64 start;
	int tenths;

	master = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) || unlockpt(master))
		return -1;
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0 || tcgetattr(slave, &tio))
		return -1;
	for (tenths = 1; tenths <= 2; tenths++) {
		cfmakeraw(&tio);
		tio.c_cc[VMIN] = 0;
		tio.c_cc[VTIME] = tenths;
		tcsetattr(slave, TCSANOW, &tio);
		start = tb_read();
		if (read(slave, &byte, 1))
			ok = false;
		/* Counted from a tick on, so it may be one tick short. */
		ok &= in_time("a terminal read",
			      tenths * 100 * MSEC - tick_ns, start);
	}
	close(slave);
	close(master);

	return ok;
}

int main(int argc, char **argv)
{
	struct pair mono, real, raw;
	u64 seconds = 60, period = 100000, by, ppm, lag, worst = 0, end;
	u64 last_mono = 0, last_real = 0, tb0, ticks, hz, off;
	static struct klat k;
	struct timespec res;
	struct tms tms;
	clock_t jiffies;
	int ok;

	if (argc > 1)
		seconds = parse_u64("seconds", argv[1]);
	if (argc > 2)
		period = parse_u64("period", argv[2]);
	if (argc > 3 || !seconds)
		die("usage: clocks [SECONDS [PERIOD_NS]]");
	clock_getres(CLOCK_MONOTONIC_COARSE, &res);
	tick_ns = res.tv_nsec;
	hz = sysconf(_SC_CLK_TCK);

	ktap_start(12);
	ktap_ok(tb_counter(), "the reference is no clock of the kernel's");
	if (period)
		klat_start(period);

	mono = look(CLOCK_MONOTONIC);
	real = look(CLOCK_REALTIME);
	raw = look(CLOCK_MONOTONIC_RAW);
	/* From the change of one tick on, so that the count is exact. */
	jiffies = times(&tms);
	while (times(&tms) == jiffies)
		;
	jiffies = times(&tms);
	tb0 = tb_read();

	ok = nanosleeps();
	ktap_ok(ok, "nanosleep");
	ok = polls();
	ktap_ok(ok, "poll");
	ok = interval_timer();
	ktap_ok(ok, "interval timer");
	ok = terminal_sleep();
	if (ok < 0)
		ktap_skip("no pseudo terminals for a sleep by jiffies");
	else
		ktap_ok(ok, "a sleep by jiffies");

	end = mono.tb + ns_to_tb(seconds * SEC);
	while (tb_read() < end) {
		watch(CLOCK_MONOTONIC, &last_mono);
		watch(CLOCK_REALTIME, &last_real);
		/* The coarse clock is as of the last tick, so it is the tick. */
		lag = clock_ns(CLOCK_MONOTONIC);
		off = clock_ns(CLOCK_MONOTONIC_COARSE);
		lag = lag > off ? lag - off : 0;
		if (lag > worst)
			worst = lag;
		sleep_ns(37 * MSEC);
	}
	ktap_ok(worst < 2 * tick_ns, "the tick is at most %llu ns late",
		(unsigned long long)(worst > tick_ns ? worst - tick_ns : 0));

	ppm = drift_ppm(CLOCK_MONOTONIC, mono, &by);
	ktap_ok(ppm < PPM_MAX, "CLOCK_MONOTONIC: %llu ns, under %llu ppm",
		(unsigned long long)by, (unsigned long long)ppm + 1);
	ppm = drift_ppm(CLOCK_REALTIME, real, &by);
	ktap_ok(ppm < PPM_MAX, "CLOCK_REALTIME: %llu ns, under %llu ppm",
		(unsigned long long)by, (unsigned long long)ppm + 1);
	ppm = drift_ppm(CLOCK_MONOTONIC_RAW, raw, &by);
	ktap_ok(ppm < PPM_MAX, "CLOCK_MONOTONIC_RAW: %llu ns, under %llu ppm",
		(unsigned long long)by, (unsigned long long)ppm + 1);
	ktap_ok(!backwards, "%llu steps backwards",
		(unsigned long long)backwards);

	/* jiffies, in units of USER_HZ: no tick lost, none doubled. */
	ticks = times(&tms) - jiffies;
	by = tb_to_ns(tb_read() - tb0) * hz / SEC;
	ktap_ok(ticks + 1 >= by && ticks <= by + 1,
		"%llu ticks of 1/%llu s by jiffies, %llu by the timebase",
		(unsigned long long)ticks, (unsigned long long)hz,
		(unsigned long long)by);

	if (!period) {
		ktap_skip("nobody has the timer");
	} else {
		by = tb_to_ns(tb_read() - tb0) / period;
		if (klat_read(KLATENCY, &k))
			die("%s: %s", KLATENCY, strerror(errno));
		klat_stop();
		ktap_ok(k.shots >= by && !k.overruns,
			"the client had %llu shots, %llu overruns",
			(unsigned long long)k.shots,
			(unsigned long long)k.overruns);
	}

	return ktap_finish();
}
