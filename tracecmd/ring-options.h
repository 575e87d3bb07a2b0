/* SPDX-License-Identifier: GPL-2.0 */
/* --ring and what ends it. */
#ifndef _RECORD_SKB_RING_OPTIONS_H
#define _RECORD_SKB_RING_OPTIONS_H

#include <stdbool.h>

#include "err.h"
#include "record_skb.h"

/**
 * struct ring_options - how much of a recording is kept, and until when
 * @kb: of all CPUs' buffers together; 0 if all is written
 * @until: for the module, but for @match
 * @any_drop: @until has a drop for any reason
 * @has_after: @until.after_ns was said
 * @match: expression that a packet is to match, NULL for none
 * @by_status: the recording is kept if the command exits with @status
 * @status: ANY_FAILURE for any but 0
 * @keep: files to keep of those that end a ring, the ring going on; 0 if the first ends it
 */
struct ring_options {
	unsigned long kb;
	struct record_skb_ring until;
	bool any_drop;
	bool has_after;
	const char *match;
	bool by_status;
	int status;
	unsigned long keep;
};

#define ANY_FAILURE -1

/* What an option's value says. They return 0 or -1. */
int ring_set_size(struct ring_options *ring, const char *value, struct err *err);
int ring_add_until(struct ring_options *ring, const char *value, struct err *err);
int ring_set_match(struct ring_options *ring, const char *value, struct err *err);
int ring_set_exit(struct ring_options *ring, const char *value, struct err *err);
int ring_set_after(struct ring_options *ring, const char *value, struct err *err);
int ring_set_keep(struct ring_options *ring, const char *value, struct err *err);

/* True if a packet can end it. */
bool ring_has_trigger(const struct ring_options *ring);

/* See that they fit together. Returns 0 or -1. */
int ring_options_check(const struct ring_options *ring, struct err *err);

#endif
