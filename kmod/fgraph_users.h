/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FGRAPH_USERS_H
#define RECORD_SKB_FGRAPH_USERS_H

#include <linux/types.h>

struct fgraph_ops;
struct ftrace_ops;

/*
 * struct fgraph_users - the registered users of fgraph
 * @graph: the last function_graph on the list
 * @nr_graphs: number of function_graphs
 * @nr: number of users
 * @ours: true if the user that the caller asked for is registered
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
