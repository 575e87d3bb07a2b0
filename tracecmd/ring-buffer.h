/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel counts of trace buffers. */
#ifndef _RECORD_SKB_RING_BUFFER_H
#define _RECORD_SKB_RING_BUFFER_H

/**
 * struct ring_buffer_counts - of one CPU, or of all
 * @unread: entries that nobody has read yet
 * @read: entries that were read, by a recorder that is
 * @overwritten: by newer ones, unread
 * @lost: not written for want of room
 * @oldest: time of the oldest that is there, in seconds of the trace's clock; of CPUs where some are written
 *	over the latest one, 0 if there are none
 * @now: the time by that clock
 */
struct ring_buffer_counts {
	unsigned long long unread;
	unsigned long long read;
	unsigned long long overwritten;
	unsigned long long lost;
	double oldest;
	double now;
};

/**
 * ring_buffer_count - look at a buffer's counters
 * @instance: whose buffer, NULL for the top one
 * @cpu: -1 for all
 * @counts: filled in; what cannot be read counts nothing
 */
void ring_buffer_count(const char *instance, int cpu, struct ring_buffer_counts *counts);

#endif
