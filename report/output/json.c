// SPDX-License-Identifier: GPL-2.0
/* json.c - print a JSON object for each packet and each loss; the man page describes the members */
#include <arpa/inet.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "hosts/hosts.h"
#include "model/packet_headers.h"
#include "output/json.h"
#include "output/json_line.h"
#include "model/packet_text.h"

static void add_end(struct json_object *to, const char *name, const struct flow *flow,
		    const uint8_t *addr, unsigned int port)
{
	struct json_object *end = json_object_new_object();
	char text[INET6_ADDRSTRLEN];

	inet_ntop(flow->family == FLOW_INET6 ? AF_INET6 : AF_INET, addr, text, sizeof(text));
	json_add_text(end, "address", text);
	if (flow->sport || flow->dport)
		json_add_number(end, "port", port);
	json_add(to, name, end);
}

static void add_icmp(struct json_object *to, const struct flow *flow)
{
	struct json_object *icmp = json_object_new_object();

	json_add_number(icmp, "type", flow->icmp_type);
	json_add_number(icmp, "code", flow->icmp_code);
	json_add_number(icmp, "id", flow->icmp_id);
	json_add(to, "icmp", icmp);
}

static void add_flow(struct json_object *to, const struct copy *copy)
{
	const struct flow *flow = &copy->flow;
	char flags[TCP_FLAGS_LEN];

	if (flow->ethertype)
		json_add_number(to, "ethertype", flow->ethertype);
	if (flow->arp)
		json_add_number(to, "arp", flow->arp);
	else if (flow->family)
		json_add_number(to, "protocol", flow->proto);
	else
		return;
	add_end(to, "source", flow, flow->saddr, flow->sport);
	add_end(to, "destination", flow, flow->daddr, flow->dport);
	if (flow->proto == PROTO_TCP) {
		json_add_text(to, "tcp_flags", words_tcp_flags(flags, copy));
		json_add_number(to, "tcp_seq", copy->seq);
		json_add_number(to, "tcp_ack", copy->ack);
		if (copy->again)
			json_add(to, "tcp_again", json_object_new_boolean(true));
	}
	if (flow->has_icmp)
		add_icmp(to, flow);
}

static void add_path(struct json_object *to, const struct path *path, const struct devices *devices)
{
	struct json_object *hops = json_object_new_array();

	for (unsigned int i = 0; i < path->n; i++) {
		const struct device *device = devices_get(devices, path->hops[i].device);
		struct json_object *hop = json_object_new_object();

		json_add_text(hop, "device", device->name);
		if (device->netns)
			json_add_number(hop, "netns", hosts_inode_of_netns(device->netns));
		json_add_netns_name(hop, devices_netns_name(devices, device));
		if (hosts_count())
			json_add_text(hop, "host", hosts_name(hosts_of_netns(device->netns)));
		if (device->kind[0])
			json_add_text(hop, "kind", device->kind);
		json_object_array_add(hops, hop);
	}
	json_add(to, "path", hops);
}

static void add_slowest(struct json_object *to, const struct packet *packet)
{
	struct json_object *slowest = json_object_new_object();

	json_add_text(slowest, "function", packet->slowest->text);
	json_add_time(slowest, "self", packet->slowest_ns);
	json_add(to, "slowest", slowest);
}

/* Add the target to which a BPF program redirects the packet. */
static void add_target(struct json_object *to, const struct program_facts *facts)
{
	static const char *const names[] = { NULL,	  "device", "ingress", "peer",
					     "neighbour", "devmap", "cpu",     "xsk",
					     "socket",	  "map",    "receiver" };
	struct json_object *target;

	if (!facts->to || facts->to >= sizeof(names) / sizeof(*names))
		return;
	target = json_object_new_object();
	json_add_text(target, "kind", names[facts->to]);
	if (facts->to_dev[0])
		json_add_text(target, "device", facts->to_dev);
	if (facts->to_map)
		json_add_number(target, "map", facts->to_map);
	if (facts->to == RECORD_SKB_TO_SENDER || facts->to == RECORD_SKB_TO_RECEIVER)
		json_add_number(target, "port", facts->to_index);
	else if (facts->to_map && facts->to != RECORD_SKB_TO_MAP)
		json_add_number(target, "key", facts->to_index);
	json_add(to, "target", target);
}

static struct json_object *new_program(const struct program_facts *facts)
{
	static const char *const hooks[] = { NULL, "ingress", "egress" };
	struct json_object *program = json_object_new_object();

	json_add_text(program, "kind", program_kind(facts));
	if (facts->type != PROGRAM_XDP && facts->dir && facts->dir < 3)
		json_add_text(program, "hook", hooks[facts->dir]);
	json_add_text(program, "name", facts->name);
	json_add_number(program, "id", facts->id);
	json_add_text(program, "tag", facts->tag);
	if (facts->dev[0])
		json_add_text(program, "device", facts->dev);
	if (facts->netns)
		json_add_number(program, "netns", hosts_inode_of_netns(facts->netns));
	if (facts->candidates)
		json_add_number(program, "candidates", facts->candidates);
	else
		json_add(program, "result", json_object_new_int(facts->result));
	if (program_result(facts))
		json_add_text(program, "result_name", program_result(facts));
	add_target(program, facts);
	return program;
}

