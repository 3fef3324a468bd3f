// SPDX-License-Identifier: GPL-2.0
/*
 * sh: as much of a shell as looking round in the guest by hand takes.  There
 * is no other program in the initramfs than ours.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define ARGS_MAX	16

static void help(void)
{
	printf("ls [DIR]  cat FILE...  write FILE WORD...  cd DIR  exit\n"
	       "NAME [ARG...] [&] runs a program out of /bin, as the tests do:\n"
	       "  klat 20000          the latency client, idle\n"
	       "  demo                the same under load\n"
	       "  cat /proc/ipipe/version\n");
}

static void ls(const char *path)
{
	struct dirent *entry;
	DIR *dir = opendir(path);

	if (!dir) {
		printf("%s: %s\n", path, strerror(errno));
		return;
	}
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			printf("%s%s\n", entry->d_name,
			       entry->d_type == DT_DIR ? "/" : "");
	closedir(dir);
}

static void cat(const char *path)
{
	char buf[4096];
	ssize_t n;
	int fd = open(path, O_RDONLY);

	if (fd < 0) {
		printf("%s: %s\n", path, strerror(errno));
		return;
	}
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		fwrite(buf, 1, n, stdout);
	if (n < 0)
		printf("%s: %s\n", path, strerror(errno));
	close(fd);
}

static void write_words(char **argv)
{
	char text[1024] = "";
	int i;

	for (i = 2; argv[i]; i++) {
		strcat(text, argv[i]);
		strcat(text, argv[i + 1] ? " " : "\n");
	}
	if (file_write(argv[1], text))
		printf("%s: %s\n", argv[1], strerror(errno));
}

static void run(char **argv, bool background)
{
	char path[128];
	int status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s%s",
		 strchr(argv[0], '/') ? "" : "/bin/", argv[0]);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		execv(path, argv);
		printf("%s: %s\n", path, strerror(errno));
		_exit(127);
	}
	if (pid < 0) {
		printf("fork: %s\n", strerror(errno));
		return;
	}
	if (background) {
		printf("%s runs as %d\n", argv[0], (int)pid);
		return;
	}
	waitpid(pid, &status, 0);
	if (status)
		printf("%s: %s %d\n", argv[0],
		       WIFSIGNALED(status) ? "signal" : "exit status",
		       WIFSIGNALED(status) ? WTERMSIG(status) :
		       WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
	char line[512], *words[ARGS_MAX + 1], *save;
	bool background;
	int n, i;

	if (argc > 1)
		die("usage: %s", argv[0]);
	printf("A small shell: 'help' tells what it can do, 'exit' reboots.\n");
	for (;;) {
		printf("# ");
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			break;
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		n = 0;
		words[0] = strtok_r(line, " \t\r\n", &save);
		while (words[n] && n < ARGS_MAX)
			words[++n] = strtok_r(NULL, " \t\r\n", &save);
		words[n] = NULL;
		if (!n)
			continue;
		background = n > 1 && !strcmp(words[n - 1], "&");
		if (background)
			words[--n] = NULL;

		if (!strcmp(words[0], "exit")) {
			break;
		} else if (!strcmp(words[0], "help")) {
			help();
		} else if (!strcmp(words[0], "ls")) {
			ls(n > 1 ? words[1] : ".");
		} else if (!strcmp(words[0], "cat")) {
			for (i = 1; i < n; i++)
				cat(words[i]);
		} else if (!strcmp(words[0], "write") && n > 2) {
			write_words(words);
		} else if (!strcmp(words[0], "cd") && n == 2) {
			if (chdir(words[1]))
				printf("%s: %s\n", words[1], strerror(errno));
		} else {
			run(words, background);
		}
	}

	return 0;
}
