// SPDX-License-Identifier: GPL-2.0
/*
 * What /proc/ipipe tells: the version, and of each domain who it is and what
 * it does with which interrupt.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

/* False, with the reason as a KTAP line, if there is anything unexpected. */
bool proc_version(struct proc_version *v)
{
	char text[1024], *line, *word, *save, *save2;
	unsigned int hz;

	memset(v, 0, sizeof(*v));
	v->timer_irq = -1;
	if (file_read("/proc/ipipe/version", text, sizeof(text)) < 0) {
		ktap_note("/proc/ipipe/version: %s", strerror(errno));
		return false;
	}
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "version: %31s", v->version) == 1)
			continue;
		if (sscanf(line, "timer: irq %d, %u Hz", &v->timer_irq,
			   &hz) == 2) {
			v->timer_hz = hz;
			continue;
		}
		if (strncmp(line, "pipeline:", 9)) {
			ktap_note("/proc/ipipe/version: line '%s'", line);
			return false;
		}
		for (word = strtok_r(line + 9, " ", &save2); word;
		     word = strtok_r(NULL, " ", &save2)) {
			if (v->nr_domains == DOMAINS_MAX)
				die("more than %u domains", DOMAINS_MAX);
			snprintf(v->domain[v->nr_domains++],
				 sizeof(v->domain[0]), "%s", word);
		}
	}

	return v->version[0] && v->timer_irq >= 0 && v->timer_hz &&
	       v->nr_domains;
}

static bool modes_known(const char *modes)
{
	static const char * const known[] = {
		"handle", "pass", "dynamic", "exclusive", "wired", "sticky",
	};
	char copy[96], *word, *save;
	unsigned int i;

	snprintf(copy, sizeof(copy), "%s", modes);
	for (word = strtok_r(copy, ",", &save); word;
	     word = strtok_r(NULL, ",", &save)) {
		for (i = 0; i < ARRAY_SIZE(known); i++)
			if (!strcmp(word, known[i]))
				break;
		if (i == ARRAY_SIZE(known))
			return false;
	}

	return true;
}

/* One more interrupt in D; boards differ widely in how many they have. */
static struct proc_irq *add_irq(struct proc_domain *d)
{
	if (d->nr_irqs == d->room) {
		d->room = d->room ? 2 * d->room : 64;
		d->irq = realloc(d->irq, d->room * sizeof(d->irq[0]));
		if (!d->irq)
			die("no memory for %u interrupts", d->room);
	}

	return &d->irq[d->nr_irqs++];
}

/* D is all zero before its first use. */
bool proc_domain(const char *name, struct proc_domain *d)
{
	struct proc_domain empty = { .irq = d->irq, .room = d->room };
	static char text[64 * 1024];
	char path[64], *line, *save, value[32];
	struct proc_irq *irq;
	int at = 0, n;

	*d = empty;
	snprintf(path, sizeof(path), "/proc/ipipe/%s", name);
	n = file_read(path, text, sizeof(text));
	if (n < 0) {
		ktap_note("%s: %s", path, strerror(errno));
		return false;
	}
	if (n == sizeof(text) - 1)
		die("%s: longer than %zu bytes", path, sizeof(text) - 2);
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save), at++) {
		bool ok = false;

		switch (at) {
		case 0:
			ok = sscanf(line, "name: %31s", d->name) == 1;
			break;
		case 1:
			ok = sscanf(line, "id: %x", &d->id) == 1;
			break;
		case 2:
			ok = sscanf(line, "priority: %31s", value) == 1;
			d->head = !strcmp(value, "head");
			d->priority = strtol(value, NULL, 10);
			ok = ok && (d->head || d->priority > 0);
			break;
		case 3:
			ok = sscanf(line, "stalled: %31s", value) == 1;
			d->stalled = !strcmp(value, "yes");
			ok = ok && (d->stalled || !strcmp(value, "no"));
			break;
		case 4:
			ok = !strncmp(line, "events:", 7);
			break;
		case 5:
			n = 0;
			sscanf(line, " irq hits pending modes%n", &n);
			ok = n && !line[n];
			break;
		default:
			irq = add_irq(d);
			n = sscanf(line, "%u %llu %u %95s", &irq->number,
				   &irq->hits, &irq->pending, irq->modes);
			ok = n >= 3 && modes_known(irq->modes) &&
			     (d->nr_irqs == 1 ||
			      irq->number > irq[-1].number);
			break;
		}
		if (!ok) {
			ktap_note("%s: line '%s'", path, line);
			return false;
		}
	}

	return at >= 6 && !strcmp(name, d->name);
}

/* The line of an interrupt, or NULL. */
const struct proc_irq *proc_irq(const struct proc_domain *d, int number)
{
	unsigned int i;

	for (i = 0; i < d->nr_irqs; i++)
		if ((int)d->irq[i].number == number)
			return &d->irq[i];

	return NULL;
}

/* How often the head domain has got the timer; 0 while there is no head. */
u64 proc_head_timer_hits(void)
{
	static struct proc_version v;
	static struct proc_domain d;
	const struct proc_irq *irq;

	if (!proc_version(&v))
		die("/proc/ipipe/version cannot be read");
	if (!proc_domain(v.domain[0], &d))
		die("/proc/ipipe/%s cannot be read", v.domain[0]);
	if (!d.head)
		return 0;
	irq = proc_irq(&d, v.timer_irq);

	return irq ? irq->hits : 0;
}
