/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef _RECORD_SKB_HASH_TABLE_H
#define _RECORD_SKB_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * struct table_key - key of an object
 * @number: number of the object
 * @owner: distinguishes objects with the same number, such as tasks in different trace buffers; NULL if all
 *	numbers differ
 */
struct table_key {
	uint64_t number;
	const void *owner;
};

/* Value with which a hash of bytes begins (FNV-1a). */
#define HASH_BEGIN 0xcbf29ce484222325ull

/* Return: @hash, continued with @len bytes. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3ull;
	return hash;
}

static inline uint64_t hash_text(uint64_t hash, const char *text)
{
	return hash_bytes(hash, text, strlen(text));
}

/* Return: the key of a task. All idle tasks have PID 0, so their keys contain the CPU. */
static inline struct table_key table_task_key(int pid, int cpu, const void *owner)
{
	const uint64_t number = pid ? (uint32_t)pid : 1ull << 32 | (uint32_t)cpu;

	return (struct table_key){ number, owner };
}

/**
 * struct table - maps keys to allocated objects
 * @idle: callback that returns true if an object may be freed when the table is full. With NULL, no object is
 * freed
 * @slots: array of slots; collisions go to the next free slot (open addressing)
 * @nr_slots: number of slots, a power of two; 0 before the first object
 * @nr: number of used slots
 *
 * A zeroed table is empty.
 */
struct table {
	bool (*idle)(const void *thing);
	struct table_slot *slots;
	size_t nr_slots, nr;
};

/* Free all objects. */
void table_free(struct table *table);

/* Return: the object with this key, or NULL. */
void *table_find(const struct table *table, struct table_key key);

/*
 * Add @thing under a new key. The table takes ownership of @thing. Idle objects may be freed to make room.
 *
 * Return: @thing. NULL if @thing is NULL, or if there is not enough memory; then @thing is freed.
 */
void *table_add(struct table *table, struct table_key key, void *thing);

/* Iterate over the objects; *@i must be 0 at the beginning. Return: the next object, NULL at the end. */
void *table_next(const struct table *table, size_t *i);

#endif
