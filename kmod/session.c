// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - what an open file has set, and who holds the recording
 *
 * session_lock guards everything here. No callback comes here.
 */
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "armed.h"
#include "calibrate.h"
#include "calls.h"
#include "compat/graph-hand-on.h"
#include "compat/graph-users.h"
#include "drops.h"
#include "emit.h"
#include "first.h"
#include "flow.h"
#include "follow.h"
#include "frame.h"
#include "hook.h"
#include "pause-all.h"
#include "prototype.h"
#include "recording.h"
#include "relay.h"
#include "resolve.h"
#include "rules.h"
#include "sched.h"
#include "session.h"
#include "stats.h"
#include "track.h"
#include "trigger.h"

/*
 * struct session - what one open file has asked for
 * @recording: what it has claimed, NULL if nothing
 * @filter, @options, @until, @points: as they were set
 * @stands: where it would stand if it were armed now, and what of it is alone; empty if nobody asked
 * @stands_for: the options of which @stands is, without what this kernel has no functions for
 * @stands_still: nothing was loaded since that could change it
 * @armed: what callbacks work by, NULL if the session is not armed
 * @pid, @comm: who has claimed
 */
struct session {
	struct recording *recording;
	struct filter filter;
	struct record_skb_options options;
	struct until until;
	struct points points;
	struct points stands;
	struct record_skb_options stands_for;
	bool stands_still;
	struct armed *armed;
	pid_t pid;
	char comm[RECORD_SKB_COMM_LEN];
};

static DEFINE_MUTEX(session_lock);
/* Who has claimed which recording, by its number. */
static struct session *holders[1 + RECORD_SKB_MAX_SHARED];

struct session *session_open(void)
{
	return kzalloc(sizeof(struct session), GFP_KERNEL);
}

static bool others_armed(const struct recording *but)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(holders); i++)
		if (holders[i] && holders[i]->armed && holders[i]->recording != but)
			return true;
	return false;
}

/* How many sessions share. */
static u32 nr_sharing(void)
{
	u32 i, nr = 0;

	for (i = 1; i < ARRAY_SIZE(holders); i++)
		nr += !!holders[i];
	return nr;
}

static int start(const struct session *s, const struct armed *a)
{
	/* What is one for all is there already. */
	const bool others = others_armed(a->of);
	int err;

	stats_reset(&a->of->stats);
	if ((a->options.flags ^ s->options.flags) & RECORD_SKB_OPT_NO_TRACK)
		stat_inc(&a->of->stats, STAT_UNTRACKED);
	flow_forget_all(a->of->flows);
	track_forget_all(a->of->track);
	drops_forget_all(a->of);
	err = others ? 0 : drops_start();
	if (err)
		return err;
	err = relay_start();
	if (err)
		goto stop_drops;
	err = hook_start(a);
	if (err)
		goto stop_relay;
	if (a->options.flags & RECORD_SKB_OPT_SCHED)
		err = sched_start();
	if (err)
		goto stop_hook;
	if (a->options.flags & RECORD_SKB_OPT_CALIBRATE)
		calibrate();
	/* Whoever is not paused only costs more. */
	if (a->options.flags & RECORD_SKB_OPT_PAUSE && !others)
		pause_all_start();
	calls_learn(a);
	if (!a->of->number)
		trigger_start(a);
	/* Before any packet's event: a reader knows by it that the beginning is there. */
	emit_wall_clock(a->of);
	/* Only now, when each packet's end is seen, may one match. */
	armed_publish(a);
	return 0;

stop_hook:
	hook_stop(a);
stop_relay:
	relay_stop();
stop_drops:
	if (!others)
		drops_stop();
	return err;
}

static void stop(const struct armed *a)
{
	const bool others = others_armed(a->of);

	if (!a->until.ring)
		emit_wall_clock(a->of);
	if (!a->of->number)
		trigger_stop(a);
	armed_withdraw(a);
	sched_stop();
	if (!others)
		drops_stop();
	/* Nobody is inside a packet's softirq any more; before everybody calls what is left of it. */
	relay_stop();
	/* While what forks is still hooked. */
	if (!others)
		pause_all_stop();
	hook_stop(a);
	armed_over(a);
	frame_pin();
}

