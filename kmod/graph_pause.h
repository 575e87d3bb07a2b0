/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GRAPH_PAUSE_H
#define RECORD_SKB_GRAPH_PAUSE_H

#include <linux/types.h>

#include "gate_stack.h"
#include "task_pause.h"

struct fgraph_ops;

int graph_pause_start(void);
void graph_pause_stop(void);
void graph_pause_copying(void);
void graph_pause_copied(struct task_struct *child);
void graph_pause_exit(void);
void graph_pause_join(void);
bool graph_pause_is_on(void);

int graph_pause_init(void);

gate_fn *gate_function(enum gate gate);
gate_fn *gate_entry(const struct gate_frame *frame);
void own_graph_set(const struct fgraph_ops *user, unsigned long get_task_var);

/* True while the pause of all tasks is on. */
extern bool record_skb_paused;

/*
 * Return: true if the current task need not be marked, because it has the mark already or because the pause
 * is off.
 */
static inline bool graph_pause_is_settled(void)
{
	return pause_is_marked(current) || !READ_ONCE(record_skb_paused);
}

/*
 * Pause the current task if it is not paused yet. Called at a probe where the call passes through no gate.
 * Preemption is off.
 */
static inline void graph_pause_met(void)
{
	if (!graph_pause_is_settled())
		graph_pause_join();
}

#endif
