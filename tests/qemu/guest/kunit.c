// SPDX-License-Identifier: GPL-2.0
/*
 * kunit [SUITE...]: the kernel's own tests of the pipeline ran at boot, as the
 * kernel's log tells.  Each suite whose name begins with "ipipe" must have
 * passed with all of its cases; one that needs what a board may not have can
 * be skipped, but as a whole. Those named must be there and have run.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>

#include "guest.h"

#define SUITES_MAX	32

enum { SYSLOG_READ_ALL = 3, SYSLOG_SIZE_BUFFER = 10 };

struct suite {
	char name[64];
	unsigned int planned, passed, failed, skipped;
	bool ended, ok;
};

static struct suite suites[SUITES_MAX];
static unsigned int nr_suites;

/* Past "<6>" and, with CONFIG_PRINTK_TIME, "[    1.234567] ". */
static char *message(char *line)
{
	char *end;

	end = strchr(line, '>');
	if (line[0] == '<' && end)
		line = end + 1;
	end = strchr(line, ']');
	if (line[0] == '[' && (isdigit(line[1]) || line[1] == ' ') && end)
		line = end[1] == ' ' ? end + 2 : end + 1;

	return line;
}

/* "[not ]ok N [- ]NAME": the name and the outcome; else false. */
static bool result(const char *text, bool *ok, const char **name)
{
	*ok = strncmp(text, "not ", 4);
	if (!*ok)
		text += 4;
	if (strncmp(text, "ok ", 3) || !isdigit(text[3]))
		return false;
	text += 3 + strspn(text + 3, "0123456789");
	if (!strncmp(text, " - ", 3))
		text += 3;
	*name = text + strspn(text, " ");

	return true;
}

static void parse(char *log)
{
	struct suite *s = NULL;
	const char *name;
	char *line, *save, *text, *sub;
	unsigned int depth;
	bool ok;

	for (line = strtok_r(log, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		text = message(line);
		depth = strspn(text, " ");
		text += depth;

		sub = strstr(text, "# Subtest: ");
		if (sub == text && depth == 4) {
			s = NULL;
			if (strncmp(sub + 11, "ipipe", 5))
				continue;
			if (nr_suites == SUITES_MAX)
				die("more than %u suites", SUITES_MAX);
			s = &suites[nr_suites++];
			snprintf(s->name, sizeof(s->name), "%s", sub + 11);
			continue;
		}
		if (depth == 4 && s && !s->planned &&
		    sscanf(text, "1..%u", &s->planned) == 1)
			continue;
		if (!result(text, &ok, &name))
			continue;
		if (depth == 4 && s) {
			if (strstr(name, "# SKIP")) {
				s->skipped++;
				ktap_note("%s: skipped %s", s->name, name);
			} else if (ok) {
				s->passed++;
			} else {
				s->failed++;
				ktap_note("%s: failed %s", s->name, name);
			}
		} else if (depth == 0) {
			/* "# SKIP" follows where all cases were */
			if (s && !strncmp(name, s->name, strlen(s->name)) &&
			    strchr(" ", name[strlen(s->name)])) {
				s->ended = true;
				s->ok = ok;
			}
			s = NULL;
		}
	}
}

int main(int argc, char **argv)
{
	unsigned int i, a, want = argc - 1;
	struct suite *s;
	char *log;
	int size;

	size = klogctl(SYSLOG_SIZE_BUFFER, NULL, 0);
	log = size > 0 ? malloc(size + 1) : NULL;
	if (!log)
		die("no kernel log: %s", strerror(errno));
	size = klogctl(SYSLOG_READ_ALL, log, size);
	if (size < 0)
		die("the kernel log: %s", strerror(errno));
	log[size] = '\0';
	parse(log);

	ktap_start(1 + nr_suites + want);
	ktap_ok(nr_suites, "%u suites of the pipeline", nr_suites);
	for (i = 0; i < nr_suites; i++) {
		s = &suites[i];
		ktap_ok(s->ended && s->ok && !s->failed &&
			(s->passed ? !s->skipped && s->passed == s->planned :
			 s->skipped == s->planned && s->planned),
			"%s: %u of %u passed, %u failed, %u skipped%s",
			s->name, s->passed, s->planned, s->failed, s->skipped,
			s->ended ? "" : ", did not end");
	}
	for (a = 0; a < want; a++) {
		for (i = 0; i < nr_suites; i++)
			if (!strcmp(suites[i].name, argv[a + 1]))
				break;
		ktap_ok(i < nr_suites && suites[i].passed, "%s has run",
			argv[a + 1]);
	}

	return ktap_finish();
}
