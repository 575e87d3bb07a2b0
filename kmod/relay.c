// SPDX-License-Identifier: GPL-2.0
/*
 * relay.c - stand at the functions of the graph for function_graph, and give it the calls of those who do
 * not pause it
 *
 * ftrace saves and restores the registers before function_graph finds a task paused: 58 instructions a call.
 * An ftrace_ops may bring a trampoline of its own. Ours looks at the pause first, which takes seven, and
 * goes on in function_graph's. So the functions are ours, and not in its set.
 *
 * Where a function has yet another user ftrace calls them all in turn, and relay_listed() is our turn.
 *
 * Called with session_lock held, but for relay_is_lost().
 */
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "compat/graph-hand-on.h"
#include "recording.h"
#include "relay.h"
#include "stats.h"

/* More than a kernel has. */
#define MAX_FUNCTIONS (1 << 20)

/* relay-call.S */
extern const char relay_call[], relay_nobody[];

/* Where relay_call() goes on. */
unsigned long record_skb_relay_target __read_mostly;
/* Whose that is. It is the kernel's own, and stays when the tracer ends; then nothing comes of a call. */
static struct ftrace_ops *graph __read_mostly;
static bool wanted, registered;
/* Its filter. */
static unsigned long *functions;
static u32 nr_functions;
/* Modules that come later join. */
static bool grows;

static void notrace relay_listed(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				 struct ftrace_regs *fregs)
{
	struct ftrace_ops *to = READ_ONCE(graph);

	if (to && !within_module(ip, THIS_MODULE) && !atomic_read(&current->tracing_graph_pause))
		to->func(ip, parent_ip, to, fregs);
}

static struct ftrace_ops relay = {
	.func = relay_listed,
	.flags = FTRACE_OPS_FL_PERMANENT,
};

/* For relay-call.S. */
static void __used relay_offsets(void)
{
	asm volatile(".globl relay_pause_offset\n\t.set relay_pause_offset, %c0" ::"i"(
		offsetof(struct task_struct, tracing_graph_pause)));
}

static int take_functions(const struct record_skb_graph *want)
{
	unsigned long *ips;

	ips = vmemdup_user(u64_to_user_ptr(want->functions), want->nr_functions * sizeof(*ips));
	if (IS_ERR(ips))
		return PTR_ERR(ips);
	functions = ips;
	nr_functions = want->nr_functions;
	grows = want->flags & RECORD_SKB_GRAPH_LATER;
	return ftrace_set_filter_ips(&relay, ips, nr_functions, 0, 1);
}

/**
 * relay_set() - which functions
 * @want: as user space says it
 *
 * Return: as the documentation of struct record_skb_graph says; then there are none.
 */
int relay_set(const struct record_skb_graph *want)
{
	int err;

	if (!COMPAT_GRAPH_TAKES_CALLS)
		return -EOPNOTSUPP;
	if (!want->nr_functions || want->nr_functions > MAX_FUNCTIONS ||
	    want->flags & ~RECORD_SKB_GRAPH_LATER)
		return -EINVAL;
	relay_forget();
	err = take_functions(want);
	wanted = !err;
	if (err)
		relay_forget();
	return err;
}

/* Nobody asks for any more. */
void relay_forget(void)
{
	wanted = false;
	if (registered)
		return;
	ftrace_set_filter(&relay, NULL, 0, 1);
	kvfree(functions);
	functions = NULL;
	nr_functions = 0;
}

static bool is_graph(const struct ftrace_ops *ops)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, (unsigned long)ops->func);
	return !strcmp(name, "ftrace_graph_func") && ops->trampoline &&
	       !(ops->flags & FTRACE_OPS_FL_DYNAMIC);
}

