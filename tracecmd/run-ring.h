/* SPDX-License-Identifier: GPL-2.0 */
/* A recording under way that is a ring. */
#ifndef _RECORD_SKB_RUN_RING_H
#define _RECORD_SKB_RUN_RING_H

#include "run.h"

/* End it if a packet has; with --keep, make a file of it and go on. */
void run_look_at_ring(struct run *run);

/* All is over but the file: make it, if it is wanted. */
void run_finish_ring(struct run *run);

#endif
