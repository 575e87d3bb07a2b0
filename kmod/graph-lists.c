// SPDX-License-Identifier: GPL-2.0
/*
 * graph-lists.c - nobody looks into a list of set_graph_function that ftrace has freed
 *
 * Whoever writes to that file, or to set_graph_notrace, makes ftrace free the list before. It calls
 * synchronize_rcu_tasks_rude() first, lest function_graph is looking there on some CPU; but on some
 * kernels that waits for nothing (compat/rude.h), and the kernel panics. Preemption is off while
 * function_graph looks, so a grace period of RCU is what it takes; as long as this module is loaded, that
 * function waits for one.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "compat/ftrace.h"
#include "compat/rude.h"
#include "graph-lists.h"
#include "hook.h"

/* Tasks in wait_for_lookups(), which sleep there. */
static atomic_t waiting = ATOMIC_INIT(0);

static void wait_for_lookups(void)
{
	atomic_inc(&waiting);
	synchronize_rcu();
	atomic_dec(&waiting);
}

static void notrace lead_there(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)wait_for_lookups);
}

/* Not PERMANENT: where ftrace is switched off, nobody looks. */
static struct ftrace_ops redirect = {
	.func = lead_there,
	.flags = FTRACE_OPS_FL_IPMODIFY | COMPAT_FTRACE_OPS_REGS,
};
static bool redirected;

/**
 * graph_lists_init() - from now on a list is freed when nobody looks into it
 *
 * Return: 0, or -ENOMEM. 0 also if the function cannot be redirected, for this kernel does not trace it or
 * somebody else has, as a live patch may; then all is as without us.
 */
int graph_lists_init(void)
{
	static char function[] = "synchronize_rcu_tasks_rude";
	int err;

	if (!COMPAT_RUDE_WAITS_FOR_NOTHING)
		return 0;
	err = ftrace_set_filter(&redirect, function, strlen(function), 1);
	if (!err)
		err = hook_register(&redirect);
	redirected = !err;
	if (err)
		ftrace_free_filter(&redirect);
	return err == -ENOMEM ? err : 0;
}

/**
 * graph_lists_exit() - the function is the kernel's again
 *
 * A task may still be on its way out of this module's text: synchronize_rcu_tasks() before that goes.
 */
void graph_lists_exit(void)
{
	if (!redirected)
		return;
	/* An ftrace that has shut itself down (FTRACE_WARN_ON) goes on calling us. */
	while (unregister_ftrace_function(&redirect))
		msleep(1000);
	while (atomic_read(&waiting))
		msleep(1);
	ftrace_free_filter(&redirect);
}
