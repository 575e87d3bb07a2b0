/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * index.h - find the packet of any row of a stream, in any order
 *
 * While KernelShark loads a file, it passes the rows to the plugin, one CPU after the other. During the
 * load, the plugin caches only the events of record_skb, which tell where graphs begin. Rows are assigned to
 * packets later, and only in graphs that are shown. So the plugin adds little to the time for opening a
 * large file.
 */
#ifndef _RECORD_SKB_KSHARK_INDEX_H
#define _RECORD_SKB_KSHARK_INDEX_H

#include "packet_lookup.h"
#include "rows.h"

struct index;
struct kshark_data_stream;

/**
 * index_new - create an empty index
 * @stream: the stream to index; must outlive the index
 * @tep: event formats of the file; must outlive the index
 *
 * Return: the index; NULL if there is not enough memory.
 */
struct index *index_new(struct kshark_data_stream *stream, struct tep_handle *tep);
void index_free(struct index *index);

/* Forget the cached events of the previous load. Call this before the first event of a new load is added. */
void index_load_begins(struct index *index);

/**
 * index_add_event - cache a record_skb event while the file is loaded
 * @index: from index_new()
 * @kind: kind of the event
 * @record: the event's record; records of one CPU arrive in order
 * @entry: KernelShark's entry for the row
 */
void index_add_event(struct index *index, enum event_kind kind, const struct tep_record *record,
		     const struct kshark_entry *entry);

/* Note that rows are missing before the next row of the CPU. @mark is KernelShark's entry for the loss. */
void index_add_loss(struct index *index, const struct kshark_entry *mark);

/* Finish the load: all @n rows are loaded and sorted by time. The rows stay valid until the next load. */
void index_loaded(struct index *index, struct kshark_entry **rows, size_t n);

/*
 * Several threads may call the functions below. While a file is being loaded, these functions do not return
 * results. Results stay valid until the next load, unless the comment of a function says something else.
 */

/* Return: the label to show on a row, NULL for none. */
const char *index_label(struct index *index, const struct kshark_entry *entry);

/* Return: all packets; NULL before the first load. This function does not read rows of the file. */
const struct packet_list *index_packets(struct index *index);

/* Store that a packet was dropped, so that index_drops() returns it. */
void index_set_dropped(struct index *index, uint32_t number);

/* Collect the drops that a plot shows: see collect_drops(). Return: an array that the caller must free. */
struct packet_drop *index_drops(struct index *index, const struct view *view, size_t *n);

/* Find the first and last row of a packet. Return: false if the packet does not exist. */
bool index_packet_rows(struct index *index, uint32_t number, const struct kshark_entry **first,
		       const struct kshark_entry **last);

/*
 * Return: text such as "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000", which the caller must free; NULL if the
 * packet is not known.
 */
char *index_packet_text(struct index *index, uint32_t number);

/*
 * List up to @max numbers of flows that have packets, in ascending order. Return: the number of elements in
 * @flows.
 */
size_t index_flows(struct index *index, uint32_t *flows, size_t max);

/*
 * Return: text such as "tcp 10.0.0.1:40312 > 10.0.0.2:9000", which the caller must free; NULL if the flow is
 * not known. The text has the direction of the first packet of the flow.
 */
char *index_flow_text(struct index *index, uint32_t flow);

/* Collect the packet spans of a plot: see collect_spans(). Return: an array that the caller must free. */
struct packet_span *index_spans(struct index *index, const struct view *view, size_t *n);

#endif /* _RECORD_SKB_KSHARK_INDEX_H */
