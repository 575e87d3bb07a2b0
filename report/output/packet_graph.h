/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_PACKET_GRAPH_H
#define _RECORD_SKB_PACKET_GRAPH_H

#include <stdio.h>

#include "input/reader.h"
#include "model/packets.h"
#include "model/resets.h"

struct packet_graph;

/**
 * packet_graph_new - create the graph of a packet; it is printed while the recording is read
 * @number: number of the packet
 * @out: receives the graph
 * @drop_mark: text before a line about a drop; may be empty
 *
 * Return: the graph; NULL if there is not enough memory.
 */
struct packet_graph *packet_graph_new(uint32_t number, FILE *out, const char *drop_mark);
/*
 * Let the graph also show what struct packets has concluded from the events, such as the state of the
 * connection.
 */
void packet_graph_set_packets(struct packet_graph *graph, struct packets *const *packets);
/*
 * Let the graph show all functions of a task: also those that process other packets or socket calls. @last is
 * the time of the last row that was printed before this graph.
 */
void packet_graph_set_whole(struct packet_graph *graph, uint64_t last);
void packet_graph_free(struct packet_graph *graph);

/* This observer prints the graph. Pass it to reader_add_observer(), with the struct packet_graph as data. */
extern const struct observer packet_graph_observer;

/* Print the end of the graph. Return: true if the recording contains the packet. */
bool packet_graph_end(struct packet_graph *graph);
/* Return: true if the task of @at has returned from all functions of the graph. */
bool packet_graph_is_complete(struct packet_graph *graph, const struct moment *at);
/* Return: the time of the last row of the graph. */
uint64_t packet_graph_last(const struct packet_graph *graph);

/* If the packet is a TCP reset or an ICMP error, print why it was sent. @reset is NULL for other packets. */
void packet_graph_print_reset(const struct reset *reset);

#endif
