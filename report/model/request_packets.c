// SPDX-License-Identifier: GPL-2.0
/* request_packets.c - tell which packets can be requests or answers */
#include <string.h>

#include "model/packet_headers.h"
#include "model/request_packets.h"

bool is_tcp(const struct flow *flow)
{
	return flow->family && flow->proto == PROTO_TCP;
}

int32_t packet_payload(const struct packet *packet)
{
	return packet->decided->payload >= 0 ? packet->decided->payload :
					       packet->copies[0]->payload;
}

bool opens_connection(const struct copy *first)
{
	return is_tcp(&first->flow) && (first->tcp_flags & (TCP_SYN | TCP_ACK)) == TCP_SYN;
}

bool is_echo(const struct copy *first)
{
	return first->flow.has_icmp && is_request(&first->flow);
}

bool goes_to_many(const struct flow *flow)
{
	static const uint8_t all[4] = { 255, 255, 255, 255 };

	if (flow->family == FLOW_INET6)
		return flow->daddr[0] == 0xff;
	return (flow->daddr[0] >= 224 && flow->daddr[0] < 240) ||
	       !memcmp(flow->daddr, all, sizeof(all));
}

bool may_ask(const struct packet *packet)
{
	const struct copy *first = packet->copies[0];

	if (goes_to_many(&first->flow))
		return false;
	if (first->flow.has_icmp)
		return is_echo(first);
	if (is_tcp(&first->flow))
		return opens_connection(first) || packet_payload(packet) > 0;
	return first->flow.proto == PROTO_UDP;
}

bool may_answer(const struct packet *packet)
{
	const struct copy *first = packet->copies[0];

	return !is_tcp(&first->flow) || (packet_payload(packet) > 0 && !first->again) ||
	       first->tcp_flags & (TCP_SYN | TCP_FIN | TCP_RST);
}

bool sent_data_before(const struct packet *packet, uint32_t end)
{
	const struct copy *first = packet->copies[0];

	return is_tcp(&first->flow) && packet_payload(packet) > 0 &&
	       was_sent_without(first->ack, end);
}

bool answers_with_data(const struct packet *packet)
{
	const struct copy *first = packet->copies[0];

	return !is_icmp_error(&first->flow) && !first->again &&
	       (!is_tcp(&first->flow) || packet_payload(packet) > 0);
}

bool resets_connection(const struct copy *first)
{
	return is_tcp(&first->flow) && first->tcp_flags & TCP_RST;
}
