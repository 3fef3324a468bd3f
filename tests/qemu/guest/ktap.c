// SPDX-License-Identifier: GPL-2.0
/*
 * KTAP output of a test program, in the manner of the kernel's kselftest.
 */
#include <stdarg.h>
#include <stdio.h>

#include "guest.h"

static unsigned int planned, done, failed, skipped;

void ktap_start(unsigned int plan)
{
	planned = plan;
	/* Each line on its way before the next step, which may be the last. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("KTAP version 1\n1..%u\n", plan);
}

bool ktap_ok(bool ok, const char *fmt, ...)
{
	va_list args;

	done++;
	if (!ok)
		failed++;

	printf("%s %u ", ok ? "ok" : "not ok", done);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');

	return ok;
}

void ktap_skip(const char *fmt, ...)
{
	va_list args;

	done++;
	skipped++;

	printf("ok %u # SKIP ", done);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

void ktap_note(const char *fmt, ...)
{
	va_list args;

	printf("# ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

/* The exit status; a test which ran short of its plan has failed. */
int ktap_finish(void)
{
	if (done != planned)
		printf("# planned %u, ran %u\n", planned, done);
	printf("# Totals: pass:%u fail:%u skip:%u\n", done - failed - skipped,
	       failed, skipped);

	return failed || done != planned || skipped == done;
}
