/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FUNCTION_GRAPH_H
#define RECORD_SKB_FUNCTION_GRAPH_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <record_skb.h>

struct fgraph_ops;
struct ftrace_ops;
struct module;

/*
 * struct fgraph_users - which users of fgraph are registered, as fgraph_users_count() has found them
 * @graph: the function_graph tracer, NULL if there is none; if there are several, the last one in the list
 * @nr_graphs: number of function_graph tracers
 * @nr: number of all users, including function_graph tracers
 * @ours: true if the user that was passed to fgraph_users_count() is registered
 * @slot0: true if a user has slot 0 of fgraph
 */
struct fgraph_users {
	struct fgraph_ops *graph;
	u32 nr_graphs;
	u32 nr;
	bool ours;
	bool slot0;
};

u32 fgraph_slot0(bool shared);
bool fgraph_users_graph_is_on(void);
struct ftrace_ops *fgraph_find_behind(const struct ftrace_ops *from);
struct ftrace_ops *fgraph_users_find_graph(void);
struct fgraph_users fgraph_users_count(const struct fgraph_ops *ours);
void fgraph_users_begin(void);
bool fgraph_users_changed(void);
bool fgraph_user_is_entered_by(const struct fgraph_ops *gops, const char *prefix);

int trampoline_set(const struct record_skb_graph *want, unsigned long **list);
void trampoline_forget(void);
void trampoline_forget_module(const struct module *mod);
void trampoline_add_module(const struct module *mod, struct ftrace_ops *set);
bool trampoline_is_wanted(void);
int trampoline_move_to(struct ftrace_ops *set);
int trampoline_start(void);
void trampoline_stop(void);

void function_graph_exit(void);

/*
 * True while the module itself calls function_graph for functions that are not in function_graph's own set.
 */
extern bool record_skb_hands_on;

static inline bool trampoline_hands_on(void)
{
	return READ_ONCE(record_skb_hands_on);
}

#endif
