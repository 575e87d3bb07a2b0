// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - record_skb.ko: record the call graph of matching packets only
 *
 * This file loads and unloads the module and hands the ioctls of /dev/record_skb to session.c.
 * uapi/record_skb.h documents the ioctls.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/uaccess.h>

#include "drops_and_rules.h"
#include "function_graph.h"
#include "tasks.h"
#include "gate_stack.h"
#include "decisions.h"
#include "fast_mode.h"
#include "probe_hooks.h"
#include "graph_pause.h"
#include "restore.h"
#include "session.h"
#include "netns_table.h"
#include "ring_trigger.h"

static int device_open(struct inode *inode, struct file *file)
{
	struct session *s;
	int err;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	/*
	 * Like other tracing, a recording shows contents of kernel memory, so kernel lockdown has to forbid
	 * it.
	 */
	err = security_locked_down(LOCKDOWN_TRACEFS);
	if (err)
		return err;
	s = session_open();
	if (!s)
		return -ENOMEM;
	file->private_data = s;
	return 0;
}

static int device_release(struct inode *inode, struct file *file)
{
	session_close(file->private_data);
	return 0;
}

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *s = file->private_data;
	void __user *user = (void __user *)arg;
	int err;
	union {
		struct record_skb_info info;
		struct record_skb_share share;
		struct record_skb_filter filter;
		struct record_skb_point point;
		struct record_skb_options options;
		struct record_skb_ring ring;
		struct record_skb_follow follow;
		struct record_skb_stats stats;
		struct record_skb_symbol symbol;
		struct record_skb_function function;
		struct record_skb_graph graph;
		struct record_skb_addresses addresses;
		struct record_skb_restore restore;
		struct record_skb_process process;
		__u32 slot0;
		struct record_skb_netns netns;
	} u;

	if (_IOC_TYPE(cmd) != RECORD_SKB_IOC || _IOC_SIZE(cmd) > sizeof(u))
		return -ENOTTY;
	if (_IOC_DIR(cmd) & _IOC_WRITE && copy_from_user(&u, user, _IOC_SIZE(cmd)))
		return -EFAULT;

	switch (cmd) {
	case RECORD_SKB_CLAIM:
		return session_claim(s);
	case RECORD_SKB_CLAIM_SHARED:
		err = session_claim_shared(s, &u.share);
		if (err)
			return err;
		break;
	case RECORD_SKB_SET_FILTER:
		return session_set_filter(s, &u.filter);
	case RECORD_SKB_ADD_POINT:
		return session_add_point(s, &u.point);
	case RECORD_SKB_SET_OPTIONS:
		return session_set_options(s, &u.options);
	case RECORD_SKB_SET_RING:
		return session_set_ring(s, &u.ring);
	case RECORD_SKB_SET_GRAPH:
		return session_set_graph(s, &u.graph);
	case RECORD_SKB_SET_ADDRESSES:
		return session_set_addresses(s, &u.addresses);
	case RECORD_SKB_SET_RESTORE:
		return session_set_restore(s, &u.restore);
	case RECORD_SKB_ADD_PROCESS:
		return session_add_process(s, &u.process);
	case RECORD_SKB_FOLLOW:
		return session_follow(s, &u.follow);
	case RECORD_SKB_GET_NETNS:
		err = session_get_netns(s, &u.netns);
		if (err)
			return err;
		break;
	case RECORD_SKB_NAME_NETNS:
		return session_name_netns(s, &u.netns);
	case RECORD_SKB_ARM:
		return session_arm(s);
	case RECORD_SKB_DISARM:
		return session_disarm(s);
	case RECORD_SKB_GET_INFO:
		session_get_info(s, &u.info);
		break;
	case RECORD_SKB_GET_SLOT0:
		err = session_get_slot0(s, &u.slot0);
		if (err)
			return err;
		break;
	case RECORD_SKB_GET_STATS:
		session_get_stats(s, &u.stats);
		break;
	case RECORD_SKB_GET_SYMBOL:
		snprintf(u.symbol.text, sizeof(u.symbol.text), "%pS",
			 (void *)(long)u.symbol.address);
		break;
	case RECORD_SKB_GET_FUNCTION:
		err = session_get_function(s, &u.function);
		if (err)
			return err;
		break;
	default:
		return -ENOTTY;
	}
	return copy_to_user(user, &u, _IOC_SIZE(cmd)) ? -EFAULT : 0;
}

static __poll_t device_poll(struct file *file, struct poll_table_struct *wait)
{
	return session_poll(file->private_data, file, wait) ? EPOLLIN | EPOLLRDNORM : 0;
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.poll = device_poll,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = RECORD_SKB_MODULE,
	.fops = &device_fops,
	.mode = 0600,
};

static int __init record_skb_init(void)
{
	int err;

	err = gate_stack_init();
	if (err)
		return err;
	err = task_table_init();
	if (err)
		goto exit_frame;
	err = skb_drops_init();
	if (err)
		goto exit_frame;
	decisions_init();
	err = graph_pause_init();
	if (err)
		goto exit_frame;
	err = sched_probes_init();
	if (err)
		goto exit_frame;
	err = session_init();
	if (err)
		goto exit_frame;
	netns_table_init();
	trigger_init();
	err = misc_register(&device);
	if (err)
		goto exit_session;
	return 0;

exit_session:
	session_exit();
exit_frame:
	gate_stack_exit();
	return err;
}

static void __exit record_skb_exit(void)
{
	misc_deregister(&device);
	session_exit();
	restore_exit();
	fast_mode_exit();
	graph_pause_exit();
	/*
	 * All gate frames have been freed. But a task may have been preempted between freeing its frame and
	 * returning to the caller of the gate, and an idle task may have been interrupted there. Wait until
	 * all tasks have returned.
	 */
	synchronize_rcu_tasks();
	synchronize_rcu();
	trigger_exit();
	netns_table_exit();
	hook_exit();
	function_graph_exit();
	gate_stack_exit();
}

module_init(record_skb_init);
module_exit(record_skb_exit);

MODULE_DESCRIPTION("Record the function graph of matching packets");
MODULE_LICENSE("GPL");
