/* SPDX-License-Identifier: GPL-2.0 */
/* What is said at the end of a recording. */
#ifndef _RECORD_SKB_SUMMARY_H
#define _RECORD_SKB_SUMMARY_H

#include <stdio.h>

#include "plan.h"
#include "recorder.h"

/* That a packet has ended a ring, which is in @file now. */
void summary_print_incident(FILE *out, const struct record_skb_stats *stats, const char *file);

/* Print what was recorded, what was lost, and where it is. */
void summary_print(FILE *out, const struct plan *plan, const struct outcome *outcome);

#endif
