/* SPDX-License-Identifier: GPL-2.0 */
/* request_parts.h - collect the data of a request and of its response, and divide the time between them */
#ifndef _RECORD_SKB_REQUEST_PARTS_H
#define _RECORD_SKB_REQUEST_PARTS_H

#include "model/requests.h"

/* The members of struct byte_call that struct request reports; all 0 if the call is not known. */
struct kept_call {
	uint64_t begun, ended;
	int pid;
	char comm[TASK_NAME_LEN + 1];
};

/**
 * struct kept_piece - a copy of struct byte_piece with fewer members, because many of these are kept
 * @at: earliest known time of the piece
 * @from: position in the stream
 * @bytes: length
 * @times: as in struct byte_piece
 * @write: the call that wrote the piece
 * @read: the call that read the piece
 * @packet: as in struct byte_piece
 * @asks: the piece goes from the client to the server
 * @is_datagram: the piece is a UDP datagram
 * @resent: as in struct byte_piece
 * @again: as in struct byte_piece
 * @acked: as in struct byte_piece
 * @is_peeked: a call has returned the piece without taking it out of the socket
 */
struct kept_piece {
	uint64_t at;
	uint64_t from, bytes;
	uint64_t times[BYTE_TIMES];
	struct kept_call write, read;
	uint64_t again, acked;
	uint32_t packet;
	bool asks, is_datagram, resent, is_peeked;
};

/**
 * struct half - the data of a request or of a response
 * @nr: number of pieces
 * @again: number of pieces that were sent again
 * @again_at: for TCP: time when bytes were sent again for the first time, 0 if never
 * @bytes: number of bytes
 * @first: the earliest piece, valid if @nr is not 0
 * @last: the latest piece, valid if @nr is not 0
 */
struct half {
	uint32_t nr, again;
	uint64_t again_at;
	uint64_t bytes;
	struct kept_piece first, last;
};

/*
 * Return: true if a datagram repeats the request: the later one of this datagram and the first one of the
 * request has the same bytes as the datagram before it.
 */
bool half_repeats(const struct half *half, const struct kept_piece *kept);

/* Add a piece. An older datagram may come after a newer one, if it was read or freed much later. */
void half_add(struct half *half, const struct kept_piece *kept);

/* Return: the latest known time of the last piece. */
uint64_t half_ended(const struct half *half);

/* Set the times of a request and its parts. */
void request_set_times(struct request *request, const struct half *asked,
		       const struct half *answered);

#endif
