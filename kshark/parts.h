/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * parts.h - what the plugin and its parts know of each other
 *
 * Each part is a file of its own, so that the others load where it cannot: the boxes need
 * KernelShark's plots, the list needs its Qt.
 */
#ifndef _RECORD_SKB_KSHARK_PARTS_H
#define _RECORD_SKB_KSHARK_PARTS_H

#include <libkshark-plugin.h>

#include "packets.h"

/**
 * struct parts - filled in by each for the others; the first four by the plugin
 * @packets: all packets of a stream; NULL if it has none, or has not been shown yet
 * @rows: the first and last row of a packet, as index_packet_rows()
 * @text: what a packet is called, as index_packet_text()
 * @stays: what a view shows, as index_stays()
 * @draw: draws boxes for packets into the plot of a CPU or a task, as a draw handler of KernelShark;
 *        NULL without them
 * @gui: KernelShark's main window, as markEntryA() wants it; NULL if not known
 */
struct parts {
	const struct packets *(*packets)(int stream_id);
	bool (*rows)(int stream_id, uint32_t number, const struct kshark_entry **first,
		     const struct kshark_entry **last);
	char *(*text)(int stream_id, uint32_t number);
	struct stay *(*stays)(int stream_id, const struct view *view, size_t *n);
	void (*draw)(struct kshark_cpp_argv *argv, int stream_id, int id, int action);
	void *gui;
};

/* What each part exports. */
#define PART_LOADER	 record_skb_part_loader
#define PART_LOADER_NAME "record_skb_part_loader"

typedef void (*part_loader_func)(struct parts *parts);

#endif /* _RECORD_SKB_KSHARK_PARTS_H */
