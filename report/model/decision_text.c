// SPDX-License-Identifier: GPL-2.0
/* decision_text.c - format the decisions of the kernel about the path of a packet */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow_text.h"
#include "hosts/hosts.h"
#include "model/packet_decisions.h"
#include "model/packet_text.h"

/* Numbers of the routing tables that exist in every namespace. */
enum { TABLE_DEFAULT = 253, TABLE_MAIN = 254, TABLE_LOCAL = 255 };

#define TABLE_TEXT_LEN 32

static const char *words_table(char *buf, uint32_t table)
{
	static const char *const names[] = { "default", "main", "local" };

	if (table >= TABLE_DEFAULT && table <= TABLE_LOCAL)
		snprintf(buf, TABLE_TEXT_LEN, "table %s", names[table - TABLE_DEFAULT]);
	else
		snprintf(buf, TABLE_TEXT_LEN, "table %u", table);
	return buf;
}

const char *words_address(char *buf, const struct address *address)
{
	char text[INET6_ADDRSTRLEN] = "?";

	if (address->family)
		inet_ntop(address->family == FLOW_INET6 ? AF_INET6 : AF_INET, address->bytes, text,
			  sizeof(text));
	if (!address->port)
		snprintf(buf, ADDRESS_TEXT_LEN, "%s", text);
	else
		snprintf(buf, ADDRESS_TEXT_LEN, address->family == FLOW_INET6 ? "[%s]:%u" : "%s:%u",
			 text, address->port);
	return buf;
}

const char *decision_rule_action(const struct decision *decision)
{
	switch (decision->facts.result) {
	case 1:
		return NULL;
	case 2:
		return "goto";
	case 3:
		return "nop";
	case 6:
		return "blackhole";
	case 7:
		return "unreachable";
	case 8:
		return "prohibit";
	default:
		return "unknown";
	}
}

const char *decision_ct_state(const struct decision *decision)
{
	switch (decision->facts.result) {
	case 1:
	case 4:
		return "established";
	case 2:
	case 5:
		return "related";
	case 3:
		return "new";
	case 8:
		return "untracked";
	default:
		return "unknown";
	}
}

const char *decision_ipvs_method(const struct decision *decision)
{
	static const char *const methods[] = { "masquerade", "local", "tunnel", "route", "bypass" };
	const unsigned int method = decision->facts.result;

	return method < sizeof(methods) / sizeof(*methods) ? methods[method] : "unknown";
}

const char *decision_ovs_action(const struct decision *decision)
{
	static const struct {
		const char *function, *action;
	} actions[] = {
		{ "ovs_dp_process_packet", "received" }, { "ovs_dp_upcall", "upcall" },
		{ "ovs_ct_execute", "conntrack" },	 { "ovs_meter_execute", "meter" },
		{ "ovs_vport_send", "output" },
	};

	for (size_t i = 0; decision->by && i < sizeof(actions) / sizeof(*actions); i++) {
		if (!strcmp(decision->by->text, actions[i].function))
			return actions[i].action;
	}
	return "unknown";
}

static const char *words_ovs(const struct decision *decision)
{
	const char *action = decision_ovs_action(decision);

	if (!strcmp(action, "upcall"))
		return "upcall to user space";
	return action;
}

/* Return: the reason why a routing table gave no route; "" if it gave a route. */
static const char *words_lookup_error(int error)
{
	switch (error) {
	case 0:
		return "";
	case -EAGAIN:
		return "no route";
	case -EHOSTUNREACH:
		return "unreachable";
	case -EACCES:
		return "prohibit";
	case -EINVAL:
		return "blackhole";
	default:
		return "error";
	}
}

