// SPDX-License-Identifier: GPL-2.0
/* join_times.c - the time that packets need from one host to another */
#include <stdlib.h>

#include "hash_table.h"
#include "hosts/join_times.h"

/*
 * struct trip - a packet from one host to another
 * @a: the first host
 * @b: the second host
 * @at: time of the arrival, by the reference clock
 * @ns: duration of the trip, from the converted clocks of both hosts
 * @left: when it left, in the clock of @a
 * @came: when it arrived, in the clock of @b
 * @flow: number of the flow in the joined recordings
 */
struct trip {
	uint8_t a, b;
	bool is_direct;
	uint64_t at, ns, left, came;
	uint32_t flow;
};

struct trips {
	struct trip *v;
	size_t n, capacity;
};

static bool add_trip(struct trips *trips, const struct trip *trip)
{
	const size_t capacity = trips->capacity ? trips->capacity * 2 : 1024;
	struct trip *more;

	if (trips->n == trips->capacity) {
		more = realloc(trips->v, capacity * sizeof(*more));
		if (!more)
			return false;
		trips->v = more;
		trips->capacity = capacity;
	}
	trips->v[trips->n++] = *trip;
	return true;
}

static struct trip trip_of(const struct join *join, const struct host_map *maps,
			   const struct sighting *left, const struct sighting *came)
{
	const struct host_map *map = &maps[came->host];
	const uint64_t from = join_time(join, left), to = join_time(join, came);
	const uint32_t flow = join->hosts[came->host].sightings->packets[came->pkt].flow;

	return (struct trip){
		.a = left->host,
		.b = came->host,
		.at = to,
		.ns = to > from ? to - from : 0,
		.left = left->ts,
		.came = came->ts,
		.flow = flow < map->nr_flows ? map->flows[flow] : 0,
	};
}

/* Return: for each packet of each host, its first arrival that was joined; NULL if memory is short. */
static const struct sighting **arrivals_of(const struct join *join, size_t *base)
{
	const struct sighting **arrivals;
	size_t n = 0;

	for (unsigned int i = 0; i < join->nr_hosts; i++) {
		base[i] = n;
		n += join->hosts[i].sightings->nr_packets;
	}
	arrivals = calloc(n + 1, sizeof(*arrivals));
	for (size_t i = 0; arrivals && i < join->n; i++) {
		const struct sighting *came = join->all[i];
		const struct sighting **slot = &arrivals[base[came->host] + came->pkt];

		if (came->from >= 0 && !*slot)
			*slot = came;
	}
	return arrivals;
}

/*
 * Add the trip of a packet from the previous host. If the packet had passed other hosts before, also add the
 * trip from the first of these hosts.
 */
static bool add_ways(struct trips *trips, const struct join *join, const struct host_map *maps,
		     const struct sighting *came, const struct sighting **arrivals,
		     const size_t *base)
{
	const struct sighting *left = join->all[came->from], *before;
	struct trip trip = trip_of(join, maps, left, came);
	unsigned int hops = 0;

	trip.is_direct = true;
	if (!add_trip(trips, &trip))
		return false;
	while ((before = arrivals[base[left->host] + left->pkt]) && hops++ < join->nr_hosts)
		left = join->all[before->from];
	if (!hops || left->host == came->host)
		return true;
	trip = trip_of(join, maps, left, came);
	return add_trip(trips, &trip);
}

