// SPDX-License-Identifier: GPL-2.0
/*
 * packet_times.c - keep the times of the functions of each packet until it is known if the packet
 * is selected
 */
#include <stdlib.h>

#include "hash_table.h"
#include "model/packet_times.h"

/* The times of a packet. @entries is NULL after they were released. */
struct kept {
	struct packet_time *entries;
	uint32_t nr, capacity;
};

struct packet_times {
	struct table packets; /* table of struct kept, by packet number */
};

static bool is_released(const void *thing)
{
	return !((const struct kept *)thing)->entries;
}

struct packet_times *packet_times_new(void)
{
	struct packet_times *times = calloc(1, sizeof(*times));

	if (times)
		times->packets.idle = is_released;
	return times;
}

void packet_times_free(struct packet_times *times)
{
	struct kept *kept;
	size_t i = 0;

	if (!times)
		return;
	while ((kept = table_next(&times->packets, &i)))
		free(kept->entries);
	table_free(&times->packets);
	free(times);
}

static struct kept *find_kept(const struct packet_times *times, uint32_t number)
{
	return table_find(&times->packets, (struct table_key){ .number = number });
}

static bool grow_entries(struct kept *kept)
{
	const uint32_t capacity = kept->capacity ? kept->capacity * 2 : 64;
	struct packet_time *entries;

	if (kept->nr < kept->capacity)
		return true;
	entries = realloc(kept->entries, capacity * sizeof(*entries));
	if (!entries)
		return false;
	kept->entries = entries;
	kept->capacity = capacity;
	return true;
}

void packet_times_add(struct packet_times *times, uint32_t number, uint32_t what, uint64_t entered,
		      uint64_t self)
{
	struct kept *kept = find_kept(times, number);

	if (!kept)
		kept = table_add(&times->packets, (struct table_key){ .number = number },
				 calloc(1, sizeof(*kept)));
	if (kept && grow_entries(kept))
		kept->entries[kept->nr++] = (struct packet_time){ what, entered, self };
}

void packet_times_each(const struct packet_times *times, uint32_t number,
		       void (*each)(void *data, const struct packet_time *time), void *data)
{
	const struct kept *kept = find_kept(times, number);

	for (uint32_t i = 0; kept && i < kept->nr; i++)
		each(data, &kept->entries[i]);
}

void packet_times_forget(struct packet_times *times, uint32_t number)
{
	struct kept *kept = find_kept(times, number);

	if (!kept)
		return;
	free(kept->entries);
	*kept = (struct kept){ NULL };
}
