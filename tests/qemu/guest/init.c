// SPDX-License-Identifier: GPL-2.0
/*
 * The first process: mounts what the programs need, runs the one that the
 * kernel's command line names as ipipe.guest=NAME[,ARG...], says how it ended
 * and reboots, which ends an emulator that was told not to.  With "shell" for
 * NAME it leaves all this to another init.
 *
 * "guest: PASS" or "guest: FAIL ..." is what the host looks for; it comes last.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "guest.h"

#define ARGS_MAX	64

static void mounts(void)
{
	static const struct {
		const char *type, *where;
		bool must;
	} fs[] = {
		{ "devtmpfs", "/dev", false },
		{ "proc", "/proc", true },
		{ "sysfs", "/sys", false },
		{ "tmpfs", "/tmp", true },
		{ "devpts", "/dev/pts", false },
		{ "debugfs", "/sys/kernel/debug", false },
		{ "tracefs", "/sys/kernel/tracing", false },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fs); i++) {
		mkdir(fs[i].where, 0755);
		if (mount(fs[i].type, fs[i].where, fs[i].type, 0, NULL) &&
		    errno != EBUSY && fs[i].must)
			printf("init: mount %s: %s\n", fs[i].where,
			       strerror(errno));
	}
}

/* The kernel may not have found a console to open. */
static void console(void)
{
	int fd;

	if (fcntl(0, F_GETFD) >= 0)
		return;
	fd = open("/dev/console", O_RDWR);
	if (fd < 0)
		return;
	dup2(fd, 0);
	dup2(fd, 1);
	dup2(fd, 2);
}

static int run(char **argv)
{
	char path[128];
	pid_t pid, who;
	int status;

	snprintf(path, sizeof(path), "/bin/%s", argv[0]);
	pid = fork();
	if (!pid) {
		setsid();
		execv(path, argv);
		printf("init: %s: %s\n", path, strerror(errno));
		_exit(127);
	}
	if (pid < 0) {
		printf("init: fork: %s\n", strerror(errno));
		return 127;
	}
	/* Also reaps what others have left behind. */
	do {
		who = wait(&status);
	} while (who != pid && (who > 0 || errno == EINTR));

	return who == pid ? status : 127;
}

int main(int argc, char **argv)
{
	char buf[512] = "", *words[ARGS_MAX + 1], *save;
	unsigned int n = 0;
	int status;

	/* What the kernel did not know on its command line, it gives us. */
	(void)argc;
	(void)argv;
	mounts();
	console();
	setvbuf(stdout, NULL, _IOLBF, 0);

	cmdline_value("ipipe.guest", buf, sizeof(buf));
	for (words[0] = strtok_r(buf, ",", &save);
	     words[n] && n < ARGS_MAX - 1;
	     words[n] = strtok_r(NULL, ",", &save))
		n++;
	words[n] = NULL;

	/* What make boot adds to our file system has an init of its own. */
	if (n && !strcmp(words[0], "shell")) {
		execl("/sbin/init", "init", (char *)NULL);
		printf("init: /sbin/init: %s\n", strerror(errno));
	}

	if (!n) {
		printf("init: no ipipe.guest=NAME on the command line\n");
		printf("guest: FAIL no program\n");
	} else {
		printf("guest: %s starts\n", words[0]);
		status = run(words);
		if (!status)
			printf("guest: PASS\n");
		else if (WIFSIGNALED(status))
			printf("guest: FAIL signal %d\n", WTERMSIG(status));
		else
			printf("guest: FAIL %d\n", WEXITSTATUS(status));
	}
	tcdrain(1);
	sync();
	reboot(RB_AUTOBOOT);

	return 1;
}
