// SPDX-License-Identifier: GPL-2.0
/*
 * The load in the background, and the way for a measuring program past it.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

/* A process group of its own, to be killed with all that it has forked. */
pid_t load_start(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (!pid) {
		setpgid(0, 0);
		execl("/bin/dohell", "dohell", NULL);
		die("/bin/dohell: %s", strerror(errno));
	}
	/* In both, whoever comes first: the group is there when we return. */
	setpgid(pid, pid);

	return pid;
}

/* Complains, and fails, if the load has died before. */
void load_stop(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, WNOHANG) == pid)
		die("dohell has ended with status %#x", status);
	kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
}

/* Ahead of every process of the load, not ahead of the kernel's threads. */
void be_urgent(void)
{
	struct sched_param param = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		die("sched_setscheduler: %s", strerror(errno));
}
