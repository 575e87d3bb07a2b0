// SPDX-License-Identifier: GPL-2.0
/* main.c - record_skb.ko: record the call graph of the packets that match, and of no others */
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "device.h"
#include "drops.h"
#include "first.h"
#include "follow.h"
#include "frame.h"
#include "graph-lists.h"
#include "hook.h"
#include "relay.h"
#include "pause-all.h"
#include "sched.h"
#include "session.h"
#include "trigger.h"

static int __init record_skb_init(void)
{
	int err;

	err = frame_init();
	if (err)
		return err;
	err = follow_init();
	if (err)
		goto exit_frame;
	err = drops_init();
	if (err)
		goto exit_frame;
	err = pause_all_init();
	if (err)
		goto exit_frame;
	err = sched_init();
	if (err)
		goto exit_frame;
	err = session_init();
	if (err)
		goto exit_frame;
	trigger_init();
	err = graph_lists_init();
	if (err)
		goto exit_session;
	err = device_init();
	if (err)
		goto exit_lists;
	return 0;

exit_lists:
	graph_lists_exit();
	synchronize_rcu_tasks();
exit_session:
	session_exit();
exit_frame:
	frame_exit();
	return err;
}

static void __exit record_skb_exit(void)
{
	device_exit();
	session_exit();
	graph_lists_exit();
	/*
	 * Every frame has left, but a task may have been preempted, or interrupted in its idle
	 * loop, between that and its return to the gate's caller.
	 */
	synchronize_rcu_tasks();
	synchronize_rcu();
	trigger_exit();
	hook_exit();
	relay_exit();
	first_exit();
	frame_exit();
}

module_init(record_skb_init);
module_exit(record_skb_exit);

MODULE_DESCRIPTION("Record the function graph of matching packets");
MODULE_LICENSE("GPL");
