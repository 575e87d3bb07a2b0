/* SPDX-License-Identifier: GPL-2.0 */
/* What passed by while nothing matched: by the kernel's own counters and tables, at no cost to packets. */
#ifndef _RECORD_SKB_MEANWHILE_H
#define _RECORD_SKB_MEANWHILE_H

#include <stdio.h>

#include "options.h"

struct meanwhile;

/* Note the counters of the network namespaces. Never NULL. */
struct meanwhile *meanwhile_begin(void);

/* Count what came since. */
void meanwhile_end(struct meanwhile *meanwhile);

/* Say it, and which sockets come near to what is wanted. NULL is nothing to say, here and below. */
void meanwhile_print(FILE *out, const struct meanwhile *meanwhile, const struct options *wanted);

void meanwhile_free(struct meanwhile *meanwhile);

#endif
