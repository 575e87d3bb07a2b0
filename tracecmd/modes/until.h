/* SPDX-License-Identifier: GPL-2.0 */
/* until.h - --ring and --until: parse the options that end a recording */
#ifndef _RECORD_SKB_UNTIL_H
#define _RECORD_SKB_UNTIL_H

#include <stdbool.h>

#include "err.h"
#include "record_skb.h"

/**
 * struct ring_options - the size of the ring, and its triggers
 * @kb: total size of all CPUs' buffers in KB; 0 to record without a ring
 * @until: the triggers that the module checks, except @match
 * @any_drop: true if a drop for any reason is a trigger
 * @match: filter expression of --until match, or NULL
 * @by_status: true if the ring is written to a file when the command exits with @status
 * @status: exit status of the command; ANY_FAILURE means any other than 0
 * @keep: number of files to keep, each with one ring; 0 if the first trigger ends the recording
 */
struct ring_options {
	unsigned long kb;
	struct record_skb_ring until;
	bool any_drop;
	const char *match;
	bool by_status;
	int status;
	unsigned long keep;
};

#define ANY_FAILURE -1

/*
 * Parse the value of --ring, a trigger of --until, and the value of --keep. The functions return 0 or -1.
 */
int ring_set_size(struct ring_options *ring, const char *value, struct err *err);
int ring_add_until(struct ring_options *ring, const char *value, struct err *err);
int ring_set_keep(struct ring_options *ring, const char *value, struct err *err);

/* Return true if one of the options is a trigger by which a packet stops the ring. */
bool ring_has_trigger(const struct ring_options *ring);

/* Check that --ring, --until and --keep can be combined as given. Returns 0 or -1. */
int ring_options_check(const struct ring_options *ring, struct err *err);

/**
 * struct limits - limits of --until at which a recording ends; 0 means no limit
 * @count: maximum number of packets
 * @msec: maximum time in milliseconds
 * @kb: maximum size of the recorded data in KB
 */
struct limits {
	unsigned long count;
	unsigned long msec;
	unsigned long kb;
};

/* Parse a value of --until: a limit, or a trigger of a ring. Returns 0 or -1. */
int until_add(struct limits *limits, struct ring_options *ring, const char *value, struct err *err);

bool limits_any(const struct limits *limits);

#endif /* _RECORD_SKB_UNTIL_H */
