/* SPDX-License-Identifier: GPL-2.0 */
/* What is said at the end of a recording. */
#ifndef _RECORD_SKB_SUMMARY_H
#define _RECORD_SKB_SUMMARY_H

#include <stdio.h>

#include "err.h"
#include "recorder.h"

/**
 * summary_print - what was recorded, what was lost, and where it is
 * @out: where to
 * @outcome: what the module and the ring buffer counted
 * @file: the finished trace.dat, whose entries are counted; NULL if it was sent away
 * @err: why the file cannot be read
 *
 * Returns 0 or -1.
 */
int summary_print(FILE *out, const struct outcome *outcome, const char *file, struct err *err);

#endif
