// SPDX-License-Identifier: GPL-2.0
/* translated_answers.c - explain dropped answers that NAT should have changed back */
#include <stdio.h>
#include <string.h>

#include "model/packet_headers.h"
#include "model/translated_answers.h"

static struct address destination_of(const struct flow *flow)
{
	struct address address = { .family = flow->family, .port = flow->dport };

	memcpy(address.bytes, flow->daddr, sizeof(address.bytes));
	return address;
}

/* Return: true if a device on the path of the copy is in the network namespace. */
static bool passes_netns(const struct packets *packets, const struct copy *copy, uint32_t netns)
{
	for (unsigned int i = 0; i < copy->path.n; i++) {
		const struct device *device =
			devices_get(packets_devices(packets), copy->path.hops[i].device);

		if (device && device->netns == netns)
			return true;
	}
	return false;
}

bool words_translated(char *buf, const struct packets *packets, const struct packet *packet,
		      const struct copy *copy)
{
	const struct translation *nat = packets_find_dnat(packets, packet->flow_number);
	const struct flow expected = nat ? flow_reversed(&nat->now) : (struct flow){ 0 };
	char before[ADDRESS_TEXT_LEN], now[ADDRESS_TEXT_LEN];
	struct address from, to;

	if (!nat || !is_same_flow(&copy->flow_now, &expected))
		return false;
	from = destination_of(&nat->before);
	to = destination_of(&nat->now);
	snprintf(
		buf, TRANSLATED_LEN,
		"no socket takes it: NAT had changed the destination of its connection from %s to %s, and "
		"this answer was not changed back%s",
		words_address(before, &from), words_address(now, &to),
		passes_netns(packets, copy, nat->netns) ?
			"" :
			": its recorded path does not lead through the NAT again");
	return true;
}

uint32_t translated_command(char *command, const struct packets *packets,
			    const struct packet *packet)
{
	static const struct cause route = { .shows = "ip route get %D from %S" };
	const struct copy *first = packet->copies[0];
	const struct device *device =
		first->path.n ? devices_get(packets_devices(packets), first->path.hops[0].device) :
				NULL;
	const struct about about = { .flow = &first->flow };

	*command = '\0';
	/* The first device of a packet that this machine has sent is in the namespace of the sender. */
	if (first->dir != RECORD_SKB_DIR_TX || !device || !cause_command(command, &route, &about))
		return 0;
	return device->netns;
}
