// SPDX-License-Identifier: GPL-2.0
/*
 * klat [SHOTS [PERIOD_NS]]: the latency client beside an idle Linux, its table
 * and histogram.  Also by hand: klat start [PERIOD_NS] | pause | stop |
 * reset | show.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "guest.h"

static struct klat k;

static void show(void)
{
	if (klat_read(KLATENCY, &k))
		die("%s: %s", KLATENCY, strerror(errno));
	klat_show(&k);
}

int main(int argc, char **argv)
{
	u64 shots = 10000, period = 100000;

	if (argc > 3)
		die("usage: klat [SHOTS [PERIOD_NS]] | start [PERIOD_NS] | pause | stop | reset | show");
	if (argc > 2)
		period = parse_u64("period", argv[2]);

	if (argc > 1 && !strcmp(argv[1], "start")) {
		klat_start(period);
	} else if (argc > 1 && !strcmp(argv[1], "pause")) {
		klat_pause();
	} else if (argc > 1 && !strcmp(argv[1], "stop")) {
		klat_stop();
	} else if (argc > 1 && !strcmp(argv[1], "reset")) {
		if (file_write(KLATENCY, "reset"))
			die("%s: %s", KLATENCY, strerror(errno));
	} else if (argc > 1 && !strcmp(argv[1], "show")) {
		show();
	} else {
		if (argc > 1)
			shots = parse_u64("shots", argv[1]);
		klat_start(period);
		while (klat_shots() < shots)
			sleep_ns(100000000);
		klat_stop();
		show();
		return k.overruns || klat_hist_sum(&k) != k.shots;
	}

	return 0;
}