static void disarm(struct session *s)
{
	if (!s->armed)
		return;
	stop(s->armed);
	armed_free(s->armed);
	s->armed = NULL;
	rules_release();
}

static void give_up(struct session *s)
{
	struct recording *r = s->recording;

	if (!r)
		return;
	recording_end(r);
	if (!r->number)
		relay_forget();
	resolve_done();
	resolve_forget();
	prototype_forget();
	holders[r->number] = NULL;
	s->recording = NULL;
	if (!nr_sharing())
		record_skb_shared = false;
}

/* Disarms, and forgets all that was set. */
void session_close(struct session *s)
{
	mutex_lock(&session_lock);
	disarm(s);
	give_up(s);
	mutex_unlock(&session_lock);
	points_free(&s->stands);
	points_free(&s->points);
	until_destroy(&s->until);
	filter_destroy(&s->filter);
	kfree(s);
}

static int claim(struct session *s, struct recording *r)
{
	int err = points_init(&s->points, RECORD_SKB_MAX_POINTS);

	if (err)
		return err;
	err = recording_begin(r);
	if (err) {
		points_free(&s->points);
		return err;
	}
	s->pid = task_tgid_nr(current);
	get_task_comm(s->comm, current);
	s->recording = r;
	holders[r->number] = s;
	return 0;
}

int session_claim(struct session *s)
{
	int err = 0;

	mutex_lock(&session_lock);
	if (s->recording)
		err = s->recording->number ? -EBUSY : 0;
	else if (holders[0] || nr_sharing())
		err = -EBUSY;
	else
		err = claim(s, recording_alone());
	mutex_unlock(&session_lock);
	return err;
}

static struct recording *find_free(void)
{
	u32 i;

	for (i = 1; i < ARRAY_SIZE(holders); i++)
		if (!holders[i])
			return &record_skb_recordings[i];
	return NULL;
}

int session_claim_shared(struct session *s, struct record_skb_share *share)
{
	struct recording *r;
	int err = -EBUSY;

	if (!COMPAT_GRAPH_HAS_INSTANCES)
		return -EOPNOTSUPP;
	mutex_lock(&session_lock);
	r = s->recording || holders[0] ? NULL : find_free();
	if (r)
		err = claim(s, r);
	if (!err) {
		/* Nothing is armed by one that is alone: no callback comes by. */
		record_skb_shared = true;
		*share = (struct record_skb_share){ .recording = r->number };
	}
	mutex_unlock(&session_lock);
	return err;
}

/* Whether @s may change its settings. */
static int may_set(const struct session *s)
{
	if (!s->recording)
		return -ENOLCK;
	return s->armed ? -EBUSY : 0;
}

/* And whether it may do what is for a recording that is alone. */
static int may_set_alone(const struct session *s)
{
	if (s->recording && s->recording->number)
		return -EOPNOTSUPP;
	return may_set(s);
}

int session_set_filter(struct session *s, const struct record_skb_filter *want)
{
	struct filter filter;
	int err = filter_create(&filter, want);

	if (err)
		return err;
	mutex_lock(&session_lock);
	err = may_set(s);
	if (!err)
		swap(s->filter, filter);
	mutex_unlock(&session_lock);
	/* What was there before, or else what was not taken. */
	filter_destroy(&filter);
	return err;
}

int session_add_point(struct session *s, const struct record_skb_point *want)
{
	int err;

	mutex_lock(&session_lock);
	err = may_set(s) ?: points_add(&s->points, want);
	if (!err)
		points_free(&s->stands);
	mutex_unlock(&session_lock);
	return err;
}

