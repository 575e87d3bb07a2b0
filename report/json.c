// SPDX-License-Identifier: GPL-2.0
/* json.c - an object a line; the man page says what is in it */
#include <arpa/inet.h>
#include <json-c/json.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "headers.h"
#include "json.h"
#include "words.h"

/*
 * What is no UTF-8 becomes U+FFFD: a device may be called anything, and JSON is UTF-8. Returns what is to
 * be freed, NULL without memory.
 */
static char *as_utf8(const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *valid = malloc(strlen(text) * (sizeof(replacement) - 1) + 1);
	mbstate_t state = { 0 };
	char *at = valid;
	size_t n;

	for (; valid && *text; text += n) {
		n = mbrtowc(NULL, text, strlen(text), &state);
		if (n <= strlen(text)) {
			at = mempcpy(at, text, n);
			continue;
		}
		at = stpcpy(at, replacement);
		memset(&state, 0, sizeof(state));
		n = 1;
	}
	if (valid)
		*at = '\0';
	return valid;
}

static struct json_object *new_text(const char *text)
{
	char *valid = as_utf8(text);
	struct json_object *object = valid ? json_object_new_string(valid) : NULL;

	free(valid);
	return object;
}

static void add_text(struct json_object *to, const char *name, const char *text)
{
	json_object_object_add(to, name, new_text(text));
}

static void add_number(struct json_object *to, const char *name, uint64_t value)
{
	json_object_object_add(to, name, json_object_new_uint64(value));
}

static void begin(void *data)
{
	(void)data;
	setlocale(LC_CTYPE, "C.UTF-8");
}

/* On a line of its own; it is gone then. */
static void print(struct json_object *object)
{
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

static struct json_object *new_object(const char *type)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "type", type);
	return object;
}

static void add_end(struct json_object *to, const char *name, const struct flow *flow,
		    const uint8_t *addr, unsigned int port)
{
	struct json_object *end = json_object_new_object();
	char text[INET6_ADDRSTRLEN];

	inet_ntop(flow->family == FLOW_INET6 ? AF_INET6 : AF_INET, addr, text, sizeof(text));
	add_text(end, "address", text);
	if (flow->sport || flow->dport)
		add_number(end, "port", port);
	json_object_object_add(to, name, end);
}

static void add_icmp(struct json_object *to, const struct flow *flow)
{
	struct json_object *icmp = json_object_new_object();

	add_number(icmp, "type", flow->icmp_type);
	add_number(icmp, "code", flow->icmp_code);
	add_number(icmp, "id", flow->icmp_id);
	json_object_object_add(to, "icmp", icmp);
}

static void add_flow(struct json_object *to, const struct copy *copy)
{
	const struct flow *flow = &copy->flow;
	char flags[TCP_FLAGS_LEN];

	if (flow->ethertype)
		add_number(to, "ethertype", flow->ethertype);
	if (flow->arp)
		add_number(to, "arp", flow->arp);
	else if (flow->family)
		add_number(to, "protocol", flow->proto);
	else
		return;
	add_end(to, "source", flow, flow->saddr, flow->sport);
	add_end(to, "destination", flow, flow->daddr, flow->dport);
	if (flow->proto == PROTO_TCP) {
		add_text(to, "tcp_flags", words_tcp_flags(flags, copy));
		add_number(to, "tcp_seq", copy->seq);
		add_number(to, "tcp_ack", copy->ack);
		if (copy->again)
			json_object_object_add(to, "tcp_again", json_object_new_boolean(true));
	}
	if (flow->has_icmp)
		add_icmp(to, flow);
}

static void add_path(struct json_object *to, const struct path *path, const struct devices *devices)
{
	struct json_object *hops = json_object_new_array();

	for (unsigned int i = 0; i < path->n; i++) {
		const struct device *device = devices_get(devices, path->hops[i]);
		struct json_object *hop = json_object_new_object();

		add_text(hop, "device", device->name);
		if (device->netns)
			add_number(hop, "netns", device->netns);
		json_object_array_add(hops, hop);
	}
	json_object_object_add(to, "path", hops);
}

