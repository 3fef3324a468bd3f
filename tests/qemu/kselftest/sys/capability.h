/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As much of libcap as the kernel's selftests call, on the system calls: the library
 * is not there for the boards' compilers. Only the flags of the running thread, and
 * of these only the first 64 capabilities, which are all there are.
 */
#ifndef KSELFTEST_SYS_CAPABILITY_H
#define KSELFTEST_SYS_CAPABILITY_H

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int cap_value_t;

typedef enum {
	CAP_EFFECTIVE,
	CAP_PERMITTED,
	CAP_INHERITABLE,
} cap_flag_t;

typedef enum {
	CAP_CLEAR,
	CAP_SET,
} cap_flag_value_t;

typedef struct {
	struct __user_cap_header_struct head;
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
} *cap_t;

static inline int cap_free(void *caps)
{
	free(caps);

	return 0;
}

static inline cap_t cap_get_proc(void)
{
	cap_t caps = calloc(1, sizeof(*caps));

	if (!caps)
		return NULL;
	caps->head.version = _LINUX_CAPABILITY_VERSION_3;
	if (syscall(SYS_capget, &caps->head, caps->data)) {
		cap_free(caps);
		return NULL;
	}

	return caps;
}

static inline int cap_set_proc(cap_t caps)
{
	return syscall(SYS_capset, &caps->head, caps->data);
}

static inline int cap_set_flag(cap_t caps, cap_flag_t flag, int count,
			       const cap_value_t *list, cap_flag_value_t value)
{
	struct __user_cap_data_struct *data;
	__u32 *word, bit;
	int i;

	for (i = 0; i < count; i++) {
		if (list[i] < 0 || list[i] / 32 >= _LINUX_CAPABILITY_U32S_3) {
			errno = EINVAL;
			return -1;
		}
		data = &caps->data[list[i] / 32];
		word = flag == CAP_EFFECTIVE ? &data->effective :
		       flag == CAP_PERMITTED ? &data->permitted :
		       &data->inheritable;
		bit = 1u << list[i] % 32;
		if (value == CAP_SET)
			*word |= bit;
		else
			*word &= ~bit;
	}

	return 0;
}

#endif /* KSELFTEST_SYS_CAPABILITY_H */
