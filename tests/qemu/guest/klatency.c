// SPDX-License-Identifier: GPL-2.0
/*
 * The in-kernel latency client's side of /proc: start and stop it, read what
 * it has measured, and show that as a table and a histogram.  The tick probe
 * of the benchmarks has the same format and is read by the same code.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

#define BAR_WIDTH	40
#define ROWS_MAX	24

static char text[256 * 1024];

static void parse_line(struct klat *k, const char *line)
{
	const struct {
		const char *key;
		u64 *value;
	} keys[] = {
		{ "period_ns", &k->period_ns },
		{ "shots", &k->shots },
		{ "overruns", &k->overruns },
		{ "early", &k->early },
		{ "irqsoff_shots", &k->irqsoff_shots },
		{ "min_ns", &k->min_ns },
		{ "avg_ns", &k->avg_ns },
		{ "max_ns", &k->max_ns },
		{ "stddev_ns", &k->stddev_ns },
		{ "min_ticks", &k->min_ticks },
		{ "avg_ticks_x1000", &k->avg_ticks_x1000 },
		{ "max_ticks", &k->max_ticks },
		{ "stddev_ticks_x1000", &k->stddev_ticks_x1000 },
		{ "tick_hz", &k->tick_hz },
	};
	struct klat_bin *bin;
	unsigned long long value, high, count;
	char key[32], word[64];
	unsigned int i;

	if (sscanf(line, "hist %llu %llu %llu", &value, &high, &count) == 3) {
		if (k->nr_bins == HIST_MAX)
			die("a histogram of more than %u bins", HIST_MAX);
		bin = &k->bin[k->nr_bins++];
		bin->low_ns = value;
		bin->high_ns = high;
		bin->count = count;
		return;
	}
	if (sscanf(line, "%31s %63s", key, word) != 2)
		return;
	if (!strcmp(key, "state")) {
		snprintf(k->state, sizeof(k->state), "%.31s", word);
		return;
	}
	if (!strcmp(key, "max_at")) {
		snprintf(k->max_at, sizeof(k->max_at), "%s", word);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(key, keys[i].key))
			*keys[i].value = strtoull(word, NULL, 10);
}

/* 0, or -1 with errno when there is no such file. */
int klat_read(const char *path, struct klat *k)
{
	char *line, *save;
	ssize_t len;

	memset(k, 0, sizeof(*k));
	len = file_read(path, text, sizeof(text));
	if (len < 0)
		return -1;
	if (len == sizeof(text) - 1)
		die("%s: longer than expected", path);
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		parse_line(k, line);

	return 0;
}

static void command(const char *what)
{
	if (file_write(KLATENCY, what))
		die("%s: '%s': %s", KLATENCY, what, strerror(errno));
}

/* From nought: starting forgets what was measured before. */
void klat_start(u64 period_ns)
{
	char buf[48];

	snprintf(buf, sizeof(buf), "start %llu", (unsigned long long)period_ns);
	command(buf);
}

/* No more shots, but the domain stays, and can be looked at in /proc/ipipe. */
void klat_pause(void)
{
	command("pause");
}

void klat_stop(void)
{
	command("stop");
}

u64 klat_shots(void)
{
	static struct klat k;

	if (klat_read(KLATENCY, &k))
		die("%s: %s", KLATENCY, strerror(errno));

	return k.shots;
}

u64 klat_hist_sum(const struct klat *k)
{
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < k->nr_bins; i++)
		sum += k->bin[i].count;

	return sum;
}

/* Binary logarithm, in 64ths; of 1 and less: 0. */
static unsigned int log2_x64(u64 x)
{
	unsigned int log = 0, bit;
	u64 y;

	if (x <= 1)
		return 0;
	while (x >> (log + 1))
		log++;
	/* The mantissa as 1.31 bits, squared once for each further digit. */
	y = log > 31 ? x >> (log - 31) : x << (31 - log);
	for (bit = 0; bit < 6; bit++) {
		y = (y * y) >> 31;
		log <<= 1;
		if (y >> 32) {
			y >>= 1;
			log |= 1;
		}
	}

	return log;
}

/* The upper edge of the bin in which the given part of all shots is reached. */
static u64 quantile(const struct klat *k, u64 num, u64 den)
{
	u64 sum = 0, all = klat_hist_sum(k);
	unsigned int i;

	for (i = 0; i < k->nr_bins; i++) {
		sum += k->bin[i].count;
		if (sum >= mul_div(all, num, den) + 1)
			break;
	}
	if (!k->nr_bins)
		return 0;
	if (i == k->nr_bins)
		i--;

	return k->bin[i].high_ns < k->max_ns ? k->bin[i].high_ns : k->max_ns;
}

