// SPDX-License-Identifier: GPL-2.0
/*
 * irqsoff [NS [PERIOD_NS [LATE_NS]]]: while Linux runs with its interrupts "off"
 * for that long, a head domain gets each shot of its timer, and none is late.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "guest.h"

int main(int argc, char **argv)
{
	u64 ns = 10000000, period = 100000, late = 10000;
	u64 before, took, want;
	static struct klat k;
	char text[48];

	if (argc > 1)
		ns = parse_u64("stretch", argv[1]);
	if (argc > 2)
		period = parse_u64("period", argv[2]);
	if (argc > 3)
		late = parse_u64("lateness", argv[3]);
	if (argc > 4 || !ns || !period || !late)
		die("usage: irqsoff [NS [PERIOD_NS [LATE_NS]]]");

	ktap_start(5);
	be_urgent();
	klat_start(period);
	sleep_ns(10 * period);

	before = tb_read();
	snprintf(text, sizeof(text), "irqsoff %llu", (unsigned long long)ns);
	if (file_write(KLATENCY, text))
		die("%s: '%s': %s", KLATENCY, text, strerror(errno));
	took = tb_to_ns(tb_read() - before);
	/* A whole period more, for a shot that the end of it was in the way of. */
	sleep_ns(2 * period);
	klat_stop();
	if (klat_read(KLATENCY, &k))
		die("%s: %s", KLATENCY, strerror(errno));

	want = ns / period;
	/* Shots are served meanwhile; they do not count as the stretch. */
	ktap_ok(took >= ns && took < 2 * ns,
		"Linux had its interrupts off for %llu of %llu ns",
		(unsigned long long)ns, (unsigned long long)took);
	ktap_ok(k.irqsoff_shots + 1 >= want && k.irqsoff_shots <= want + 1,
		"%llu shots meanwhile, %llu due",
		(unsigned long long)k.irqsoff_shots, (unsigned long long)want);
	ktap_ok(!k.overruns, "%llu overruns", (unsigned long long)k.overruns);
	ktap_ok(klat_hist_sum(&k) == k.shots && k.shots >= want,
		"%llu shots in all", (unsigned long long)k.shots);
	ktap_ok(k.max_ns < late, "the latest came after %llu ns",
		(unsigned long long)k.max_ns);

	return ktap_finish();
}
