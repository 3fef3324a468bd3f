// SPDX-License-Identifier: GPL-2.0
/*
 * The load: a fork and exec storm, 64 KiB writes to tmpfs, pipe pairs, mmap
 * and touch, and a walk of /proc, all at once until killed.
 *
 * Nothing in here depends on the time or on chance, so that under an
 * instruction-counting emulator two runs do the same.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define CHUNK		(64 * 1024)
#define FILE_CHUNKS	32		/* 2 MiB of tmpfs at most */
#define MAP_SIZE	(1024 * 1024)
#define READ_MAX	(256 * 1024)	/* of one file in /proc */
#define DEPTH_MAX	8

static char chunk[CHUNK];

static void forks(void)
{
	pid_t pid;

	for (;;) {
		pid = fork();
		if (!pid) {
			execl("/bin/tiny", "tiny", NULL);
			_exit(1);
		}
		if (pid < 0)
			die("fork: %s", strerror(errno));
		waitpid(pid, NULL, 0);
	}
}

static void writes(void)
{
	unsigned int i;
	int fd;

	fd = open("/tmp/dohell", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		die("/tmp/dohell: %s", strerror(errno));
	for (;;) {
		for (i = 0; i < FILE_CHUNKS; i++)
			if (pwrite(fd, chunk, CHUNK, i * CHUNK) != CHUNK)
				die("/tmp/dohell: %s", strerror(errno));
		if (ftruncate(fd, 0))
			die("/tmp/dohell: %s", strerror(errno));
	}
}

static void pipes(void)
{
	int there[2], back[2];
	char byte = 0;

	if (pipe(there) || pipe(back))
		die("pipe: %s", strerror(errno));
	switch (fork()) {
	case -1:
		die("fork: %s", strerror(errno));
	case 0:
		while (read(there[0], &byte, 1) == 1)
			if (write(back[1], &byte, 1) != 1)
				break;
		_exit(1);
	}
	while (write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1)
		;
	die("pipe: %s", strerror(errno));
}

static void maps(void)
{
	volatile char *at;
	unsigned int i;

	for (;;) {
		at = mmap(NULL, MAP_SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			die("mmap: %s", strerror(errno));
		for (i = 0; i < MAP_SIZE; i += 4096)
			at[i] = 1;
		munmap((void *)at, MAP_SIZE);
	}
}

/*
 * Left alone: what blocks, what is as large as the memory or the address
 * space, and what takes from others what it gives (the kernel's log).
 */
static bool harmless(const char *name)
{
	static const char * const not[] = {
		"kcore", "kmsg", "kpagecgroup", "kpagecount", "kpageflags",
		"mem", "pagemap", "sysrq-trigger",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(not); i++)
		if (!strcmp(name, not[i]))
			return false;

	return true;
}

/* Errors are expected: processes go while we look at them. */
static void read_all(int dir, const char *name)
{
	ssize_t n, sum = 0;
	int fd;

	fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return;
	while (sum < READ_MAX && (n = read(fd, chunk, 4096)) > 0)
		sum += n;
	close(fd);
}

static void walk(int parent, const char *name, unsigned int depth)
{
	struct dirent *entry;
	struct stat st;
	DIR *dir;
	int fd;

	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	if (fd < 0)
		return;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || !harmless(entry->d_name))
			continue;
		if (fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
			walk(fd, entry->d_name, depth + 1);
		else if (S_ISREG(st.st_mode) && st.st_mode & 0444)
			read_all(fd, entry->d_name);
	}
	closedir(dir);
}

static void procs(void)
{
	for (;;)
		walk(AT_FDCWD, "/proc", 0);
}

int main(int argc, char **argv)
{
	static void (* const load[])(void) = {
		forks, writes, pipes, maps, procs,
	};
	unsigned int i;
	int status;
	pid_t pid;

	if (argc > 1)
		die("usage: %s", argv[0]);
	for (i = 0; i < ARRAY_SIZE(load); i++) {
		pid = fork();
		if (pid < 0)
			die("fork: %s", strerror(errno));
		if (!pid)
			load[i]();
	}

	/* None of them returns, so one that ends has gone wrong. */
	pid = wait(&status);
	die("a process of the load has ended with status %#x", status);
}
