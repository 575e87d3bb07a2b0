// SPDX-License-Identifier: GPL-2.0
/* missing.c - find packets that left one host and did not arrive at the next one */
#include <stdlib.h>

#include "hosts/missing.h"
#include "model/arguments.h"

/*
 * A packet counts as missing only if the recording of the next host goes on for this time after the packet
 * left.
 */
#define PATIENCE_NS 1000000000ull

/*
 * struct way - where the packets of one direction of a flow go from a host
 * @to: 1 + the next host; 0 if there are several next hosts
 */
struct way {
	uint8_t to;
};

struct missing_search {
	struct join *join;
	struct table ways;	/* table of struct way, by sending host and stream */
	struct table copies;	/* set of the copies that another host received */
	struct sighting **open; /* arrivals that are not joined, sorted by stream */
	size_t nr_open;
};

static struct table_key way_key(const struct sighting *sighting)
{
	return (struct table_key){ .number = sighting->key.stream + sighting->host };
}

static struct table_key copy_key(const struct missing_search *search,
				 const struct sighting *sighting)
{
	return (struct table_key){ .number = (uint64_t)sighting->pkt << 32 | sighting->copy,
				   .owner = &search->join->hosts[sighting->host] };
}

static bool note_arrival(struct missing_search *search, const struct sighting *came)
{
	const struct sighting *left = search->join->all[came->from];
	struct way *way = table_find(&search->ways, way_key(left));
	const struct table_key copy = copy_key(search, left);

	if (!way) {
		way = table_add(&search->ways, way_key(left), calloc(1, sizeof(*way)));
		if (!way)
			return false;
		way->to = came->host + 1;
	}
	if (way->to != came->host + 1)
		way->to = 0;
	return table_find(&search->copies, copy) || table_add(&search->copies, copy, calloc(1, 1));
}

static int by_stream(const void *a, const void *b)
{
	const struct sighting *const *x = a, *const *y = b;

	return ((*x)->key.stream > (*y)->key.stream) - ((*x)->key.stream < (*y)->key.stream);
}

static size_t first_open(const struct missing_search *search, uint64_t stream)
{
	size_t low = 0, high = search->nr_open, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (search->open[middle]->key.stream < stream)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Return: true if an arrival that was not joined may be the packet of @left, or may be a part of that packet.
 */
static bool may_have_arrived(const struct missing_search *search, const struct sighting *left,
			     unsigned int to)
{
	const struct wire_key *key = &left->key;
	const uint64_t time = join_time(search->join, left);

	for (size_t i = first_open(search, key->stream);
	     i < search->nr_open && search->open[i]->key.stream == key->stream; i++) {
		const struct sighting *came = search->open[i];

		if (came->host != to)
			continue;
		if (key->is_tcp && key->seq != key->end && came->key.seq != came->key.end &&
		    ((int32_t)(came->key.seq - key->end) >= 0 ||
		     (int32_t)(key->seq - came->key.end) >= 0))
			continue;
		if (came->key.whole == key->whole || key->is_tcp ||
		    join_time(search->join, came) >= time)
			return true;
	}
	return false;
}

/* Return: true if a host has recorded all packets that arrived shortly after a time. */
static bool is_complete(const struct join *join, unsigned int host, uint64_t time)
{
	const struct join_host *at = &join->hosts[host];
	const struct lost_events *losses = &at->sightings->losses;
	const uint64_t error = at->clock.error, from = time > error ? time - error : 0;
	const uint64_t to = time + error + PATIENCE_NS;

	if (!at->error_is_known || module_losses_entries(&losses->module) ||
	    clock_convert(&at->clock, at->sightings->begin) > from ||
	    clock_convert(&at->clock, at->end) < to)
		return false;
	for (size_t i = 0; i < losses->n; i++) {
		if (clock_convert(&at->clock, losses->v[i].from) <= to &&
		    clock_convert(&at->clock, losses->v[i].to) >= from)
			return false;
	}
	return true;
}

/*
 * Return: true if the filter of the next host certainly matches a packet of a stream of which it has other
 * packets. An ICMP error has no ports. A filter may match it because of the packet that it is about, so both
 * hosts need the same filter.
 */
static bool must_match(const struct join *join, const struct sighting *left, unsigned int to)
{
	const char *arguments = join->hosts[to].arguments;

	return arguments_match_flows(arguments) &&
	       (left->key.has_ports ||
		arguments_match_same(join->hosts[left->host].arguments, arguments));
}

static bool is_missing(const struct missing_search *search, const struct sighting *left,
		       unsigned int *to)
{
	const struct way *way = table_find(&search->ways, way_key(left));

	if (!way || !way->to || left->is_unclear ||
	    table_find(&search->copies, copy_key(search, left)))
		return false;
	*to = way->to - 1;
	return must_match(search->join, left, *to) &&
	       is_complete(search->join, *to, join_time(search->join, left)) &&
	       is_complete(search->join, left->host, join_time(search->join, left)) &&
	       !may_have_arrived(search, left, *to);
}

static bool prepare(struct missing_search *search)
{
	const struct join *join = search->join;

	search->open = calloc(join->n + 1, sizeof(struct sighting *));
	if (!search->open)
		return false;
	for (size_t i = 0; i < join->n; i++) {
		struct sighting *sighting = join->all[i];

		if (sighting->leaves)
			continue;
		if (sighting->from < 0)
			search->open[search->nr_open++] = sighting;
		else if (!note_arrival(search, sighting))
			return false;
	}
	qsort(search->open, search->nr_open, sizeof(*search->open), by_stream);
	return true;
}

bool missing_find(struct join *join, struct host_map *maps, struct table *table,
		  departure_fn *departure)
{
	struct missing_search search = { .join = join };
	bool ok = prepare(&search);
	struct departure *left;
	unsigned int to;

	for (size_t i = 0; ok && i < join->n; i++) {
		if (!join->all[i]->leaves || !is_missing(&search, join->all[i], &to))
			continue;
		left = departure(&maps[join->all[i]->host], join, join->all[i], table);
		ok = left;
		if (!left)
			break;
		join->counts.gone += !left->missed;
		left->missed = to + 1;
	}
	table_free(&search.ways);
	table_free(&search.copies);
	free(search.open);
	return ok;
}
