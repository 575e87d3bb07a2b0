/* SPDX-License-Identifier: GPL-2.0 */
/* One recording at a time: a lock on the directory of tracefs. */
#ifndef _RECORD_SKB_LOCK_H
#define _RECORD_SKB_LOCK_H

#include "err.h"

/**
 * lock_take - wait until nobody else records, and nobody puts back what a recording changed
 * @err: who records
 *
 * A recorder that was killed leaves the lock to its keeper for a moment; that is waited for. Another
 * that records is not. Returns a file, closed on exec, to be closed to let go; or -1.
 */
int lock_take(struct err *err);

#endif
