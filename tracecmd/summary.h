/* SPDX-License-Identifier: GPL-2.0 */
/* What is said at the end of a recording. */
#ifndef _RECORD_SKB_SUMMARY_H
#define _RECORD_SKB_SUMMARY_H

#include <stdio.h>

#include "plan.h"
#include "recorder.h"

/* Print what was recorded, what was lost, and where it is. */
void summary_print(FILE *out, const struct plan *plan, const struct outcome *outcome);

#endif
