// SPDX-License-Identifier: GPL-2.0
/*
 * tsc [TURNS]: the counter of user mode and that of the kernel over so many turns
 * of its lower 32 bits: neither goes backwards, they agree, and a client that
 * asks for shots at times of that counter gets each of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

#define PERIOD_NS	100000000ull
/* More than a sleep can be late, see clocks.c. */
#define EARLY_NS	20000000ull
#define PPM_MAX		100

static u64 raw_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC_RAW, &ts))
		die("CLOCK_MONOTONIC_RAW: %s", strerror(errno));

	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

#ifndef __powerpc__
/* What may not be mapped: more or less than it is, or to be written. */
static bool refused(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	const struct {
		size_t size;
		int prot, error;
		off_t at;
	} wrong[] = {
		{ page, PROT_READ, EINVAL, 0 },
		{ 3 * page, PROT_READ, EINVAL, 0 },
		{ 2 * page, PROT_READ, EINVAL, page },
		{ 2 * page, PROT_READ | PROT_EXEC, EPERM, 0 },
	};
	int fd = open(TSC_FILE, O_RDONLY);
	bool ok = fd >= 0;
	unsigned int i;
	void *map;

	for (i = 0; ok && i < ARRAY_SIZE(wrong); i++) {
		map = mmap(NULL, wrong[i].size, wrong[i].prot, MAP_SHARED, fd,
			   wrong[i].at);
		if (map != MAP_FAILED || errno != wrong[i].error) {
			ktap_note("%u: %s", i, map == MAP_FAILED ? strerror(errno) : "mapped");
			ok = false;
		}
	}
	map = mmap(NULL, 2 * page, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED || !mprotect(map, page, PROT_READ | PROT_WRITE)) {
		ktap_note("a mapping can be made writable");
		ok = false;
	}
	/* The file itself cannot be opened for writing by a mapping that shares it. */
	if (fd >= 0)
		close(fd);
	fd = open(TSC_FILE, O_RDWR);
	if (fd >= 0) {
		map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (map != MAP_FAILED || errno != EPERM) {
			ktap_note("a mapping to be written");
			ok = false;
		}
		close(fd);
	}

	return ok;
}
#endif

int main(int argc, char **argv)
{
	u64 turns = 10, start, now, last, next, raw0, raw, by, started, shots, due;
	unsigned int backwards = 0;
	static struct klat k;

	if (argc > 2)
		die("usage: tsc [TURNS]");
	if (argc > 1)
		turns = parse_u64("turns", argv[1]);

	ktap_start(5);
	if (!ktap_ok(tb_counter(), "there is a counter that user mode can read"))
		return ktap_finish();
#ifdef __powerpc__
	ktap_skip("it needs no mapping");
#else
	ktap_ok(refused(), "it can be mapped in one way only");
#endif

	klat_start(PERIOD_NS);
	started = tb_read();
	raw0 = raw_ns();
	start = last = tb_read();
	/* To shortly before each half turn, where the upper half changes, and past it. */
	while (last - start < turns << 32) {
		next = (last | 0x7fffffff) + 1;
		if (next - last > ns_to_tb(2 * EARLY_NS))
			sleep_ns(tb_to_ns(next - last) - EARLY_NS);
		do {
			now = tb_read();
			backwards += now < last;
			last = now;
		} while (now < next);
	}
	ktap_ok(!backwards, "%u steps backwards in %llu turns", backwards,
		(unsigned long long)((last - start) >> 32));

	raw = raw_ns() - raw0;
	by = tb_to_ns(tb_read() - start);
	by = by > raw ? by - raw : raw - by;
	ktap_ok(by < raw / 1000000 * PPM_MAX, "%llu ns from CLOCK_MONOTONIC_RAW in %llu s",
		(unsigned long long)by, (unsigned long long)(raw / 1000000000));

	klat_pause();
	due = tb_to_ns(tb_read() - started) / PERIOD_NS;
	if (klat_read(KLATENCY, &k))
		die("%s: %s", KLATENCY, strerror(errno));
	shots = k.shots;
	klat_stop();
	ktap_ok(shots + 2 >= due && shots <= due + 2 && !k.overruns,
		"%llu shots, %llu due by this counter, %llu overruns",
		(unsigned long long)shots, (unsigned long long)due,
		(unsigned long long)k.overruns);

	return ktap_finish();
}
