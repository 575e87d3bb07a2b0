/* SPDX-License-Identifier: GPL-2.0 */
/* recording_lock.h - locks between recordings, on the directories of tracefs and of its instances */
#ifndef _RECORD_SKB_RECORDING_LOCK_H
#define _RECORD_SKB_RECORDING_LOCK_H

#include <stdbool.h>

#include "err.h"

/*
 * Recordings use two locks. The first lock is held during a recording: exclusively by an exclusive recording,
 * or jointly by all shared recordings, each until it has restored everything. The second lock protects the
 * settings that shared recordings have in common. One shared recording at a time holds it, for a short time.
 */

/**
 * lock_take - take the lock for an exclusive recording
 * @err: set to a message that names the other recording
 *
 * This function waits for the watchdog of a killed recorder, which holds the lock for a moment. It does not
 * wait for the end of another recording. Returns a file descriptor, closed on exec; closing it releases the
 * lock. Returns -1 on failure.
 */
int lock_take(struct err *err);

/**
 * lock_join - take the lock for a shared recording
 * @instances: set to a file descriptor of the directory of tracing instances, closed on exec; the caller has
 *	to close it if it is not -1
 * @brief: set to a file descriptor with the second lock, which is held now; the caller should close it soon
 * @first: set to true if no other shared recording is running
 * @err: set to a message that names the exclusive recording
 *
 * Returns a file descriptor, closed on exec; closing it releases the lock. Returns -1 on failure.
 */
int lock_join(int *instances, int *brief, bool *first, struct err *err);

/*
 * Take only the second lock. Returns a file descriptor that is closed on exec and that the caller should
 * close soon; or -1.
 */
int lock_brief(int instances, struct err *err);

/*
 * Return true if this is the only shared recording. Then no other recording can start until @lock is closed.
 * The caller holds the second lock.
 */
bool lock_is_last(int lock);

#endif
