// SPDX-License-Identifier: GPL-2.0
/*
 * Instructions that end in a signal, and what it takes to go on after them.
 */
#include <signal.h>
#include <ucontext.h>

#include "guest.h"

volatile int fault_signal;

/* (siglongjmp() has instructions that a 405 lacks.) */
static void skip(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)info;
	fault_signal = sig;
#ifdef __arm__
	uc->uc_mcontext.arm_pc += 4;
#else
	uc->uc_mcontext.uc_regs->gregs[32] += 4;	/* PT_NIP */
#endif
}

void fault_skip(int sig)
{
	struct sigaction sa = { .sa_sigaction = skip, .sa_flags = SA_SIGINFO };

	sigaction(sig, &sa, NULL);
}
