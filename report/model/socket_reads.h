/* SPDX-License-Identifier: GPL-2.0 */
/*
 * socket_reads.h - remember when each socket was last read
 *
 * Usually, the end event of an skb shows that its data were read. But with some kernels, and in older
 * recordings, this event is missing for some skbs. Therefore data count as unread only if no receiving call
 * on the socket has succeeded since they arrived.
 */
#ifndef _RECORD_SKB_SOCKET_READS_H
#define _RECORD_SKB_SOCKET_READS_H

#include "input/reader.h"

struct socket_reads;

struct socket_reads *socket_reads_create(void);
void socket_reads_free(struct socket_reads *reads);

/*
 * This observer collects the calls. Pass it to reader_add_observer(), with the struct socket_reads as data.
 */
extern const struct observer socket_reads_observer;

/**
 * socket_reads_since - check if a receiving call on a socket has returned successfully
 * @reads: the calls
 * @flow_number: number of the flow of a packet that the socket has received
 * @flow: headers of that packet
 * @ts: time
 *
 * Return: true if a call on the socket has succeeded at @ts or later. Also true if the recording does not
 * show the socket of a successful call, because it may have been this socket.
 */
bool socket_reads_since(const struct socket_reads *reads, uint32_t flow_number,
			const struct flow *flow, uint64_t ts);

#endif
