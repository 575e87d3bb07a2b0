/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PAUSE_GATES_H
#define RECORD_SKB_PAUSE_GATES_H

#include "gate.h"
#include "graph.h"

struct fgraph_ops;

gate_fn *gate_function(enum gate gate);
gate_fn *gate_entry(const struct gate_frame *frame);
void own_graph_set(const struct fgraph_ops *user, unsigned long get_task_var);

#endif
