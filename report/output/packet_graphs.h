/* SPDX-License-Identifier: GPL-2.0 */
/*
 * packet_graphs.h - the call graphs of many packets, as text
 *
 * The number of graphs and their total size are limited; packet_graphs.c has the limits.
 */
#ifndef _RECORD_SKB_PACKET_GRAPHS_H
#define _RECORD_SKB_PACKET_GRAPHS_H

#include "input/reader.h"
#include "model/selected_numbers.h"

struct packet_graphs;

/**
 * packet_graphs_new - begin to collect graphs
 * @selected: the packets that need a graph. NULL to collect the graphs of all packets; the caller then calls
 *	packet_graphs_forget() for packets without output
 * @drop_mark: text before a line about a drop; may be empty
 *
 * Return: the graphs; NULL if there is not enough memory.
 */
struct packet_graphs *packet_graphs_new(const struct selected_numbers *selected,
					const char *drop_mark);
void packet_graphs_free(struct packet_graphs *graphs);

/*
 * This observer collects the graphs. Pass it to reader_add_observer(), with the struct packet_graphs as data.
 */
extern const struct observer packet_graphs_observer;

/**
 * struct packet_graph_text - the graph of a packet
 * @text: the lines, which the caller must free; NULL if there was not enough memory
 * @is_cut: the graph was truncated, because all graphs together have become too large
 */
struct packet_graph_text {
	char *text;
	bool is_cut;
};

/* Take the graph of a packet when the packet ends. Return: false if the packet has no graph. */
bool packet_graphs_take(struct packet_graphs *graphs, uint32_t number,
			struct packet_graph_text *text);
/* Release the graph of a packet that the output does not show. */
void packet_graphs_forget(struct packet_graphs *graphs, uint32_t number);

#endif
