// SPDX-License-Identifier: GPL-2.0
/*
 * first.c - whether somebody has function_graph's first place
 *
 * Some kernels tell whoever has it of each return that anybody is told of (compat/graph-first.h). A recording
 * that shares must not be in it, and user space sees to that, if it knows when it is taken.
 */
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/rcupdate.h>
#include <linux/stop_machine.h>
#include <linux/string.h>

#include "compat/graph-first.h"
#include "first.h"

static void notrace nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			    struct ftrace_regs *fregs)
{
}

/* From here on ftrace's list can be walked; it stands at a function that nobody calls. */
static struct ftrace_ops place = { .func = nothing };
static bool has_place;

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
	bool taken;
};

/* The lock of what is looked at is ftrace's own. Here nobody can change it, or free what is in it. */
static int look(void *data)
{
	struct look *l = data;

	l->taken = compat_graph_has_first(l->graph);
	return 0;
}

/* Whether it is; on kernels where nothing depends on it, always. Called with session_lock held. */
bool first_is_taken(void)
{
	static char function[] = "record_skb_nothing";
	struct look l = {};

	if (!COMPAT_GRAPH_FIRST_HEARS_ALL)
		return true;
	if (!has_place)
		has_place = !ftrace_set_filter(&place, function, strlen(function), 1);
	if (!has_place || register_ftrace_function(&place))
		return false;
	/* The kernel's own; it stays, whoever uses it. */
	l.graph = find_graph();
	if (l.graph)
		stop_machine(look, &l, NULL);
	unregister_ftrace_function(&place);
	return l.taken;
}

void first_exit(void)
{
	ftrace_free_filter(&place);
}
