// SPDX-License-Identifier: LGPL-2.1
/*
 * noted.c - what is noted of a stream's rows while KernelShark loads them
 */
#include <stdlib.h>
#include <string.h>

#include <libkshark.h>

#include "noted.h"
#include "room.h"

/* Bytes of records, one behind the other. */
struct note_bytes {
	struct note_bytes *next;
	size_t used;
	char bytes[256 * 1024];
};

static struct noted_cpu *find_cpu(struct notes *notes, int cpu)
{
	struct noted_cpu *cpus;

	if (cpu < notes->nr_cpus)
		return &notes->cpus[cpu];
	cpus = realloc(notes->cpus, (cpu + 1) * sizeof(*cpus));
	if (!cpus)
		return NULL;
	notes->cpus = cpus;
	while (notes->nr_cpus <= cpu)
		cpus[notes->nr_cpus++] = (struct noted_cpu){ NULL };
	return &cpus[cpu];
}

/* Records are of no more than a page of the ring buffer, and read as numbers of up to 8 bytes. */
static const void *keep(struct notes *notes, const void *bytes, size_t size)
{
	struct note_bytes *last = notes->bytes;
	void *place;

	if (size > sizeof(last->bytes))
		return NULL;
	if (!last || sizeof(last->bytes) - last->used < size) {
		last = malloc(sizeof(*last));
		if (!last)
			return NULL;
		last->next = notes->bytes;
		last->used = 0;
		notes->bytes = last;
	}
	place = last->bytes + last->used;
	memcpy(place, bytes, size);
	last->used += (size + 7) & ~(size_t)7;
	if (last->used > sizeof(last->bytes))
		last->used = sizeof(last->bytes);
	return place;
}

void notes_event(struct notes *notes, enum event_kind kind, const struct tep_record *record,
		 const struct kshark_entry *entry)
{
	struct noted_cpu *cpu = find_cpu(notes, entry->cpu);
	const void *kept = keep(notes, record->data, record->size);

	if (!cpu || !kept || !make_room(&cpu->v, cpu->n, &cpu->room, sizeof(*cpu->v))) {
		notes->incomplete = true;
		return;
	}
	cpu->v[cpu->n++] = (struct noted){
		.entry = entry,
		.record = kept,
		.size = record->size,
		.kind = kind,
	};
}

void notes_loss(struct notes *notes, const struct kshark_entry *mark)
{
	if (make_room(&notes->losses, notes->nr_losses, &notes->room_losses,
		      sizeof(*notes->losses)))
		notes->losses[notes->nr_losses++] = mark;
	else
		notes->incomplete = true;
}

void notes_free(struct notes *notes)
{
	struct note_bytes *next;
	int cpu;

	for (cpu = 0; cpu < notes->nr_cpus; cpu++)
		free(notes->cpus[cpu].v);
	free(notes->cpus);
	free(notes->losses);
	while (notes->bytes) {
		next = notes->bytes->next;
		free(notes->bytes);
		notes->bytes = next;
	}
	*notes = (struct notes){ NULL };
}

struct tep_record noted_record(const struct noted *noted)
{
	return (struct tep_record){
		.ts = noted->entry->ts,
		.cpu = noted->entry->cpu,
		.data = (void *)noted->record,
		.size = noted->size,
	};
}
