/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * index.h - whose each row of a stream is, to be asked in any order
 *
 * While KernelShark loads a file it shows rows to a plugin: one CPU after the other. The events of
 * record_skb are noted, and where graphs begin is known from them. Whose rows are is found out as a report
 * would, for the graphs that are asked about: opening a large file costs little more than the screen.
 */
#ifndef _RECORD_SKB_KSHARK_INDEX_H
#define _RECORD_SKB_KSHARK_INDEX_H

#include "packets.h"
#include "rows.h"

struct index;
struct kshark_data_stream;

/**
 * index_new - an empty index
 * @stream: whose; stays in use
 * @tep: of its file, likewise
 *
 * Returns NULL without memory.
 */
struct index *index_new(struct kshark_data_stream *stream, struct tep_handle *tep);
void index_free(struct index *index);

/* What follows is noted, what was noted before is forgotten. */
void index_load_begins(struct index *index);

/**
 * index_note - note an event of record_skb while the file is loaded
 * @index: from index_new()
 * @kind: which event
 * @record: those of one CPU come in their order
 * @entry: what KernelShark calls it
 */
void index_note(struct index *index, enum event_kind kind, const struct tep_record *record,
		const struct kshark_entry *entry);

/* In front of the next row of its CPU some are missing: @mark is KernelShark's row that says so. */
void index_note_loss(struct index *index, const struct kshark_entry *mark);

/* All @n rows are loaded, in the order of time; they stay until the next load. */
void index_loaded(struct index *index, struct kshark_entry **rows, size_t n);

/*
 * The functions below may be called by several threads, and know nothing while a file is loaded. What they
 * return stays until the next load, unless they say otherwise.
 */

/* What to show behind a row, NULL for nothing. */
const char *index_label(struct index *index, const struct kshark_entry *entry);

/* All packets. Looks at each row of theirs. NULL where nothing has been loaded yet. */
const struct packets *index_packets(struct index *index);

/* The first and the last row of a packet; false if there is none with this number. */
bool index_packet_rows(struct index *index, uint32_t number, const struct kshark_entry **first,
		       const struct kshark_entry **last);

/* "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000", NULL if it is not known; to be freed. */
char *index_packet_text(struct index *index, uint32_t number);

/* The first flows that packets have, by number: at most @max. Returns how many. */
size_t index_flows(struct index *index, uint32_t *flows, size_t max);

/* "tcp 10.0.0.1:40312 > 10.0.0.2:9000", as its first packet has it; NULL if it is not known; to be freed. */
char *index_flow_text(struct index *index, uint32_t flow);

/* What a view shows: the innermost first, those of one level by time. NULL for nothing; to be freed. */
struct stay *index_stays(struct index *index, const struct view *view, size_t *n);

#endif /* _RECORD_SKB_KSHARK_INDEX_H */
