// SPDX-License-Identifier: LGPL-2.1
/* hash_table.c - a hash table that maps keys to allocated objects */
#include <stdlib.h>

#include "hash_table.h"

/* Number of slots of a new table, a power of two. */
#ifndef FIRST_SLOTS
#define FIRST_SLOTS 64
#endif

struct table_slot {
	struct table_key key;
	void *thing;
};

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->nr_slots; i++)
		free(table->slots[i].thing);
	free(table->slots);
	*table = (struct table){ .idle = table->idle };
}

static struct table_slot *find_slot(struct table_slot *slots, size_t nr, struct table_key key)
{
	uint64_t hash = (key.number ^ (uint64_t)(uintptr_t)key.owner << 20) * 0x9e3779b97f4a7c15ull;
	size_t i = (hash >> 32) & (nr - 1);

	while (slots[i].thing &&
	       (slots[i].key.number != key.number || slots[i].key.owner != key.owner))
		i = (i + 1) & (nr - 1);
	return &slots[i];
}

static bool must_stay(const struct table *table, const void *thing)
{
	return thing && !(table->idle && table->idle(thing));
}

/* Double the number of slots, unless removing idle objects frees enough of them. */
static int grow_table(struct table *table)
{
	struct table_slot *slots;
	size_t nr = table->nr_slots ? table->nr_slots : FIRST_SLOTS, stay = 0;

	for (size_t i = 0; i < table->nr_slots; i++)
		stay += must_stay(table, table->slots[i].thing);
	if (stay * 4 >= nr)
		nr *= 2;
	slots = calloc(nr, sizeof(*slots));
	if (!slots)
		return -1;
	for (size_t i = 0; i < table->nr_slots; i++) {
		const struct table_slot *slot = &table->slots[i];

		if (must_stay(table, slot->thing))
			*find_slot(slots, nr, slot->key) = *slot;
		else
			free(slot->thing);
	}
	free(table->slots);
	table->slots = slots;
	table->nr_slots = nr;
	table->nr = stay;
	return 0;
}

void *table_find(const struct table *table, struct table_key key)
{
	return table->nr ? find_slot(table->slots, table->nr_slots, key)->thing : NULL;
}

void *table_add(struct table *table, struct table_key key, void *thing)
{
	if (!thing || (table->nr * 2 >= table->nr_slots && grow_table(table))) {
		free(thing);
		return NULL;
	}
	*find_slot(table->slots, table->nr_slots, key) = (struct table_slot){ key, thing };
	table->nr++;
	return thing;
}

void *table_next(const struct table *table, size_t *i)
{
	while (*i < table->nr_slots) {
		void *thing = table->slots[(*i)++].thing;

		if (thing)
			return thing;
	}
	return NULL;
}
