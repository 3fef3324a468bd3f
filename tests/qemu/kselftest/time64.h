/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the futex tests, with -include and _TIME_BITS=64. They give one struct timespec
 * to futex() and to futex_waitv(). The latter has times of 64 bits only: of a timespec of
 * 32 bits it reads a second that never comes, and the test does not end.
 */
#include <sys/syscall.h>

#undef SYS_futex
#define SYS_futex	__NR_futex_time64
