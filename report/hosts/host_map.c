// SPDX-License-Identifier: GPL-2.0
/*
 * host_map.c - convert the numbers of packets, copies and flows of one recording to those of the joined ones
 */
#include <stdlib.h>
#include <string.h>

#include "hosts/host_map.h"
#include "hosts/hosts.h"
#include "hosts/missing.h"

/*
 * struct node - a packet of one host, while numbers are assigned
 * @from: index of the sighting where the packet left another host; -1 if the packet begins at this host
 * @came: number of the copy that arrived from the other host
 * @is_part: the packet is a part of a larger packet that left the other host
 * @first: time when the packet began, by the reference clock
 * @entry: its map entry
 * @packet: the collected facts about the packet
 * @copies: number of copies of the packet that were numbered so far, at all hosts. Valid only for the host
 *	where the packet begins
 * @gap: number of packets that are missing between the host's previous packet and this one; 0 for a ring
 */
struct node {
	int64_t from;
	uint32_t came;
	bool is_part;
	uint64_t first;
	struct map_entry *entry;
	const struct host_packet *packet;
	uint32_t copies, gap;
	uint8_t host;
	uint32_t pkt;
};

struct numbering {
	struct join *join;
	struct host_map *maps;
	struct node *nodes;
	struct node **sorted;
	size_t nr_nodes;
	uint32_t **node_of;  /* node_of[host][packet] is the index of the packet's node + 1 */
	uint32_t *parents;   /* a union-find forest of all flows of all hosts */
	uint32_t *flow_base; /* index of the host's first flow in @parents */
	uint32_t nr_flows;
	uint32_t number;
};

static struct node *node_of(const struct numbering *numbering, unsigned int host, uint32_t pkt)
{
	return &numbering->nodes[numbering->node_of[host][pkt] - 1];
}

static bool make_nodes(struct numbering *numbering)
{
	const struct join *join = numbering->join;
	size_t n = 0;

	for (unsigned int i = 0; i < join->nr_hosts; i++) {
		const struct sightings *sightings = join->hosts[i].sightings;

		for (uint32_t pkt = 0; pkt < sightings->nr_packets; pkt++)
			n += sightings->packets[pkt].first != 0;
	}
	numbering->nodes = calloc(n + 1, sizeof(*numbering->nodes));
	numbering->sorted = calloc(n + 1, sizeof(*numbering->sorted));
	numbering->node_of = calloc(join->nr_hosts, sizeof(*numbering->node_of));
	if (!numbering->nodes || !numbering->sorted || !numbering->node_of)
		return false;
	for (unsigned int i = 0; i < join->nr_hosts; i++) {
		const struct sightings *sightings = join->hosts[i].sightings;
		struct host_map *map = &numbering->maps[i];
		uint32_t last = 0;

		numbering->node_of[i] = calloc(sightings->nr_packets + 1, sizeof(uint32_t));
		map->v = calloc(sightings->nr_packets + 1, sizeof(*map->v));
		map->n = sightings->nr_packets;
		if (!numbering->node_of[i] || !map->v)
			return false;
		for (uint32_t pkt = 0; pkt < sightings->nr_packets; pkt++) {
			const struct host_packet *packet = &sightings->packets[pkt];
			struct node *node = &numbering->nodes[numbering->nr_nodes];

			if (!packet->first)
				continue;
			*node = (struct node){
				.from = -1,
				.first = clock_convert(&join->hosts[i].clock, packet->first),
				.entry = &map->v[pkt],
				.packet = packet,
				.gap = join->hosts[i].is_ring ? 0 : pkt - last - 1,
				.host = i,
				.pkt = pkt,
			};
			last = pkt;
			numbering->sorted[numbering->nr_nodes++] = node;
			numbering->node_of[i][pkt] = numbering->nr_nodes;
		}
	}
	return true;
}

/*
 * Set the origin of each packet. If a packet arrived several times from other hosts, use its first arrival.
 */
