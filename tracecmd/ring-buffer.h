/* SPDX-License-Identifier: GPL-2.0 */
/* What the top trace buffer counts. */
#ifndef _RECORD_SKB_RING_BUFFER_H
#define _RECORD_SKB_RING_BUFFER_H

/**
 * struct ring_buffer_counts - of one CPU, or of all
 * @entries: written so far, and not overwritten unread
 * @lost: overwritten unread, or not written for want of room
 */
struct ring_buffer_counts {
	unsigned long long entries;
	unsigned long long lost;
};

/* Count on @cpu, or on all if it is -1. What cannot be read counts nothing. */
void ring_buffer_count(int cpu, struct ring_buffer_counts *counts);

#endif
