/* SPDX-License-Identifier: GPL-2.0 */
/*
 * byte_streams.h - follow the bytes of TCP streams, and UDP datagrams, from the call that writes them to the
 * call that reads them
 *
 * The events of calls and packets contain TCP sequence numbers. So each byte can be found in the call that
 * wrote it, in the packets that carried it, and in the call that read it. Calls and packets that were not
 * recorded remain unknown.
 */
#ifndef _RECORD_SKB_BYTE_STREAMS_H
#define _RECORD_SKB_BYTE_STREAMS_H

#include "input/reader.h"

/* The times of a byte on its way, in this order. A time is 0 if the recording does not have it. */
enum byte_time {
	BYTE_WRITTEN, /* the call that wrote the byte began */
	BYTE_SENT,    /* TCP sent the byte for the first time */
	/* TCP sent the packet that arrived; equal to BYTE_SENT without retransmission */
	BYTE_RESENT,
	BYTE_QUEUED,   /* that packet reached the queue of its first device */
	BYTE_DRIVEN,   /* the driver of that device got the packet */
	BYTE_RECEIVED, /* the receiver's device passed the packet to the network stack */
	BYTE_ARRIVED,  /* the receiver's TCP got the packet */
	BYTE_IN_ORDER, /* all bytes before this byte had arrived, too */
	BYTE_CALLED,   /* the call that read the byte had begun, and the byte was in order */
	BYTE_READ,     /* that call returned */
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
 * @func: address of the function that the event names
 * @outer: address of the outermost recorded function of the call
 * @record_end: with kernel TLS, position in the TCP stream after the record with the last byte, 0 if not
 *	known
 * @is_control: with kernel TLS, the call moved a control record, and not data of the application
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
 * @flow: addresses from the sender to the receiver, as they were seen first
 * @peer: number of the stream in the other direction, 0 if not known
 * @base: position of the first byte of the connection; if @begins is false, of the first byte with a known
 * call
 * @begins: the recording contains the SYN of the stream, so @base is known. Always true for UDP
 * @is_client: the sender opened the connection; only valid if @begins is true
 * @has_datagrams: the pieces are UDP datagrams
 * @has_tls: the bytes are the data in the TLS records that the kernel encrypts. The TCP stream of the records
 *	is another stream
 * @is_unsure: with @has_tls, bytes before this position are unknown, so control records may be among them
 */
struct byte_stream {
	unsigned int number, peer;
	uint32_t flow_number;
	struct flow flow;
	uint64_t base;
	bool begins, is_client, has_datagrams;
	bool has_tls, is_unsure;
};

/**
 * struct byte_piece - consecutive bytes that one call wrote and one call read
 * @from: position of the first byte
 * @to: position after the last byte
 * @write: the call that wrote them, NULL if not known
 * @read: the call that read them, NULL if not known or not read
 * @packet: number of the packet that brought the last byte, 0 if not known
 * @copy: number of its copy
 * @filler: number of the packet that filled the hole before the last byte, 0 if there was no hole
 * @resent: an earlier packet had also carried the last byte. For UDP, the datagram has the same bytes as the
 * previous datagram
 * @peeks: number of calls that returned the last byte without taking it out of the socket
 * @ended: no recorded call had read the bytes when the recording ended
 * @times: the times of the last byte
 */
struct byte_piece {
	uint64_t from, to;
	const struct byte_call *write, *read;
	uint32_t packet, copy, filler;
	bool resent;
	unsigned int peeks;
	bool ended;
	uint64_t times[BYTE_TIMES];
};

/*
 * Called for each piece. The pieces of a TCP stream come in order, without gaps. A datagram comes when it
 * has been read.
 */
typedef void piece_fn(void *data, const struct byte_stream *stream, const struct byte_piece *piece);

struct byte_streams;

/* Return: a new object that passes each piece to @piece; NULL if there is not enough memory. */
struct byte_streams *byte_streams_create(piece_fn *piece, void *data);
void byte_streams_free(struct byte_streams *streams);
/* Pass on the pieces that were not read before the end of the recording. */
void byte_streams_end(struct byte_streams *streams);
/* Return: true if pieces are missing because there was not enough memory. */
bool byte_streams_failed(const struct byte_streams *streams);

/* The observer for reader_add_observer(). Pass the struct byte_streams as its data argument. */
extern const struct observer byte_streams_observer;

#endif