static void link_nodes(struct numbering *numbering)
{
	const struct join *join = numbering->join;

	for (size_t i = 0; i < join->n; i++) {
		const struct sighting *sighting = join->all[i];
		struct node *node = node_of(numbering, sighting->host, sighting->pkt);

		if (sighting->from < 0 || node->from >= 0)
			continue;
		node->from = sighting->from;
		node->came = sighting->copy;
		node->is_part = sighting->is_part;
	}
}

/* Flows */

static uint32_t flow_root(struct numbering *numbering, uint32_t flow)
{
	while (numbering->parents[flow] != flow) {
		numbering->parents[flow] = numbering->parents[numbering->parents[flow]];
		flow = numbering->parents[flow];
	}
	return flow;
}

static bool make_flows(struct numbering *numbering)
{
	const struct join *join = numbering->join;

	numbering->flow_base = calloc(join->nr_hosts, sizeof(*numbering->flow_base));
	if (!numbering->flow_base)
		return false;
	for (unsigned int i = 0; i < join->nr_hosts; i++) {
		const struct sightings *sightings = join->hosts[i].sightings;
		uint32_t highest = 0;

		for (uint32_t pkt = 0; pkt < sightings->nr_packets; pkt++) {
			if (sightings->packets[pkt].flow > highest)
				highest = sightings->packets[pkt].flow;
		}
		numbering->flow_base[i] = numbering->nr_flows;
		numbering->nr_flows += highest + 1;
		numbering->maps[i].nr_flows = highest + 1;
		numbering->maps[i].flows = calloc(highest + 1, sizeof(uint32_t));
		if (!numbering->maps[i].flows)
			return false;
	}
	numbering->parents = calloc(numbering->nr_flows + 1, sizeof(*numbering->parents));
	for (uint32_t i = 0; numbering->parents && i < numbering->nr_flows; i++)
		numbering->parents[i] = i;
	return numbering->parents;
}

static void unite_flows(struct numbering *numbering)
{
	for (size_t i = 0; i < numbering->nr_nodes; i++) {
		const struct node *node = &numbering->nodes[i], *from;
		const struct sighting *left;
		uint32_t a, b;

		if (node->from < 0)
			continue;
		left = numbering->join->all[node->from];
		from = node_of(numbering, left->host, left->pkt);
		if (!node->packet->flow || !from->packet->flow)
			continue;
		a = flow_root(numbering, numbering->flow_base[node->host] + node->packet->flow);
		b = flow_root(numbering, numbering->flow_base[from->host] + from->packet->flow);
		numbering->parents[a > b ? a : b] = a > b ? b : a;
	}
}

/* Number the flows in the order of their first packets. Flows without a packet come last. */
static bool number_flows(struct numbering *numbering)
{
	uint32_t *numbers = calloc(numbering->nr_flows + 1, sizeof(*numbers)), last = 0, root;

	if (!numbers)
		return false;
	for (size_t i = 0; i < numbering->nr_nodes; i++) {
		const struct node *node = numbering->sorted[i];

		if (!node->packet->flow)
			continue;
		root = flow_root(numbering, numbering->flow_base[node->host] + node->packet->flow);
		if (!numbers[root])
			numbers[root] = ++last;
	}
	for (unsigned int i = 0; i < numbering->join->nr_hosts; i++) {
		struct host_map *map = &numbering->maps[i];

		for (uint32_t flow = 1; flow < map->nr_flows; flow++) {
			root = flow_root(numbering, numbering->flow_base[i] + flow);
			if (!numbers[root])
				numbers[root] = ++last;
			map->flows[flow] = numbers[root];
		}
	}
	free(numbers);
	return true;
}

/* Numbers of packets and copies */

static uint32_t map_copy(const struct map_entry *entry, uint32_t copy)
{
	if (copy == RECORD_SKB_COPY_UNKNOWN)
		return copy;
	return entry->has_come && copy == entry->came ? entry->came_as : entry->base + copy;
}

