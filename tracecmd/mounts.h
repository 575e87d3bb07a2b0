/* SPDX-License-Identifier: GPL-2.0 */
/* Mounts of tracefs, in a mount namespace of our own. */
#ifndef _RECORD_SKB_MOUNTS_H
#define _RECORD_SKB_MOUNTS_H

#include "strlist.h"

/* What this process mounts from now on must not show anywhere else. Returns 0, or -1 with errno. */
int mounts_keep_to_us(void);

/* Wherever tracefs is: trace-cmd may look for it in another order than we do. */
void mounts_of_tracefs(struct strings *places);

/* Put the file or directory @from where @to is. Returns 0, or -1 with errno. */
int mounts_bind(const char *from, const char *to);

/* Put an empty directory, of root's alone, where @dir is. Returns 0, or -1 with errno. */
int mounts_empty(const char *dir);

#endif
