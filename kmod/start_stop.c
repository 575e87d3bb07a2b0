// SPDX-License-Identifier: GPL-2.0
/* start_stop.c - start and stop the parts of the module that a recording needs, in their order */
#include "active_config.h"
#include "counters.h"
#include "fast_mode.h"
#include "flow_table.h"
#include "gate_stack.h"
#include "graph_trampoline.h"
#include "probe_hooks.h"
#include "ring_trigger.h"
#include "sched_probes.h"
#include "skb_drops.h"
#include "skb_table.h"
#include "socket_calls.h"
#include "start_stop.h"
#include "trace_emit.h"

/**
 * start_recording() - attach to the probes of a configuration and publish it
 * @a: the configuration
 * @others: true if another recording is armed, so that the parts that all recordings have in common are
 *	already started
 *
 * The caller holds session_lock.
 *
 * Return: 0 or a negative error. After an error, nothing is attached.
 */
int start_recording(const struct active_config *a, bool others)
{
	int err;

	stats_reset(&a->recording->stats);
	flow_table_forget_all(a->recording->flows);
	skb_table_forget_all(a->recording->track);
	skb_drops_forget_all(a->recording);
	err = others ? 0 : skb_drops_start();
	if (err)
		return err;
	err = trampoline_start();
	if (err)
		goto stop_drops;
	err = hook_start(a);
	if (err)
		goto stop_relay;
	if (a->options.flags & RECORD_SKB_OPT_SCHED)
		err = sched_probes_start();
	if (err)
		goto stop_hook;
	if (!a->recording->number)
		fast_mode_start(a, a->options.flags & RECORD_SKB_OPT_PAUSE);
	calls_learn(a);
	if (!a->recording->number)
		trigger_start(a);
	WRITE_ONCE(a->recording->sample, a->options.sample);
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

stop_hook:
	hook_stop(a);
stop_relay:
	trampoline_stop();
stop_drops:
	if (!others)
		skb_drops_stop();
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
		skb_drops_stop();
	/*
	 * From here on, no softirq handles a matching packet. The hooks on the fork functions are still
	 * attached, as fast_mode_stop() requires.
	 */
	if (!a->recording->number)
		fast_mode_stop();
	hook_stop(a);
	gate_stack_count_all_overruns(a->recording, a->epoch);
	/* No further packet is recorded. A ring has these events already, before its last one. */
	if (!a->until.ring)
		emit_netns_names(a->recording);
	active_config_over(a);
	gate_stack_pin();
}