static int by_packet(const void *a, const void *b)
{
	const struct departure *x = a, *y = b;

	return (x->pkt > y->pkt) - (x->pkt < y->pkt) ?: (x->copy > y->copy) - (x->copy < y->copy);
}

/*
 * Return: the departure of a sighting. If the host does not have it yet, the function adds it. The departures
 * of a host are sorted later, after all of them were added.
 */
static struct departure *departure_of(struct host_map *map, const struct join *join,
				      const struct sighting *left, struct table *table)
{
	const struct table_key key = { .number = (uint64_t)left->pkt << 32 | left->copy,
				       .owner = map };
	size_t *index = table_find(table, key);
	struct departure *more;

	if (index) {
		map->departures[*index].ts = join_time(join, left);
		return &map->departures[*index];
	}
	index = table_add(table, key, calloc(1, sizeof(*index)));
	if (!index)
		return NULL;
	if (!(map->nr_departures & (map->nr_departures + 1)) || !map->departures) {
		more = realloc(map->departures,
			       (map->nr_departures + 1) * 2 * sizeof(*map->departures));
		if (!more)
			return NULL;
		map->departures = more;
	}
	*index = map->nr_departures;
	map->departures[map->nr_departures] = (struct departure){
		.pkt = left->pkt,
		.copy = left->copy,
		.ts = join_time(join, left),
	};
	return &map->departures[map->nr_departures++];
}

static bool add_arrival(struct departure *departure, uint32_t copy, uint8_t kind)
{
	struct arrival *more =
		realloc(departure->arrivals, (departure->nr_arrivals + 1) * sizeof(*more));

	if (!more)
		return false;
	departure->arrivals = more;
	more[departure->nr_arrivals++] = (struct arrival){ copy, kind };
	return true;
}

/*
 * Number a packet that came from another host: in the joined recordings, it gets the number of the other
 * host's packet.
 */
static bool number_arrival(struct numbering *numbering, struct node *node, struct table *table)
{
	const struct sighting *left = numbering->join->all[node->from];
	const struct node *from = node_of(numbering, left->host, left->pkt), *root = from;
	struct departure *departure =
		departure_of(&numbering->maps[left->host], numbering->join, left, table);
	struct map_entry *entry = node->entry;

	if (!departure)
		return false;
	while (root->from >= 0) {
		const struct sighting *before = numbering->join->all[root->from];

		root = node_of(numbering, before->host, before->pkt);
	}
	entry->number = from->entry->number;
	entry->hosts_before = from->entry->hosts_before + (from->entry->hosts_before < UINT8_MAX);
	entry->base = root->copies;
	((struct node *)root)->copies += node->packet->copies;
	if (node->is_part || departure->goes_on)
		return add_arrival(departure, map_copy(entry, node->came),
				   node->is_part ? RECORD_SKB_COPY_SEGMENT : RECORD_SKB_COPY_CLONE);
	departure->goes_on = true;
	entry->has_come = true;
	entry->came = node->came;
	entry->came_as = map_copy(from->entry, left->copy);
	return true;
}

static bool number_node(struct numbering *numbering, struct node *node, struct table *table,
			unsigned int depth)
{
	const struct sighting *left;

	if (node->entry->number)
		return true;
	if (node->from >= 0 && depth <= 2 * numbering->join->nr_hosts) {
		left = numbering->join->all[node->from];
		return number_node(numbering, node_of(numbering, left->host, left->pkt), table,
				   depth + 1) &&
		       number_arrival(numbering, node, table);
	}
	node->from = -1;
	numbering->number += 1 + node->gap;
	node->entry->number = numbering->number;
	node->copies = node->packet->copies ? node->packet->copies : 1;
	return true;
}