static void add_programs(struct json_object *to, const struct programs *programs)
{
	struct json_object *list;

	if (!programs->n)
		return;
	list = json_object_new_array();
	for (unsigned int i = 0; i < programs->n; i++)
		json_object_array_add(list, new_program(&programs->v[i]));
	json_add(to, "programs", list);
}

static void add_address(struct json_object *to, const char *name, const struct address *address)
{
	char text[ADDRESS_TEXT_LEN];

	if (address->family)
		json_add_text(to, name, words_address(text, address));
}

static void add_route(struct json_object *to, const struct decision *decision)
{
	const struct decision_facts *facts = &decision->facts;

	json_add_number(to, "table", facts->table);
	add_address(to, "to", &facts->to);
	if (decision->is_reverse)
		json_add(to, "source_check", json_object_new_boolean(true));
	json_add(to, "error", json_object_new_int(-facts->result));
	if (facts->result)
		return;
	if (facts->dev[0])
		json_add_text(to, "device", facts->dev);
	add_address(to, "gateway", &facts->via);
}

static void add_nat(struct json_object *to, const struct decision *decision)
{
	char text[FLOW_TEXT_LEN];

	json_add(to, "applied",
		 json_object_new_boolean(decision->facts.kind == DECISION_TRANSLATED));
	json_add(to, "conntrack", json_object_new_boolean(decision->facts.number != 0));
	json_add_text(to, "before", words_flow(text, &decision->before));
	json_add_text(to, "now", words_flow(text, &decision->now));
}

static void add_connection(struct json_object *to, const struct decision *decision)
{
	const uint32_t status = decision->facts.number;

	json_add_text(to, "state", decision_ct_state(decision));
	json_add(to, "reply", json_object_new_boolean(decision_ct_is_reply(decision)));
	json_add(to, "snat", json_object_new_boolean(status & CT_SRC_NAT));
	json_add(to, "dnat", json_object_new_boolean(status & CT_DST_NAT));
	json_add(to, "offload", json_object_new_boolean(status & CT_OFFLOAD));
}

static void add_decision_facts(struct json_object *to, const struct decision *decision)
{
	const struct decision_facts *facts = &decision->facts;

	switch ((int)facts->kind) {
	case RECORD_SKB_DECISION_RULE:
		json_add_number(to, "priority", facts->number);
		if (decision_rule_action(decision))
			json_add_text(to, "action", decision_rule_action(decision));
		else
			json_add_number(to, "table", facts->table);
		break;
	case RECORD_SKB_DECISION_ROUTE:
		add_route(to, decision);
		break;
	case RECORD_SKB_DECISION_VRF:
		json_add_text(to, "device", facts->dev);
		break;
	case RECORD_SKB_DECISION_IPVS:
		add_address(to, "service", &facts->to);
		add_address(to, "server", &facts->via);
		json_add_text(to, "method", decision_ipvs_method(decision));
		break;
	case RECORD_SKB_DECISION_OVS:
		json_add_text(to, "action", decision_ovs_action(decision));
		break;
	case RECORD_SKB_DECISION_TAP:
		if (facts->number)
			json_add_number(to, "socket", facts->number);
		json_add_socket_process(to, decision->socket);
		json_add_text(to, "result", decision_tap_result(decision));
		break;
	case DECISION_CONNTRACK:
		add_connection(to, decision);
		break;
	case DECISION_TRANSLATED:
	case DECISION_NOT_TRANSLATED:
		add_nat(to, decision);
		break;
	}
}

static void add_decisions(struct json_object *to, const struct decisions *decisions)
{
	struct json_object *list, *one;

	if (!decisions->n)
		return;
	list = json_object_new_array();
	for (unsigned int i = 0; i < decisions->n; i++) {
		const struct decision *decision = &decisions->v[i];

		one = json_object_new_object();
		json_add_text(one, "kind", decision_kind(decision));
		json_add_time(one, "time", decision->at);
		if (decision->by)
			json_add_text(one, "function", decision->by->text);
		if (decision->facts.netns)
			json_add_number(one, "netns", hosts_inode_of_netns(decision->facts.netns));
		add_decision_facts(one, decision);
		json_object_array_add(list, one);
	}
	json_add(to, "decisions", list);
}

static void add_verdict(struct json_object *to, const struct outcome *outcome,
			const struct devices *devices)
{
	const struct device *device = devices_get(devices, outcome->device);
	struct json_object *verdict = json_object_new_object();

	json_add_text(verdict, "what", words_verdict_name(outcome->verdict));
	if (outcome->where)
		json_add_text(verdict, "function", outcome->where->text);
	if (device)
		json_add_text(verdict, "device", device->name);
	if (hosts_count())
		json_add_text(verdict, "host", hosts_name(outcome->host));
	if (outcome->verdict == VERDICT_LOST)
		json_add_text(verdict, "not_arrived_at", hosts_name(outcome->missed_at));
	if (outcome->reason[0])
		json_add_text(verdict, "reason", outcome->reason);
	if (outcome->program)
		json_add(verdict, "program", new_program(outcome->program));
	json_add(to, "verdict", verdict);
}

