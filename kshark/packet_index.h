/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * packet_index.h - collect packets, and the time spans to draw for them, from the graph spans of a
 * stream
 */
#ifndef _RECORD_SKB_KSHARK_PACKET_INDEX_H
#define _RECORD_SKB_KSHARK_PACKET_INDEX_H

#include "flow_plots.h"
#include "packet_lookup.h"

/* Collect all packets from their events. If there is not enough memory, packets are missing in the list. */
void collect_packets(const struct resolver *resolver, struct packet_list *packets);
void packet_list_free(struct packet_list *packets);

/*
 * Find the first and last row of a packet. This reads only the rows of its graphs. Return: false if the
 * packet does not exist.
 */
bool find_packet_rows(struct resolver *resolver, struct tasks *tasks, uint32_t number,
		      const struct kshark_entry **first, const struct kshark_entry **last);

/**
 * collect_drops - collect the drops that a plot shows, at most one for each bin
 * @packets: packets of the stream
 * @view: the plot and its time range
 * @n: receives the number of drops
 *
 * Return: an array that the caller must free; NULL if there are no drops.
 */
struct packet_drop *collect_drops(const struct packet_list *packets, const struct view *view,
				  size_t *n);

/**
 * collect_spans - collect the packet spans that a plot shows
 * @resolver: state for resolving the graph spans of the stream
 * @tasks: tasks of the stream
 * @plots: flow plots of the stream
 * @view: the plot and its time range
 * @n: receives the number of spans
 *
 * Return: an array that the caller must free; NULL if there are no spans. The array is sorted by level, with
 * the innermost level first, and then by time.
 */
struct packet_span *collect_spans(struct resolver *resolver, struct tasks *tasks,
				  const struct flow_plots *plots, const struct view *view,
				  size_t *n);

/**
 * packet_text - format a packet's number and flow
 * @resolver: state for resolving the graph spans of the stream
 * @number: the packet
 *
 * Return: text such as "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000" for the caller to free. The flow is that of
 * the packet's first event. NULL if the packet is unknown.
 */
char *packet_text(const struct resolver *resolver, uint32_t number);

#endif /* _RECORD_SKB_KSHARK_PACKET_INDEX_H */
