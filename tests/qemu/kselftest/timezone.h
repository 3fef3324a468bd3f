/* SPDX-License-Identifier: GPL-2.0 */
/* For set-tz, with -include: gettimeofday() of the C library has no time zone any more. */
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define gettimeofday(tv, tz)	((int)syscall(SYS_gettimeofday, tv, tz))
