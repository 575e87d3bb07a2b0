/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GRAPH_TRAMPOLINE_H
#define RECORD_SKB_GRAPH_TRAMPOLINE_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <record_skb.h>

struct ftrace_ops;
struct module;

int trampoline_set(const struct record_skb_graph *want);
void trampoline_forget(void);
void trampoline_forget_module(const struct module *mod);
void trampoline_add_module(const struct module *mod, struct ftrace_ops *set);
bool trampoline_is_wanted(void);
int trampoline_move_to(struct ftrace_ops *set);
int trampoline_start(void);
void trampoline_stop(void);
void trampoline_exit(void);

/*
 * True while the module itself calls function_graph for functions that are not in function_graph's own set.
 */
extern bool record_skb_hands_on;

static inline bool trampoline_hands_on(void)
{
	return READ_ONCE(record_skb_hands_on);
}

#endif
