// SPDX-License-Identifier: GPL-2.0
/*
 * All programs but the tiny one are one file with many names: an initramfs
 * with a dozen static programs takes longer to unpack than most tests to run.
 * The Makefile compiles main() of NAME.c as NAME_main() and sets PROGRAMS.
 */
#include <errno.h>
#include <string.h>

#include "guest.h"

#define PROGRAM(name)	int name##_main(int argc, char **argv);
PROGRAMS
#undef PROGRAM

int main(int argc, char **argv)
{
#define PROGRAM(name)	{ #name, name##_main },
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} programs[] = { PROGRAMS };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(programs); i++)
		if (!strcmp(program_invocation_short_name, programs[i].name))
			return programs[i].run(argc, argv);

	die("no program of this name in here");
}
