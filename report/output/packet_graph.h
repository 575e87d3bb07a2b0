/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_PACKET_GRAPH_H
#define _RECORD_SKB_PACKET_GRAPH_H

#include <stdio.h>

#include "input/reader.h"
#include "model/packets.h"
#include "model/resets.h"

struct packet_graph;

/**
 * packet_graph_new - create the graph of a packet, which is printed while the recording is read
 * @number: number of the packet
 * @out: receives the graph
 * @drop_mark: text before a line about a drop; may be empty
 *
 * Return: NULL without memory.
 */
struct packet_graph *packet_graph_new(uint32_t number, FILE *out, const char *drop_mark);
/* Let the graph show what is concluded from the events, such as the state of the connection. */
void packet_graph_set_packets(struct packet_graph *graph, struct packets *const *packets);
void packet_graph_free(struct packet_graph *graph);

/* The observer for reader_add_observer(). Pass the struct packet_graph as its data argument. */
extern const struct observer packet_graph_observer;

/* Print the end of the graph. Return: true if the recording contains the packet. */
bool packet_graph_end(struct packet_graph *graph);

/* Print why the packet was sent, if it is a TCP reset or an ICMP error. @reset: NULL for other packets */
void packet_graph_print_reset(const struct reset *reset);

struct whole_graph;

/**
 * whole_graph_new - create the graphs in which the graphs of a packet are nested, for --whole
 * @number: number of the packet
 * @out: receives each graph when it is complete
 *
 * Return: NULL without memory.
 */
struct whole_graph *whole_graph_new(uint32_t number, FILE *out);
void whole_graph_free(struct whole_graph *whole);

/* The observer for reader_add_observer(). Pass the struct whole_graph as its data argument. */
extern const struct observer whole_graph_observer;

/* Print the graphs that are not complete at the end. Return: true if the recording contains the packet. */
bool whole_graph_end(struct whole_graph *whole);

#endif
