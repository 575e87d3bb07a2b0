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
 * struct parts - filled in by each for the others
 * @packets: the packets of a stream; NULL if it has none, or has not been shown yet. By the plugin
 * @draw: draws boxes for packets into the plot of a CPU or a task, as a draw handler of KernelShark;
 *        NULL without them
 * @gui: KernelShark's main window, as markEntryA() wants it; NULL if not known
 */
struct parts {
	const struct packets *(*packets)(int stream_id);
	void (*draw)(struct kshark_cpp_argv *argv, const struct packets *packets, int id,
		     int action);
	void *gui;
};

/* What each part exports. */
#define PART_LOADER	 record_skb_part_loader
#define PART_LOADER_NAME "record_skb_part_loader"

typedef void (*part_loader_func)(struct parts *parts);

#endif /* _RECORD_SKB_KSHARK_PARTS_H */