static void add_slowest(struct json_object *to, const struct packet *packet)
{
	struct json_object *slowest = json_object_new_object();

	add_text(slowest, "function", packet->slowest->text);
	add_number(slowest, "self_ns", packet->slowest_ns);
	json_object_object_add(to, "slowest", slowest);
}

static void add_verdict(struct json_object *to, const struct outcome *outcome,
			const struct devices *devices)
{
	const struct device *device = devices_get(devices, outcome->device);
	struct json_object *verdict = json_object_new_object();

	add_text(verdict, "what", words_verdict_name(outcome->verdict));
	if (outcome->where)
		add_text(verdict, "function", outcome->where->text);
	if (device)
		add_text(verdict, "device", device->name);
	if (outcome->reason[0])
		add_text(verdict, "reason", outcome->reason);
	json_object_object_add(to, "verdict", verdict);
}

static void add_direction(struct json_object *to, const struct copy *copy)
{
	static const char *const dirs[] = { "unknown", "receive", "transmit" };

	add_text(to, "direction", dirs[copy->dir < 3 ? copy->dir : 0]);
}

#define NR_KINDS (RECORD_SKB_COPY_MORPH + 1)

static void print_copy(const struct packet *packet, const struct copy *copy,
		       const struct devices *devices)
{
	static const char *const kinds[NR_KINDS] = {
		"clone", "copy", "segment", "fragment", "part", "morph",
	};
	struct json_object *object = new_object("copy");

	add_number(object, "number", packet->number);
	add_number(object, "copy", copy->number);
	if (copy->number) {
		add_number(object, "from", copy->from);
		add_text(object, "kind", copy->kind < NR_KINDS ? kinds[copy->kind] : "unknown");
	}
	if (copy->seen) {
		add_number(object, "time_ns", copy->first);
		add_number(object, "last_ns", copy->last);
		add_direction(object, copy);
		add_flow(object, copy);
		add_number(object, "length", copy->len);
	}
	add_path(object, &copy->path, devices);
	add_verdict(object, &copy->outcome, devices);
	print(object);
}

static void print_packet(const struct packet *packet, const struct devices *devices)
{
	struct json_object *object = new_object("packet");
	const struct copy *first = packet->copies[0];

	add_number(object, "number", packet->number);
	add_number(object, "time_ns", packet->first);
	add_number(object, "last_ns", packet->last);
	add_direction(object, first);
	if (packet->flow_number)
		add_number(object, "flow", packet->flow_number);
	add_flow(object, first);
	add_number(object, "length", first->len);
	add_path(object, &packet->decided->path, devices);
	add_number(object, "stack_ns", packet->stack_ns);
	add_number(object, "waiting_ns", packet->wait_ns);
	add_number(object, "calls", packet->calls);
	if (packet->slowest)
		add_slowest(object, packet);
	add_verdict(object, &packet->decided->outcome, devices);
	add_number(object, "copies", packet->nr_copies - 1);
	json_object_object_add(object, "complete", json_object_new_boolean(!packet->incomplete));
	print(object);
}

static void one_packet(void *data, const struct packet *packet)
{
	const struct devices *devices = packets_devices(*(struct packets **)data);

	print_packet(packet, devices);
	for (unsigned int i = 0; packet->nr_copies > 1 && i < packet->nr_copies; i++)
		print_copy(packet, packet->copies[i], devices);
}

static void end(void *data)
{
	const struct losses *losses = packets_losses(*(struct packets **)data);

	for (size_t i = 0; i < losses->n; i++) {
		const struct loss *loss = &losses->v[i];
		struct json_object *object = new_object("loss");

		if (loss->cpu >= 0)
			json_object_object_add(object, "cpu", json_object_new_int(loss->cpu));
		if (loss->cpu >= 0 && loss->from)
			add_number(object, "from_ns", loss->from);
		add_number(object, "to_ns", loss->to);
		if (loss->count)
			add_number(object, "entries", loss->count);
		print(object);
	}
}

const struct output json_output = { .begin = begin, .packet = one_packet, .end = end };