static int by_arrival(const void *a, const void *b)
{
	const struct trip *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static int by_ns(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t median(uint64_t *v, size_t n)
{
	if (!n)
		return 0;
	qsort(v, n, sizeof(*v), by_ns);
	return v[(n - 1) / 2];
}

static bool is_between(const struct trip *trip, unsigned int a, unsigned int b)
{
	return trip->a == a && trip->b == b;
}

/*
 * Measure round trips. A round trip is a packet from @a to @b, and the next packet of the flow from @b to @a.
 * The clock of @a measures the whole time. The clock of @b measures the time from the arrival of the first
 * packet until the packet back left, and this time is subtracted.
 */
static size_t find_rounds(const struct trips *trips, const struct host_pair *pair, uint64_t *v)
{
	const struct trip **last;
	struct table flows = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < trips->n; i++) {
		const struct trip *trip = &trips->v[i];
		const struct table_key key = { .number = trip->flow };

		if (!trip->flow ||
		    (!is_between(trip, pair->a, pair->b) && !is_between(trip, pair->b, pair->a)))
			continue;
		last = table_find(&flows, key);
		if (!last)
			last = table_add(&flows, key, calloc(1, sizeof(*last)));
		if (!last)
			break;
		if (trip->a == pair->a) {
			*last = trip;
			continue;
		}
		if (!*last || trip->left < (*last)->came)
			continue;
		v[n] = trip->came - (*last)->left;
		v[n] -= v[n] > trip->left - (*last)->came ? trip->left - (*last)->came : v[n];
		n++;
		*last = NULL;
	}
	table_free(&flows);
	return n;
}

static void measure(const struct join *join, const struct trips *trips, struct host_pair *pair,
		    uint64_t *v)
{
	const struct join_host *a = &join->hosts[pair->a], *b = &join->hosts[pair->b];
	size_t n = 0;

	for (size_t i = 0; i < trips->n; i++) {
		if (is_between(&trips->v[i], pair->a, pair->b)) {
			v[n++] = trips->v[i].ns;
			pair->is_direct |= trips->v[i].is_direct;
		}
	}
	pair->nr_forth = n;
	pair->forth = median(v, n);
	n = 0;
	for (size_t i = 0; i < trips->n; i++) {
		if (is_between(&trips->v[i], pair->b, pair->a))
			v[n++] = trips->v[i].ns;
	}
	pair->nr_back = n;
	pair->back = median(v, n);
	pair->nr_rounds = find_rounds(trips, pair, v);
	pair->round = median(v, pair->nr_rounds);
	pair->has_error = a->error_is_known && b->error_is_known;
	pair->error = a->clock.error + b->clock.error;
}

static struct host_pair *pair_of(struct join_times *times, const struct trip *trip)
{
	struct host_pair *more;

	for (size_t i = 0; i < times->n; i++) {
		if ((times->v[i].a == trip->a && times->v[i].b == trip->b) ||
		    (times->v[i].a == trip->b && times->v[i].b == trip->a))
			return &times->v[i];
	}
	more = realloc(times->v, (times->n + 1) * sizeof(*more));
	if (!more)
		return NULL;
	times->v = more;
	more[times->n] = (struct host_pair){ .a = trip->a, .b = trip->b };
	return &more[times->n++];
}

static bool measure_all(struct join_times *times, const struct join *join, struct trips *trips)
{
	uint64_t *v = calloc(trips->n + 1, sizeof(*v));

	if (!v)
		return false;
	if (trips->n)
		qsort(trips->v, trips->n, sizeof(*trips->v), by_arrival);
	for (size_t i = 0; i < trips->n; i++) {
		if (!pair_of(times, &trips->v[i]))
			break;
	}
	for (size_t i = 0; i < times->n; i++)
		measure(join, trips, &times->v[i], v);
	free(v);
	return true;
}

struct join_times *join_times_create(const struct join *join, const struct host_map *maps)
{
	struct join_times *times = calloc(1, sizeof(*times));
	size_t *base = calloc(join->nr_hosts, sizeof(*base));
	const struct sighting **arrivals = base ? arrivals_of(join, base) : NULL;
	struct trips trips = { 0 };
	bool ok = times && arrivals;

	for (size_t i = 0; ok && i < join->n; i++) {
		if (join->all[i]->from >= 0)
			ok = add_ways(&trips, join, maps, join->all[i], arrivals, base);
	}
	ok = ok && measure_all(times, join, &trips);
	free(trips.v);
	free(arrivals);
	free(base);
	if (ok)
		return times;
	join_times_free(times);
	return NULL;
}

void join_times_free(struct join_times *times)
{
	if (times)
		free(times->v);
	free(times);
}
