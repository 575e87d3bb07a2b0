/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * flow_plots.h - the packets of each flow, sorted by time, for the plots of flows
 *
 * KernelShark shows a plot for each flow. In this plot, a packet extends from its first row to its last row.
 * These rows may be from several CPUs and tasks.
 */
#ifndef _RECORD_SKB_KSHARK_FLOW_PLOTS_H
#define _RECORD_SKB_KSHARK_FLOW_PLOTS_H

#include "graph_spans.h"

/**
 * struct plot_packet - a packet in the plot of its flow
 * @flow: number of the flow, not 0
 * @number: number of the packet
 * @back: the packet goes in the direction opposite to the first packet of the flow
 * @first: index of the packet's first event in struct tasks
 * @last: index of the packet's last event
 */
struct plot_packet {
	uint32_t flow;
	uint32_t number;
	bool back;
	size_t first, last;
};

/**
 * struct flow_plots - the plots of a stream
 * @v: packets, sorted by flow and then by time
 * @n: number of packets
 */
struct flow_plots {
	struct plot_packet *v;
	size_t n;
};

/* Build the plots. If there is not enough memory, they stay empty. */
void flow_plots_build(struct flow_plots *plots, const struct resolver *resolver);
void flow_plots_free(struct flow_plots *plots);

/* Return: the array of the packets of a flow, with @n elements. NULL if the flow has no packets. */
const struct plot_packet *flow_plots_find(const struct flow_plots *plots, uint32_t flow, size_t *n);

/* Return: the number of the flow that an event belongs to, 0 if unknown. */
uint32_t event_flow(const struct resolver *resolver, const struct packet_event *event);

#endif /* _RECORD_SKB_KSHARK_FLOW_PLOTS_H */
