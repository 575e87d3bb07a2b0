// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - settings of each open file of /dev/record_skb, and the sessions that have claimed a recording
 *
 * session_lock protects all data of this file. Callbacks of ftrace do not call functions of this file. No
 * task reads or writes user memory while it holds the lock, because a page fault may wait for user space.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "active_config.h"
#include "socket_calls.h"
#include "compat/graph-hand-on.h"
#include "compat/graph-users.h"
#include "function_graph.h"
#include "tasks.h"
#include "compat/rude.h"
#include "decisions.h"
#include "probe_hooks.h"
#include "fast_mode.h"
#include "probe_types.h"
#include "recording.h"
#include "kernel_symbols.h"
#include "netns_table.h"
#include "drops_and_rules.h"
#include "restore.h"
#include "session.h"
#include "ring_trigger.h"
#include "trace_emit.h"

/*
 * struct session - settings of one open file of /dev/record_skb
 * @recording: the recording that the session has claimed, NULL if none
 * @filter, @options, @until, @points: settings from user space
 * @resolved: all probe points with their addresses, for the next arming; empty until user space asks for
 *	addresses
 * @resolved_for: the options for which @resolved was made, without options that need a function that this
 *	kernel lacks
 * @resolved_still: true if no module was loaded since the functions in @resolved were looked up
 * @armed: configuration that callbacks use, NULL if the session is not armed
 * @restore: tracing settings to restore if the session is closed before user space restores them; NULL if
 *	there are none
 * @pid, @comm: the process that claimed the recording
 */
struct session {
	struct recording *recording;
	struct filter filter;
	struct record_skb_options options;
	struct trigger_config until;
	struct points points;
	struct points resolved;
	struct record_skb_options resolved_for;
	bool resolved_still;
	struct active_config *armed;
	struct restore *restore;
	pid_t pid;
	char comm[RECORD_SKB_COMM_LEN];
};

static DEFINE_MUTEX(session_lock);
/* The session that has claimed each recording, indexed by the recording's number. */
static struct session *holders[1 + RECORD_SKB_MAX_SHARED];
/* Settings to restore when the last shared session is closed; NULL if there are none. */
static struct restore *shared_restore;

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

/* Return: the number of shared sessions. */
static u32 nr_sharing(void)
{
	u32 i, nr = 0;

	for (i = 1; i < ARRAY_SIZE(holders); i++)
		nr += !!holders[i];
	return nr;
}

static void disarm_recording(struct session *s)
{
	if (!s->armed)
		return;
	stop_recording(s->armed, others_armed(s->recording));
	active_config_free(s->armed);
	s->armed = NULL;
	nft_rules_release();
}

static void give_up(struct session *s)
{
	struct recording *r = s->recording;

	if (!r)
		return;
	recording_end(r);
	if (!r->number)
		trampoline_forget();
	kallsyms_done();
	kallsyms_forget();
	prototype_forget();
	holders[r->number] = NULL;
	s->recording = NULL;
	if (!nr_sharing())
		record_skb_shared = false;
}

/* Disarm the session and free it. If the recorder has not restored its tracing settings, restore them. */
void session_close(struct session *s)
{
	struct restore *shared = NULL;

	mutex_lock(&session_lock);
	disarm_recording(s);
	give_up(s);
	if (!nr_sharing())
		swap(shared, shared_restore);
	/* Restore the tracing settings before another session can claim the recording. */
	restore_start(s->restore);
	restore_start(shared);
	mutex_unlock(&session_lock);
	points_free(&s->resolved);
	points_free(&s->points);
	trigger_config_destroy(&s->until);
	filter_destroy(&s->filter);
	kfree(s);
}

static int claim_recording(struct session *s, struct recording *r)
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

	restore_try();
	mutex_lock(&session_lock);
	if (restore_is_pending())
		err = -EAGAIN;
	else if (s->recording)
		err = s->recording->number ? -EBUSY : 0;
	else if (holders[0] || nr_sharing())
		err = -EBUSY;
	else
		err = claim_recording(s, recording_alone());
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
	restore_try();
	mutex_lock(&session_lock);
	r = s->recording || holders[0] ? NULL : find_free();
	if (restore_is_pending())
		err = -EAGAIN;
	else if (r)
		err = claim_recording(s, r);
	if (!err) {
		/*
		 * If this is the first shared session, no recording is armed, so no callback reads the flag
		 * now.
		 */
		record_skb_shared = true;
		*share = (struct record_skb_share){ .recording = r->number };
	}
	mutex_unlock(&session_lock);
	return err;
}

/* Return: 0 if the session may change its settings, or a negative error. The caller holds session_lock. */
static int may_set(const struct session *s)
{
	if (!s->recording)
		return -ENOLCK;
	return s->armed ? -EBUSY : 0;
}

