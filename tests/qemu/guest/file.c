// SPDX-License-Identifier: GPL-2.0
/*
 * Small text files in and out, values from the kernel's command line, and the
 * one line that a program says when it cannot go on.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

void die(const char *fmt, ...)
{
	va_list args;

	fflush(stdout);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

/* As much of the file as fits, and a terminating nought; -1 with errno. */
ssize_t file_read(const char *path, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n = 0;
	int fd;

	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	while (len < size - 1 && (n = read(fd, buf + len, size - 1 - len)) > 0)
		len += n;
	close(fd);
	buf[len] = '\0';

	return n < 0 ? -1 : (ssize_t)len;
}

/* One write; 0, or -1 with errno. */
int file_write(const char *path, const char *text)
{
	ssize_t len = strlen(text), n;
	int fd, err;

	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -1;
	n = write(fd, text, len);
	err = errno;
	close(fd);
	errno = n < 0 ? err : EIO;

	return n == len ? 0 : -1;
}

bool file_exists(const char *path)
{
	return !access(path, F_OK);
}

/* The value of KEY=VALUE (the last one counts), or NULL. */
char *cmdline_value(const char *key, char *buf, size_t size)
{
	char line[4096], *word, *save, *found = NULL;
	size_t len = strlen(key);

	if (file_read("/proc/cmdline", line, sizeof(line)) < 0)
		return NULL;
	for (word = strtok_r(line, " \t\n", &save); word;
	     word = strtok_r(NULL, " \t\n", &save)) {
		if (strncmp(word, key, len) || word[len] != '=')
			continue;
		snprintf(buf, size, "%s", word + len + 1);
		found = buf;
	}

	return found;
}

u64 parse_u64(const char *what, const char *text)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end || text[0] < '0' || text[0] > '9')
		die("%s: not a number: '%s'", what, text);

	return value;
}
