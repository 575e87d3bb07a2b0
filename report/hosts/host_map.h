/* SPDX-License-Identifier: GPL-2.0 */
/*
 * host_map.h - convert the numbers of packets, copies and flows of one recording to those of the joined
 * recordings
 *
 * If a packet arrived from another host, both hosts have the same packet, so it gets one number. The copy
 * that left one host and the copy that arrived at the other also get one number. So a joined packet looks
 * like a packet that passed a veth link.
 */
#ifndef _RECORD_SKB_HOST_MAP_H
#define _RECORD_SKB_HOST_MAP_H

#include "hosts/join.h"

/**
 * struct arrival - an additional copy that arrived at another host, because the network duplicated the packet
 * or cut it into parts
 * @copy: number of the copy
 * @kind: enum record_skb_copy_kind
 */
struct arrival {
	uint32_t copy;
	uint8_t kind;
};

/**
 * struct departure - a copy that left for another recorded host, even if it did not arrive there
 * @pkt: the host's number of the packet
 * @copy: the host's number of the copy
 * @ts: time when the copy left, by the reference clock
 * @goes_on: the other host has recorded the copy, so the end of this host's skb is ignored
 * @missed: 1 + the host at which the copy did not arrive; 0 if the copy arrived, or if it is not known
 * @arrivals: additional copies that arrived at the other host
 * @nr_arrivals: number of entries in @arrivals
 */
struct departure {
	uint32_t pkt, copy;
	uint64_t ts;
	bool goes_on;
	uint8_t missed;
	struct arrival *arrivals;
	uint32_t nr_arrivals;
};

/**
 * struct map_entry - a packet of one recording
 * @number: its number in the joined recordings, 0 if it has none
 * @base: offset that makes the numbers of the packet's copies unique in the joined recordings
 * @came: the host's number of the copy that arrived from another host
 * @came_as: number of @came in the joined recordings
 * @has_come: @came and @came_as are valid
 * @hosts_before: number of hosts that the packet passed before this one
 */
struct map_entry {
	uint32_t number, base;
	uint32_t came, came_as;
	bool has_come;
	uint8_t hosts_before;
};

/**
 * struct host_map - converts the times, packet numbers and flow numbers of one host
 * @host: the host
 * @clock: converts times
 * @is_reference: all times are shown in the clock of this host, so its own times are not changed
 * @v: indexed by the host's number of the packet
 * @n: number of entries in @v
 * @flows: indexed by the host's number of the flow
 * @nr_flows: number of entries in @flows
 * @departures: sorted by packet and copy
 * @nr_departures: number of entries in @departures
 */
struct host_map {
	unsigned int host;
	struct clock_line clock;
	bool is_reference;
	struct map_entry *v;
	uint32_t n;
	uint32_t *flows;
	uint32_t nr_flows;
	struct departure *departures;
	size_t nr_departures;
};

/**
 * host_maps_create - number the packets of all hosts
 * @join: the recordings, after join_find(). The function sets @counts.gone, the number of packets that were
 *	lost between hosts
 *
 * Return: a map for each host; NULL if memory is short.
 */
struct host_map *host_maps_create(struct join *join);
void host_maps_free(struct host_map *maps, unsigned int n);

/*
 * Convert the numbers in an event. Return: false if the event's packet has no number in the joined
 * recordings. Such a packet has no event of a probe point in its recording.
 */
bool host_map_event(const struct host_map *map, struct skb_event *event);
/*
 * Return: the number of hosts that a packet passed before this one. @pkt is the number that this host uses.
 */
uint8_t host_map_hosts_before(const struct host_map *map, uint32_t pkt);
/* Return: the number of a packet in the joined recordings, 0 if it has none. */
uint32_t host_map_number(const struct host_map *map, uint32_t pkt);
/* Return: the departure of a copy, NULL if it did not leave the host. The numbers are those of the host. */
const struct departure *host_map_departure(const struct host_map *map, uint32_t pkt, uint32_t copy);

#endif
