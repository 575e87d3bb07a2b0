/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_DIFF_H
#define _RECORD_SKB_DIFF_H

#include <stdbool.h>

#include "err.h"
#include "model/packet_filter.h"
#include "output/progress.h"

/**
 * struct diff_side - one of the two sets of packets that are compared
 * @path: name of the trace file
 * @chosen: selection of packets in this recording
 */
struct diff_side {
	const char *path;
	const struct chosen *chosen;
};

/**
 * diff_print - compare the times of functions, steps and delays in two recordings
 * @chosen: the first recording and the second one, or one recording with two selections of packets
 * @progress: shows how much was read
 * @err: set on failure
 *
 * Print a sentence about the largest change, and a line for each function, step and kind of delay. If both
 * sides use the same recording, it is read only once.
 *
 * Return: 0; 1 if the comparison was printed, but a recording lacks rows; -1 on error.
 */
int diff_print(const struct diff_side chosen[2], struct progress *progress, struct err *err);

#endif