int session_set_options(struct session *s, const struct record_skb_options *want)
{
	const u32 flags = RECORD_SKB_OPT_FOLLOW | RECORD_SKB_OPT_FOLLOW_PORTLESS |
			  RECORD_SKB_OPT_NO_CHILDREN | RECORD_SKB_OPT_NO_TRACK |
			  RECORD_SKB_OPT_NO_ICMP_ERRORS | RECORD_SKB_OPT_IRQS |
			  RECORD_SKB_OPT_RULES | RECORD_SKB_OPT_PAUSE | RECORD_SKB_OPT_CALIBRATE |
			  RECORD_SKB_OPT_SCHED | RECORD_SKB_OPT_LACKS_POINTS;
	const u32 alone = RECORD_SKB_OPT_RULES | RECORD_SKB_OPT_CALIBRATE | RECORD_SKB_OPT_SCHED |
			  RECORD_SKB_OPT_PAUSE;
	const u32 dirs = 1 << RECORD_SKB_DIR_RX | 1 << RECORD_SKB_DIR_TX;
	int err;
	u32 i;

	if (want->flags & ~flags || want->dirs & ~dirs || want->nr_where > RECORD_SKB_MAX_WHERE ||
	    want->nr_marks > RECORD_SKB_MAX_MARKS)
		return -EINVAL;
	for (i = 0; i < want->nr_marks; i++)
		if (!want->marks[i].mask || want->marks[i].value & ~want->marks[i].mask)
			return -EINVAL;
	mutex_lock(&session_lock);
	err = want->flags & alone ? may_set_alone(s) : may_set(s);
	if (!err) {
		s->options = *want;
		points_free(&s->stands);
	}
	mutex_unlock(&session_lock);
	return err;
}

static int find_stands(struct session *s)
{
	int err;

	if (s->stands.point)
		return 0;
	s->stands_for = s->options;
	s->stands_still = true;
	err = points_complete(&s->stands, &s->points, &s->stands_for);
	if (err)
		points_free(&s->stands);
	return err;
}

/* With a flag it has to be the one that was meant. */
static int take_stand(struct point *point, struct record_skb_function *function)
{
	if (function->flags && function->address != point->ip)
		return -EAGAIN;
	if (function->flags & RECORD_SKB_FUNCTION_ALONE)
		point->alone = true;
	function->address = point->ip;
	return 0;
}

int session_get_function(struct session *s, struct record_skb_function *function)
{
	int err;

	if (function->flags & ~RECORD_SKB_FUNCTION_ALONE)
		return -EINVAL;
	if (function->flags && !COMPAT_GRAPH_TAKES_CALLS)
		return -EOPNOTSUPP;
	mutex_lock(&session_lock);
	err = (function->flags ? may_set_alone(s) : may_set(s)) ?: find_stands(s);
	if (!err && function->index >= s->stands.nr)
		err = -ERANGE;
	if (!err)
		err = take_stand(&s->stands.point[function->index], function);
	mutex_unlock(&session_lock);
	return err;
}

int session_set_ring(struct session *s, const struct record_skb_ring *want)
{
	struct until until;
	int err = until_create(&until, want);

	if (err)
		return err;
	mutex_lock(&session_lock);
	err = may_set_alone(s);
	if (!err)
		swap(s->until, until);
	mutex_unlock(&session_lock);
	/* What was there before, or else what was not taken. */
	until_destroy(&until);
	return err;
}

int session_set_graph(struct session *s, const struct record_skb_graph *want)
{
	int err;

	mutex_lock(&session_lock);
	err = may_set_alone(s) ?: relay_set(want);
	mutex_unlock(&session_lock);
	return err;
}

int session_set_addresses(struct session *s, const struct record_skb_addresses *want)
{
	int err;

	mutex_lock(&session_lock);
	err = may_set(s) ?: resolve_set(want);
	mutex_unlock(&session_lock);
	return err;
}

int session_follow(struct session *s, const struct record_skb_follow *want)
{
	struct follow *follow;
	int err = -ENOLCK;

	if (want->flags || want->pid < 0)
		return -EINVAL;
	mutex_lock(&session_lock);
	follow = s->recording ? s->recording->follow : NULL;
	if (follow)
		err = follow_start(follow, !(s->options.flags & RECORD_SKB_OPT_NO_CHILDREN)) ?:
			      follow_pid(follow, want->pid);
	if (!err && s->armed)
		calls_learn(s->armed);
	mutex_unlock(&session_lock);
	return err;
}