/* Where the row that begins at LOW ends. */
static u64 row_end(u64 low, u64 width)
{
	if (width)
		return low + width;

	return low + (low / 2 ? low / 2 : 1);
}

/*
 * Rows of equal width where they can show the shape, else each half as long
 * again as the one before: a long tail must neither hide nor be cut off.
 */
static u64 row_width(const struct klat *k, u64 low, u64 high)
{
	static const u64 nice[] = { 1, 2, 5 };
	u64 step = 1, width;
	unsigned int i;

	if (high / 32 > low || k->nr_bins <= 1)
		return k->nr_bins <= 1 ? high - low + 1 : 0;
	for (;; step *= 10) {
		for (i = 0; i < ARRAY_SIZE(nice); i++) {
			width = nice[i] * step;
			if ((high - low) / width < ROWS_MAX)
				return width;
		}
	}
}

static void show_histogram(const struct klat *k, unsigned int insn_ns)
{
	u64 low, high, end, width, count, most = 0;
	unsigned int i, len, pass;

	if (!k->nr_bins)
		return;
	low = k->bin[0].low_ns;
	high = k->bin[k->nr_bins - 1].high_ns;
	if (high > k->max_ns + 1)
		high = k->max_ns + 1;
	width = row_width(k, low, high);
	if (width > 1 && k->nr_bins > 1)
		low -= low % width;

	printf("\n  %15s  %15s  %9s\n", "ns", "instructions", "shots");
	/* The first pass only finds how high the highest row is. */
	for (pass = 0; pass < 2; pass++) {
		u64 from = low;

		for (i = 0; i < k->nr_bins; from = end) {
			end = row_end(from, width);
			count = 0;
			for (; i < k->nr_bins && k->bin[i].low_ns < end; i++)
				count += k->bin[i].count;
			if (!pass) {
				if (count > most)
					most = count;
				continue;
			}
			printf("  %6llu - %6llu  %6llu - %6llu  %9llu  ",
			       (unsigned long long)from,
			       (unsigned long long)end - 1,
			       (unsigned long long)from / insn_ns,
			       (unsigned long long)(end - 1) / insn_ns,
			       (unsigned long long)count);
			len = 0;
			if (count)
				len = 1 + log2_x64(count) * (BAR_WIDTH - 1) /
					  (log2_x64(most) ? log2_x64(most) : 1);
			while (len--)
				putchar('#');
			putchar('\n');
		}
	}
	printf("  (bars: logarithm of the number of shots)\n");
}

static void show_value(const char *what, u64 ns, unsigned int insn_ns)
{
	printf("  %-10s %9llu ns %9llu instructions\n", what,
	       (unsigned long long)ns, (unsigned long long)ns / insn_ns);
}

void klat_show(const struct klat *k)
{
	unsigned int insn_ns;
	char buf[16];

	/* QEMU's -icount shift=N: an instruction is 2^N ns. */
	if (!cmdline_value("ipipe.shift", buf, sizeof(buf)))
		snprintf(buf, sizeof(buf), "2");
	insn_ns = 1u << (parse_u64("ipipe.shift", buf) & 15);

	printf("\nTimer latency in a head domain: from the programmed time to the handler\n");
	printf("  %-10s %9llu ns\n", "period",
	       (unsigned long long)k->period_ns);
	printf("  %-10s %9llu\n", "shots", (unsigned long long)k->shots);
	printf("  %-10s %9llu\n", "overruns", (unsigned long long)k->overruns);
	show_value("min", k->min_ns, insn_ns);
	show_value("avg", k->avg_ns, insn_ns);
	show_value("stddev", k->stddev_ns, insn_ns);
	show_value("99 %", quantile(k, 99, 100), insn_ns);
	show_value("99.99 %", quantile(k, 9999, 10000), insn_ns);
	show_value("max", k->max_ns, insn_ns);
	if (k->max_at[0])
		printf("  %-10s %s\n", "max at", k->max_at);
	show_histogram(k, insn_ns);
	printf("\nNot hardware: a count of the emulated instructions on the path, times %u ns.\n"
	       "No cache misses are in it, and of the TLB only the miss handlers.\n",
	       insn_ns);
}
