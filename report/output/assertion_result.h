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
 * struct check - an assertion, and what the recording has shown about it so far
 * @assertion: the assertion
 * @nr: number of times that were compared; for SUBJECT_PATH: number of packets
 * @less: number of times that are less than the value
 * @equal: number of times that equal the value
 * @sum: sum of the times
 * @endless: number of waits that had not ended at the end of the recording
 * @shortest: text about the packet with the shortest time
 * @longest: text about the packet with the longest time
 * @least: the shortest time
 * @most: the longest time
 * @count: number of packets or flows that were counted; for SUBJECT_PATH: number of packets that match
 * @counted: text about the first packet that was counted
 * @other: text about the first packet that was not counted
 */
struct check {
	struct assertion assertion;
	uint64_t nr, less, equal;
	unsigned __int128 sum;
	uint64_t endless;
	char shortest[EXAMPLE_LEN], longest[EXAMPLE_LEN];
	uint64_t least, most;
	uint64_t count;
	char counted[EXAMPLE_LEN], other[EXAMPLE_LEN];
};

/**
 * struct unknown - what may be missing in a recording
 * @lost: packets may be missing
 * @calls: function calls may be missing
 * @unheard: the recording has no packet from any server
 * @incomplete: number of selected packets that are incomplete
 * @unsure: number of incomplete packets with an unknown verdict
 */
struct unknown {
	bool lost, calls, unheard;
	uint64_t incomplete, unsure;
};

/* Decide an assertion, and print a line if it fails. Return: true if it passes. */
bool check_print_failure(const struct check *check, const struct unknown *unknown);

#endif
