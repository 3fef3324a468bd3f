// SPDX-License-Identifier: GPL-2.0
/* sleep SECONDS: a selftest of ptrace wants a program of this name. */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned int left = argc == 2 ? atoi(argv[1]) : 0;

	while (left)
		left = sleep(left);

	return argc != 2;
}
