// SPDX-License-Identifier: GPL-2.0
/*
 * boot [ipipe|vanilla]: userland was reached, on the kernel that was meant.
 */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "guest.h"

int main(int argc, char **argv)
{
	const char *want = argc > 1 ? argv[1] : "ipipe";
	char text[256];
	struct utsname un;
	bool ipipe;
	u64 before;

	if (argc > 2 || (strcmp(want, "ipipe") && strcmp(want, "vanilla")))
		die("usage: boot [ipipe|vanilla]");
	ipipe = !strcmp(want, "ipipe");

	ktap_start(4);
	ktap_ok(!uname(&un) && !strncmp(un.release, "6.1.", 4),
		"Linux %s on %s", un.release, un.machine);

	before = tb_read();
	sleep_ns(10000000);
	ktap_ok(tb_read() - before >= ns_to_tb(10000000),
		"a sleep of 10 ms lasts 10 ms by the timebase (%llu Hz)",
		(unsigned long long)tb_hz());

	ktap_ok(file_exists("/proc/ipipe/version") == ipipe,
		"%s /proc/ipipe/version", ipipe ? "there is" : "there is no");
	if (!ipipe)
		ktap_skip("no pipeline, no version");
	else
		ktap_ok(file_read("/proc/ipipe/version", text,
				  sizeof(text)) > 0,
			"the version is %.*s", (int)strcspn(text, "\n"), text);

	return ktap_finish();
}
