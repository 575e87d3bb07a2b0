/* SPDX-License-Identifier: GPL-2.0 */
/* Who may record now: a lock on the directory of tracefs, and one on that of its instances. */
#ifndef _RECORD_SKB_LOCK_H
#define _RECORD_SKB_LOCK_H

#include <stdbool.h>

#include "err.h"

/*
 * Who has the recording for himself holds the first alone, and those who share it hold it together, each
 * until all is put back. The second is held by one of these at a time, and briefly: while he changes what is
 * theirs together.
 */

/**
 * lock_take - wait until nobody else records, and nobody puts back what a recording changed
 * @err: who records
 *
 * A recorder that was killed leaves the lock to its keeper for a moment; that is waited for. Another
 * that records is not. Returns a file, closed on exec, to be closed to let go; or -1.
 */
int lock_take(struct err *err);

/**
 * lock_join - wait until nobody has the recording for himself, or puts back what that changed
 * @instances: set to the directory of tracing's instances, closed on exec; to be closed if it is not -1
 * @brief: set to the second lock, which is held: to be closed soon
 * @first: set to whether nobody shares it yet
 * @err: who records
 *
 * Returns a file, closed on exec, to be closed to let go; or -1.
 */
int lock_join(int *instances, int *brief, bool *first, struct err *err);

/* Take the second again, of @instances. Returns a file, closed on exec, to be closed soon; or -1. */
int lock_brief(int instances, struct err *err);

/* While the second is held: nobody else is left. If so nobody can join until @lock is closed. */
bool lock_is_last(int lock);

#endif
