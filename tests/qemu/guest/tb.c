// SPDX-License-Identifier: GPL-2.0
/*
 * The timebase, its frequency, and integer arithmetic wide enough for both.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

/* a * b / c over 96 and more bits, for c below 2^63: long division. */
u64 mul_div(u64 a, u64 b, u64 c)
{
	u64 a0 = (u32)a, a1 = a >> 32, b0 = (u32)b, b1 = b >> 32;
	u64 low = a0 * b0;
	u64 mid = a1 * b0 + (low >> 32);
	u64 mid2 = a0 * b1 + (u32)mid;
	u64 high = a1 * b1 + (mid >> 32) + (mid2 >> 32);
	u64 quot = 0;
	int i;

	low = mid2 << 32 | (u32)low;
	if (!high)
		return low / c;

	high %= c;
	for (i = 0; i < 64; i++) {
		high = high << 1 | low >> 63;
		low <<= 1;
		quot <<= 1;
		if (high >= c) {
			high -= c;
			quot |= 1;
		}
	}

	return quot;
}

u64 isqrt(u64 x)
{
	u64 root = 0, bit = 1ull << 62;

	while (bit > x)
		bit >>= 2;
	for (; bit; bit >>= 2) {
		if (x >= root + bit) {
			x -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}

	return root;
}

#ifdef __powerpc__
u64 tb_hz(void)
{
	static char buf[4096];
	static u64 hz;
	char *at;

	if (hz)
		return hz;
	if (file_read("/proc/cpuinfo", buf, sizeof(buf)) < 0)
		die("/proc/cpuinfo: %s", strerror(errno));
	at = strstr(buf, "\ntimebase");
	at = at ? strchr(at, ':') : NULL;
	hz = at ? strtoull(at + 1, NULL, 10) : 0;
	if (!hz)
		die("/proc/cpuinfo does not tell the timebase frequency");

	return hz;
}
#else
/*
 * The counter that the pipeline lets programs read: asm/ipipe_tsc.h of the patched
 * kernel. Where there is none the kernel's clock has to do, in ns.
 */
struct tsc_page {
	u32 version, rate, offset, high;
};

static const volatile struct tsc_page *page;
static bool looked, plain;

void tb_plain(void)
{
	plain = true;
}

bool tb_counter(void)
{
	size_t size = 2 * sysconf(_SC_PAGESIZE);
	void *map;
	int fd;

	if (looked)
		return page;
	looked = true;
	fd = plain ? -1 : open(TSC_FILE, O_RDONLY);
	if (fd < 0)
		return false;
	map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		die("%s: %s", TSC_FILE, strerror(errno));
	page = map;
	if (page->version != 1)
		die("%s: version %u", TSC_FILE, page->version);

	return true;
}

u64 tb_hz(void)
{
	return tb_counter() ? page->rate : 1000000000;
}

u64 tb_read(void)
{
	struct timespec ts;
	u32 high, low;

	if (!tb_counter()) {
		clock_gettime(CLOCK_MONOTONIC, &ts);
		return ts.tv_sec * 1000000000ull + ts.tv_nsec;
	}

	do {
		high = page->high;
		low = *(const volatile u32 *)((const char *)page + page->offset);
	} while (high != page->high);
	/* The kernel has not seen yet that the counter came to its other half. */
	if ((high ^ low >> 31) & 1)
		high++;

	return (u64)(high >> 1) << 32 | low;
}
#endif

u64 tb_to_ns(u64 ticks)
{
	return mul_div(ticks, 1000000000, tb_hz());
}

u64 ns_to_tb(u64 ns)
{
	return mul_div(ns, tb_hz(), 1000000000);
}

void sleep_ns(u64 ns)
{
	struct timespec ts = {
		.tv_sec = ns / 1000000000,
		.tv_nsec = ns % 1000000000,
	};

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
}
