// SPDX-License-Identifier: GPL-2.0
/*
 * kself [PROGRAM...]: runs programs of the kernel's own selftests, from /kselftest,
 * one after the other; all of them unless some are named. When one is over, what it has
 * printed goes out as notes "PROGRAM| line", then how it ended: "PROGRAM: exit N",
 * "PROGRAM: signal N", or "PROGRAM: unfinished" when its time was up.
 *
 * On the pipelined kernel the latency client has a timer interrupt each 0.7 ms meanwhile.
 *
 * Whether a result is good is not judged here: scripts/kselftest.sh holds it against
 * what vanilla gives. A program passes that comes to an end.
 *
 * /kselftest/NAME.args, if it is there, has its arguments.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

#define DIR_NAME	"/kselftest"
#define OUTPUT		"/tmp/.output"
#define PROGRAMS_MAX	64
#define ARGS_MAX	16
/* Of the guest's time. The longest sleeps for two minutes. */
#define SECONDS		150
/* In ns: no part of the tick's, and such that an idle guest is still fast to emulate. */
#define HEAD_PERIOD	700000

static void __attribute__((noreturn)) become(const char *name)
{
	char path[128], args[256], *argv[ARGS_MAX + 2], *save;
	unsigned int n = 0;
	int in, out;

	/*
	 * A file, not a pipe: the kernel's messages do not get between, and whom the
	 * program leaves behind may keep it open.
	 */
	out = open(OUTPUT, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
	in = open("/dev/null", O_RDONLY);
	dup2(in, 0);
	dup2(out, 1);
	dup2(out, 2);
	/* One of the tests counts on 3 being the next. */
	close(in);
	close(out);

	argv[n++] = (char *)name;
	snprintf(path, sizeof(path), DIR_NAME "/%s.args", name);
	if (file_read(path, args, sizeof(args)) > 0)
		for (argv[n] = strtok_r(args, " \n", &save); argv[n] && n < ARGS_MAX;
		     argv[n] = strtok_r(NULL, " \n", &save))
			n++;
	argv[n] = NULL;

	/* The C library registers for rseq first otherwise, and the tests cannot. */
	setenv("GLIBC_TUNABLES", "glibc.pthread.rseq=0", 1);
	snprintf(path, sizeof(path), DIR_NAME "/%s", name);
	execv(path, argv);
	dprintf(2, "%s: %s\n", path, strerror(errno));
	_exit(127);
}

/* Each line of what was printed, as far as it is text. */
static void show(const char *name)
{
	char line[512];
	size_t i, len;
	FILE *f;

	f = fopen(OUTPUT, "r");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		len = strcspn(line, "\n");
		line[len] = '\0';
		for (i = 0; i < len; i++)
			if (line[i] != '\t' && (line[i] < ' ' || line[i] > '~'))
				line[i] = '?';
		ktap_note("%s| %s", name, line);
	}
	fclose(f);
	unlink(OUTPUT);
}

/*
 * Tests leave processes behind, stopped ones too, and in groups of their own. All become
 * children of ours, at the latest when their parent is killed.
 */
static void kill_leftovers(void)
{
	char path[64], list[1024], *word, *save;
	int status;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	while (file_read(path, list, sizeof(list)) > 0) {
		for (word = strtok_r(list, " \n", &save); word;
		     word = strtok_r(NULL, " \n", &save))
			kill(atoi(word), SIGKILL);
		if (waitpid(-1, &status, 0) < 0)
			break;
	}
}

static void run(const char *name)
{
	bool ended = false;
	int status = 0, other;
	pid_t pid, watch, who;

	pid = fork();
	if (!pid)
		become(name);
	watch = fork();
	if (!watch) {
		sleep_ns(SECONDS * 1000000000ULL);
		_exit(0);
	}
	if (pid < 0 || watch < 0)
		die("fork: %s", strerror(errno));
	while (!ended) {
		who = waitpid(-1, &other, 0);
		if (who == watch || (who < 0 && errno != EINTR))
			break;
		if (who == pid) {
			status = other;
			ended = true;
		}
	}
	kill_leftovers();
	show(name);
	if (!ended)
		ktap_note("%s: unfinished", name);
	else if (WIFEXITED(status))
		ktap_note("%s: exit %d", name, WEXITSTATUS(status));
	else
		ktap_note("%s: signal %d", name, WTERMSIG(status));
	ktap_ok(ended, "%s comes to an end", name);
	/* The console is slow; what still waits for it would be time of the next program. */
	fflush(stdout);
	tcdrain(1);
}

int main(int argc, char **argv)
{
	/* A clock that shows the time since boot cannot be set back, as one test does. */
	const struct timespec date = { .tv_sec = 1767225600 };
	char *found[PROGRAMS_MAX];
	unsigned int n = 0, i;
	struct dirent **list;
	u64 shots;
	bool head;
	int nr;

	for (i = 1; i < (unsigned int)argc && n < PROGRAMS_MAX; i++)
		found[n++] = argv[i];
	if (!n) {
		nr = scandir(DIR_NAME, &list, NULL, alphasort);
		for (i = 0; nr > 0 && i < (unsigned int)nr; i++)
			if (!strchr(list[i]->d_name, '.') && n < PROGRAMS_MAX)
				found[n++] = list[i]->d_name;
	}
	if (!n)
		die(DIR_NAME ": no program there; use scripts/kselftest.sh");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
		die("prctl: %s", strerror(errno));
	if (clock_settime(CLOCK_REALTIME, &date))
		die("clock_settime: %s", strerror(errno));
	/* Where one of the tests looks for files of memory. */
	mkdir("/dev/shm", 01777);
	if (mount("shm", "/dev/shm", "tmpfs", 0, NULL) && errno != EBUSY)
		ktap_note("/dev/shm: %s", strerror(errno));
	if (chdir("/tmp"))
		die("/tmp: %s", strerror(errno));
	/* On the pipelined kernel a domain ahead of Linux is at work meanwhile. */
	head = file_exists(KLATENCY);
	if (head)
		klat_start(HEAD_PERIOD);
	ktap_start(n + head);
	for (i = 0; i < n; i++)
		run(found[i]);
	if (head) {
		klat_stop();
		shots = klat_shots();
		ktap_ok(shots, "%llu shots of a head domain meanwhile",
			(unsigned long long)shots);
	}

	return ktap_finish();
}
