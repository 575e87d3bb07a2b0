/* SPDX-License-Identifier: GPL-2.0 */
/* assertion_result.h - decide if an assertion of --assert is true, and print why it is not */
#ifndef _RECORD_SKB_ASSERTION_RESULT_H
#define _RECORD_SKB_ASSERTION_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/assertion.h"
#include "model/packet_text.h"

#define EXAMPLE_LEN (NUMBER_LEN + FLOW_TEXT_LEN + PATH_LEN)

/**
 * struct bounds - the lower or upper bounds of all times
 * @less: number of bounds that are less than the value of the assertion
 * @equal: number of bounds that equal the value
 * @endless: number of bounds that are longer than any value. A lower bound is endless if a wait had not
 *	ended when the recording ended
 * @sum: sum of the other bounds
 */
struct bounds {
	uint64_t less, equal, endless;
	unsigned __int128 sum;
};

/**
 * struct check - an assertion, and what the recording has shown about it so far
 * @assertion: the assertion
 * @nr: number of times that were compared; for SUBJECT_PATH: number of packets; for SUBJECT_UNANSWERED:
 *	number of requests
 * @lower: lower bounds of the times
 * @upper: upper bounds of the times. They are equal to the lower bounds if the times are known exactly
 * @clock_error: largest error of the times, if they are between two hosts; otherwise 0. The bounds contain
 *	the error
 * @shortest: text about the packet with the shortest time
 * @longest: text about the packet with the longest time
 * @least: the smallest lower bound
 * @most: the largest upper bound; UINT64_MAX if it is endless
 * @count: number of packets or flows that were counted; for SUBJECT_PATH: number of packets whose recorded
 *	devices match
 * @proven: for SUBJECT_PATH: number of packets with the path, in spite of rows that were lost
 * @refuted: for SUBJECT_PATH: number of complete packets without the path
 * @counted: text about the first packet that was counted
 * @other: text about the first packet that was not counted
 */
struct check {
	struct assertion assertion;
	uint64_t nr;
	struct bounds lower, upper;
	uint64_t clock_error;
	char shortest[EXAMPLE_LEN], longest[EXAMPLE_LEN];
	uint64_t least, most;
	uint64_t count, proven, refuted;
	char counted[EXAMPLE_LEN], other[EXAMPLE_LEN];
};

/**
 * struct unknown - what the recording does not show
 * @lost: packets may be missing
 * @probes: any packet may lack probe points
 * @calls: function calls may be missing
 * @lost_flows: a flow may have several numbers
 * @unheard: the recording has no packet from any server
 * @packets: number of selected packets
 * @incomplete: number of selected packets that are incomplete
 * @unsure: number of selected packets with an unknown verdict
 * @maybe_dropped: number of other selected packets that were possibly dropped
 * @first_unsure: number of the first packet of both kinds
 * @clients: number of connections with unknown requests or answers
 */
struct unknown {
	bool lost, probes, calls, lost_flows, unheard;
	uint64_t packets, incomplete, unsure, maybe_dropped;
	uint32_t first_unsure;
	uint64_t clients;
};

/* Decide an assertion, and print a line if it fails. Return: true if it passes. */
bool check_print_failure(const struct check *check, const struct unknown *unknown);

#endif
