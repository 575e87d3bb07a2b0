/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_SLOWEST_H
#define _RECORD_SKB_SLOWEST_H

#include "model/conversation_delays.h"

struct slowest;

/**
 * slowest_new - begin a list of the slowest packets, with the longest function or delay of each
 * @n: maximum number of packets
 * @stages: source of the delays
 * @reads: the calls that read sockets
 * @packets: address of a pointer to struct packets, which knows the devices. The pointer must be set before
 *	the first packet
 *
 * Return: the list; NULL if there is not enough memory.
 */
struct slowest *slowest_new(uint32_t n, struct stages *stages, const struct socket_reads *reads,
			    struct packets **packets);
void slowest_free(struct slowest *slowest);

/* This observer measures functions. Pass it to reader_add_observer(), with the struct slowest as data. */
extern const struct observer slowest_observer;

/* This output gets the packets. Its argument @data is a struct slowest. */
extern const struct output slowest_output;

#endif
