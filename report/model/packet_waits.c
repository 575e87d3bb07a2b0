// SPDX-License-Identifier: GPL-2.0
/* packet_waits.c - measure the time between the call graphs of a packet */
#include "hosts/hosts.h"
#include "model/packet_waits.h"

void packet_see_last(struct packet *packet, const struct moment *at)
{
	packet->last = at->ts;
	packet->last_host = hosts_of_cpu(at->cpu);
}

/* Add the error of a wait that begins on one host and ends on another. */
static void add_wait_error(struct packet *packet, uint64_t error)
{
	const uint64_t sum = error == CLOCK_ERROR_UNKNOWN ? error : packet->wait_error + error;

	packet->wait_error = sum < WAIT_ERROR_UNKNOWN ? sum : WAIT_ERROR_UNKNOWN;
}

void packet_begin_graph(struct packet *packet, const struct moment *at)
{
	const unsigned int host = hosts_of_cpu(at->cpu);

	if (packet->open_graphs++ || !packet->idle_since)
		return;
	if (at->ts > packet->idle_since)
		packet->wait_ns += at->ts - packet->idle_since;
	if (host != packet->idle_host)
		add_wait_error(packet, hosts_clock_error(packet->idle_host, host));
}

void packet_end_graph(struct packet *packet, const struct moment *at)
{
	if (packet->open_graphs && !--packet->open_graphs) {
		packet->idle_since = at->ts;
		packet->idle_host = hosts_of_cpu(at->cpu);
	}
}
