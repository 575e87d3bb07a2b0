/* SPDX-License-Identifier: GPL-2.0 */
/* ring.h - record into a ring buffer, and write the ring to a file */
#ifndef _RECORD_SKB_RING_H
#define _RECORD_SKB_RING_H

#include "err.h"
#include "plan.h"
#include "run.h"
#include "setup.h"
#include "text.h"

/**
 * ring_start - set up tracing for a ring, in which new entries overwrite the oldest when a buffer is full
 * @plan: the recording
 * @setup: from setup_begin()
 * @err: set to the reason on failure
 *
 * Runs "trace-cmd start" and waits for its end. Returns 0 or -1.
 */
int ring_start(const struct plan *plan, const struct setup *setup, struct err *err);

/**
 * ring_extract - write the contents of the kernel's buffers to the output file
 * @plan: the recording
 * @setup: from setup_begin(); tracing must be off
 * @err: set to the reason on failure
 *
 * Runs "trace-cmd extract" and waits for its end. The buffers are empty after that. Returns 0 or -1.
 */
int ring_extract(const struct plan *plan, const struct setup *setup, struct err *err);

/*
 * Check if a packet has stopped the ring. If so, end the recording. With --keep, write the ring to a file
 * instead, and continue.
 */
void run_look_at_ring(struct run *run);

/*
 * Write the ring to the output file if a trigger, signal, limit or error has ended the recording, or if no
 * trigger was given. Call this function at the end of the recording.
 */
void run_finish_ring(struct run *run);

/**
 * ring_files_add - give the file of a ring a name with the time of day
 * @files: names of the files of this recording, oldest first; the new name is appended
 * @file: name under which the ring was written; trace.dat becomes trace-20261122-101502.345.dat, for
 *	example
 * @keep: number of files to keep; if there are more, the oldest one is removed
 * @err: set to the reason on failure; then @file still exists
 *
 * Returns the new name, owned by @files, or NULL.
 */
const char *ring_files_add(struct strings *files, const char *file, unsigned long keep,
			   struct err *err);

#endif /* _RECORD_SKB_RING_H */
