// SPDX-License-Identifier: GPL-2.0
/*
 * shots [SHOTS [PERIOD_NS]]: a head domain gets each shot of its timer beside
 * a loaded Linux: none lost, none doubled, none late by a period.
 *
 * Five times as fast as elsewhere, or a million shots of a loaded guest would
 * keep an emulator busy for a quarter of an hour.
 */
#include <errno.h>
#include <string.h>

#include "guest.h"

int main(int argc, char **argv)
{
	u64 shots = 1000000, period = 20000;
	u64 before, started, stopping, stopped, least, most, hits, sum;
	static struct klat k;
	pid_t load;

	if (argc > 1)
		shots = parse_u64("shots", argv[1]);
	if (argc > 2)
		period = parse_u64("period", argv[2]);
	if (argc > 3 || !shots || !period)
		die("usage: shots [SHOTS [PERIOD_NS]]");

	ktap_start(6);
	load = load_start();
	/* The load must not come between reading the clock and the command. */
	be_urgent();
	hits = proc_head_timer_hits();
	before = tb_read();
	klat_start(period);
	started = tb_read();
	/* Asleep in the meantime, so that the load has the processor. */
	while (klat_shots() < shots)
		sleep_ns(100000000);
	stopping = tb_read();
	klat_pause();
	stopped = tb_read();
	hits = proc_head_timer_hits() - hits;
	klat_stop();
	load_stop(load);
	if (klat_read(KLATENCY, &k))
		die("%s: %s", KLATENCY, strerror(errno));

	ktap_ok(k.shots >= shots, "%llu shots", (unsigned long long)k.shots);
	ktap_ok(!k.overruns, "%llu overruns", (unsigned long long)k.overruns);
	/* The kernel's period is a whole number of ticks, rounded down. */
	least = (stopping - started) / ns_to_tb(period);
	most = (stopped - before) / ns_to_tb(period);
	ktap_note("by the timebase: %llu to %llu", (unsigned long long)least,
		  (unsigned long long)most);
	ktap_ok(k.shots + 1 >= least, "none lost");
	ktap_ok(k.shots <= most + 1, "none doubled");
	ktap_ok(hits == k.shots, "/proc/ipipe has %llu hits",
		(unsigned long long)hits);
	sum = klat_hist_sum(&k);
	ktap_ok(sum == k.shots, "the histogram has %llu",
		(unsigned long long)sum);
	ktap_note("latency min %llu avg %llu max %llu ns",
		  (unsigned long long)k.min_ns, (unsigned long long)k.avg_ns,
		  (unsigned long long)k.max_ns);

	return ktap_finish();
}
