// SPDX-License-Identifier: GPL-2.0
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "family.h"
#include "tracefs-files.h"

/* How long one may take to die by SIGKILL. */
#define DIE_MSEC	5000

int family_open(pid_t pid)
{
	return syscall(SYS_pidfd_open, pid, 0);
}

void family_signal(int pidfd, int signal)
{
	if (pidfd >= 0)
		syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

void family_add(struct family *family, pid_t pid)
{
	const int pidfd = family_open(pid);

	if (pidfd < 0)
		return;
	family->pidfds = xrealloc(family->pidfds, (family->n + 1) * sizeof(*family->pidfds));
	family->pidfds[family->n++] = pidfd;
}

void family_children(pid_t pid, struct strings *pids)
{
	char *file = xasprintf("/proc/%d/task/%d/children", pid, pid);
	char *text = tracefs_read("", file);
	char *rest = text, *word;

	while (rest && (word = strsep(&rest, " ")))
		if (*word)
			strings_add(pids, word);
	free(text);
	free(file);
}

void family_kill(const struct family *family, size_t from)
{
	struct pollfd fd = { .events = POLLIN };

	for (size_t i = from; i < family->n; i++)
		family_signal(family->pidfds[i], SIGKILL);
	for (size_t i = from; i < family->n; i++) {
		fd.fd = family->pidfds[i];
		poll(&fd, 1, DIE_MSEC);
	}
}

void family_free(struct family *family)
{
	for (size_t i = 0; i < family->n; i++)
		close(family->pidfds[i]);
	free(family->pidfds);
	family->pidfds = NULL;
	family->n = 0;
}
