/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * event_cache.h - cache the events of record_skb while KernelShark loads a file
 *
 * The cache is filled for every file that KernelShark opens, even if the user never looks at packets. So the
 * code that handles each row must be fast.
 */
#ifndef _RECORD_SKB_KSHARK_EVENT_CACHE_H
#define _RECORD_SKB_KSHARK_EVENT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rows.h"

struct kshark_entry;

/**
 * struct cached_event - an event of record_skb
 * @entry: KernelShark's entry for the row
 * @record: copy of the record's bytes
 * @size: number of bytes
 * @kind: kind of the event
 */
struct cached_event {
	const struct kshark_entry *entry;
	const void *record;
	int size;
	enum event_kind kind;
};

/**
 * struct cpu_events - the events of one CPU
 * @v: events in the order of the file
 * @n: number of events
 * @capacity: allocated entries
 */
struct cpu_events {
	struct cached_event *v;
	size_t n, capacity;
};

/**
 * struct event_cache - the cached events of a stream
 * @cpus: events of each CPU, by CPU number
 * @nr_cpus: number of entries in @cpus
 * @losses: KernelShark's entries for lost rows. Such an entry means that rows are missing before the next row
 * of its CPU
 * @nr_losses: number of losses
 * @losses_capacity: allocated entries in @losses
 * @incomplete: events are missing because there was not enough memory, so the cache must not be used
 * @bytes: memory for the copied records
 */
struct event_cache {
	struct cpu_events *cpus;
	int nr_cpus;
	const struct kshark_entry **losses;
	size_t nr_losses, losses_capacity;
	bool incomplete;
	struct record_block *bytes;
};

/**
 * event_cache_add - add an event while the file is loaded
 * @cache: the cache of the stream
 * @kind: kind of the event
 * @record: the event's record, which is copied
 * @entry: KernelShark's entry for the row; must stay valid until the next load
 */
void event_cache_add(struct event_cache *cache, enum event_kind kind,
		     const struct tep_record *record, const struct kshark_entry *entry);

/*
 * Note a loss: rows are missing before the next row of the CPU. @mark is KernelShark's entry for the loss.
 */
void event_cache_add_loss(struct event_cache *cache, const struct kshark_entry *mark);

void event_cache_free(struct event_cache *cache);

/* Return: a record with the cached bytes. Only the members that are needed to decode the event are set. */
struct tep_record cached_event_record(const struct cached_event *cached);

#endif /* _RECORD_SKB_KSHARK_EVENT_CACHE_H */
