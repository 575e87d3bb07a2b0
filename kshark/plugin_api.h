/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * plugin_api.h - interface between the plugin and its extensions
 *
 * The boxes and the packet list are extensions, which are shared objects that the plugin loads if possible.
 * The boxes need KernelShark's plots, and the list needs the same version of Qt as KernelShark. If the
 * extensions cannot be loaded, the plugin still shows the Info column.
 */
#ifndef _RECORD_SKB_KSHARK_PLUGIN_API_H
#define _RECORD_SKB_KSHARK_PLUGIN_API_H

#include <libkshark-plugin.h>

#include "flow_plot.h"
#include "packet_lookup.h"

/**
 * struct plugin_api - functions of the plugin and of its extensions
 * @packets: all packets of a stream, as index_packets(); NULL without a stream
 * @rows: first and last row of a packet, as index_packet_rows()
 * @text: number and flow of a packet, as index_packet_text()
 * @spans: packet spans of a plot, as index_spans()
 * @drops: drops of a plot, as index_drops()
 * @set_dropped: store that a packet was dropped, as index_set_dropped()
 * @flows: the flows with the lowest numbers, as index_flows()
 * @flow_text: text for a flow, as index_flow_text()
 * @draw: draw handler for the plot of a CPU, task or flow; NULL without boxes
 * @zoom: zoom to a packet with these rows; NULL without boxes
 * @plots: lists up to @max plots of tasks and flows in the order of the last drawing, and returns their
 * number. NULL without boxes
 * @plot_top: returns the upper edge of a plot in the last drawing, -1 if unknown. NULL without boxes
 * @set_requests: replaces the requests of a stream. NULL without boxes
 * @drawn: called when a stream is drawn for the first time after a load; NULL without the list
 * @gui: KernelShark's main window for markEntryA(); NULL if unknown
 *
 * The plugin sets the members from @packets to @flow_text. The extensions set the other members.
 */
struct plugin_api {
	const struct packet_list *(*packets)(int stream_id);
	bool (*rows)(int stream_id, uint32_t number, const struct kshark_entry **first,
		     const struct kshark_entry **last);
	char *(*text)(int stream_id, uint32_t number);
	struct packet_span *(*spans)(int stream_id, const struct view *view, size_t *n);
	struct packet_drop *(*drops)(int stream_id, const struct view *view, size_t *n);
	void (*set_dropped)(int stream_id, uint32_t number);
	size_t (*flows)(int stream_id, uint32_t *flows, size_t max);
	char *(*flow_text)(int stream_id, uint32_t flow);
	void (*draw)(struct kshark_cpp_argv *argv, int stream_id, int id, int action);
	void (*zoom)(const struct kshark_entry *first, const struct kshark_entry *last);
	size_t (*plots)(int stream_id, int *pids, size_t max);
	int (*plot_top)(int stream_id, int pid);
	void (*set_requests)(int stream_id, const struct request_bar *bars, size_t n);
	void (*drawn)(int stream_id);
	void *gui;
};

/*
 * The name of a function that each extension exports. The function sets the extension's members of struct
 * plugin_api.
 */
#define EXTENSION_INIT	    record_skb_extension_init
#define EXTENSION_INIT_NAME "record_skb_extension_init"

typedef void (*extension_init_func)(struct plugin_api *api);

#endif /* _RECORD_SKB_KSHARK_PLUGIN_API_H */
