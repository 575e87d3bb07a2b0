/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_FAMILY_H
#define _RECORD_SKB_FAMILY_H

#include <stddef.h>
#include <sys/types.h>

#include "strlist.h"

/**
 * struct family - trace-cmd and the processes it started, as pidfds
 *
 * Its recorders outlive a trace-cmd that is killed, and would read the trace for ever. As long as
 * one has a buffer's file open, current_tracer cannot be changed.
 */
struct family {
	int *pidfds;
	size_t n;
};

int family_open(pid_t pid);
void family_signal(int pidfd, int signal);

/* Take a process in; one that is no more is no matter. */
void family_add(struct family *family, pid_t pid);

/* PIDs of the children that @pid has now; add them to @pids. */
void family_children(pid_t pid, struct strings *pids);

/* SIGKILL all from the member @from on, and wait until they are gone. */
void family_kill(const struct family *family, size_t from);
void family_free(struct family *family);

#endif
