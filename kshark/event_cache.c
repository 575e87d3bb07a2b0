// SPDX-License-Identifier: LGPL-2.1
/* event_cache.c - cache the events of record_skb while KernelShark loads a file */
#include <stdlib.h>
#include <string.h>

#include <libkshark.h>

#include "event_cache.h"
#include "grow_array.h"

/* Memory for copies of records, allocated in large blocks. */
struct record_block {
	struct record_block *next;
	size_t used;
	char bytes[256 * 1024];
};

static struct cpu_events *get_cpu_events(struct event_cache *cache, int cpu)
{
	struct cpu_events *cpus;

	if (cpu < cache->nr_cpus)
		return &cache->cpus[cpu];
	cpus = realloc(cache->cpus, (cpu + 1) * sizeof(*cpus));
	if (!cpus)
		return NULL;
	cache->cpus = cpus;
	while (cache->nr_cpus <= cpu)
		cpus[cache->nr_cpus++] = (struct cpu_events){ NULL };
	return &cpus[cpu];
}

/*
 * Copy a record. A record always fits into an empty block, because it is not larger than a page of the ring
 * buffer. Copies are aligned to 8 bytes, the size of the largest number in a record.
 */
static const void *copy_record(struct event_cache *cache, const void *bytes, size_t size)
{
	struct record_block *last = cache->bytes;
	void *place;

	if (size > sizeof(last->bytes))
		return NULL;
	if (!last || sizeof(last->bytes) - last->used < size) {
		last = malloc(sizeof(*last));
		if (!last)
			return NULL;
		last->next = cache->bytes;
		last->used = 0;
		cache->bytes = last;
	}
	place = last->bytes + last->used;
	memcpy(place, bytes, size);
	last->used += (size + 7) & ~(size_t)7;
	if (last->used > sizeof(last->bytes))
		last->used = sizeof(last->bytes);
	return place;
}

void event_cache_add(struct event_cache *cache, enum event_kind kind,
		     const struct tep_record *record, const struct kshark_entry *entry)
{
	struct cpu_events *cpu = get_cpu_events(cache, entry->cpu);
	const void *copy = copy_record(cache, record->data, record->size);

	if (!cpu || !copy || !grow_array(&cpu->v, cpu->n, &cpu->capacity, sizeof(*cpu->v))) {
		cache->incomplete = true;
		return;
	}
	cpu->v[cpu->n++] = (struct cached_event){
		.entry = entry,
		.record = copy,
		.size = record->size,
		.kind = kind,
	};
}

void event_cache_add_loss(struct event_cache *cache, const struct kshark_entry *mark)
{
	if (grow_array(&cache->losses, cache->nr_losses, &cache->losses_capacity,
		       sizeof(*cache->losses)))
		cache->losses[cache->nr_losses++] = mark;
	else
		cache->incomplete = true;
}

void event_cache_free(struct event_cache *cache)
{
	struct record_block *next;
	int cpu;

	for (cpu = 0; cpu < cache->nr_cpus; cpu++)
		free(cache->cpus[cpu].v);
	free(cache->cpus);
	free(cache->losses);
	while (cache->bytes) {
		next = cache->bytes->next;
		free(cache->bytes);
		cache->bytes = next;
	}
	*cache = (struct event_cache){ NULL };
}

struct tep_record cached_event_record(const struct cached_event *cached)
{
	return (struct tep_record){
		.ts = cached->entry->ts,
		.cpu = cached->entry->cpu,
		.data = (void *)cached->record,
		.size = cached->size,
	};
}
