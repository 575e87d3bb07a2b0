// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - what an open file has set, and who holds the recording
 *
 * session_lock guards everything here; none of it is called from a callback except session_epoch().
 */
#include <linux/filter.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "calls.h"
#include "copies.h"
#include "drops.h"
#include "flow.h"
#include "follow.h"
#include "frame.h"
#include "points.h"
#include "session.h"
#include "stats.h"
#include "track.h"

static DEFINE_MUTEX(session_lock);
/* The session that has claimed the recording. */
static struct session *owner;
/* Of the armed session, else 0. Written under session_lock. */
static u32 epoch_now;
static u32 epoch_last;

u32 session_epoch(void)
{
	return READ_ONCE(epoch_now);
}

struct session *session_open(void)
{
	return kvzalloc(sizeof(struct session), GFP_KERNEL);
}

static void disarm(struct session *s)
{
	if (!s->armed)
		return;
	/* Before the points go, which see the end of a packet: its address may be another's then. */
	drops_stop();
	points_disarm(s);
	copies_stop();
	/* Until now what leaves a gate says so: it is still recorded. */
	WRITE_ONCE(epoch_now, 0);
	frame_pin();
	s->armed = false;
}

static void destroy_program(struct bpf_prog *prog)
{
	if (prog)
		bpf_prog_destroy(prog);
}

static void free_filter(struct session *s)
{
	destroy_program(s->raw);
	destroy_program(s->ll);
	destroy_program(s->at_data);
}

/* Disarms, and forgets all that was set. */
void session_close(struct session *s)
{
	mutex_lock(&session_lock);
	disarm(s);
	if (owner == s) {
		follow_stop();
		points_free(s);
		free_filter(s);
		owner = NULL;
	}
	mutex_unlock(&session_lock);
	kvfree(s->points);
	kvfree(s);
}

int session_claim(struct session *s)
{
	int err = 0;

	mutex_lock(&session_lock);
	if (owner == s)
		goto unlock;
	if (owner) {
		err = -EBUSY;
		goto unlock;
	}
	s->points = kvcalloc(RECORD_SKB_MAX_POINTS + POINTS_OWN, sizeof(*s->points), GFP_KERNEL);
	if (!s->points) {
		err = -ENOMEM;
		goto unlock;
	}
	s->pid = task_tgid_nr(current);
	get_task_comm(s->comm, current);
	owner = s;
unlock:
	mutex_unlock(&session_lock);
	return err;
}

/* Whether @s may change its settings. */
static int may_set(const struct session *s)
{
	if (owner != s)
		return -ENOLCK;
	return s->armed ? -EBUSY : 0;
}

static int create_program(struct bpf_prog **prog, u64 insns, u16 len)
{
	struct sock_fprog_kern fprog = { .len = len };
	size_t size = len * sizeof(struct sock_filter);
	int err;

	*prog = NULL;
	if (!len)
		return 0;
	if (len > BPF_MAXINSNS)
		return -EINVAL;
	fprog.filter = memdup_user(u64_to_user_ptr(insns), size);
	if (IS_ERR(fprog.filter))
		return PTR_ERR(fprog.filter);
	err = bpf_prog_create(prog, &fprog);
	kfree(fprog.filter);
	return err;
}

int session_set_filter(struct session *s, const struct record_skb_filter *want)
{
	struct bpf_prog *raw, *ll, *at_data;
	int err;

	if (want->reserved)
		return -EINVAL;
	err = create_program(&raw, want->raw, want->raw_len);
	if (err)
		return err;
	err = create_program(&ll, want->ll, want->ll_len);
	if (err)
		goto destroy_raw;
	err = create_program(&at_data, want->at_data, want->at_data_len);
	if (err)
		goto destroy_ll;

	mutex_lock(&session_lock);
	err = may_set(s);
	if (!err) {
		/* What was there before goes below, by the same labels. */
		swap(s->raw, raw);
		swap(s->ll, ll);
		swap(s->at_data, at_data);
	}
	mutex_unlock(&session_lock);

	destroy_program(at_data);
destroy_ll:
	destroy_program(ll);
destroy_raw:
	destroy_program(raw);
	return err;
}

