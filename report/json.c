// SPDX-License-Identifier: GPL-2.0
/* json.c - an object a line; the man page says what is in it */
#include <arpa/inet.h>
#include <stdio.h>

#include "headers.h"
#include "json.h"
#include "words.h"

static void print_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < 0x20 || c > 0x7e)
			printf("\\u%04x", c);
		else
			putchar(c);
	}
	putchar('"');
}

/* A member that is not the first. */
static void print_text(const char *name, const char *text)
{
	printf(",\"%s\":", name);
	print_string(text);
}

static void print_number(const char *name, unsigned long long value)
{
	printf(",\"%s\":%llu", name, value);
}

static void print_end(const char *name, const struct flow *flow, const uint8_t *addr,
		      unsigned int port)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(flow->family == FLOW_INET6 ? AF_INET6 : AF_INET, addr, text, sizeof(text));
	printf(",\"%s\":{\"address\":\"%s\"", name, text);
	if (flow->sport || flow->dport)
		printf(",\"port\":%u", port);
	putchar('}');
}

static void print_flow(const struct copy *copy)
{
	const struct flow *flow = &copy->flow;
	char flags[TCP_FLAGS_LEN];

	if (flow->ethertype)
		print_number("ethertype", flow->ethertype);
	if (!flow->family)
		return;
	print_number("protocol", flow->proto);
	print_end("source", flow, flow->saddr, flow->sport);
	print_end("destination", flow, flow->daddr, flow->dport);
	if (flow->proto == PROTO_TCP) {
		print_text("tcp_flags", words_tcp_flags(flags, copy));
		print_number("tcp_seq", copy->seq);
		print_number("tcp_ack", copy->ack);
	}
	if (flow->has_icmp && (flow->proto == 1 || flow->proto == 58))
		printf(",\"icmp\":{\"type\":%u,\"code\":%u,\"id\":%u}", flow->icmp_type,
		       flow->icmp_code, flow->icmp_id);
}

static void print_path(const struct path *path, const struct devices *devices)
{
	printf(",\"path\":[");
	for (unsigned int i = 0; i < path->n; i++) {
		const struct device *device = devices_get(devices, path->hops[i]);

		printf("%s{\"device\":", i ? "," : "");
		print_string(device->name);
		if (device->netns)
			print_number("netns", device->netns);
		putchar('}');
	}
	putchar(']');
}

static void print_verdict(const struct outcome *outcome, const struct devices *devices)
{
	const struct device *device = devices_get(devices, outcome->device);

	printf(",\"verdict\":{\"what\":\"%s\"", words_verdict_name(outcome->verdict));
	if (outcome->where)
		print_text("function", outcome->where->text);
	if (device)
		print_text("device", device->name);
	if (outcome->reason[0])
		print_text("reason", outcome->reason);
	putchar('}');
}

static void print_direction(const struct copy *copy)
{
	static const char *const dirs[] = { "unknown", "receive", "transmit" };

	print_text("direction", dirs[copy->dir < 3 ? copy->dir : 0]);
}

#define NR_KINDS (RECORD_SKB_COPY_MORPH + 1)

static void print_copy(const struct packet *packet, const struct copy *copy,
		       const struct devices *devices)
{
	static const char *const kinds[NR_KINDS] = {
		"clone", "copy", "segment", "fragment", "part", "morph",
	};

	printf("{\"type\":\"copy\"");
	print_number("number", packet->number);
	print_number("copy", copy->number);
	if (copy->number) {
		print_number("from", copy->from);
		print_text("kind", copy->kind < NR_KINDS ? kinds[copy->kind] : "unknown");
	}
	if (copy->seen) {
		print_number("time_ns", copy->first);
		print_number("last_ns", copy->last);
		print_direction(copy);
		print_flow(copy);
		print_number("length", copy->len);
	}
	print_path(&copy->path, devices);
	print_verdict(&copy->outcome, devices);
	printf("}\n");
}

static void one_packet(void *data, const struct packet *packet)
{
	const struct devices *devices = packets_devices(*(struct packets **)data);
	const struct copy *first = packet->copies[0];

	printf("{\"type\":\"packet\"");
	print_number("number", packet->number);
	print_number("time_ns", packet->first);
	print_number("last_ns", packet->last);
	print_direction(first);
	if (packet->flow_number)
		print_number("flow", packet->flow_number);
	print_flow(first);
	print_number("length", first->len);
	print_path(&packet->decided->path, devices);
	print_number("stack_ns", packet->stack_ns);
	print_number("waiting_ns", packet->wait_ns);
	print_number("calls", packet->calls);
	if (packet->slowest) {
		printf(",\"slowest\":{\"function\":");
		print_string(packet->slowest->text);
		print_number("self_ns", packet->slowest_ns);
		putchar('}');
	}
	print_verdict(&packet->decided->outcome, devices);
	print_number("copies", packet->nr_copies - 1);
	printf(",\"complete\":%s}\n", packet->incomplete ? "false" : "true");
	for (unsigned int i = 0; packet->nr_copies > 1 && i < packet->nr_copies; i++)
		print_copy(packet, packet->copies[i], devices);
}

static void end(void *data)
{
	const struct losses *losses = packets_losses(*(struct packets **)data);

	for (size_t i = 0; i < losses->n; i++) {
		const struct loss *loss = &losses->v[i];

		printf("{\"type\":\"loss\",\"cpu\":%d", loss->cpu);
		if (loss->from)
			print_number("from_ns", loss->from);
		print_number("to_ns", loss->to);
		if (loss->count)
			print_number("entries", loss->count);
		printf("}\n");
	}
}

const struct output json_output = { .packet = one_packet, .end = end };
