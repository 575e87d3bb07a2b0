// SPDX-License-Identifier: LGPL-2.1
/*
 * packets.c - each packet of a stream: its rows, and where it was worked for
 */
#include <stdlib.h>
#include <string.h>

#include "packets.h"

/* Where the packet is, or would have to be. */
static size_t place_of(const struct packets *packets, uint32_t number)
{
	size_t low = 0, high = packets->n, middle;

	/* Mostly it is one of the last. */
	if (high && packets->v[high - 1].number < number)
		return high;
	while (low < high) {
		middle = (low + high) / 2;
		if (packets->v[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct packet *find(const struct packets *packets, uint32_t number)
{
	size_t i = place_of(packets, number);

	return i < packets->n && packets->v[i].number == number ? &packets->v[i] : NULL;
}

const struct packet *packets_find(const struct packets *packets, uint32_t number)
{
	return find(packets, number);
}

/* Makes room for one more. */
static bool make_room(struct packets *packets, void *array, size_t n, size_t *room, size_t size)
{
	void **v = array;
	size_t more = *room ? *room * 2 : 64;
	void *new;

	if (n < *room)
		return true;
	new = realloc(*v, more * size);
	if (!new) {
		packets->incomplete = true;
		return false;
	}
	*v = new;
	*room = more;
	return true;
}

struct packet *packets_event(struct packets *packets, const struct packet_row *row, uint32_t number)
{
	size_t i = place_of(packets, number);
	struct packet *packet;

	if (i == packets->n || packets->v[i].number != number) {
		if (!make_room(packets, &packets->v, packets->n, &packets->room,
			       sizeof(*packets->v)))
			return NULL;
		packet = &packets->v[i];
		memmove(packet + 1, packet, (packets->n - i) * sizeof(*packet));
		packets->n++;
		*packet = (struct packet){
			.number = number,
			.first = row->entry,
			.first_ts = row->ts,
		};
	}
	packet = &packets->v[i];
	packet->last = row->entry;
	packet->last_ts = row->ts;
	return packet;
}

static struct stay *find_open(struct packets *packets, const struct packet_row *row,
			      uint32_t number)
{
	struct stay *stay;
	size_t i;

	for (i = 0; i < packets->nr_open; i++) {
		stay = &packets->stays[packets->open[i]];
		if (stay->cpu == row->cpu && stay->pid == row->pid && stay->number == number)
			return stay;
	}
	return NULL;
}

static struct stay *open_stay(struct packets *packets, const struct packet_row *row,
			      uint32_t number)
{
	struct stay *stay;

	if (!make_room(packets, &packets->stays, packets->nr_stays, &packets->room_stays,
		       sizeof(*packets->stays)) ||
	    !make_room(packets, &packets->open, packets->nr_open, &packets->room_open,
		       sizeof(*packets->open)))
		return NULL;
	packets->open[packets->nr_open++] = packets->nr_stays;
	stay = &packets->stays[packets->nr_stays++];
	*stay = (struct stay){
		.number = number,
		.cpu = row->cpu,
		.pid = row->pid,
		.first = row->entry,
		.first_ts = row->ts,
	};
	return stay;
}

void packets_function(struct packets *packets, const struct packet_row *row, uint32_t number)
{
	struct packet *packet = find(packets, number);
	struct stay *stay;

	/* What it is, its event said; if that row was not to be read, there is no packet. */
	if (!packet)
		return;
	packet->last = row->entry;
	packet->last_ts = row->ts;

	stay = find_open(packets, row, number);
	if (!stay)
		stay = open_stay(packets, row, number);
	if (!stay)
		return;
	stay->last = row->entry;
	stay->last_ts = row->ts;
}

void packets_graph_ends(struct packets *packets, int cpu, int pid)
{
	const struct stay *stay;
	size_t i = 0;

	while (i < packets->nr_open) {
		stay = &packets->stays[packets->open[i]];
		/* A task may have been on another CPU before; an idle task stays. */
		if (stay->pid == pid && (pid || stay->cpu == cpu))
			packets->open[i] = packets->open[--packets->nr_open];
		else
			i++;
	}
}

void packets_loss(struct packets *packets, int cpu)
{
	size_t i = 0;

	while (i < packets->nr_open) {
		const struct stay *stay = &packets->stays[packets->open[i]];

		/* What graph_state_forget() forgets. */
		if (stay->pid || stay->cpu == cpu)
			packets->open[i] = packets->open[--packets->nr_open];
		else
			i++;
	}
}

static int by_cpu_and_time(const void *a, const void *b)
{
	const struct stay *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->first_ts != y->first_ts)
		return x->first_ts < y->first_ts ? -1 : 1;
	return (x->last_ts < y->last_ts) - (x->last_ts > y->last_ts);
}

static int by_level_and_time(const void *a, const void *b)
{
	const struct stay *x = a, *y = b;

	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	return (x->first_ts > y->first_ts) - (x->first_ts < y->first_ts);
}

/* Each stay is within those in front of it that have not ended when it begins. */
static void set_levels(struct packets *packets)
{
	struct stay **outer = calloc(packets->nr_stays + 1, sizeof(*outer));
	size_t depth = 0, i;

	for (i = 0; outer && i < packets->nr_stays; i++) {
		struct stay *stay = &packets->stays[i];

		while (depth && (outer[depth - 1]->cpu != stay->cpu ||
				 outer[depth - 1]->last_ts <= stay->first_ts))
			depth--;
		stay->level = depth;
		outer[depth++] = stay;
	}
	free(outer);
}

void packets_finish(struct packets *packets)
{
	size_t i;

	if (packets->incomplete) {
		packets_free(packets);
		return;
	}
	if (!packets->nr_stays)
		return;
	qsort(packets->stays, packets->nr_stays, sizeof(*packets->stays), by_cpu_and_time);
	set_levels(packets);
	qsort(packets->stays, packets->nr_stays, sizeof(*packets->stays), by_level_and_time);
	for (i = 0; i < packets->nr_stays; i++)
		packets->stays[i].packet = find(packets, packets->stays[i].number);
}

void packets_free(struct packets *packets)
{
	size_t i;

	for (i = 0; i < packets->n; i++)
		free(packets->v[i].text);
	free(packets->v);
	free(packets->stays);
	free(packets->open);
	memset(packets, 0, sizeof(*packets));
}
