/* SPDX-License-Identifier: GPL-2.0 */
/* A recording that stays in the kernel's buffers until its end: begun and read by trace-cmd. */
#ifndef _RECORD_SKB_RING_H
#define _RECORD_SKB_RING_H

#include "err.h"
#include "machine.h"
#include "plan.h"

/* See that this machine can have it. Returns 0 or -1. */
int ring_check(const struct options *options, struct err *err);

/**
 * ring_start - tracing on, into buffers that are written over
 * @plan: what is recorded
 * @machine: taken
 * @err: why not
 *
 * Runs trace-cmd start, and waits for it. Returns 0 or -1.
 */
int ring_start(const struct plan *plan, const struct machine *machine, struct err *err);

/**
 * ring_extract - make the file of what is in the buffers
 * @plan: what is recorded
 * @machine: taken; tracing is off
 * @err: why not
 *
 * Runs trace-cmd extract, and waits for it. The buffers are empty then. Returns 0 or -1.
 */
int ring_extract(const struct plan *plan, const struct machine *machine, struct err *err);

#endif
