/* SPDX-License-Identifier: GPL-2.0 */
/* assertion.h - parse an assertion about a recording, such as "dropped == 0" or "p99(requests) < 5ms" */
#ifndef _RECORD_SKB_ASSERTION_H
#define _RECORD_SKB_ASSERTION_H

#include "err.h"
#include "model/packet_delays.h"

/* The subject of an assertion: what its left side measures. */
enum subject {
	/* SUBJECT_PACKETS to SUBJECT_UNANSWERED: a number of packets or flows. */
	SUBJECT_PACKETS,
	SUBJECT_FLOWS,
	SUBJECT_VERDICT,
	SUBJECT_REASON,
	SUBJECT_UNANSWERED,
	/* A statistic of times. */
	SUBJECT_TIMES,
	/* A path: the devices that each packet must pass, in this order. */
	SUBJECT_PATH,
};

enum comparison {
	COMPARE_LESS,
	COMPARE_AT_MOST,
	COMPARE_EQUAL,
	COMPARE_NOT_EQUAL,
	COMPARE_AT_LEAST,
	COMPARE_MORE,
	COMPARE_MATCHES,
	COMPARE_MATCHES_NOT,
};

/* The kinds of times that an assertion with SUBJECT_TIMES can be about. */
enum times_kind {
	TIMES_REQUESTS, /* from a request to its answer */
	TIMES_PACKETS,	/* from the first event of a packet to its last one */
	TIMES_STACK,
	TIMES_WAITING,
	TIMES_FUNCTION,
	TIMES_STEP, /* from one stage to another */
	TIMES_DELAY,
};

/* The rank of a percentile is in 1/10000 of all times, so that p99.9 is exact. RANK_MAX is the maximum. */
#define RANK_MAX 10000

#define MAX_HOPS	  16
#define FUNCTION_NAME_LEN 128

/**
 * struct assertion - an assertion
 * @text: the assertion as the user wrote it
 * @subject: the left side
 * @comparison: the operator
 * @value: right side: a number, or a time in nanoseconds
 * @verdict: for SUBJECT_VERDICT: the verdict of the packets to count
 * @reason: for SUBJECT_REASON: the drop reason
 * @times: for SUBJECT_TIMES: the kind of times
 * @mean: for SUBJECT_TIMES: compare the arithmetic mean, and not a percentile
 * @rank: for SUBJECT_TIMES without @mean: the percentile in 1/10000; 0 is the minimum
 * @delay: for TIMES_DELAY: the kind of delay
 * @from: for TIMES_STEP: the first stage
 * @to: for TIMES_STEP: the second stage
 * @function: for TIMES_FUNCTION: name of the function
 * @hops: for SUBJECT_PATH: names of the devices, in the order in which packets must pass them
 * @nr_hops: number of elements in @hops
 */
struct assertion {
	const char *text;
	enum subject subject;
	enum comparison comparison;
	uint64_t value;
	enum verdict verdict;
	char reason[WHY_LEN];
	enum times_kind times;
	bool mean;
	unsigned int rank;
	enum delay_kind delay;
	enum stage from, to;
	char function[FUNCTION_NAME_LEN];
	char hops[MAX_HOPS][DEVICE_NAME_LEN + 1];
	unsigned int nr_hops;
};

/* Parse @text, which must outlive @assertion. Return: 0; -1 if the text is not a valid assertion. */
int assertion_parse(struct assertion *assertion, const char *text, struct err *err);

#endif