static void write_route(char *buf, const struct decision *decision)
{
	const struct decision_facts *facts = &decision->facts;
	char to[ADDRESS_TEXT_LEN], via[ADDRESS_TEXT_LEN], table[TABLE_TEXT_LEN];
	char dev[ESCAPED_LEN(DEVICE_NAME_LEN)];
	const bool has_gateway = !facts->result && facts->via.family;

	snprintf(buf, DECISION_TEXT_LEN, "%s %s: %s: %s%s%s%s%s",
		 decision->is_reverse ? "source check of" : "route to",
		 words_address(to, &facts->to), words_table(table, facts->table),
		 words_lookup_error(facts->result), has_gateway ? "via " : "",
		 has_gateway ? words_address(via, &facts->via) : "",
		 has_gateway	? " on " :
		 !facts->result ? "on " :
				  "",
		 facts->result ? "" :
		 facts->dev[0] ? escape_text(dev, sizeof(dev), facts->dev) :
				 "no device");
}

static const char *words_nat(uint32_t status)
{
	const uint32_t both = CT_SRC_NAT | CT_DST_NAT;

	return (status & both) == both ? ", SNAT and DNAT" :
	       status & CT_SRC_NAT     ? ", SNAT" :
	       status & CT_DST_NAT     ? ", DNAT" :
					 "";
}

static void write_translation(char *buf, const struct decision *decision)
{
	char before_text[FLOW_TEXT_LEN], now_text[FLOW_TEXT_LEN];
	const char *before = words_flow(before_text, &decision->before);
	const char *now = words_flow(now_text, &decision->now);
	const bool is_nat = decision->facts.number & (CT_SRC_NAT | CT_DST_NAT);

	if (decision->facts.kind == DECISION_NOT_TRANSLATED)
		snprintf(buf, DECISION_TEXT_LEN,
			 "NOT translated in %s, but others of the flow: %s to %s",
			 decision->by ? decision->by->text : "?", before, now);
	else
		snprintf(buf, DECISION_TEXT_LEN, "%s: %s to %s", is_nat ? "NAT" : "new addresses",
			 before, now);
}

static void write_rule(char *buf, const struct decision *decision)
{
	const char *action = decision_rule_action(decision);
	char table[TABLE_TEXT_LEN];

	snprintf(buf, DECISION_TEXT_LEN, "policy rule %u: %s", decision->facts.number,
		 action ?: words_table(table, decision->facts.table));
}

static void write_ipvs(char *buf, const struct decision *decision)
{
	char service[ADDRESS_TEXT_LEN], server[ADDRESS_TEXT_LEN];

	snprintf(buf, DECISION_TEXT_LEN, "IPVS: service %s, real server %s (%s)",
		 words_address(service, &decision->facts.to),
		 words_address(server, &decision->facts.via), decision_ipvs_method(decision));
}

const char *decision_tap_result(const struct decision *decision)
{
	switch (decision->facts.result) {
	case RECORD_SKB_TAP_FULL:
		return "full";
	case RECORD_SKB_TAP_LOST:
		return "lost";
	default:
		return "unknown";
	}
}

/*
 * Write the name of a packet socket for the output: the process that has the socket, or the socket's inode
 * number.
 */
static void write_socket(char *buf, size_t size, const struct decision *decision)
{
	const uint32_t netns = decision->facts.netns;
	const bool has_host = hosts_count() && netns;

	if (decision->socket)
		snprintf(buf, size, "%s%s%.64s-%lu",
			 has_host ? hosts_name(hosts_of_netns(netns)) : "", has_host ? ": " : "",
			 decision->socket->text, strtoul(decision->socket->detail, NULL, 10));
	else if (decision->facts.number)
		snprintf(buf, size, "packet socket %u", decision->facts.number);
	else
		snprintf(buf, size, "a packet socket");
}

static void write_tap(char *buf, const struct decision *decision)
{
	char socket[DECISION_TEXT_LEN - 64];

	write_socket(socket, sizeof(socket), decision);
	switch (decision->facts.result) {
	case RECORD_SKB_TAP_FULL:
		snprintf(buf, DECISION_TEXT_LEN, "did not get to %s: its buffer was full", socket);
		break;
	case RECORD_SKB_TAP_LOST:
		snprintf(buf, DECISION_TEXT_LEN, "did not get to %s: the kernel does not tell why",
			 socket);
		break;
	default:
		snprintf(buf, DECISION_TEXT_LEN, "unknown if the packet got to %s", socket);
		break;
	}
}

