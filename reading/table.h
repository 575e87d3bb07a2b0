/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef _RECORD_SKB_TABLE_H
#define _RECORD_SKB_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct table_key - what a thing is found by
 * @number: its own
 * @of: whose number that is, where the same number may be two things; else NULL
 */
struct table_key {
	uint64_t number;
	const void *of;
};

/* Of a task: of an idle one, its CPU's. */
static inline struct table_key table_task_key(int pid, int cpu, const void *of)
{
	const uint64_t number = pid ? (uint32_t)pid : 1ull << 32 | (uint32_t)cpu;

	return (struct table_key){ number, of };
}

/**
 * struct table - allocated things by their key
 * @idle: whether a thing is as good as none, so that it goes when room is needed; NULL: none ever is
 * @slots: open addressing
 * @nr_slots: a power of two, or 0 in a table to which nothing was added
 * @nr: how many are taken
 *
 * Zeroed, it is empty.
 */
struct table {
	bool (*idle)(const void *thing);
	struct table_slot *slots;
	size_t nr_slots, nr;
};

/* Free all that is in it. */
void table_free(struct table *table);

/* Return: what was added as @key, or NULL. */
void *table_find(const struct table *table, struct table_key key);

/*
 * Add @thing, which belongs to the table from now on, as @key, which is new. Others that are idle may go.
 *
 * Return: @thing; NULL without memory, or if @thing is NULL: then it is freed.
 */
void *table_add(struct table *table, struct table_key key, void *thing);

/* One after the other, from *@i = 0 on; NULL at the end. */
void *table_next(const struct table *table, size_t *i);

#endif
