/* SPDX-License-Identifier: GPL-2.0 */
/* Processes by pidfd: trace-cmd with what it starts, and those that are followed. */
#ifndef _RECORD_SKB_PROCESS_TREE_H
#define _RECORD_SKB_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "strlist.h"

/**
 * struct process_tree - trace-cmd and the processes it started, as pidfds
 *
 * Its recorders outlive a trace-cmd that is killed, and would read the trace for ever. As long as
 * one has a buffer's file open, current_tracer cannot be changed.
 */
struct process_tree {
	int *pidfds;
	size_t n;
};

int process_open(pid_t pid);
bool process_has_ended(int pidfd);
void process_signal(int pidfd, int signal);

/* PIDs of the children that @pid has now; add them to @pids. */
void process_children(pid_t pid, struct strings *pids);

/* Take a process in; one that is no more is no matter. */
void process_tree_add(struct process_tree *tree, pid_t pid);

/* Of those but the first. */
void process_tree_forget_ended(struct process_tree *tree);

/*
 * End what a trace-cmd that was killed left: its recorders get SIGUSR1, for which they write what there is
 * still to read, and have a moment for that; then all are killed. Returns when they are gone.
 */
void process_tree_end(const struct process_tree *tree);
void process_tree_free(struct process_tree *tree);

#endif
