/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_ACTIVE_CONFIG_H
#define RECORD_SKB_ACTIVE_CONFIG_H

#include <linux/hash.h>
#include <linux/types.h>

#include "filter.h"
#include "probes.h"
#include "recording.h"

struct unanswered;

/*
 * struct trigger_config - the events after which a ring stops
 * @ring: true if the recording is a ring, which keeps only the newest events
 * @on: these events, a bit mask of 1 << enum record_skb_by
 * @slower_us: time limit for a packet, in microseconds
 * @unanswered_ns: time limit for an answer, in nanoseconds
 * @after_ns: time for which recording continues after the event, in nanoseconds
 * @match: filter for the packet that stops the ring
 * @nr_reasons: number of entries in @reasons
 * @reasons: names of the drop reasons that stop the ring; if empty, every drop reason stops the ring
 * @questions: table of requests without an answer; NULL if answers have no time limit
 */
struct trigger_config {
	bool ring;
	u32 on;
	u32 slower_us;
	u64 unanswered_ns;
	u64 after_ns;
	struct filter match;
	u32 nr_reasons;
	char reasons[RECORD_SKB_MAX_REASONS][RECORD_SKB_REASON_LEN];
	struct unanswered *questions;
};

#define ARMED_HASH_BITS 11

/*
 * struct active_config - active configuration of a recording
 *
 * The configuration does not change after it was published, so callbacks read it without a lock. The filter
 * programs belong to the session, which outlives the configuration.
 *
 * @recording: the recording that has this configuration
 * @filter: the filter programs
 * @options: options of the session, except those that this kernel does not support (tracking, the pause of
 *	all tasks)
 * @until: triggers that stop a ring
 * @epoch: number of this configuration, unique and never 0
 * @points: probes that user space has named and probes that the module itself needs, in the requested
 *	directions
 * @by_ip: hash table of the probes by address, with open addressing
 */
struct active_config {
	struct recording *recording;
	struct filter filter;
	struct record_skb_options options;
	struct trigger_config until;
	u32 epoch;
	struct points points;
	struct point *by_ip[1 << ARMED_HASH_BITS];
};

static inline u32 active_config_hash(unsigned long ip)
{
	return hash_long(ip, ARMED_HASH_BITS);
}

/* Return: the probe at an address, NULL if no probe is there. */
static inline const struct point *active_config_point(const struct active_config *a,
						      unsigned long ip)
{
	u32 i;

	for (i = active_config_hash(ip); a->by_ip[i]; i = (i + 1) % ARRAY_SIZE(a->by_ip))
		if (a->by_ip[i]->ip == ip)
			return a->by_ip[i];
	return NULL;
}

#endif
