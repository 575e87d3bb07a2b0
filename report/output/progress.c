// SPDX-License-Identifier: GPL-2.0
/* progress.c - show on the terminal how much of the file was read, if reading takes longer than a second */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "output/progress.h"

#define FIRST_MSEC 1000
#define EACH_MSEC  200

static uint64_t clock_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

void progress_begin(struct progress *progress)
{
	*progress = (struct progress){
		.fd = isatty(STDERR_FILENO) ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1,
		.begun = clock_msec(),
	};
}

void progress_disable(struct progress *progress)
{
	progress_end(progress);
}

void progress_show(struct progress *progress, uint64_t done, uint64_t all)
{
	const uint64_t now = progress->fd >= 0 ? clock_msec() : 0;

	if (progress->fd < 0 || now < progress->begun + FIRST_MSEC ||
	    now < progress->printed + EACH_MSEC)
		return;
	progress->printed = now;
	progress->is_shown = true;
	if (all)
		dprintf(progress->fd, "\rreading: %u%% ",
			(unsigned int)(done < all ? (double)done / all * 100 : 100));
	else
		dprintf(progress->fd, "\rreading: %u s ",
			(unsigned int)((now - progress->begun) / 1000));
}

void progress_clear(struct progress *progress)
{
	if (progress->is_shown)
		dprintf(progress->fd, "\r%16s\r", "");
	progress->is_shown = false;
}

void progress_end(struct progress *progress)
{
	progress_clear(progress);
	if (progress->fd >= 0)
		close(progress->fd);
	progress->fd = -1;
}