/*
 * Return: the result of may_set(); -EOPNOTSUPP for a shared session, because the setting needs exclusive use.
 */
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
	/* Free the previous filter, or the new one if it was refused. */
	filter_destroy(&filter);
	return err;
}

int session_add_point(struct session *s, const struct record_skb_point *want)
{
	int err;

	mutex_lock(&session_lock);
	err = may_set(s) ?: points_add(&s->points, want);
	if (!err)
		points_free(&s->resolved);
	mutex_unlock(&session_lock);
	return err;
}

int session_set_options(struct session *s, const struct record_skb_options *want)
{
	const u32 alone = RECORD_SKB_OPT_RULES | RECORD_SKB_OPT_SCHED | RECORD_SKB_OPT_PAUSE;
	int err;

	if (!options_are_valid(want))
		return -EINVAL;
	mutex_lock(&session_lock);
	err = want->flags & alone ? may_set_alone(s) : may_set(s);
	if (!err) {
		s->options = *want;
		points_free(&s->resolved);
	}
	mutex_unlock(&session_lock);
	return err;
}

static int find_stands(struct session *s)
{
	int err;

	if (s->resolved.point)
		return 0;
	s->resolved_for = s->options;
	s->resolved_still = true;
	err = points_complete(&s->resolved, &s->points, &s->resolved_for);
	if (err)
		points_free(&s->resolved);
	return err;
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
	if (!err && function->index >= s->resolved.nr)
		err = -ERANGE;
	if (!err)
		err = points_take_function(&s->resolved.point[function->index], function);
	mutex_unlock(&session_lock);
	return err;
}

int session_set_ring(struct session *s, const struct record_skb_ring *want)
{
	struct trigger_config until;
	int err = trigger_config_create(&until, want);

	if (err)
		return err;
	mutex_lock(&session_lock);
	err = may_set_alone(s);
	if (!err)
		swap(s->until, until);
	mutex_unlock(&session_lock);
	/* Free the previous settings, or the new ones if they were refused. */
	trigger_config_destroy(&until);
	return err;
}

int session_set_graph(struct session *s, const struct record_skb_graph *want)
{
	unsigned long *list = functions_from_user(want->functions, want->nr_functions);
	int err;

	mutex_lock(&session_lock);
	err = may_set_alone(s) ?: trampoline_set(want, &list);
	mutex_unlock(&session_lock);
	functions_free(list);
	return err;
}

int session_set_addresses(struct session *s, const struct record_skb_addresses *want)
{
	unsigned long *list = functions_from_user(want->functions, want->nr_functions);
	int err;

	mutex_lock(&session_lock);
	err = may_set(s) ?: kallsyms_set(want, list);
	mutex_unlock(&session_lock);
	functions_free(list);
	return err;
}

int session_set_restore(struct session *s, const struct record_skb_restore *want)
{
	const bool shared = want->flags & RECORD_SKB_RESTORE_SHARED;
	struct restore *restore = NULL;
	int err;

	if (want->reserved || want->flags & ~RECORD_SKB_RESTORE_SHARED)
		return -EINVAL;
	if (want->nr_settings)
		restore = restore_new(want);
	if (IS_ERR(restore))
		return PTR_ERR(restore);
	mutex_lock(&session_lock);
	err = s->recording ? 0 : -ENOLCK;
	if (!err && shared && !s->recording->number)
		err = -EINVAL;
	if (!err)
		swap(restore, *(shared ? &shared_restore : &s->restore));
	mutex_unlock(&session_lock);
	/* Free the previous settings, or the new ones if they were refused. */
	restore_free(restore);
	return err;
}

int session_add_process(struct session *s, const struct record_skb_process *process)
{
	int err;

	mutex_lock(&session_lock);
	err = s->recording ? 0 : -ENOLCK;
	if (!err)
		err = s->restore ? restore_add_process(s->restore, process) : -ENOENT;
	mutex_unlock(&session_lock);
	return err;
}

int session_follow(struct session *s, const struct record_skb_follow *want)
{
	struct task_table *follow;
	int err = -ENOLCK;

	if (want->flags || want->pid < 0)
		return -EINVAL;
	mutex_lock(&session_lock);
	follow = s->recording ? s->recording->follow : NULL;
	if (follow)
		err = task_table_start(follow, !(s->options.flags & RECORD_SKB_OPT_NO_CHILDREN)) ?:
			      task_table_pid(follow, want->pid);
	if (!err && s->armed)
		calls_learn(s->armed);
	mutex_unlock(&session_lock);
	return err;
}

int session_get_netns(struct session *s, struct record_skb_netns *netns)
{
	int err;

	mutex_lock(&session_lock);
	err = s->recording ? netns_table_get(s->recording->netns, netns) : -ENOLCK;
	mutex_unlock(&session_lock);
	return err;
}

