/* SPDX-License-Identifier: GPL-2.0 */
/*
 * early_output.h - pass packets to the output while the file is read, and stop when no more packets can
 * match
 */
#ifndef _RECORD_SKB_EARLY_OUTPUT_H
#define _RECORD_SKB_EARLY_OUTPUT_H

#include "model/packets.h"
#include "output/progress.h"

/**
 * struct early_output - what to do while a file is read
 * @packets: the packets of the file
 * @progress: shows how much was read
 * @wants_order: the output can get packets in the order of their numbers, before the end of the file
 * @packet: number of the only packet to show, 0 for none. Reading ends when this packet cannot change any
 *	more
 * @to: a time in microseconds. Reading ends after all packets that began up to this time. UINT64_MAX to read
 *	the whole file
 */
struct early_output {
	struct packets *packets;
	struct progress *progress;
	bool wants_order;
	uint32_t packet;
	uint64_t to;
	/* The functions of early_output.c set these members while the file is read. */
	struct reader *reader;
	bool in_order;
	uint64_t begun;	  /* time of the first row */
	uint64_t flushed; /* when standard output was flushed, in ms */
};

/*
 * Prepare the early output. Call this function after packets_new() and before reader_run().
 *
 * Return: 0; -1 if there is not enough memory.
 */
int early_output_begin(struct early_output *early, struct reader *reader, struct err *err);

#endif
