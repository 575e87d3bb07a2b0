/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_RECORDING_H
#define RECORD_SKB_RECORDING_H

#include <linux/cache.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
#include <record_skb.h>

#include "stats.h"

struct armed;
struct flows;
struct follow;
struct track;

/*
 * struct recording - what is remembered of one recording
 *
 * There is one that a session has for itself, or there are several that share. They are part of the module:
 * whoever has the address of one may look at @epoch at any time.
 *
 * @number: what its events say; 0 for the one that is alone
 * @epoch: of what is recorded, or was until just now; 0 if nothing
 * @lacks_points: RECORD_SKB_OPT_LACKS_POINTS of that
 * @armed: what is recorded; NULL if nothing
 * @track, @flows, @follow: its packets, flows and tasks; from recording_begin() to recording_end()
 * @stats: stays when the recording is over
 */
struct recording {
	u32 number;
	u32 epoch;
	bool lacks_points;
	const struct armed __rcu *armed;
	struct track *track;
	struct flows *flows;
	struct follow *follow;
	struct stats stats;
};

extern struct recording record_skb_recordings[1 + RECORD_SKB_MAX_SHARED];
/* Recordings may share: then all but the first are to be looked at, else that alone. */
extern bool record_skb_shared;

int recording_begin(struct recording *r);
void recording_end(struct recording *r);

/* The one that has no others beside it. */
static inline struct recording *recording_alone(void)
{
	return &record_skb_recordings[0];
}

static inline bool recordings_share(void)
{
	return READ_ONCE(record_skb_shared);
}

#define for_each_recording(r)                                                                  \
	for ((r) = &record_skb_recordings[recordings_share()];                                 \
	     (r) < &record_skb_recordings[recordings_share() ? 1 + RECORD_SKB_MAX_SHARED : 1]; \
	     (r)++)

/* What is recorded, NULL if nothing is. Only while preemption is off. */
static inline const struct armed *recording_armed(const struct recording *r)
{
	/* Called by the tracing itself, which lockdep's checks would enter again. */
	return rcu_dereference_raw_check(r->armed);
}

/* Whether it is the arming @epoch of it that is recorded, or was until just now. Any context. */
static inline bool recording_has(const struct recording *r, u32 epoch)
{
	return r && READ_ONCE(r->epoch) == epoch;
}

/* What was to be said in it was not: a callback of ours is under way here already. */
static inline void recording_lost(struct recording *r, u32 epoch)
{
	if (recording_has(r, epoch))
		stat_inc(&r->stats, STAT_LOST_RECURSION);
}

#endif
