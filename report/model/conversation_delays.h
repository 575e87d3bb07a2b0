/* SPDX-License-Identifier: GPL-2.0 */
/* conversation_delays.h - find the delays of each packet and of each conversation, and the longest delay */
#ifndef _RECORD_SKB_DELAYS_H
#define _RECORD_SKB_DELAYS_H

#include "model/packet_delays.h"

struct delays;

typedef void delay_callback(void *data, const struct delay *delay, uint32_t flow, unsigned int dir);

/**
 * delays_new - begin to search for delays
 * @stages: stages of the packets
 * @each: called for each delay; may be NULL
 * @data: passed to @each
 */
struct delays *delays_new(struct stages *stages, delay_callback *each, void *data);
void delays_free(struct delays *delays);

/*
 * Add the next packet. Packets must be sorted by number.
 *
 * Return: direction of the packet in its flow; 0 is the direction of the first packet.
 */
unsigned int delays_packet(struct delays *delays, const struct packet *packet);

/*
 * Return: the longest delay; NULL if there was no delay. The time before a client sends its next request does
 * not count as a delay.
 */
const struct delay *delays_longest(const struct delays *delays);
/*
 * Return: true if the longest delay should be shown, because it is at least 1 ms and ten times the median of
 * the other delays.
 */
bool delays_stands_out(const struct delays *delays);
/**
 * struct pause - a time in which neither the server nor the client of a flow sent new data, after data of
 * the server
 * @ns: duration in nanoseconds
 * @number: number of the packet before the pause
 * @next: number of the packet of the server after the pause
 */
struct pause {
	uint64_t ns;
	uint32_t number, next;
};

/*
 * Return: the longest pause, if it is longer than all delays and should be shown; otherwise NULL. The
 * server may have worked on an answer, or been idle.
 */
const struct pause *delays_pause(const struct delays *delays);

#endif