int session_add_point(struct session *s, struct record_skb_point *want)
{
	int err;

	mutex_lock(&session_lock);
	err = may_set(s) ?: points_add(s, want);
	mutex_unlock(&session_lock);
	return err;
}

int session_set_options(struct session *s, const struct record_skb_options *want)
{
	const u32 flags = RECORD_SKB_OPT_FOLLOW | RECORD_SKB_OPT_FOLLOW_PORTLESS |
			  RECORD_SKB_OPT_NO_CHILDREN | RECORD_SKB_OPT_NO_TRACK |
			  RECORD_SKB_OPT_NO_ICMP_ERRORS | RECORD_SKB_OPT_IRQS;
	const u32 dirs = 1 << RECORD_SKB_DIR_RX | 1 << RECORD_SKB_DIR_TX;
	int err;
	u32 i;

	if (want->flags & ~flags || want->dirs & ~dirs ||
	    want->nr_where > RECORD_SKB_MAX_WHERE || want->nr_marks > RECORD_SKB_MAX_MARKS)
		return -EINVAL;
	for (i = 0; i < want->nr_marks; i++)
		if (!want->marks[i].mask || want->marks[i].value & ~want->marks[i].mask)
			return -EINVAL;
	mutex_lock(&session_lock);
	err = may_set(s);
	if (!err)
		s->options = *want;
	mutex_unlock(&session_lock);
	return err;
}

int session_follow(struct session *s, const struct record_skb_follow *want)
{
	int err = -ENOLCK;

	if (want->flags || want->pid < 0)
		return -EINVAL;
	mutex_lock(&session_lock);
	if (owner == s)
		err = follow_start(!(s->options.flags & RECORD_SKB_OPT_NO_CHILDREN)) ?:
		      follow_pid(want->pid);
	if (!err && s->armed)
		calls_learn(s);
	mutex_unlock(&session_lock);
	return err;
}

int session_arm(struct session *s)
{
	int err;

	mutex_lock(&session_lock);
	err = owner == s ? 0 : -ENOLCK;
	if (!err && s->armed)
		err = -EALREADY;
	if (!err && !s->nr_points)
		err = -EINVAL;
	if (err)
		goto unlock;

	stats_reset();
	flow_forget_all();
	track_forget_all();
	if (!++epoch_last)
		epoch_last = 1;
	s->epoch = epoch_last;
	WRITE_ONCE(epoch_now, s->epoch);
	err = drops_start();
	if (err)
		goto no_epoch;
	if (!(s->options.flags & RECORD_SKB_OPT_NO_TRACK))
		copies_start();
	calls_learn(s);
	err = points_arm(s);
	if (err)
		goto stop;
	s->armed = true;
	goto unlock;

stop:
	copies_stop();
	drops_stop();
no_epoch:
	WRITE_ONCE(epoch_now, 0);
unlock:
	mutex_unlock(&session_lock);
	return err;
}

int session_disarm(struct session *s)
{
	int err;

	mutex_lock(&session_lock);
	err = owner == s ? 0 : -ENOLCK;
	if (!err)
		disarm(s);
	mutex_unlock(&session_lock);
	return err;
}

void session_get_info(const struct session *s, struct record_skb_info *info)
{
	*info = (struct record_skb_info) { .abi = RECORD_SKB_ABI };
	mutex_lock(&session_lock);
	info->points = s->nr_points - s->nr_own;
	if (owner) {
		info->holder_pid = owner->pid;
		strscpy(info->holder_comm, owner->comm, sizeof(info->holder_comm));
	}
	mutex_unlock(&session_lock);
}

void session_get_stats(const struct session *s, struct record_skb_stats *stats)
{
	*stats = (struct record_skb_stats) { .inside = frame_inside() };
	stats_read(stats);
	mutex_lock(&session_lock);
	stats->armed = s->armed;
	mutex_unlock(&session_lock);
}

static int on_module(struct notifier_block *nb, unsigned long state, void *data)
{
	if (state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&session_lock);
	if (owner && !points_module_gone(owner, data)) {
		disarm(owner);
		points_free(owner);
	}
	mutex_unlock(&session_lock);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = { .notifier_call = on_module };

int session_init(void)
{
	return register_module_notifier(&module_notifier);
}

void session_exit(void)
{
	unregister_module_notifier(&module_notifier);
}
