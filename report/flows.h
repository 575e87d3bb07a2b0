/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_FLOWS_H
#define _REPORT_SKB_FLOWS_H

#include "packets.h"

struct flows;

struct flows *flows_new(void);
void flows_free(struct flows *flows);

/* A line for each flow, on standard output; @data is the struct flows. */
extern const struct output flows_output;

#endif
