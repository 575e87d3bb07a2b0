/* SPDX-License-Identifier: GPL-2.0 */
/* ring.h - record into a ring buffer, and make a file of each ring */
#ifndef _RECORD_SKB_RING_H
#define _RECORD_SKB_RING_H

#include "err.h"
#include "plan.h"
#include "run.h"
#include "setup.h"
#include "text.h"

/**
 * ring_start - set up tracing for a ring: when a buffer is full, new entries overwrite the oldest
 * @plan: the recording
 * @setup: from setup_begin()
 * @err: set to the reason on failure
 *
 * Runs "trace-cmd start" and waits for it. Returns 0 or -1.
 */
int ring_start(const struct plan *plan, const struct setup *setup, struct err *err);

/**
 * ring_extract - write the contents of the buffers to the file
 * @plan: the recording
 * @setup: from setup_begin(); tracing must be off
 * @err: set to the reason on failure
 *
 * Runs "trace-cmd extract" and waits for it. The buffers are empty after that. Returns 0 or -1.
 */
int ring_extract(const struct plan *plan, const struct setup *setup, struct err *err);

/*
 * Check if a packet has stopped the ring. If so, end the recording; with --keep, write the ring to a file and
 * continue.
 */
void run_look_at_ring(struct run *run);

/*
 * Call this at the end of the recording. It writes the ring to the file if a trigger, signal, limit or error
 * has ended the recording.
 */
void run_finish_ring(struct run *run);

/**
 * ring_files_add - rename a ring's file to a name with the time of day
 * @files: names of the files of this recording, oldest first; the new name is appended
 * @file: the temporary file; trace.dat becomes trace-20261122-101502.345.dat, for example
 * @keep: number of files to keep; if there are more, the oldest one is removed
 * @err: set to the reason on failure; then @file still exists
 *
 * Returns the new name, owned by @files, or NULL.
 */
const char *ring_files_add(struct strings *files, const char *file, unsigned long keep,
			   struct err *err);

#endif /* _RECORD_SKB_RING_H */