int session_arm(struct session *s)
{
	struct record_skb_options options;
	bool ready, unruled;
	struct armed *a;
	int err;

	mutex_lock(&session_lock);
	err = s->recording ? 0 : -ENOLCK;
	if (!err && s->armed)
		err = -EALREADY;
	if (!err && !s->points.nr)
		err = -EINVAL;
	if (err)
		goto unlock;

	options = s->options;
	if (options.flags & RECORD_SKB_OPT_RULES && !rules_hold())
		options.flags &= ~RECORD_SKB_OPT_RULES;
	/* To look all functions up is dear. */
	ready = s->stands.point && s->stands_still && options.flags == s->options.flags;
	a = armed_new(s->recording, &s->filter, ready ? &s->stands_for : &options, &s->until,
		      ready ? NULL : &s->points, &s->stands);
	if (IS_ERR(a)) {
		err = PTR_ERR(a);
		goto release;
	}
	unruled = (a->options.flags ^ options.flags) & RECORD_SKB_OPT_RULES;
	if (!(a->options.flags & RECORD_SKB_OPT_RULES))
		rules_release();
	err = start(s, a);
	if (!err) {
		if (unruled)
			stat_inc(&s->recording->stats, STAT_UNRULED);
		s->armed = a;
		goto unlock;
	}
	armed_free(a);
release:
	rules_release();
unlock:
	mutex_unlock(&session_lock);
	return err;
}

int session_disarm(struct session *s)
{
	int err;

	mutex_lock(&session_lock);
	err = s->recording ? 0 : -ENOLCK;
	if (!err)
		disarm(s);
	mutex_unlock(&session_lock);
	return err;
}

void session_get_info(const struct session *s, struct record_skb_info *info)
{
	u32 i;

	*info = (struct record_skb_info){ .abi = RECORD_SKB_ABI };
	mutex_lock(&session_lock);
	info->points = s->points.nr;
	info->shared = nr_sharing();
	info->graph_first = !s->recording || !s->recording->number || first_is_taken();
	for (i = 0; i < ARRAY_SIZE(holders) && !info->holder_pid; i++) {
		if (!holders[i])
			continue;
		info->holder_pid = holders[i]->pid;
		strscpy(info->holder_comm, holders[i]->comm, sizeof(info->holder_comm));
	}
	mutex_unlock(&session_lock);
}

void session_get_stats(const struct session *s, struct record_skb_stats *stats)
{
	const struct recording *r;

	*stats = (struct record_skb_stats){ .inside = frame_inside() };
	mutex_lock(&session_lock);
	r = s->recording ?: recording_alone();
	stats_read(&r->stats, stats);
	stats->armed = s->armed != NULL;
	if (!r->number)
		trigger_read(stats);
	mutex_unlock(&session_lock);
}

/* A module is going while @s is armed: go on without its functions, if that can be. */
static void forget_module(struct session *s, const struct module *mod)
{
	struct armed *old = s->armed;
	struct armed *rest = armed_without(old, mod);

	if (!rest || !hook_forget_module(old, mod)) {
		if (rest)
			armed_free(rest);
		disarm(s);
		return;
	}
	armed_publish(rest);
	s->armed = rest;
	armed_free(old);
}

static void module_going(struct session *s, const struct module *mod)
{
	if (s->armed)
		forget_module(s, mod);
	points_forget_module(&s->points, mod);
	points_forget_module(&s->stands, mod);
}

static int on_module(struct notifier_block *nb, unsigned long state, void *mod)
{
	u32 i;

	mutex_lock(&session_lock);
	for (i = 0; i < ARRAY_SIZE(holders); i++) {
		if (!holders[i])
			continue;
		if (state == MODULE_STATE_GOING)
			module_going(holders[i], mod);
		else
			holders[i]->stands_still = false;
	}
	if (state == MODULE_STATE_COMING)
		relay_add_module(mod);
	else if (state == MODULE_STATE_GOING)
		relay_forget_module(mod);
	/* One of this name may come with other types. */
	if (state == MODULE_STATE_GOING)
		prototype_forget();
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