const char *words_decision(char *buf, const struct decision *decision)
{
	const struct decision_facts *facts = &decision->facts;
	char dev[ESCAPED_LEN(DEVICE_NAME_LEN)];

	buf[0] = '\0';
	switch ((int)facts->kind) {
	case RECORD_SKB_DECISION_RULE:
		write_rule(buf, decision);
		break;
	case RECORD_SKB_DECISION_ROUTE:
		write_route(buf, decision);
		break;
	case RECORD_SKB_DECISION_VRF:
		snprintf(buf, DECISION_TEXT_LEN, "VRF %s",
			 escape_text(dev, sizeof(dev), facts->dev));
		break;
	case RECORD_SKB_DECISION_IPVS:
		write_ipvs(buf, decision);
		break;
	case RECORD_SKB_DECISION_FLOWTABLE:
		snprintf(buf, DECISION_TEXT_LEN, "flowtable: the packet takes the fast path");
		break;
	case RECORD_SKB_DECISION_OVS:
		snprintf(buf, DECISION_TEXT_LEN, "Open vSwitch: %s", words_ovs(decision));
		break;
	case RECORD_SKB_DECISION_TAP:
		write_tap(buf, decision);
		break;
	case DECISION_CONNTRACK:
		snprintf(buf, DECISION_TEXT_LEN, "connection: %s%s%s%s",
			 decision_ct_state(decision),
			 decision_ct_is_reply(decision) ? ", reply" : "", words_nat(facts->number),
			 facts->number & CT_OFFLOAD ? ", offload" : "");
		break;
	case DECISION_TRANSLATED:
	case DECISION_NOT_TRANSLATED:
		write_translation(buf, decision);
		break;
	case DECISION_BRIDGED:
		snprintf(buf, DECISION_TEXT_LEN,
			 "bridged frame goes through netfilter of IP (br_netfilter)");
		break;
	default:
		snprintf(buf, DECISION_TEXT_LEN, "decision %u", facts->kind);
		break;
	}
	return buf;
}

const char *words_decision_of_path(char *buf, const struct decision *decision)
{
	const struct decision_facts *facts = &decision->facts;
	char server[ADDRESS_TEXT_LEN];

	switch (facts->kind) {
	case RECORD_SKB_DECISION_ROUTE:
		if (facts->result || decision->is_reverse || !facts->table ||
		    (facts->table >= TABLE_DEFAULT && facts->table <= TABLE_LOCAL))
			return NULL;
		return words_table(buf, facts->table);
	case RECORD_SKB_DECISION_IPVS:
		snprintf(buf, DECISION_TEXT_LEN, "IPVS %s", words_address(server, &facts->via));
		return buf;
	case RECORD_SKB_DECISION_FLOWTABLE:
		return "flowtable";
	default:
		return NULL;
	}
}

const char *decision_kind(const struct decision *decision)
{
	switch ((int)decision->facts.kind) {
	case RECORD_SKB_DECISION_RULE:
		return "rule";
	case RECORD_SKB_DECISION_ROUTE:
		return "route";
	case RECORD_SKB_DECISION_VRF:
		return "vrf";
	case RECORD_SKB_DECISION_IPVS:
		return "ipvs";
	case RECORD_SKB_DECISION_FLOWTABLE:
		return "flowtable";
	case RECORD_SKB_DECISION_OVS:
		return "openvswitch";
	case RECORD_SKB_DECISION_TAP:
		return "packet_socket";
	case DECISION_CONNTRACK:
		return "conntrack";
	case DECISION_TRANSLATED:
	case DECISION_NOT_TRANSLATED:
		return "nat";
	case DECISION_BRIDGED:
		return "br_netfilter";
	default:
		return "other";
	}
}
