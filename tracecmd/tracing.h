/* SPDX-License-Identifier: GPL-2.0 */
/* Whether this kernel lets us trace, and whether somebody else does. */
#ifndef _RECORD_SKB_TRACING_H
#define _RECORD_SKB_TRACING_H

#include "err.h"

/**
 * tracing_find - see that tracefs is there, mounting it if need be, as trace-cmd does
 * @err: why it is not
 *
 * Returns 0 or -1.
 */
int tracing_find(struct err *err);

/**
 * tracing_check - see that function_graph can be had here and now
 * @err: why not: the kernel has none, or somebody is tracing
 *
 * Returns 0 or -1.
 */
int tracing_check(struct err *err);

#endif
