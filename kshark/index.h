/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * index.h - whose each row of a stream is, to be asked in any order
 *
 * KernelShark shows rows to a plugin once, while it loads a file: one CPU after the other. They
 * are noted, put in the order of time, and gone through as a report would; what is left is a
 * label for each row, found by the row's place in the file.
 */
#ifndef _RECORD_SKB_KSHARK_INDEX_H
#define _RECORD_SKB_KSHARK_INDEX_H

#include <event-parse.h>

struct index;
struct kshark_entry;
struct packets;

/**
 * index_new - an empty index
 * @tep: of the file, stays in use
 *
 * Returns NULL without memory.
 */
struct index *index_new(struct tep_handle *tep);
void index_free(struct index *index);

/**
 * index_note - note a row while the file is loaded
 * @index: from index_new()
 * @record: of any event; those of one CPU come in their order
 * @entry: what KernelShark calls it; stays until the next load
 *
 * A row from before the last one of its CPU, or one after the index has been asked, begins a new
 * load: all that was noted before is forgotten.
 */
void index_note(struct index *index, const struct tep_record *record,
		const struct kshark_entry *entry);

/**
 * index_label - what to show behind a row
 * @index: from index_new(); may be asked by several threads, but not while rows are noted
 * @cpu: the row's
 * @offset: its place in the file
 *
 * Returns NULL for nothing. The text stays until the next load.
 */
const char *index_label(struct index *index, int cpu, int64_t offset);

/**
 * index_packets - the packets of the stream
 * @index: from index_new(); as for index_label()
 *
 * They stay until the next load.
 */
const struct packets *index_packets(struct index *index);

/* The same, and NULL where nothing has been asked yet: it may still be loaded. */
const struct packets *index_packets_shown(struct index *index);

#endif /* _RECORD_SKB_KSHARK_INDEX_H */
