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

/* What Linux has counted lies between what the pipeline gave before and after. */
static bool agrees(unsigned int *compared)
{
	static struct proc_domain before;
	static char text[16 * 1024];
	const struct proc_irq *irq;
	char *line, *save;
	bool ok = true;
	int number;
	u64 count;

	*compared = 0;
	if (!proc_domain("Linux", &before) ||
	    file_read("/proc/interrupts", text, sizeof(text)) < 0)
		return false;
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		number = device_irq(line, &count);
		if (number < 0 || !count)
			continue;
		irq = proc_irq(&before, number);
		(*compared)++;
		if (irq && irq->hits <= count && count <= linux_hits(number))
			continue;
		ktap_note("irq %d: /proc/interrupts %llu, /proc/ipipe %llu",
			  number, (unsigned long long)count,
			  irq ? irq->hits : 0ull);
		ok = false;
	}

	return ok;
}

int main(int argc, char **argv)
{
	u64 hits, start, due, low, high;
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
	start = tb_read();
	hits = linux_hits(version.timer_irq);
	sleep_ns(1000000000);
	hits = linux_hits(version.timer_irq) - hits;
	due = tb_to_ns(tb_read() - start) / res.tv_nsec;
	irq = proc_irq(&domain[i], version.timer_irq);
	ktap_ok(irq && strstr(irq->modes, "handle") && hits + 1 >= due &&
		hits <= due + 1, "the tick: %llu hits, %llu due",
		(unsigned long long)hits, (unsigned long long)due);

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
	/* Shots come in between, so from both sides. */
	low = klat_shots();
	hits = proc_head_timer_hits() - hits;
	high = klat_shots();
	klat_stop();
	ktap_ok(low >= 400 && hits >= low && hits <= high,
		"%llu hits, the client has %llu to %llu shots",
		(unsigned long long)hits, (unsigned long long)low,
		(unsigned long long)high);

	return ktap_finish();
}
