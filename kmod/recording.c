// SPDX-License-Identifier: GPL-2.0
/*
 * recording.c - the recordings of the module: allocate their tables, build the configuration that the ftrace
 * callbacks read, and start and stop what a recording needs, in the right order
 *
 * The callers of all functions hold session_lock.
 */
#include <linux/cache.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>

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
#include "where.h"
#include "xdp_programs.h"

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

/* Return: true if user space may set these options. */
bool options_are_valid(const struct record_skb_options *want)
{
	const u32 flags = RECORD_SKB_OPT_FOLLOW | RECORD_SKB_OPT_FOLLOW_PORTLESS |
			  RECORD_SKB_OPT_NO_CHILDREN | RECORD_SKB_OPT_NO_TRACK |
			  RECORD_SKB_OPT_NO_ICMP_ERRORS | RECORD_SKB_OPT_IRQS |
			  RECORD_SKB_OPT_RULES | RECORD_SKB_OPT_PAUSE | RECORD_SKB_OPT_SCHED |
			  RECORD_SKB_OPT_LACKS_POINTS;
	const u32 dirs = 1 << RECORD_SKB_DIR_RX | 1 << RECORD_SKB_DIR_TX;
	u32 i;

	if (want->flags & ~flags || want->dirs & ~dirs || want->nr_where > RECORD_SKB_MAX_WHERE ||
	    want->nr_marks > RECORD_SKB_MAX_MARKS)
		return false;
	for (i = 0; i < want->nr_marks; i++)
		if (!want->marks[i].mask || want->marks[i].value & ~want->marks[i].mask)
			return false;
	return where_is_valid(want->steps, want->nr_steps);
}

static void hash_points(struct active_config *a)
{
	u32 i, slot;

	BUILD_BUG_ON(ARRAY_SIZE(a->by_ip) < 2 * RECORD_SKB_MAX_POINTS);
	for (i = 0; i < a->points.nr; i++) {
		struct point *point = &a->points.point[i];

		slot = active_config_hash(point->ip);
		while (a->by_ip[slot])
			slot = (slot + 1) % ARRAY_SIZE(a->by_ip);
		a->by_ip[slot] = point;
	}
}

/*
 * Set sole_user of each probe to the value that the same probe has in @alone. If @alone does not have the
 * probe, function_graph may still be attached to the function, so the value is false.
 */
static void take_over(struct points *p, const struct points *alone)
{
	const struct point *one;
	u32 i;

	for (i = 0; i < p->nr; i++) {
		one = points_find(alone, p->point[i].ip);
		p->point[i].sole_user = one && one->sole_user;
	}
}

/**
 * active_config_new() - build the configuration of a recording
 * @recording: the recording for which the configuration is built
 * @filter: the filter; its BPF programs must outlive the result
 * @options: options of the recording
 * @until: triggers that stop a ring; their BPF programs must outlive the result
 * @users: the probes that user space has named; NULL if @alone already has all probes of the recording
 * @alone: probes with known addresses; the field sole_user of a probe is true if function_graph is not
 *	attached to its function
 *
 * Return: the configuration, to be released with active_config_free(); -EINVAL if no probe remains; -ENOMEM.
 */
struct active_config *active_config_new(struct recording *recording, const struct filter *filter,
					const struct record_skb_options *options,
					const struct trigger_config *until,
					const struct points *users, const struct points *alone)
{
	static u32 last_epoch;
	struct active_config *a = kvzalloc(sizeof(*a), GFP_KERNEL);
	int err;

	if (!a)
		return ERR_PTR(-ENOMEM);
	a->recording = recording;
	a->filter = *filter;
	a->options = *options;
	a->until = *until;
	if (!++last_epoch)
		last_epoch = 1;
	a->epoch = last_epoch;
	err = users ? points_complete(&a->points, users, &a->options) :
		      points_copy(&a->points, alone);
	if (err)
		goto free;
	take_over(&a->points, alone);
	err = -EINVAL;
	if (!a->points.nr)
		goto free;
	hash_points(a);
	return a;

free:
	active_config_free(a);
	return ERR_PTR(err);
}

/**
 * active_config_without() - copy a configuration without the probes in a module
 * @a: the configuration
 * @mod: the module
 *
 * Return: the copy, to be released with active_config_free(); NULL if no probe would remain or memory is
 * short.
 */
struct active_config *active_config_without(const struct active_config *a, const struct module *mod)
{
	struct active_config *rest = kvzalloc(sizeof(*rest), GFP_KERNEL);

	if (!rest)
		return NULL;
	rest->recording = a->recording;
	rest->filter = a->filter;
	rest->options = a->options;
	rest->until = a->until;
	rest->epoch = a->epoch;
	if (points_copy(&rest->points, &a->points))
		goto free;
	points_forget_module(&rest->points, mod);
	if (!rest->points.nr)
		goto free;
	hash_points(rest);
	return rest;

free:
	active_config_free(rest);
	return NULL;
}

/* Free a configuration after all callbacks that still use it have returned. */
void active_config_free(struct active_config *a)
{
	synchronize_rcu();
	points_free(&a->points);
	kvfree(a);
}

/* Publish @a, so that callbacks use this configuration. */
void active_config_publish(const struct active_config *a)
{
	a->recording->lacks_points = a->options.flags & RECORD_SKB_OPT_LACKS_POINTS;
	WRITE_ONCE(a->recording->epoch, a->epoch);
	rcu_assign_pointer(a->recording->armed, a);
}

/* Withdraw the configuration from callbacks, so that no packet or call matches any more. */
static void active_config_withdraw(const struct active_config *a)
{
	RCU_INIT_POINTER(a->recording->armed, NULL);
}

/*
 * Mark the configuration as ended. After this call, tasks that leave a gate of the configuration emit no
 * events.
 */
static void active_config_over(const struct active_config *a)
{
	WRITE_ONCE(a->recording->epoch, 0);
}

/*
 * Attach to the tracepoints that all recordings have in common. Return: 0 or a negative error; then no
 * tracepoint is attached.
 */
static int start_tracepoints(void)
{
	int err = skb_drops_start();

	if (err)
		return err;
	err = decisions_start();
	if (err)
		skb_drops_stop();
	return err;
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
	xdp_programs_forget_all(a->recording);
	err = others ? 0 : start_tracepoints();
	if (err)
		return err;
	err = hook_start(a);
	if (err)
		goto stop_tracepoints;
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
stop_tracepoints:
	if (!others)
		stop_tracepoints();
	return err;
}

/**
 * stop_recording() - withdraw a configuration and detach from its probes
 * @a: the configuration
 * @others: true if another recording is armed and needs the parts that all recordings have in common
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
