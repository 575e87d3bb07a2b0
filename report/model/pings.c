// SPDX-License-Identifier: GPL-2.0
/* pings.c - find the echo request to which an echo reply belongs */
#include <stdlib.h>

#include "model/pings.h"

static bool is_over(const void *thing)
{
	return ((const struct ping *)thing)->is_over;
}

struct table pings_table(void)
{
	return (struct table){ .idle = is_over };
}

static struct table_key ping_key(const struct packet *packet)
{
	return (struct table_key){ (uint64_t)packet->flow_number << 32 |
				   packet->copies[0]->message };
}

struct ping *pings_ask(struct table *pings, const struct packet *packet)
{
	struct ping *ping = table_find(pings, ping_key(packet));

	if (ping && !ping->is_over) {
		ping->is_repeated = true;
		return ping;
	}
	if (!ping)
		ping = table_add(pings, ping_key(packet), malloc(sizeof(*ping)));
	if (ping)
		*ping = (struct ping){
			.flow = packet->flow_number,
			.packet = packet->number,
			.asked = packet->first,
		};
	return ping;
}

const struct ping *pings_reply(struct table *pings, const struct packet *packet)
{
	struct ping *ping = table_find(pings, ping_key(packet));

	if (!ping || ping->is_over || packet->first < ping->asked)
		return NULL;
	ping->is_over = true;
	return ping;
}
