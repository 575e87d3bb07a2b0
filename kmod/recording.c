// SPDX-License-Identifier: GPL-2.0
/*
 * recording.c - the recordings of the module: allocate their tables, and start and stop what a recording
 * needs, in the right order
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/percpu.h>

#include "flow_table.h"
#include "tasks.h"
#include "netns_table.h"
#include "recording.h"
#include "skb_table.h"
#include "active_config.h"
#include "bpf_programs.h"
#include "decisions.h"
#include "counters.h"
#include "fast_mode.h"
#include "gate_stack.h"
#include "probe_hooks.h"
#include "ring_trigger.h"
#include "drops_and_rules.h"
#include "socket_calls.h"
#include "trace_emit.h"

static DEFINE_PER_CPU(struct stats_count, count_0);
static DEFINE_PER_CPU(struct stats_count, count_1);
static DEFINE_PER_CPU(struct stats_count, count_2);
static DEFINE_PER_CPU(struct stats_count, count_3);
static DEFINE_PER_CPU(struct stats_count, count_4);

#define RECORDING(n)                                     \
	{                                                \
		.number = (n), .stats.count = &count_##n \
	}

struct recording record_skb_recordings[1 + RECORD_SKB_MAX_SHARED] = {
	RECORDING(0), RECORDING(1), RECORDING(2), RECORDING(3), RECORDING(4),
};
bool record_skb_shared __read_mostly;

/**
 * recording_begin() - allocate the tables of a recording
 * @r: a recording without tables
 *
 * The caller holds session_lock.
 *
 * Return: 0 or -ENOMEM.
 */
int recording_begin(struct recording *r)
{
	r->track = skb_table_new_table(&r->stats);
	r->flows = flow_table_new(&r->stats);
	r->follow = task_table_new(&r->stats);
	r->netns = netns_table_new();
	if (r->track && r->flows && r->follow && r->netns)
		return 0;
	recording_end(r);
	return -ENOMEM;
}

/*
 * Free the tables of a recording and keep its statistics. The recording must not be armed, and no callback
 * may use it any more.
 */
void recording_end(struct recording *r)
{
	if (r->follow)
		task_table_stop(r->follow);
	task_table_free(r->follow);
	flow_table_free(r->flows);
	skb_table_free_table(r->track);
	netns_table_free(r->netns);
	r->netns = NULL;
	r->follow = NULL;
	r->flows = NULL;
	r->track = NULL;
}

/* Detach from the tracepoints that all recordings have in common. */
static void stop_tracepoints(void)
{
	skb_drops_stop();
	decisions_stop();
}

/**
 * start_recording() - attach to the probes of a configuration and publish it
 * @a: the configuration
 * @wanted: flags of the options that user space has set; the configuration may lack some of them
 * @others: true if another recording is armed, so that the parts that all recordings have in common are
 *	already started
 *
 * The caller holds session_lock.
 *
 * Return: 0 or a negative error. After an error, nothing is attached.
 */
int start_recording(const struct active_config *a, u32 wanted, bool others)
{
	const u32 lacks = a->options.flags ^ wanted;
	int err;

	stats_reset(&a->recording->stats);
	flow_table_forget_all(a->recording->flows);
	skb_table_forget_all(a->recording->track);
	skb_drops_forget_all(a->recording);
	bpf_programs_forget_all(a->recording);
	err = others ? 0 : skb_drops_start();
	if (err)
		return err;
	if (!others)
		decisions_start();
	err = hook_start(a);
	if (err)
		goto stop_drops;
	if (a->options.flags & RECORD_SKB_OPT_SCHED)
		err = sched_probes_start();
	if (err)
		goto stop_hook;
	if (!a->recording->number)
		err = fast_mode_start(a, a->options.flags & RECORD_SKB_OPT_PAUSE);
	if (err)
		goto stop_sched;
	calls_learn(a);
	if (!a->recording->number)
		trigger_start(a);
	WRITE_ONCE(a->recording->sample, a->options.sample);
	if (lacks & RECORD_SKB_OPT_NO_TRACK)
		stat_inc(&a->recording->stats, STAT_UNTRACKED);
	if (lacks & RECORD_SKB_OPT_RULES)
		stat_inc(&a->recording->stats, STAT_UNRULED);
	/*
	 * This event precedes the events of all packets. If a trace file contains it, the file has the
	 * beginning of the recording.
	 */
	emit_wall_clock(a->recording);
	/*
	 * Publish the configuration last. A packet may match only after the probes that see the end of
	 * packets are attached.
	 */
	active_config_publish(a);
	return 0;

stop_sched:
	sched_probes_stop();
stop_hook:
	hook_stop(a);
stop_drops:
	if (!others)
		stop_tracepoints();
	return err;
}

/**
 * stop_recording() - withdraw a configuration and detach from its probes
 * @a: the configuration
 * @others: true if another recording is armed and needs the parts that all recordings have in common
 *
 * The caller holds session_lock.
 */
void stop_recording(const struct active_config *a, bool others)
{
	if (!a->until.ring)
		emit_wall_clock(a->recording);
	if (!a->recording->number)
		trigger_stop(a);
	active_config_withdraw(a);
	sched_probes_stop();
	if (!others)
		stop_tracepoints();
	/*
	 * From here on, no softirq handles a matching packet. The hooks on the fork functions are still
	 * attached, as fast_mode_stop() requires.
	 */
	if (!a->recording->number)
		fast_mode_stop();
	hook_stop(a);
	gate_stack_count_all_overruns(a->recording, a->epoch);
	/*
	 * Repeat the names of the namespaces, because no further packet is recorded. ring_trigger.c does this
	 * for a ring, before the last event.
	 */
	if (!a->until.ring)
		emit_netns_names(a->recording);
	active_config_over(a);
	gate_stack_pin();
}

/**
 * recording_read_stats() - read the counters of a recording and of the module
 * @r: the recording
 * @stats: receives the counters, except @armed
 *
 * The caller holds session_lock.
 */
void recording_read_stats(const struct recording *r, struct record_skb_stats *stats)
{
	/*
	 * The sum over all CPUs may be negative for a moment, because the CPUs are read one after the
	 * other.
	 */
	*stats = (struct record_skb_stats){ .inside = max(busy_count_gates(), 0L) };
	stats_read(&r->stats, stats);
	stats->tracked = max(busy_count_packets(), 0L);
	stats->closing = r->flows ? flow_table_nr_closing(r->flows) : 0;
	if (!r->number) {
		fast_mode_read(stats);
		trigger_read(stats);
	}
}
