/* SPDX-License-Identifier: GPL-2.0 */
/* What recordings at the same time have changed together: the first notes it, the last puts it back. */
#ifndef _RECORD_SKB_SHARED_STATE_H
#define _RECORD_SKB_SHARED_STATE_H

#include <stdbool.h>

#include "err.h"

/*
 * Options of function_graph are one for all its instances until Linux 6.18, and some settings on any kernel;
 * and the module is unloaded by the last, whoever loaded it. So it is in a file, for the first may be gone by
 * then. All this is called where tracefs is what it is, with a lock that keeps others from it.
 */

/*
 * By the first: note how it is, and that the module was loaded for us, if so; set what is to be set. Returns
 * 0, or -1 and has set nothing.
 */
int shared_state_begin(bool module_loaded, struct err *err);

/*
 * By the last, and by whoever comes next in case that he was killed: set back what was noted, if it was.
 * Returns whether the module was loaded for us, and is still that one.
 */
bool shared_state_end(void);

#endif
