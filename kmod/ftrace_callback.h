/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FTRACE_CALLBACK_H
#define RECORD_SKB_FTRACE_CALLBACK_H

#include <linux/ftrace.h>

struct points;

/* Values of ftrace_ops.private: the ftrace_ops redirects calls, or it only observes calls. */
#define HOOK_REDIRECT ((void *)1)
#define HOOK_WATCH    ((void *)2)

void hook_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
	       struct ftrace_regs *fregs);
void hook_set_forks(const struct points *p);
void hook_find_graph(const struct ftrace_ops *ours);

#endif
