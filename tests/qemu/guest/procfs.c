// SPDX-License-Identifier: GPL-2.0
/*
 * procfs: /proc/ipipe has the form that it should, and agrees with what was
 * sent: Linux's share with /proc/interrupts and the tick, a head domain's with
 * the shots of the latency client.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "guest.h"

static struct proc_version version;
static struct proc_domain domain[DOMAINS_MAX];

static bool ordered(void)
{
	unsigned int i, j;

	for (i = 1; i < version.nr_domains; i++)
		if (domain[i].head ||
		    (!domain[i - 1].head &&
		     domain[i - 1].priority <= domain[i].priority))
			return false;
	for (i = 0; i < version.nr_domains; i++)
		for (j = 0; j < i; j++)
			if (domain[i].id == domain[j].id)
				return false;

	return true;
}

static u64 linux_hits(int number)
{
	static struct proc_domain d;
	const struct proc_irq *irq;

	if (!proc_domain("Linux", &d))
		die("/proc/ipipe/Linux cannot be read");
	irq = proc_irq(&d, number);

	return irq ? irq->hits : 0;
}

/* A line of /proc/interrupts: " 17:   123   UIC ..."; the number, or -1. */
static int device_irq(const char *line, u64 *count)
{
	unsigned long long n;
	int number;

	if (sscanf(line, " %d: %llu", &number, &n) != 2)
		return -1;
	*count = n;

	return number;
}

struct count {
	int number;
	u64 low, linux_has, high;	/* the pipeline, Linux, the pipeline */
};

/* In this order, as interrupts may come while we look. */
static unsigned int look(struct count *c, unsigned int max)
{
	static char text[16 * 1024];
	static struct proc_domain d;
	const struct proc_irq *irq;
	unsigned int n = 0, i;
	char *line, *save;

	if (!proc_domain("Linux", &d))
		die("/proc/ipipe/Linux cannot be read");
	if (file_read("/proc/interrupts", text, sizeof(text)) < 0)
		die("/proc/interrupts: %s", strerror(errno));
	for (line = strtok_r(text, "\n", &save); line && n < max;
	     line = strtok_r(NULL, "\n", &save)) {
		c[n].number = device_irq(line, &c[n].linux_has);
		if (c[n].number < 0 || !c[n].linux_has)
			continue;
		irq = proc_irq(&d, c[n].number);
		c[n].low = irq ? irq->hits - irq->pending : 0;
		n++;
	}
	for (i = 0; i < n; i++)
		c[i].high = linux_hits(c[i].number);

	return n;
}

/*
 * What Linux counts in a while is what the pipeline gives it in that while.
 * Only in a while: one that comes when a line is disabled lazily, as it does
 * when the serial port starts, Linux does not count.
 */
static bool agrees(unsigned int *compared)
{
	struct count before[32], after[32];
	unsigned int n, i;
	bool ok = true;
	u64 count;

	n = look(before, ARRAY_SIZE(before));
	for (i = 0; i < 10; i++)
		ktap_note("these lines make the serial port interrupt, %u", i);
	sleep_ns(100000000);
	*compared = 0;
	if (look(after, ARRAY_SIZE(after)) < n)
		return false;
	for (i = 0; i < n; i++) {
		if (before[i].number != after[i].number)
			return false;
		count = after[i].linux_has - before[i].linux_has;
		if (!count)
			continue;
		(*compared)++;
		if (after[i].low - before[i].high <= count &&
		    count <= after[i].high - before[i].low)
			continue;
		ktap_note("irq %d: Linux counts %llu, the pipeline %llu to %llu",
			  before[i].number, (unsigned long long)count,
			  (unsigned long long)(after[i].low - before[i].high),
			  (unsigned long long)(after[i].high - before[i].low));
		ok = false;
	}

	return ok;
}

int main(int argc, char **argv)
{
	u64 hits, start, due, inner, least, shots;
	unsigned int i, compared;
	const struct proc_irq *irq;
	struct timespec res;
	bool ok = true;

	if (argc > 1)
		die("usage: %s", argv[0]);
	ktap_start(8);
	ktap_ok(proc_version(&version), "the version: %s, timer irq %d",
		version.version, version.timer_irq);
	for (i = 0; i < version.nr_domains; i++)
		ok &= proc_domain(version.domain[i], &domain[i]);
	ktap_ok(ok, "the form of each of %u domains", version.nr_domains);
	ktap_ok(ordered(), "priorities fall, and no two ids are the same");
	i = version.nr_domains - 1;
	ktap_ok(i < DOMAINS_MAX && !strcmp(domain[i].name, "Linux") &&
		domain[i].id == 0 && domain[i].priority == 100 &&
		!domain[i].stalled,
		"Linux comes last, at priority 100, and is not stalled");

	/* A second of the tick, in hits of root's timer interrupt. */
	clock_getres(CLOCK_MONOTONIC_COARSE, &res);
	/* Reading them takes a while, too: from the least to the most that can be due. */
	start = tb_read();
	hits = linux_hits(version.timer_irq);
	inner = tb_read();
	sleep_ns(1000000000);
	inner = tb_read() - inner;
	hits = linux_hits(version.timer_irq) - hits;
	due = tb_to_ns(tb_read() - start) / res.tv_nsec;
	least = tb_to_ns(inner) / res.tv_nsec;
	irq = proc_irq(&domain[i], version.timer_irq);
	ktap_ok(irq && strstr(irq->modes, "handle") && hits + 1 >= least &&
		hits <= due + 1, "the tick: %llu hits, %llu to %llu due",
		(unsigned long long)hits, (unsigned long long)least,
		(unsigned long long)due);

	ok = agrees(&compared);
	ktap_ok(ok && compared, "%u devices agree with /proc/interrupts",
		compared);

	if (!file_exists(KLATENCY)) {
		ktap_skip("no latency client");
		ktap_skip("no latency client");
		return ktap_finish();
	}
	hits = proc_head_timer_hits();
	klat_start(1000000);
	sleep_ns(500000000);
	proc_version(&version);
	ktap_ok(proc_domain(version.domain[0], &domain[0]) && domain[0].head &&
		proc_irq(&domain[0], version.timer_irq),
		"the client's domain %s is the head, and has the timer",
		version.domain[0]);
	klat_pause();
	shots = klat_shots();
	hits = proc_head_timer_hits() - hits;
	klat_stop();
	ktap_ok(shots >= 400 && hits == shots, "%llu hits, %llu shots",
		(unsigned long long)hits, (unsigned long long)shots);

	return ktap_finish();
}
