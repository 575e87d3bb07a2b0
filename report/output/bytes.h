/* SPDX-License-Identifier: GPL-2.0 */
/* bytes.h - print for each write of TCP data when it was sent, received and read, and by which call */
#ifndef _RECORD_SKB_BYTES_H
#define _RECORD_SKB_BYTES_H

#include "input/function_names.h"
#include "model/byte_streams.h"

/**
 * struct bytes_options - what to print
 * @flow: number of the only flow to print, 0 for all flows
 * @json: print JSON objects
 */
struct bytes_options {
	uint32_t flow;
	bool json;
};

struct bytes;

struct bytes *bytes_new(const struct bytes_options *options, struct names *names);
void bytes_free(struct bytes *bytes);
/*
 * Note that the filter of the recording certainly matches all packets of a flow, if it matches one of them.
 */
void bytes_expect_packets(struct bytes *bytes);
/* This piece_fn is for byte_streams_create(). @data is a struct bytes. */
void bytes_print_piece(void *data, const struct byte_stream *stream,
		       const struct byte_piece *piece);
/* Print the last row. Return: the number of bytes with an unknown writer or reader. */
uint64_t bytes_end(struct bytes *bytes);

#endif