/* It was there before us, so it is called after us. */
static void find_graph(void)
{
	struct ftrace_ops *ops;

	rcu_read_lock();
	for (ops = rcu_dereference_raw(relay.next); ops; ops = rcu_dereference_raw(ops->next))
		if (is_graph(ops)) {
			WRITE_ONCE(graph, ops);
			WRITE_ONCE(record_skb_relay_target, ops->trampoline);
		}
	rcu_read_unlock();
}

/**
 * relay_start() - stand at the functions of relay_set(), if there are any
 *
 * function_graph is on, and everybody else of ours comes later: so ftrace calls them before.
 *
 * Return: 0, or why ftrace refuses.
 */
int relay_start(void)
{
	int err;

	if (!COMPAT_GRAPH_TAKES_CALLS || !wanted)
		return 0;
	WRITE_ONCE(graph, NULL);
	WRITE_ONCE(record_skb_relay_target, (unsigned long)relay_nobody);
	relay.trampoline = (unsigned long)relay_call;
	err = register_ftrace_function(&relay);
	if (err)
		return err;
	registered = true;
	find_graph();
	return 0;
}

/* Go. As hook_remove() does. */
void relay_stop(void)
{
	if (!registered)
		return;
	if (unregister_ftrace_function(&relay))
		__module_get(THIS_MODULE);
	else
		registered = false;
}

/* Nobody will want any. */
void relay_exit(void)
{
	ftrace_free_filter(&relay);
}

/* In one go, for each copies the whole filter; but for one that is there twice none of them is taken off. */
static bool take_off(unsigned long *ips, u32 nr)
{
	u32 i;
	int err;

	if (!ftrace_set_filter_ips(&relay, ips, nr, 1, 0))
		return true;
	for (i = 0; i < nr; i++) {
		err = ftrace_set_filter_ips(&relay, &ips[i], 1, 1, 0);
		if (err && err != -ENOENT)
			return false;
	}
	return true;
}

/**
 * relay_forget_module() - a module is being unloaded
 * @mod: the module
 *
 * For the same reason as hook_forget_module(). Without any function left in its filter it would have all.
 */
void relay_forget_module(const struct module *mod)
{
	u32 i, nr = 0;

	/* Those that stay come first. */
	for (i = 0; i < nr_functions; i++) {
		if (within_module(functions[i], mod))
			continue;
		swap(functions[i], functions[nr]);
		nr++;
	}
	if (nr == nr_functions)
		return;
	if (nr && take_off(functions + nr, nr_functions - nr)) {
		nr_functions = nr;
	} else {
		if (nr)
			stat_inc(&recording_alone()->stats, STAT_LOST_FUNCTIONS);
		relay_stop();
		relay_forget();
	}
}

/* What ftrace can trace of it, but for its beginning. */
static u32 functions_of(const struct module *mod, unsigned long *ips)
{
	u32 i, nr = 0;

	for (i = 0; i < mod->num_ftrace_callsites; i++)
		if (mod->ftrace_callsites[i] && !within_module_init(mod->ftrace_callsites[i], mod))
			ips[nr++] = mod->ftrace_callsites[i];
	return nr;
}

static int add_module(const struct module *mod)
{
	unsigned long *more;
	u32 nr;
	int err;

	more = kvmalloc_array(nr_functions + mod->num_ftrace_callsites, sizeof(*more), GFP_KERNEL);
	if (!more)
		return -ENOMEM;
	memcpy(more, functions, nr_functions * sizeof(*more));
	nr = functions_of(mod, more + nr_functions);
	err = nr ? ftrace_set_filter_ips(&relay, more + nr_functions, nr, 0, 0) : 0;
	if (err) {
		kvfree(more);
		return err;
	}
	kvfree(functions);
	functions = more;
	nr_functions += nr;
	return 0;
}

/**
 * relay_add_module() - a module is being loaded, and ftrace knows its functions
 * @mod: the module
 */
void relay_add_module(const struct module *mod)
{
	if (wanted && grows && add_module(mod))
		stat_inc(&recording_alone()->stats, STAT_LOST_FUNCTIONS);
}
