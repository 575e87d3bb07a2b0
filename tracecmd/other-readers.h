/* SPDX-License-Identifier: GPL-2.0 */
/* Whether somebody else has read the buffer, or emptied it, while it was recorded. */
#ifndef _RECORD_SKB_OTHER_READERS_H
#define _RECORD_SKB_OTHER_READERS_H

#include <stdbool.h>

/* The name by which it is emptied, by whoever writes to it. */
#define OTHER_READERS_EMPTIED "trace"

/*
 * What somebody reads from trace_pipe, or as a second recorder from trace_pipe_raw, is in no file of ours,
 * and the kernel counts it as read; what somebody empties the buffer of it counts as nothing.
 */
struct other_readers;

/**
 * other_readers_watch - notice them from now on
 * @has_recorders: one for each CPU, of trace-cmd, is going to open trace_pipe_raw, once
 *
 * Returns NULL where the kernel does not tell.
 */
struct other_readers *other_readers_watch(bool has_recorders);

/* The name of what they read or emptied it by, NULL if nobody has. */
const char *other_readers_look(struct other_readers *others);

/* That was before there was anything to lose, or by ourselves; the recorders are there by now. */
void other_readers_forget(struct other_readers *others);

void other_readers_free(struct other_readers *others);

#endif