int session_name_netns(struct session *s, const struct record_skb_netns *netns)
{
	const struct netns_entry *named;
	int err;

	mutex_lock(&session_lock);
	err = s->recording ? netns_table_name(s->recording->netns, netns, &named) : -ENOLCK;
	if (!err)
		emit_netns_name(s->recording, named);
	mutex_unlock(&session_lock);
	return err;
}

/* Return: true if the table has a namespace that user space has not read yet with the ioctl GET_NETNS. */
bool session_poll(struct session *s, struct file *file, struct poll_table_struct *wait)
{
	bool ready;

	mutex_lock(&session_lock);
	ready = netns_table_poll(s->recording ? s->recording->netns : NULL, file, wait);
	mutex_unlock(&session_lock);
	return ready;
}

int session_arm(struct session *s)
{
	struct record_skb_options options;
	bool ready;
	struct active_config *a;
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
	if (options.flags & RECORD_SKB_OPT_RULES && !nft_rules_hold())
		options.flags &= ~RECORD_SKB_OPT_RULES;
	/*
	 * Resolving all functions is expensive: use the points that were resolved before, if they are still
	 * valid.
	 */
	ready = s->resolved.point && s->resolved_still && options.flags == s->options.flags;
	a = active_config_new(s->recording, &s->filter, ready ? &s->resolved_for : &options,
			      &s->until, ready ? NULL : &s->points, &s->resolved);
	if (IS_ERR(a)) {
		err = PTR_ERR(a);
		goto release;
	}
	if (!(a->options.flags & RECORD_SKB_OPT_RULES))
		nft_rules_release();
	err = start_recording(a, options.flags, others_armed(s->recording));
	if (!err) {
		s->armed = a;
		goto unlock;
	}
	active_config_free(a);
release:
	nft_rules_release();
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
		disarm_recording(s);
	mutex_unlock(&session_lock);
	return err;
}

void session_get_info(const struct session *s, struct record_skb_info *info)
{
	u32 i;

	restore_try();
	*info = (struct record_skb_info){
		.abi = RECORD_SKB_ABI,
		.flags = (COMPAT_RUDE_WAITS_FOR_NOTHING ? RECORD_SKB_INFO_GRAPH_RACE : 0) |
			 (restore_is_pending() ? RECORD_SKB_INFO_RESTORING : 0) |
			 (COMPAT_GRAPH_TAKES_CALLS ? RECORD_SKB_INFO_TAKES_CALLS : 0),
	};
	mutex_lock(&session_lock);
	info->points = s->points.nr;
	info->shared = nr_sharing();
	for (i = 0; i < ARRAY_SIZE(holders) && !info->holder_pid; i++) {
		if (!holders[i])
			continue;
		info->holder_pid = holders[i]->pid;
		strscpy(info->holder_comm, holders[i]->comm, sizeof(info->holder_comm));
	}
	mutex_unlock(&session_lock);
}

int session_get_slot0(const struct session *s, __u32 *slot0)
{
	int err;

	mutex_lock(&session_lock);
	err = s->recording ? 0 : -ENOLCK;
	if (!err)
		*slot0 = fgraph_slot0(s->recording->number);
	mutex_unlock(&session_lock);
	return err;
}

void session_get_stats(const struct session *s, struct record_skb_stats *stats)
{
	mutex_lock(&session_lock);
	recording_read_stats(s->recording ?: recording_alone(), stats);
	stats->armed = s->armed != NULL;
	mutex_unlock(&session_lock);
}

/*
 * Handle the unloading of a module. If @s is armed, continue without the functions of the module, or disarm
 * the session if that is impossible.
 */
static void forget_module(struct session *s, const struct module *mod)
{
	struct active_config *old = s->armed, *rest;

	points_forget_module(&s->points, mod);
	points_forget_module(&s->resolved, mod);
	if (!old)
		return;
	rest = active_config_without(old, mod);
	if (!rest || !hook_forget_module(old, mod)) {
		if (rest)
			active_config_free(rest);
		disarm_recording(s);
		return;
	}
	active_config_publish(rest);
	s->armed = rest;
	active_config_free(old);
}

static int on_module(struct notifier_block *nb, unsigned long state, void *mod)
{
	u32 i;

	mutex_lock(&session_lock);
	for (i = 0; i < ARRAY_SIZE(holders); i++) {
		if (!holders[i])
			continue;
		if (state == MODULE_STATE_GOING)
			forget_module(holders[i], mod);
		else
			holders[i]->resolved_still = false;
	}
	if (state == MODULE_STATE_COMING) {
		fast_mode_add_module(mod);
	} else if (state == MODULE_STATE_GOING) {
		fast_mode_forget_module(mod);
		/* Forget the types of the module: a later module of the same name may have other types. */
		prototype_forget();
		decisions_forget_module(mod);
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
