// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph_users.c - find function_graph and the other users of fgraph, and test if slot 0 is in use
 *
 * On some kernels, fgraph also calls the user in slot 0 for every return that any other user asked for
 * (compat/graph-first.h). Therefore the function_graph of a shared recording must not be in slot 0. If user
 * space knows that slot 0 is free, it can fill the slot with another user first.
 */
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/stop_machine.h>
#include <linux/string.h>
#include <record_skb.h>

#include "compat/graph-first.h"
#include "compat/graph-users.h"
#include "fgraph_users.h"
#include "gate.h"

static void notrace empty_function(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

/*
 * An ftrace_ops that does nothing. While it is registered, it is on the list of ftrace users, and the list
 * can be walked from there. Its filter contains only a function that no code calls.
 */
static struct ftrace_ops place = { .func = empty_function };
static bool has_place;
/* Protects place and has_place. */
static DEFINE_MUTEX(place_lock);

static struct ftrace_ops *find_graph(void)
{
	char name[KSYM_SYMBOL_LEN];
	struct ftrace_ops *ops, *found = NULL;

	rcu_read_lock();
	for (ops = rcu_dereference_raw(place.next); ops; ops = rcu_dereference_raw(ops->next)) {
		sprint_symbol_no_offset(name, (unsigned long)ops->func);
		if (!strcmp(name, "ftrace_graph_func"))
			found = ops;
	}
	rcu_read_unlock();
	return found;
}

struct look {
	struct ftrace_ops *graph;
	unsigned long entry;
	bool reads_lists;
};

/*
 * Read the list of users. The lock of ftrace that protects this list is not available to modules. Therefore
 * all CPUs are stopped, so that no user can be added or removed.
 */
static int read_users(void *data)
{
	struct look *l = data;

	l->entry = compat_graph_first(l->graph);
	l->reads_lists = compat_graph_reads_lists(l->graph);
	return 0;
}

/**
 * fgraph_users_find_graph() - find the ftrace_ops through which ftrace calls all users of fgraph
 *
 * The ftrace_ops is part of the kernel and stays valid after the last user has unregistered. A search costs
 * 70 million instructions, because ftrace visits all functions when its users change. Therefore the result is
 * kept for later calls. On kernels where the ftrace_ops does not show whether fgraph has a user, each call
 * searches again.
 *
 * Return: the ftrace_ops; NULL if fgraph has no user and no result was kept.
 */
struct ftrace_ops *fgraph_users_find_graph(void)
{
	static struct ftrace_ops *found;
	struct ftrace_ops *graph;

	mutex_lock(&place_lock);
	if (!has_place)
		has_place = !ftrace_set_filter_ip(&place, (unsigned long)record_skb_nothing, 0, 1);
	graph = found;
	if (!graph && has_place && !register_ftrace_function(&place)) {
		graph = find_graph();
		unregister_ftrace_function(&place);
	}
	if (COMPAT_GRAPH_HAS_INSTANCES)
		found = graph;
	mutex_unlock(&place_lock);
	return graph;
}

static struct look look_at_users(void)
{
	struct look l = { .graph = fgraph_users_find_graph() };

	if (l.graph)
		stop_machine(read_users, &l, NULL);
	return l;
}

/**
 * fgraph_slot0() - determine the user in slot 0 of fgraph
 * @shared: true for a shared recording
 *
 * Return: one of RECORD_SKB_SLOT0_*. On kernels where this kind of recording works with any user in slot 0,
 * the result is always RECORD_SKB_SLOT0_TAKEN.
 */
u32 fgraph_slot0(bool shared)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned long entry;

	if (!(shared ? COMPAT_GRAPH_FIRST_HEARS_ALL : COMPAT_GRAPH_HAS_OTHER_USERS))
		return RECORD_SKB_SLOT0_TAKEN;
	entry = look_at_users().entry;
	if (!entry)
		return RECORD_SKB_SLOT0_FREE;
	sprint_symbol_no_offset(name, entry);
	return strstarts(name, "fprobe_") ? RECORD_SKB_SLOT0_FPROBE : RECORD_SKB_SLOT0_TAKEN;
}

/*
 * Return: true if fgraph may have a user that reads the lists of set_graph_function, as function_graph
 * does.
 */
bool fgraph_users_graph_is_on(void)
{
	return look_at_users().reads_lists;
}

#if COMPAT_GRAPH_HAS_OTHER_USERS

/* The ftrace_ops of all fgraph users together, which is static in the kernel. */
static struct ftrace_ops *all_users;
/*
 * Head and tail of the list of users, as the last fgraph_users_count() has found them. At least one of them
 * changes if a second user registers besides function_graph, or if one of two users unregisters.
 */
static const struct list_head *seen_first, *seen_last;

struct count {
	const struct fgraph_ops *ours;
	struct fgraph_users users;
};

/* Return: true if the name of the user's entry handler begins with @prefix. */
bool fgraph_user_is_entered_by(const struct fgraph_ops *gops, const char *prefix)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, (unsigned long)(gops->saved_func ?: gops->entryfunc));
	return strstarts(name, prefix);
}

static int count_users(void *data)
{
	struct count *c = data;
	struct fgraph_users *users = &c->users;
	struct fgraph_ops *gops;
	struct ftrace_ops *sub;

	seen_first = all_users->subop_list.next;
	seen_last = &all_users->subop_list;
	if (!seen_first)
		return 0;
	list_for_each_entry(sub, &all_users->subop_list, list) {
		/*
		 * Find the last user by walking forward. The list's pointer to its end may differ, because
		 * the CPU that adds a user may have been stopped in the middle of list_add().
		 */
		seen_last = &sub->list;
		gops = container_of(sub, struct fgraph_ops, ops);
		users->slot0 |= !gops->idx;
		users->ours |= gops == c->ours;
		users->nr++;
		if (fgraph_user_is_entered_by(gops, "trace_graph_")) {
			users->graph = gops;
			users->nr_graphs++;
		}
	}
	return 0;
}

/**
 * fgraph_users_count() - count the users of fgraph
 * @ours: the user to be found, or NULL
 *
 * All CPUs are stopped, because a user may register without passing through the gates of fast_mode.c. The
 * caller holds the lock of fast_mode.c.
 *
 * Return: the numbers of users, and the function_graph among them.
 */
struct fgraph_users fgraph_users_count(const struct fgraph_ops *ours)
{
	struct count c = { .ours = ours };

	if (!all_users)
		all_users = fgraph_users_find_graph();
	if (all_users)
		stop_machine(count_users, &c, NULL);
	return c.users;
}

/* Find the list of users, before the first fgraph_users_count() of a recording. */
void fgraph_users_begin(void)
{
	all_users = fgraph_users_find_graph();
}

/*
 * Return: true if the head or the tail of the list has changed since the last fgraph_users_count(). A user
 * that leaves the middle of the list is not noticed.
 */
bool fgraph_users_changed(void)
{
	return all_users && (READ_ONCE(all_users->subop_list.next) != seen_first ||
			     READ_ONCE(all_users->subop_list.prev) != seen_last);
}

#endif

void fgraph_users_exit(void)
{
	ftrace_free_filter(&place);
}
