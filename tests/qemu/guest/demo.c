// SPDX-License-Identifier: GPL-2.0
/*
 * demo [SHOTS [PERIOD_NS]]: what the pipeline is for, in half a minute.  Linux
 * under the load, the latency client in a head domain beside it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "guest.h"

static struct klat k;

static void progress(u64 shots)
{
	u64 next = 1, tenths;

	while (next <= 10) {
		sleep_ns(20000000);
		if (klat_read(KLATENCY, &k))
			die("%s: %s", KLATENCY, strerror(errno));
		tenths = k.shots * 10 / shots;
		if (tenths > 10)
			tenths = 10;
		if (tenths < next)
			continue;
		next = tenths + 1;
		printf("demo: %3llu %%, %llu shots, max so far %llu ns\n",
		       (unsigned long long)tenths * 10,
		       (unsigned long long)k.shots,
		       (unsigned long long)k.max_ns);
	}
}

int main(int argc, char **argv)
{
	u64 shots = 200000, period = 100000;
	unsigned int wrong = 0;
	pid_t load;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1)
		shots = parse_u64("shots", argv[1]);
	if (argc > 2)
		period = parse_u64("period", argv[2]);
	if (argc > 3 || !shots || !period)
		die("usage: demo [SHOTS [PERIOD_NS]]");
	if (!file_exists(KLATENCY))
		die("no %s: a kernel with CONFIG_IPIPE_KLATENCY is needed", KLATENCY);

	printf("demo: the load: fork and exec, 64 KiB writes, pipes, mmap, /proc\n");
	load = load_start();
	be_urgent();
	printf("demo: a head domain takes the timer: a shot each %llu ns\n",
	       (unsigned long long)period);
	klat_start(period);
	progress(shots);
	klat_stop();
	load_stop(load);

	if (klat_read(KLATENCY, &k))
		die("%s: %s", KLATENCY, strerror(errno));
	klat_show(&k);

	if (k.shots < shots)
		wrong += printf("demo: only %llu shots\n",
				(unsigned long long)k.shots);
	if (k.overruns)
		wrong += printf("demo: %llu overruns\n",
				(unsigned long long)k.overruns);
	if (klat_hist_sum(&k) != k.shots)
		wrong += printf("demo: the histogram has %llu shots\n",
				(unsigned long long)klat_hist_sum(&k));

	return !!wrong;
}