static void add_direction(struct json_object *to, const struct copy *copy)
{
	static const char *const dirs[] = { "unknown", "receive", "transmit" };

	json_add_text(to, "direction", dirs[copy->dir < 3 ? copy->dir : 0]);
}

#define NR_KINDS (RECORD_SKB_COPY_MORPH + 1)

static void print_copy(const struct packet *packet, const struct copy *copy,
		       const struct devices *devices)
{
	static const char *const kinds[NR_KINDS] = {
		"clone", "copy", "segment", "fragment", "part", "morph",
	};
	struct json_object *object = json_new_object("copy");

	json_add_number(object, "number", packet->number);
	json_add_number(object, "copy", copy->number);
	if (copy->number) {
		json_add_number(object, "from", copy->from);
		json_add_text(object, "kind",
			      copy->kind < NR_KINDS ? kinds[copy->kind] : "unknown");
	}
	if (copy->seen) {
		json_add_time(object, "time", copy->first);
		json_add_time(object, "last", copy->last);
		add_direction(object, copy);
		add_flow(object, copy);
		json_add_number(object, "length", copy->len);
	}
	add_path(object, &copy->path, devices);
	add_decisions(object, &copy->path.decisions);
	add_programs(object, &copy->programs);
	add_verdict(object, &copy->outcome, devices);
	json_print_object(object);
}

static void print_packet(const struct packet *packet, const struct devices *devices)
{
	struct json_object *object = json_new_object("packet");
	const struct copy *first = packet->copies[0];
	char path[PATH_LEN];

	json_add_number(object, "number", packet->number);
	json_add_time(object, "time", packet->first);
	json_add_time(object, "last", packet->last);
	add_direction(object, first);
	if (packet->flow_number)
		json_add_number(object, "flow", packet->flow_number);
	add_flow(object, first);
	json_add_number(object, "length", first->len);
	add_path(object, &packet->decided->path, devices);
	json_add_text(object, "path_text", words_path(path, &packet->decided->path, devices));
	add_decisions(object, &packet->decided->path.decisions);
	add_programs(object, &packet->decided->programs);
	json_add_time(object, "stack", packet->stack_ns);
	json_add_time(object, "waiting", packet->wait_ns);
	json_add_number(object, "calls", packet->calls);
	if (packet->slowest)
		add_slowest(object, packet);
	add_verdict(object, &packet->decided->outcome, devices);
	json_add_number(object, "copies", packet->nr_copies - 1);
	if (packet->missing)
		json_add_number(object, "missing_calls", packet->missing);
	json_add(object, "complete", json_object_new_boolean(!packet->incomplete));
	json_print_object(object);
}

static void json_print_packet(void *data, const struct packet *packet)
{
	const struct devices *devices = packets_devices(*(struct packets **)data);

	print_packet(packet, devices);
	for (unsigned int i = 0; packet->nr_copies > 1 && i < packet->nr_copies; i++)
		print_copy(packet, packet->copies[i], devices);
}

static void add_host_of_cpu(struct json_object *to, int cpu)
{
	if (hosts_count() && cpu >= 0)
		json_add_text(to, "host", hosts_name(hosts_of_cpu(cpu)));
}

static void print_missing(const struct missing *missing)
{
	struct json_object *object = json_new_object("loss");

	json_add(object, "cpu", json_object_new_int(hosts_cpu_of_cpu(missing->cpu)));
	add_host_of_cpu(object, missing->cpu);
	json_add_time(object, "from", missing->from);
	json_add_time(object, "to", missing->to);
	json_add_number(object, "calls", missing->calls);
	if (missing->pkt)
		json_add_number(object, "packet", missing->pkt);
	json_print_object(object);
}

static void json_end(void *data)
{
	const struct lost_events *losses = packets_losses(*(struct packets **)data);

	for (size_t i = 0; i < losses->n; i++) {
		const struct loss *loss = &losses->v[i];
		struct json_object *object = json_new_object("loss");

		if (loss->cpu >= 0)
			json_add(object, "cpu", json_object_new_int(hosts_cpu_of_cpu(loss->cpu)));
		add_host_of_cpu(object, loss->cpu);
		if (loss->cpu >= 0 && loss->from)
			json_add_time(object, "from", loss->from);
		json_add_time(object, "to", loss->to);
		if (loss->count)
			json_add_number(object, "entries", loss->count);
		json_print_object(object);
	}
	for (size_t i = 0; i < losses->nr_missing; i++)
		print_missing(&losses->missing[i]);
}

const struct output json_output = { .packet = json_print_packet, .end = json_end };
