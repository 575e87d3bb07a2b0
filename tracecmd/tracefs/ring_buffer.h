/* SPDX-License-Identifier: GPL-2.0 */
/* ring_buffer.h - read the counters of the ring buffer, and detect other processes that read the buffer */
#ifndef _RECORD_SKB_RING_BUFFER_H
#define _RECORD_SKB_RING_BUFFER_H

#include <stdbool.h>

/**
 * struct ring_buffer_counts - counters of one CPU's buffer, or sums of all CPUs
 * @unread: number of entries that have not been read yet
 * @read: number of entries that were read, for example by a recorder process
 * @overwritten: number of unread entries that newer entries have overwritten
 * @bytes: total size of the unread entries
 * @lost: number of entries that were not written because the buffer was full
 * @oldest: time of the oldest entry, in seconds of the trace clock. It is 0 for a CPU on which no
 *	entries were overwritten. In the sum of all CPUs, it is the latest of these times
 * @now: the current time of the trace clock, in seconds
 */
struct ring_buffer_counts {
	unsigned long long unread;
	unsigned long long read;
	unsigned long long overwritten;
	unsigned long long bytes;
	unsigned long long lost;
	double oldest;
	double now;
};

/**
 * ring_buffer_count - read the counters of a buffer
 * @instance: name of the instance; NULL for the top instance
 * @cpu: number of the CPU; -1 for the sums of all CPUs
 * @counts: filled in; counters that cannot be read are 0
 */
void ring_buffer_count(const char *instance, int cpu, struct ring_buffer_counts *counts);

/* Name of the tracefs file that clears the buffer when a process writes to it. */
#define OTHER_READERS_EMPTIED "trace"

/*
 * If another process reads entries from trace_pipe or trace_pipe_raw during a recording, these entries are
 * missing in the recording's file. The kernel counts them as read, so its counters do not show this loss. If
 * a process clears the buffer by the file "trace", the kernel does not count the entries at all. Therefore
 * inotify(7) is used to detect other processes that read or clear the buffer.
 */
struct other_readers;

/**
 * other_readers_watch - begin to watch for other processes that read or clear the buffer
 * @has_recorders: true if each file trace_pipe_raw will be opened once by a recorder process of
 *	trace-cmd
 *
 * Returns NULL if inotify is not available.
 */
struct other_readers *other_readers_watch(bool has_recorders);

/* Return the name of the file by which another process has read or cleared the buffer; NULL if none has. */
const char *other_readers_look(struct other_readers *others);

/*
 * Forget other readers that were detected so far. Call this function when trace-cmd's recorder processes have
 * opened their files, and before another reader can take entries of the recording.
 */
void other_readers_forget(struct other_readers *others);

void other_readers_free(struct other_readers *others);

#endif /* _RECORD_SKB_RING_BUFFER_H */
