/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_RECORDING_H
#define RECORD_SKB_RECORDING_H

#include <linux/cache.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
#include <record_skb.h>

#include "counters.h"

struct active_config;
struct filter;
struct flow_table;
struct module;
struct netns_table;
struct points;
struct skb_table;
struct task_table;
struct trigger_config;

/*
 * struct recording - the state of one recording
 *
 * Either one session uses the first recording alone, or several sessions use the other recordings at the
 * same time. All recordings are static variables of the module. Therefore a pointer to a recording stays
 * valid, and @epoch can be read at any time.
 *
 * @number: number of the recording in its events; 0 for the recording that one session uses alone
 * @epoch: number of the active configuration, or of the last one if it has just ended; 0 if there was none
 * @lacks_points: true if the configuration with this @epoch has RECORD_SKB_OPT_LACKS_POINTS
 * @sample: one of this many flows is recorded; 0 or 1 for all flows
 * @armed: the active configuration, NULL while nothing is armed
 * @track, @flows, @follow: tables of tracked packets, flows and followed tasks; allocated from
 *	recording_begin() to recording_end()
 * @netns: namespaces of the packets; allocated and freed together with these tables
 * @stats: statistics, which can still be read after recording_end()
 */
struct recording {
	u32 number;
	u32 epoch;
	bool lacks_points;
	u32 sample;
	const struct active_config __rcu *armed;
	struct skb_table *track;
	struct flow_table *flows;
	struct task_table *follow;
	struct netns_table *netns;
	struct stats stats;
};

extern struct recording record_skb_recordings[1 + RECORD_SKB_MAX_SHARED];
/*
 * True while several sessions may record at the same time. They use all recordings except the first one. If
 * this is false, one session uses the first recording alone.
 */
extern bool record_skb_shared;

bool options_are_valid(const struct record_skb_options *want);
struct active_config *active_config_new(struct recording *recording, const struct filter *filter,
					const struct record_skb_options *options,
					const struct trigger_config *until,
					const struct points *users, const struct points *alone);
struct active_config *active_config_without(const struct active_config *a,
					    const struct module *mod);
void active_config_free(struct active_config *a);
void active_config_publish(const struct active_config *a);

int recording_begin(struct recording *r);
void recording_end(struct recording *r);
void recording_read_stats(const struct recording *r, struct record_skb_stats *stats);
int start_recording(const struct active_config *a, u32 wanted, bool others);
void stop_recording(const struct active_config *a, bool others);

/* Return: the recording that one session uses alone. */
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

/* Return: the active configuration, NULL while nothing is armed. The caller has disabled preemption. */
static inline const struct active_config *recording_armed(const struct recording *r)
{
	/*
	 * Skip the checks of lockdep: they would call tracing callbacks, and tracing callbacks call this
	 * function.
	 */
	return rcu_dereference_raw_check(r->armed);
}

/* Return: true if the configuration @epoch of the recording is active or has just ended. Any context. */
static inline bool recording_has(const struct recording *r, u32 epoch)
{
	return r && READ_ONCE(r->epoch) == epoch;
}

/*
 * Count a lost event. The module could not report the event because another of its callbacks is already
 * running in this context.
 */
static inline void recording_lost(struct recording *r, u32 epoch)
{
	if (recording_has(r, epoch))
		stat_inc(&r->stats, STAT_LOST_RECURSION);
}

#endif
