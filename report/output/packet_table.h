/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_PACKET_TABLE_H
#define _RECORD_SKB_PACKET_TABLE_H

#include <stdio.h>

#include "err.h"
#include "model/packets.h"
#include "output/terminal.h"
#include "model/stages.h"

struct packet_table;

/**
 * packet_table_new - begin a table of packets on standard output
 * @columns: names of the columns, separated by commas. NULL for the default: all columns except the delay,
 *	or, on a terminal, the columns that fit
 * @is_wide: show all columns, even if they do not fit into the terminal
 * @terminal: properties of standard output
 * @packets: address of a pointer to struct packets, which knows the devices. The pointer must be set before
 *	the first packet
 * @stages: source of the delays
 * @err: set on failure, with the name of the unknown column
 */
struct packet_table *packet_table_new(const char *columns, bool is_wide,
				      const struct terminal *terminal, struct packets **packets,
				      const struct stages *stages, struct err *err);
/* Print on this stream instead of standard output. */
void packet_table_set_stream(struct packet_table *table, FILE *stream);
void packet_table_free(struct packet_table *table);

/* This output gets the packets, and prints them. Its argument @data is a struct packet_table. */
extern const struct output packet_table_output;

#endif
