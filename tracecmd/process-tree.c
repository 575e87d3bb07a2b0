// SPDX-License-Identifier: GPL-2.0
/* Processes by pidfd: trace-cmd with what it starts, and those that are followed. */
#include <ctype.h>
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"
#include "process-tree.h"

/* How long one may take to end. */
#define DIE_MSEC 5000

int process_open(pid_t pid)
{
	return syscall(SYS_pidfd_open, pid, 0);
}

bool process_has_ended(int pidfd)
{
	struct pollfd fd = { .fd = pidfd, .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

void process_signal(int pidfd, int signal)
{
	if (pidfd >= 0)
		syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

void process_tree_add(struct process_tree *tree, pid_t pid)
{
	const int pidfd = process_open(pid);

	if (pidfd < 0)
		return;
	tree->pidfds = xrealloc(tree->pidfds, (tree->n + 1) * sizeof(*tree->pidfds));
	tree->pidfds[tree->n++] = pidfd;
}

void process_tree_forget_ended(struct process_tree *tree)
{
	size_t n = tree->n ? 1 : 0;

	for (size_t i = n; i < tree->n; i++)
		if (process_has_ended(tree->pidfds[i]))
			close(tree->pidfds[i]);
		else
			tree->pidfds[n++] = tree->pidfds[i];
	tree->n = n;
}

/* "pid (name) state parent …", in which the name may be anything. */
static pid_t parent_of(const char *pid)
{
	char *file = xasprintf("/proc/%s/stat", pid);
	char *text = file_read(file);
	char *rest = text ? strrchr(text, ')') : NULL;
	int parent;

	if (!rest || sscanf(rest, ") %*c %d", &parent) != 1)
		parent = -1;
	free(text);
	free(file);
	return parent;
}

static void search_children(pid_t pid, struct strings *pids)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	if (!proc)
		return;
	while ((entry = readdir(proc)))
		if (isdigit((unsigned char)*entry->d_name) && parent_of(entry->d_name) == pid)
			strings_add(pids, entry->d_name);
	closedir(proc);
}

void process_children(pid_t pid, struct strings *pids)
{
	char *file = xasprintf("/proc/%d/task/%d/children", pid, pid);
	char *text = file_read(file);
	char *rest = text, *word;

	while (rest && (word = strsep(&rest, " ")))
		if (*word)
			strings_add(pids, word);
	/* A kernel may be built without that file (CONFIG_PROC_CHILDREN). */
	if (!text)
		search_children(pid, pids);
	free(text);
	free(file);
}

static void wait_for_all(const struct process_tree *tree)
{
	struct pollfd fd = { .events = POLLIN };

	for (size_t i = 1; i < tree->n; i++) {
		fd.fd = tree->pidfds[i];
		poll(&fd, 1, DIE_MSEC);
	}
}

void process_tree_end(const struct process_tree *tree)
{
	for (size_t i = 1; i < tree->n; i++)
		process_signal(tree->pidfds[i], SIGUSR1);
	wait_for_all(tree);
	for (size_t i = 1; i < tree->n; i++)
		process_signal(tree->pidfds[i], SIGKILL);
	wait_for_all(tree);
}

void process_tree_free(struct process_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++)
		close(tree->pidfds[i]);
	free(tree->pidfds);
	tree->pidfds = NULL;
	tree->n = 0;
}
