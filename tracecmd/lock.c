// SPDX-License-Identifier: GPL-2.0
/* One recording at a time: a lock on the directory of tracefs. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <tracefs.h>
#include <unistd.h>

#include "lock.h"
#include "session.h"

/* To put function_graph away for all functions takes seconds on a slow machine. */
#define WAIT_MSEC 60000
#define POLL_MSEC 100

int lock_take(struct err *err)
{
	const char *tracefs = tracefs_tracing_dir();
	int lock;

	lock = open(tracefs, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock < 0)
		return err_set(err, "cannot open %s: %s", tracefs, strerror(errno));
	for (int msec = 0; flock(lock, LOCK_EX | LOCK_NB); msec += POLL_MSEC) {
		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK) {
			err_set(err, "cannot lock %s: %s", tracefs, strerror(errno));
			goto fail;
		}
		if (session_is_held(err))
			goto fail;
		if (msec >= WAIT_MSEC) {
			err_set(err, "somebody holds a lock on %s, and it is not a recording",
				tracefs);
			goto fail;
		}
		usleep(POLL_MSEC * 1000);
	}
	return lock;
fail:
	close(lock);
	return -1;
}
