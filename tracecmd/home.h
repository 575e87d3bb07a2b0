/* SPDX-License-Identifier: GPL-2.0 */
/* The way back to where we were called: from a mount namespace of our own to the caller's. */
#ifndef _RECORD_SKB_HOME_H
#define _RECORD_SKB_HOME_H

#include <stdbool.h>

#include "err.h"

/* The namespace, and root and working directory in it: the namespace's root is not always its processes'. */
#define HOME_FILES 3

/**
 * struct home - where we were called
 * @fds: closed on exec; -1 if there is no way to go
 *
 * Files and not a process, for who called us may be gone, or be elsewhere himself.
 */
struct home {
	int fds[HOME_FILES];
};

#define NO_HOME                       \
	{                             \
		.fds = { -1, -1, -1 } \
	}

/* Where this process is. Returns 0 or -1. */
int home_open(struct home *home, struct err *err);
void home_close(struct home *home);

/* Go there; nothing to do if that is where this process is. Returns 0, or -1 with errno. */
int home_return(const struct home *home);

/* For a program that is to be started: whether its files stay open. */
void home_pass(const struct home *home, bool pass);

#endif
