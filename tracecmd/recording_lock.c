// SPDX-License-Identifier: GPL-2.0
/* recording_lock.c - locks between recordings, on the directories of tracefs and of its instances */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <tracefs.h>
#include <unistd.h>

#include "recording_lock.h"
#include "module/module_client.h"
#include "text.h"

/*
 * How long to wait for the lock. Its holder may be stopping function_graph for all functions, which takes
 * seconds on a slow machine.
 */
#define WAIT_MSEC 60000
#define POLL_MSEC 100

static int open_directory(const char *name, struct err *err)
{
	char *path = xasprintf("%s/%s", tracefs_tracing_dir(), name);
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		err_set(err, "cannot open %s: %s", path, strerror(errno));
	free(path);
	return fd;
}

/*
 * Wait a moment because another process has the lock. Returns 0 if the caller should try again. Returns -1 if
 * the holder is a recording, if the time is over, or after another error.
 */
static int wait_for_others(int *msec, struct err *err)
{
	if (errno != EWOULDBLOCK && errno != EINTR)
		return err_set(err, "cannot lock %s: %s", tracefs_tracing_dir(), strerror(errno));
	if (session_is_held(err))
		return -1;
	if (*msec >= WAIT_MSEC)
		return err_set(err, "another process holds a lock on %s, and it is not a recording",
			       tracefs_tracing_dir());
	usleep(POLL_MSEC * 1000);
	*msec += POLL_MSEC;
	return 0;
}

int lock_take(struct err *err)
{
	const int lock = open_directory(".", err);
	int msec = 0;

	while (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB)) {
		if (!wait_for_others(&msec, err))
			continue;
		close(lock);
		return -1;
	}
	return lock;
}

int lock_brief(int instances, struct err *err)
{
	const int brief = openat(instances, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int msec = 0;

	if (brief < 0)
		return err_set(err, "cannot open the instances of tracing: %s", strerror(errno));
	while (flock(brief, LOCK_EX | LOCK_NB)) {
		if ((errno == EWOULDBLOCK || errno == EINTR) && msec < WAIT_MSEC) {
			usleep(POLL_MSEC * 1000);
			msec += POLL_MSEC;
			continue;
		}
		err_set(err, "cannot lock the instances of tracing: %s",
			errno == EWOULDBLOCK ? "another process holds the lock" : strerror(errno));
		close(brief);
		return -1;
	}
	return brief;
}

int lock_join(int *instances, int *brief, bool *first, struct err *err)
{
	const int lock = open_directory(".", err);
	int msec = 0;

	if (lock < 0)
		return -1;
	*instances = open_directory("instances", err);
	while (*instances >= 0) {
		*brief = lock_brief(*instances, err);
		if (*brief < 0)
			break;
		*first = !flock(lock, LOCK_EX | LOCK_NB);
		if (!flock(lock, LOCK_SH | LOCK_NB))
			return lock;
		close(*brief);
		if (wait_for_others(&msec, err))
			break;
	}
	close(lock);
	return -1;
}

bool lock_is_last(int lock)
{
	return !flock(lock, LOCK_EX | LOCK_NB);
}
