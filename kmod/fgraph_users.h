/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FGRAPH_USERS_H
#define RECORD_SKB_FGRAPH_USERS_H

#include <linux/types.h>

struct fgraph_ops;
struct ftrace_ops;

/*
 * struct fgraph_users - the registered users of fgraph
 * @graph: the last user on fgraph's list that is a function_graph tracer; NULL if there is none
 * @nr_graphs: number of users that are function_graph tracers
 * @nr: number of all users
 * @ours: the argument of fgraph_users_count() is one of the users
 * @slot0: true if slot 0 of fgraph is in use
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
struct ftrace_ops *fgraph_users_find_graph(void);
struct fgraph_users fgraph_users_count(const struct fgraph_ops *ours);
void fgraph_users_begin(void);
bool fgraph_users_changed(void);
bool fgraph_user_is_entered_by(const struct fgraph_ops *gops, const char *prefix);
void fgraph_users_exit(void);

#endif
