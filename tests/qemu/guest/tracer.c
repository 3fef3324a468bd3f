// SPDX-License-Identifier: GPL-2.0
/*
 * tracer [NS]: the irqsoff tracer sees Linux's virtual interrupt state.  A
 * stretch with interrupts "off" shows up as one, of that length and in the
 * place where it is, with the timer of a head domain running beside it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define TRACING		"/sys/kernel/tracing/"

static char text[512 * 1024];

static void set(const char *name, const char *value)
{
	char path[96];

	snprintf(path, sizeof(path), TRACING "%s", name);
	if (file_write(path, value))
		die("%s: '%s': %s", path, value, strerror(errno));
}

static u64 max_latency_us(void)
{
	if (file_read(TRACING "tracing_max_latency", text, sizeof(text)) < 0)
		die(TRACING "tracing_max_latency: %s", strerror(errno));

	return strtoull(text, NULL, 10);
}

/* Is that line of the trace's head about the function that did it? */
static bool by_client(const char *what)
{
	static const char * const names[] = {
		"irqsoff", "command", "klatency_write",
	};
	const char *at = strstr(text, what);
	unsigned int i;

	if (!at) {
		ktap_note("no line '%s' in the trace", what);
		return false;
	}
	at += strlen(what);
	ktap_note("%s%.*s", what, (int)strcspn(at, "\n"), at);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(at, names[i], strlen(names[i])))
			return true;

	return false;
}

int main(int argc, char **argv)
{
	u64 ns = 10000000, us, calm;
	static struct klat k;
	char word[48];
	pid_t busy;

	if (argc > 1)
		ns = parse_u64("stretch", argv[1]);
	if (argc > 2 || !ns)
		die("usage: tracer [NS]");
	if (!file_exists(TRACING "tracing_max_latency"))
		die("no irqsoff tracer in this kernel");

	/*
	 * Linux must not go idle while the tracer is on: where lockdep is on, too,
	 * the exit of an interrupt to the idle loop runs the tracer, and its lock,
	 * while RCU is not watching.
	 */
	busy = fork();
	if (busy < 0)
		die("fork: %s", strerror(errno));
	if (!busy)
		for (;;)
			;

	ktap_start(5);
	set("current_tracer", "irqsoff");
	klat_start(100000);
	set("tracing_max_latency", "0");
	set("tracing_on", "1");
	sleep_ns(50000000);
	/* Nothing else has them off that long: head shots are not seen. */
	calm = max_latency_us();
	ktap_ok(calm < ns / 2000, "at most %llu us without it",
		(unsigned long long)calm);

	snprintf(word, sizeof(word), "irqsoff %llu", (unsigned long long)ns);
	if (file_write(KLATENCY, word))
		die("%s: '%s': %s", KLATENCY, word, strerror(errno));
	set("tracing_on", "0");
	us = max_latency_us();
	ktap_ok(us >= ns / 1000, "a stretch of %llu us",
		(unsigned long long)us);
	ktap_ok(us < ns / 1000 + ns / 5000, "and not much longer");

	if (file_read(TRACING "trace", text, sizeof(text)) < 0)
		die(TRACING "trace: %s", strerror(errno));
	ktap_ok(by_client("started at: ") && by_client("ended at:   "),
		"it begins and ends in the client's code");
	set("current_tracer", "nop");
	kill(busy, SIGKILL);
	waitpid(busy, NULL, 0);

	if (klat_read(KLATENCY, &k))
		die("%s: %s", KLATENCY, strerror(errno));
	klat_stop();
	ktap_ok(k.shots && !k.overruns, "%llu shots meanwhile, %llu overruns",
		(unsigned long long)k.shots, (unsigned long long)k.overruns);

	return ktap_finish();
}
