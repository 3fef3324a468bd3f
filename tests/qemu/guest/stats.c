// SPDX-License-Identifier: GPL-2.0
/*
 * Samples of a benchmark and the row of figures that comes out of them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "guest.h"

void stats_init(struct stats *s, unsigned int size)
{
	s->n = 0;
	s->size = size;
	s->ticks = calloc(size, sizeof(*s->ticks));
	if (!s->ticks)
		die("no memory for %u samples", size);
}

void stats_done(struct stats *s)
{
	free(s->ticks);
	s->ticks = NULL;
}

void stats_add(struct stats *s, u64 ticks)
{
	if (s->n == s->size)
		die("more samples than room for them");
	s->ticks[s->n++] = ticks;
}

static void print_tenths(u64 tenths)
{
	printf(" %llu.%llu", (unsigned long long)tenths / 10,
	       (unsigned long long)tenths % 10);
}

/*
 * "row METRIC SAMPLES MIN AVG MAX STDDEV", in ns with one decimal.  A sample
 * is the time of BATCH operations in a row, a figure that of one operation.
 */
void stats_row(const char *metric, const struct stats *s, unsigned int batch)
{
	u64 min = ~0ull, max = 0, sum = 0, squares = 0, mean, diff;
	u64 per = tb_hz() * batch;
	unsigned int i;

	if (!s->n)
		die("%s: no samples", metric);

	for (i = 0; i < s->n; i++) {
		sum += s->ticks[i];
		if (s->ticks[i] < min)
			min = s->ticks[i];
		if (s->ticks[i] > max)
			max = s->ticks[i];
	}
	/* Differences from the mean, in sixteenths of a tick. */
	mean = sum * 16 / s->n;
	for (i = 0; i < s->n; i++) {
		diff = s->ticks[i] * 16;
		diff = diff > mean ? diff - mean : mean - diff;
		squares += mul_div(diff, diff, s->n);
	}

	printf("row %s %u", metric, s->n);
	print_tenths(mul_div(min, 10000000000ull, per));
	print_tenths(mul_div(sum, 10000000000ull, per * s->n));
	print_tenths(mul_div(max, 10000000000ull, per));
	print_tenths(mul_div(isqrt(squares), 625000000, per));
	putchar('\n');
}

/* The same row out of what the kernel has counted, and its histogram. */
void klat_row(const char *metric, const struct klat *k)
{
	const struct klat_bin *bin;
	unsigned int i;

	if (!k->tick_hz)
		die("%s: the kernel does not tell the frequency", metric);

	printf("row %s %llu", metric, (unsigned long long)k->shots);
	print_tenths(mul_div(k->min_ticks, 10000000000ull, k->tick_hz));
	print_tenths(mul_div(k->avg_ticks_x1000, 10000000, k->tick_hz));
	print_tenths(mul_div(k->max_ticks, 10000000000ull, k->tick_hz));
	if (k->stddev_ticks_x1000)
		print_tenths(mul_div(k->stddev_ticks_x1000, 10000000,
				     k->tick_hz));
	else
		print_tenths(k->stddev_ns * 10);
	putchar('\n');
	for (i = 0; i < k->nr_bins; i++) {
		bin = &k->bin[i];
		printf("hist %s %llu %llu %llu\n", metric,
		       (unsigned long long)bin->low_ns,
		       (unsigned long long)bin->high_ns,
		       (unsigned long long)bin->count);
	}
	if (k->max_at[0])
		printf("# max of %s taken at %s\n", metric, k->max_at);
}
