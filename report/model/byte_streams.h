/* SPDX-License-Identifier: GPL-2.0 */
/*
 * byte_streams.h - follow the bytes of TCP streams, and UDP datagrams, from the call that writes them to the
 * call that reads them
 *
 * The events of calls and packets contain TCP sequence numbers. With these numbers, the code finds the call
 * that wrote a byte, the packets that carried it, and the call that read it. Calls and packets that were not
 * recorded remain unknown.
 */
#ifndef _RECORD_SKB_BYTE_STREAMS_H
#define _RECORD_SKB_BYTE_STREAMS_H

#include "input/reader.h"

/* The times of a byte on its way, in this order. A time is 0 if the recording does not have it. */
enum byte_time {
	BYTE_WRITTEN, /* the call that wrote the byte began */
	BYTE_SENT,    /* TCP sent the byte for the first time */
	/* TCP sent the packet that arrived; equal to BYTE_SENT without a retransmission */
	BYTE_RESENT,
	BYTE_QUEUED,   /* the packet reached the queue of its first device */
	BYTE_DRIVEN,   /* the driver of the first device got the packet */
	BYTE_RECEIVED, /* the receiver's device passed the packet to the network stack */
	BYTE_ARRIVED,  /* the receiver's TCP got the packet */
	BYTE_IN_ORDER, /* all bytes before this byte had arrived, too */
	BYTE_CALLED,   /* the reading call had begun, and the byte was in order */
	BYTE_READ,     /* the reading call returned */
	BYTE_TIMES,
};

/* Return: name of the time span that ends at this time, such as "device queue". */
const char *byte_part_name(enum byte_time until);

/**
 * struct byte_call - a call that wrote or read bytes of a stream
 * @from: position of its first byte in the stream
 * @to: position after its last byte
 * @begun: time when the call began
 * @ended: time when the call returned, 0 if it had not returned at the end of the recording
 * @pid: the task
 * @comm: name of the task
 * @func: address of the function in the event of the call
 * @outer: address of the outermost recorded function of the call
 * @record_end: with kernel TLS: position in the TCP stream after the TLS record that contains the last byte;
 *	0 if not known
 * @is_control: with kernel TLS: the call moved a control record, and no data of the application
 */
struct byte_call {
	uint64_t from, to;
	uint64_t begun, ended;
	int pid;
	char comm[TASK_NAME_LEN + 1];
	uint64_t func, outer;
	uint64_t record_end;
	bool is_control;
};

/**
 * struct byte_stream - the data from one end of a TCP connection or UDP flow to the other
 * @number: number of the stream, from 1
 * @flow_number: number of the flow
 * @flow: addresses from the sender to the receiver; with NAT, those that were seen first
 * @peer: number of the stream in the other direction, 0 if not known
 * @peer_flow: @flow of that stream; with NAT, its ports can be others
 * @base: position of the first byte of the connection. If @begins is false, position of the first byte with a
 *	known call
 * @begins: the recording contains the SYN of the stream, so @base is known. Always true for UDP
 * @is_client: the sender opened the connection; only valid if @begins is true
 * @has_datagrams: the pieces are UDP datagrams
 * @has_tls: the stream consists of the data in TLS records of the kernel. The records themselves are another
 *	stream, the TCP stream
 * @is_unsure: with @has_tls: some of the bytes so far have no known call. They may belong to control records,
 *	which do not count as data. So the positions are not certain
 */
struct byte_stream {
	unsigned int number, peer;
	uint32_t flow_number;
	struct flow flow, peer_flow;
	uint64_t base;
	bool begins, is_client, has_datagrams;
	bool has_tls, is_unsure;
};

/**
 * struct byte_piece - consecutive bytes that one call wrote and one call read
 * @from: position of the first byte
 * @to: position after the last byte
 * @write: the call that wrote the bytes; NULL if not known
 * @read: the call that read the bytes; NULL if they were not read, or if the call is not known
 * @packet: number of the packet that brought the last byte, 0 if not known
 * @copy: number of the packet's copy that brought the last byte
 * @filler: if earlier bytes were missing when the last byte arrived: number of the packet that brought them.
 *	Otherwise 0
 * @resent: for TCP: an earlier packet had also carried the last byte. For UDP: the previous datagram had the
 *	same bytes
 * @again: for TCP: time when a packet sent bytes of the piece again for the first time; 0 if none did
 * @acked: for TCP: position in the stream of the other direction up to which the sender had acknowledged the
 *	bytes when it sent the first byte; 0 if not known
 * @peeks: number of calls that returned the last byte without taking it out of the socket
 * @ended: no recorded call had read the bytes when the recording ended, or when the datagram was freed
 * @is_unsure: packets with these bytes may be missing, because entries were lost, or because the stream had
 *	too many packets
 * @is_unknown: packets carried more bytes than those of all pieces, and it is not known who wrote or read
 *	them. The piece has no other members
 * @all_before: for a datagram, all datagrams of its flow that began before this time have come
 * @times: the times of the last byte
 */
struct byte_piece {
	uint64_t from, to;
	const struct byte_call *write, *read;
	uint32_t packet, copy, filler;
	bool resent;
	uint64_t again, acked;
	unsigned int peeks;
	bool ended, is_unsure, is_unknown;
	uint64_t all_before;
	uint64_t times[BYTE_TIMES];
};

/*
 * A function that gets each piece. The pieces of a TCP stream come in order and without gaps. A datagram
 * comes when it has been read or freed, so datagrams may be out of order.
 */
typedef void piece_fn(void *data, const struct byte_stream *stream, const struct byte_piece *piece);

struct byte_streams;
struct lost_events;
struct packets;

/*
 * Create an object that follows streams. It calls @piece for each piece. Return: the object; NULL if there is
 * not enough memory.
 */
struct byte_streams *byte_streams_create(piece_fn *piece, void *data);
/* Set the packets. Their observer must come first. They tell when all skbs of a datagram have been freed. */
void byte_streams_set_packets(struct byte_streams *streams, const struct packets *packets);
void byte_streams_free(struct byte_streams *streams);
/* Pass on the pieces that were still unread at the end of the recording. */
void byte_streams_end(struct byte_streams *streams);
/* Return: all losses of the recording so far. */
const struct lost_events *byte_streams_losses(const struct byte_streams *streams);
/* Return: true if pieces are missing because there was not enough memory. */
bool byte_streams_failed(const struct byte_streams *streams);

/* This observer follows the bytes. Pass it to reader_add_observer(), with the struct byte_streams as data. */
extern const struct observer byte_streams_observer;

#endif
