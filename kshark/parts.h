/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * parts.h - what the plugin and its parts know of each other
 *
 * Each part is a file of its own, so that the others load where it cannot: the boxes need
 * KernelShark's plots, the list needs its Qt.
 */
#ifndef _RECORD_SKB_KSHARK_PARTS_H
#define _RECORD_SKB_KSHARK_PARTS_H

#include <limits.h>

#include <libkshark-plugin.h>

#include "packets.h"

/**
 * struct parts - filled in by each for the others; the first six by the plugin
 * @packets: all packets of a stream; NULL if it has none, or has not been shown yet
 * @rows: the first and last row of a packet, as index_packet_rows()
 * @text: what a packet is called, as index_packet_text()
 * @stays: what a view shows, as index_stays()
 * @flows: the first flows, as index_flows()
 * @flow_text: what a flow is called, as index_flow_text()
 * @draw: draws boxes for packets into the plot of a CPU, a task or a flow, as a draw handler;
 *        NULL without them
 * @zoom: shows a packet that has these rows, and what is close to it; NULL likewise
 * @is_plotted: whether a task, or any, or a flow has a plot of its own; NULL likewise
 * @drawn: told when a stream was drawn for the first time since it was loaded; NULL without the list
 * @gui: KernelShark's main window, as markEntryA() wants it; NULL if not known
 */
struct parts {
	const struct packets *(*packets)(int stream_id);
	bool (*rows)(int stream_id, uint32_t number, const struct kshark_entry **first,
		     const struct kshark_entry **last);
	char *(*text)(int stream_id, uint32_t number);
	struct stay *(*stays)(int stream_id, const struct view *view, size_t *n);
	size_t (*flows)(int stream_id, uint32_t *flows, size_t max);
	char *(*flow_text)(int stream_id, uint32_t flow);
	void (*draw)(struct kshark_cpp_argv *argv, int stream_id, int id, int action);
	void (*zoom)(const struct kshark_entry *first, const struct kshark_entry *last);
	bool (*is_plotted)(int stream_id, int pid);
	void (*drawn)(int stream_id);
	void *gui;
};

/*
 * KernelShark has plots for CPUs and for tasks. A flow's lane is the plot of a task that there is not: in
 * front of the tasks that there are, and KernelShark looks for no rows of it.
 */
#define LANES 1000000

static inline bool flow_has_lane(uint32_t flow)
{
	return flow && flow < LANES;
}

static inline int lane_pid(uint32_t flow)
{
	return (int)flow - LANES;
}

static inline uint32_t lane_flow(int pid)
{
	return pid + LANES;
}

#define ANY_TASK INT_MAX

/* What each part exports. */
#define PART_LOADER	 record_skb_part_loader
#define PART_LOADER_NAME "record_skb_part_loader"

typedef void (*part_loader_func)(struct parts *parts);

#endif /* _RECORD_SKB_KSHARK_PARTS_H */
