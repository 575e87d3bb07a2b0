/* SPDX-License-Identifier: GPL-2.0 */
/*
 * packet_times.h - keep the times of the functions of each packet until it is known if the packet is selected
 *
 * Only at the end of a packet is it known if the packet is selected. By then, the rows of its functions have
 * already been read.
 */
#ifndef _RECORD_SKB_PACKET_TIMES_H
#define _RECORD_SKB_PACKET_TIMES_H

#include <stdint.h>

struct packet_times;

struct packet_times *packet_times_new(void);
void packet_times_free(struct packet_times *times);

/**
 * struct packet_time - a call of a function
 * @what: identifies the function; the caller of packet_times_add() chooses its meaning
 * @entered: time of the entry, in ns
 * @self: duration without nested functions, in ns
 */
struct packet_time {
	uint32_t what;
	uint64_t entered, self;
};

/* Add a call of a function. */
void packet_times_add(struct packet_times *times, uint32_t number, uint32_t what, uint64_t entered,
		      uint64_t self);
/* Call @each for each call of the packet, in the order in which the calls were added. */
void packet_times_each(const struct packet_times *times, uint32_t number,
		       void (*each)(void *data, const struct packet_time *time), void *data);
/* Release the times of a packet. */
void packet_times_forget(struct packet_times *times, uint32_t number);

#endif
