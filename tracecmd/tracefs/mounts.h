/* SPDX-License-Identifier: GPL-2.0 */
/* mounts.h - mount tracefs in a private mount namespace, and return to the one of the caller */
#ifndef _RECORD_SKB_MOUNTS_H
#define _RECORD_SKB_MOUNTS_H

#include <stdbool.h>

#include "err.h"
#include "text.h"

/* Make later mounts of this process invisible to other namespaces. Returns 0, or -1 with errno. */
int mounts_keep_to_us(void);

/* Append all mount points of tracefs to @places, because trace-cmd may use another one than this program. */
void mounts_of_tracefs(struct strings *places);

/* Bind-mount the file or directory @from on @to. Returns 0, or -1 with errno. */
int mounts_bind(const char *from, const char *to);

/*
 * Hide the directory @dir: mount an empty directory on it that only root can use. Returns 0, or -1 with
 * errno.
 */
int mounts_empty(const char *dir);

/*
 * Number of files of struct home: mount namespace, root directory (which can be changed by chroot), and
 * working directory.
 */
#define HOME_FILES 3

/**
 * struct home - mount namespace and directories of the caller of record-skb
 * @fds: file descriptors, closed on exec; -1 if they could not be opened
 *
 * They are stored as open files and not as the caller's PID, because the caller may exit or change its
 * namespace.
 */
struct home {
	int fds[HOME_FILES];
};

#define NO_HOME                       \
	{                             \
		.fds = { -1, -1, -1 } \
	}

/* Fill in @home with the namespace and directories of this process. Returns 0 or -1. */
int home_open(struct home *home, struct err *err);
void home_close(struct home *home);

/*
 * Let this process return to the namespace and directories in @home, unless it is still in that namespace.
 * Returns 0, or -1 with errno.
 */
int home_return(const struct home *home);

/* Choose if the files of @home stay open in a program that this process executes. */
void home_pass(const struct home *home, bool pass);

#endif /* _RECORD_SKB_MOUNTS_H */
