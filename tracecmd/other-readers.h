/* SPDX-License-Identifier: GPL-2.0 */
/* Whether somebody else has read the buffer while it was recorded. */
#ifndef _RECORD_SKB_OTHER_READERS_H
#define _RECORD_SKB_OTHER_READERS_H

#include <stdbool.h>

/*
 * What somebody reads from trace_pipe, or as a second recorder from trace_pipe_raw, is in no file of ours,
 * and the kernel counts it as read.
 */
struct other_readers;

/**
 * other_readers_watch - notice them from now on
 * @has_recorders: one for each CPU, of trace-cmd, is going to open trace_pipe_raw, once
 *
 * Returns NULL where the kernel does not tell.
 */
struct other_readers *other_readers_watch(bool has_recorders);

/* The name of what they read, NULL if nobody has. To be called when the recorders are there, too. */
const char *other_readers_look(struct other_readers *others);

void other_readers_free(struct other_readers *others);

#endif
