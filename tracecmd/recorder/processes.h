/* SPDX-License-Identifier: GPL-2.0 */
/*
 * processes.h - track processes by pidfd. Run a program with limits for its time, output and memory. Run a
 * process only on the CPUs of a list such as 0-3,6.
 */
#ifndef _RECORD_SKB_PROCESSES_H
#define _RECORD_SKB_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "text.h"
#include "err.h"

/**
 * struct process_tree - pidfds of trace-cmd and of the processes that trace-cmd started
 *
 * If trace-cmd is killed, its per-CPU recorder processes continue and would read the trace forever. The
 * kernel does not allow a change of current_tracer as long as a recorder process has a file of the buffer
 * open.
 */
struct process_tree {
	int *pidfds;
	size_t n;
};

int process_open(pid_t pid);
bool process_has_ended(int pidfd);
void process_signal(int pidfd, int signal);

/* Append the PIDs of the current children of @pid to @pids. */
void process_children(pid_t pid, struct strings *pids);

/* Append the process @pid to @tree. A process that has already exited is ignored. */
void process_tree_add(struct process_tree *tree, pid_t pid);

/* Remove the processes that have exited from @tree, but always keep the first one, which is trace-cmd. */
void process_tree_forget_ended(struct process_tree *tree);

/*
 * End the processes that a killed trace-cmd has left behind, and wait until they have exited. First, SIGUSR1
 * makes trace-cmd's per-CPU recorder processes write the rest of the trace. Processes that do not exit in
 * time are killed.
 */
void process_tree_end(const struct process_tree *tree);
void process_tree_free(struct process_tree *tree);

enum command_end {
	COMMAND_ENDED,	 /* the program closed its output, or @take_line stopped reading */
	COMMAND_LIMITED, /* the time or the output reached its limit, and the program was killed */
	COMMAND_FAILED,	 /* the program could not be started */
};

/**
 * limited_command_run - run a program and read what it prints on standard output
 * @argv: the words of the command. The program is searched on PATH; its standard input and error are
 *	/dev/null
 * @msec: the time limit
 * @take_line: called with each line, without the newline; returns true to stop reading
 * @data: for @take_line
 *
 * When this returns, the program and its children have been killed. Besides @msec there are two limits: 64 KB
 * for a line, and 16 MB for the whole output.
 *
 * Return: how the program ended.
 */
enum command_end limited_command_run(char *const argv[], int msec,
				     bool (*take_line)(char *line, void *data), void *data);

/**
 * cpu_list_check - check that a list of CPUs is valid and that these CPUs are online
 * @list: list in the format of taskset -c: "0", "0-3,6"
 * @err: set to the reason if the list is invalid or a CPU is not online
 *
 * Returns 0 or -1.
 */
int cpu_list_check(const char *list, struct err *err);

/* Restrict a process and its future children to the CPUs of the list. Returns 0 or -1. */
int cpu_list_apply(pid_t pid, const char *list, struct err *err);

/*
 * Convert a list of CPUs such as 0-3,6 to a mask in the kernel's format ("3", "1,00000000"), to be freed.
 * Returns NULL if the list is invalid.
 */
char *cpu_list_mask(const char *list);

#endif