static int by_first(const void *a, const void *b)
{
	const struct node *const *x = a, *const *y = b;

	return ((*x)->first > (*y)->first) - ((*x)->first < (*y)->first)     ?:
		       ((*x)->host > (*y)->host) - ((*x)->host < (*y)->host) ?:
		       ((*x)->pkt > (*y)->pkt) - ((*x)->pkt < (*y)->pkt);
}

static bool number_nodes(struct numbering *numbering, struct table *table)
{
	qsort(numbering->sorted, numbering->nr_nodes, sizeof(*numbering->sorted), by_first);
	for (size_t i = 0; i < numbering->nr_nodes; i++) {
		if (!number_node(numbering, numbering->sorted[i], table, 0))
			return false;
	}
	return true;
}

static void free_numbering(struct numbering *numbering)
{
	for (unsigned int i = 0; numbering->node_of && i < numbering->join->nr_hosts; i++)
		free(numbering->node_of[i]);
	free(numbering->node_of);
	free(numbering->nodes);
	free(numbering->sorted);
	free(numbering->parents);
	free(numbering->flow_base);
}

struct host_map *host_maps_create(struct join *join)
{
	struct host_map *maps = calloc(join->nr_hosts, sizeof(*maps));
	struct numbering numbering = { .join = join, .maps = maps };
	struct table table = { 0 };
	bool ok;

	if (!maps)
		return NULL;
	for (unsigned int i = 0; i < join->nr_hosts; i++) {
		maps[i].host = i;
		maps[i].clock = join->hosts[i].clock;
		maps[i].is_reference = i == join->reference;
	}
	ok = make_nodes(&numbering) && make_flows(&numbering);
	if (ok) {
		link_nodes(&numbering);
		unite_flows(&numbering);
		ok = number_nodes(&numbering, &table) && number_flows(&numbering) &&
		     missing_find(join, maps, &table, departure_of);
	}
	table_free(&table);
	free_numbering(&numbering);
	for (unsigned int i = 0; i < join->nr_hosts; i++) {
		if (maps[i].nr_departures)
			qsort(maps[i].departures, maps[i].nr_departures,
			      sizeof(*maps[i].departures), by_packet);
	}
	if (ok)
		return maps;
	host_maps_free(maps, join->nr_hosts);
	return NULL;
}

void host_maps_free(struct host_map *maps, unsigned int n)
{
	for (unsigned int i = 0; maps && i < n; i++) {
		for (size_t j = 0; j < maps[i].nr_departures; j++)
			free(maps[i].departures[j].arrivals);
		free(maps[i].departures);
		free(maps[i].flows);
		free(maps[i].v);
	}
	free(maps);
}

bool host_map_event(const struct host_map *map, struct skb_event *event)
{
	const struct map_entry *entry = event->pkt < map->n ? &map->v[event->pkt] : NULL;

	event->skb = hosts_skb(map->host, event->skb);
	event->call = hosts_call(map->host, event->call);
	event->netns = hosts_netns(map->host, event->netns);
	event->flow_number = event->flow_number < map->nr_flows ? map->flows[event->flow_number] :
								  0;
	if (!event->pkt)
		return true;
	if (!entry || !entry->number)
		return false;
	event->pkt = entry->number;
	event->copy = map_copy(entry, event->copy);
	event->from = map_copy(entry, event->from);
	return true;
}

const struct departure *host_map_departure(const struct host_map *map, uint32_t pkt, uint32_t copy)
{
	const struct departure key = { .pkt = pkt, .copy = copy };

	return map->nr_departures ?
		       bsearch(&key, map->departures, map->nr_departures, sizeof(key), by_packet) :
		       NULL;
}

uint8_t host_map_hosts_before(const struct host_map *map, uint32_t pkt)
{
	return pkt < map->n ? map->v[pkt].hosts_before : 0;
}

uint32_t host_map_number(const struct host_map *map, uint32_t pkt)
{
	return pkt < map->n ? map->v[pkt].number : 0;
}
