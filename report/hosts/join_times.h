/* SPDX-License-Identifier: GPL-2.0 */
/* join_times.h - the time that packets need from one host to another */
#ifndef _RECORD_SKB_JOIN_TIMES_H
#define _RECORD_SKB_JOIN_TIMES_H

#include "hosts/host_map.h"

/**
 * struct host_pair - the times between two hosts
 * @a: the host that sent the first packet between the two
 * @b: the other host
 * @nr_forth: number of packets from @a to @b
 * @nr_back: number of packets from @b to @a
 * @forth: median of the time from @a to @b, in ns. The accuracy depends on the clocks
 * @back: median of the time from @b to @a
 * @error: maximum error of @forth and @back
 * @has_error: @error is known
 * @nr_rounds: number of packets from @a with a later packet back
 * @round: median of the round-trip time without the time that @b needed. The accuracy does not depend on the
 *	clocks
 * @is_direct: packets were recorded at both ends of the way, and no host in between
 */
struct host_pair {
	unsigned int a, b;
	uint64_t nr_forth, nr_back, forth, back, error;
	bool has_error;
	uint64_t nr_rounds, round;
	bool is_direct;
};

struct join_times {
	struct host_pair *v;
	size_t n;
};

/* Return: the times; NULL if memory is short. */
struct join_times *join_times_create(const struct join *join, const struct host_map *maps);
void join_times_free(struct join_times *times);

#endif
