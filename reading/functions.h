/* SPDX-License-Identifier: LGPL-2.1 */
/* functions.h - table of kernel functions that packets pass: their return values and roles */
#ifndef _RECORD_SKB_FUNCTIONS_H
#define _RECORD_SKB_FUNCTIONS_H

/* Meaning of a function's return value. */
enum function_returns {
	RETURNS_NOTHING, /* no value, or a pointer that is not worth showing */
	RETURNS_NUMBER,	 /* a number; a negative number is not necessarily an error */
	RETURNS_ERROR,	 /* negative values are errors */
	RETURNS_RX,	 /* NET_RX_*, or an error */
	RETURNS_XMIT,	 /* NET_XMIT_* of a device's queue, or an error */
	RETURNS_DRIVER,	 /* NETDEV_TX_* of a driver, or NET_XMIT_* of a queue */
	RETURNS_GRO,
	RETURNS_BOOL,
};

/* Effect of a function on the packet that is passed to it; verdict.h describes the consequences. */
enum function_role {
	ROLE_PASSES,   /* passes the packet on, or has an effect that no other role describes */
	ROLE_FORWARDS, /* passes a received packet on to the transmit path */
	ROLE_TAKES,    /* puts the packet into a socket's queue if it returns 0 */
	ROLE_TAPS, /* puts the packet or a clone into the queue of a packet socket (AF_PACKET) */
	ROLE_READS, /* takes the packet out of a queue for the reader, or drops it if its checksum is wrong */
	ROLE_CLOSES, /* empties the queues of a socket that is closed */
	/*
	 * protocol handler: if it has not passed the packet on when it returns, it has processed the packet
	 */
	ROLE_HANDLES,
	ROLE_HANDLES_TCP, /* handler of TCP: like ROLE_HANDLES, but a socket gets the data */
	/*
	 * handler of SCTP: like ROLE_HANDLES, but a socket gets clones of the data. The end of a clone does
	 * not tell what happened to the data.
	 */
	ROLE_HANDLES_SCTP,
	ROLE_MERGES, /* merges the packet into another packet of the same flow if it returns GRO_MERGED */
	/* puts the packet into a queue, unless it passes the packet to another probed function */
	ROLE_QUEUES,
	ROLE_SENDS, /* passes the packet to a driver, and returns NULL if the driver has taken it */
	ROLE_DRIVES, /* driver: has taken the packet if it returns NETDEV_TX_OK */
	/* driver of a device whose peer is in this machine, such as veth; the peer receives the packet */
	ROLE_CROSSES,
};

/**
 * struct function_facts - properties of a function
 * @name: name of the function, in all kernels that have it
 * @returns: enum function_returns
 * @role: enum function_role
 * @frees_all: the function frees all packets by a drop without a reason, whether it has processed or ignored
 *	them
 * @offers: the function offers the packet to several functions. Not all of them are probe points, so the
 *	function that ends the packet may be unknown
 * @writes_len: the function writes the length into the IP header. Before that, the length in the header is 0
 *	or arbitrary
 * @keeps_segments: the function is on the transmit path. When it returns, segments of the packet that no
 *	probe point has seen are waiting in a queue of the device
 * @passes_on: driver of a virtual device. What it sends continues at another function or device, with the
 *	same skb or a copy. If the skb ends in the driver, the packet was not sent
 * @keeps_errors: the function puts a clone of an ICMP error into the error queue of a socket
 */
struct function_facts {
	const char *name;
	enum function_returns returns;
	enum function_role role;
	int frees_all;
	int offers;
	int writes_len;
	int keeps_segments;
	int passes_on;
	int keeps_errors;
};

/* Return: properties of a function, NULL if it is not in the table. */
const struct function_facts *function_facts(const char *name);

/*
 * Return: true if the function is the root of a graph: RECORD_SKB_GATE, or this name followed by the number
 * of a recording.
 */
int function_is_gate(const char *name);

#endif /* _RECORD_SKB_FUNCTIONS_H */
