/* SPDX-License-Identifier: GPL-2.0 */
/* missing.h - find packets that left one host and did not arrive at the next one */
#ifndef _RECORD_SKB_MISSING_H
#define _RECORD_SKB_MISSING_H

#include "hosts/host_map.h"

/* Return: the departure of a sighting in @map; NULL if memory is short. The function adds it if necessary. */
typedef struct departure *departure_fn(struct host_map *map, const struct join *join,
				       const struct sighting *left, struct table *table);

/**
 * missing_find - find packets that did not arrive, and set @missed of their departures
 * @join: the recordings, after join_find(); @counts.gone is set to the number of these packets
 * @maps: the map of each host
 * @table: passed to @departure
 * @departure: called for each of these packets
 *
 * A packet counts as missing only if the recording of the next host proves it:
 * - The recording has other packets of the same direction of the flow, which came from the same host. So its
 *   filter matches such packets.
 * - The recording has lost no rows.
 * - The recording began before the packet left, and ended long enough after that.
 * - The recording has no arrival that could be a part of the packet.
 *
 * Return: false if memory is short.
 */
bool missing_find(struct join *join, struct host_map *maps, struct table *table,
		  departure_fn *departure);

#endif
