/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * noted.h - what is noted of a stream's rows while KernelShark loads them
 *
 * That is done for each row of a file that is opened, asked about or not: as little as can be.
 */
#ifndef _RECORD_SKB_KSHARK_NOTED_H
#define _RECORD_SKB_KSHARK_NOTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rows.h"

struct kshark_entry;

/**
 * struct noted - an event of record_skb
 * @entry: what KernelShark calls its row
 * @record: its bytes
 * @size: how many
 * @kind: which event
 */
struct noted {
	const struct kshark_entry *entry;
	const void *record;
	int size;
	enum event_kind kind;
};

/**
 * struct noted_cpu - of one CPU
 * @v: its events in their order
 * @n: how many
 */
struct noted_cpu {
	struct noted *v;
	size_t n, room;
};

/**
 * struct notes - of a stream
 * @cpus: by number
 * @nr_cpus: how many
 * @losses: KernelShark's rows that say that rows in front of the next one of their CPU are missing
 * @nr_losses: how many
 * @incomplete: for want of memory: then nothing is known
 */
struct notes {
	struct noted_cpu *cpus;
	int nr_cpus;
	const struct kshark_entry **losses;
	size_t nr_losses, room_losses;
	bool incomplete;
	struct note_bytes *bytes;
};

/**
 * notes_event - an event of record_skb while the file is loaded
 * @notes: of its stream
 * @kind: which event it is
 * @record: of the row
 * @entry: what KernelShark calls it; stays until the next load
 */
void notes_event(struct notes *notes, enum event_kind kind, const struct tep_record *record,
		 const struct kshark_entry *entry);

/* In front of the next row of its CPU some are missing. */
void notes_loss(struct notes *notes, const struct kshark_entry *mark);

void notes_free(struct notes *notes);

/* The record that was noted, as far as is asked for. */
struct tep_record noted_record(const struct noted *noted);

#endif /* _RECORD_SKB_KSHARK_NOTED_H */
