// SPDX-License-Identifier: LGPL-2.1
/*
 * flow_text.c - format a flow in the style of tcpdump
 */
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "flow_text.h"

struct number_name {
	unsigned int number;
	const char *name;
};

static const struct number_name protocols[] = {
	{ FLOW_ICMP, "icmp" },
	{ 2, "igmp" },
	{ 4, "ipip" },
	{ 6, "tcp" },
	{ 17, "udp" },
	{ 33, "dccp" },
	{ 41, "ipv6" },
	{ 43, "ipv6-route" },
	{ 44, "ipv6-frag" },
	{ 47, "gre" },
	{ 50, "esp" },
	{ 51, "ah" },
	{ FLOW_ICMPV6, "icmpv6" },
	{ 60, "ipv6-opts" },
	{ 89, "ospf" },
	{ 132, "sctp" },
	{ 136, "udplite" },
};

static const struct number_name ethertypes[] = {
	{ 0x0800, "ip" },    { 0x0806, "arp" },	 { 0x8035, "rarp" },  { 0x8100, "vlan" },
	{ 0x86dd, "ipv6" },  { 0x8847, "mpls" }, { 0x8863, "pppoe" }, { 0x8864, "pppoe" },
	{ 0x888e, "eapol" }, { 0x88a8, "vlan" }, { 0x88cc, "lldp" },  { 0x88e5, "macsec" },
};

#define lookup(table, number) name_of(table, sizeof(table) / sizeof((table)[0]), number)

static const char *name_of(const struct number_name *table, size_t len, unsigned int number)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (table[i].number == number)
			return table[i].name;
	}
	return NULL;
}

/* A buffer to which text is appended; text beyond FLOW_TEXT_LEN bytes is cut off. */
struct text {
	char *buf;
	size_t len;
};

static void __attribute__((format(printf, 2, 3)))
append_text(struct text *text, const char *fmt, ...)
{
	size_t space = FLOW_TEXT_LEN - text->len;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text->buf + text->len, space, fmt, ap);
	va_end(ap);
	if (n > 0)
		text->len += (size_t)n < space ? (size_t)n : space - 1;
}

static bool has_address(const struct flow *flow)
{
	return flow->family == FLOW_INET || flow->family == FLOW_INET6;
}

static bool is_unspecified(const struct flow *flow, const uint8_t *addr)
{
	static const uint8_t zero[16];

	return !memcmp(addr, zero, flow->family == FLOW_INET ? 4 : 16);
}

static void add_end(struct text *text, const struct flow *flow, const uint8_t *addr,
		    unsigned int port, bool ports, bool star)
{
	char name[INET6_ADDRSTRLEN] = "?";
	bool v6 = flow->family == FLOW_INET6;

	if (star && is_unspecified(flow, addr)) {
		append_text(text, port ? "*:%u" : "*", port);
		return;
	}
	inet_ntop(v6 ? AF_INET6 : AF_INET, addr, name, sizeof(name));
	if (!ports)
		append_text(text, "%s", name);
	else
		append_text(text, v6 ? "[%s]:%u" : "%s:%u", name, port);
}

/* Common names of ICMP types and codes. The code ANY matches every code. */
#define ANY 0x100
static const struct icmp_name {
	uint8_t proto, type;
	uint16_t code;
	const char *name;
} icmp_names[] = {
	{ FLOW_ICMP, 3, 0, "net unreachable" },
	{ FLOW_ICMP, 3, 1, "host unreachable" },
	{ FLOW_ICMP, 3, 2, "protocol unreachable" },
	{ FLOW_ICMP, 3, 3, "port unreachable" },
	{ FLOW_ICMP, 3, 4, "fragmentation needed" },
	{ FLOW_ICMP, 3, 9, "net prohibited" },
	{ FLOW_ICMP, 3, 10, "host prohibited" },
	{ FLOW_ICMP, 3, 13, "communication prohibited" },
	{ FLOW_ICMP, 5, ANY, "redirect" },
	{ FLOW_ICMP, 11, 0, "time exceeded" },
	{ FLOW_ICMP, 11, 1, "reassembly time exceeded" },
	{ FLOW_ICMP, 12, ANY, "parameter problem" },
	{ FLOW_ICMPV6, 1, 0, "no route" },
	{ FLOW_ICMPV6, 1, 1, "communication prohibited" },
	{ FLOW_ICMPV6, 1, 3, "address unreachable" },
	{ FLOW_ICMPV6, 1, 4, "port unreachable" },
	{ FLOW_ICMPV6, 2, ANY, "packet too big" },
	{ FLOW_ICMPV6, 3, 0, "time exceeded" },
	{ FLOW_ICMPV6, 3, 1, "reassembly time exceeded" },
	{ FLOW_ICMPV6, 4, ANY, "parameter problem" },
	{ FLOW_ICMPV6, 133, ANY, "router solicitation" },
	{ FLOW_ICMPV6, 134, ANY, "router advertisement" },
	{ FLOW_ICMPV6, 135, ANY, "neighbour solicitation" },
	{ FLOW_ICMPV6, 136, ANY, "neighbour advertisement" },
	{ FLOW_ICMPV6, 137, ANY, "redirect" },
};

static const char *icmp_name(const struct flow *flow)
{
	for (size_t i = 0; i < sizeof(icmp_names) / sizeof(icmp_names[0]); i++) {
		const struct icmp_name *known = &icmp_names[i];

		if (known->proto == flow->proto && known->type == flow->icmp_type &&
		    (known->code == ANY || known->code == flow->icmp_code))
			return known->name;
	}
	return NULL;
}

static void add_icmp(struct text *text, const struct flow *flow)
{
	bool v6 = flow->proto == FLOW_ICMPV6;
	bool request = flow->icmp_type == (v6 ? 128 : 8);
	bool reply = flow->icmp_type == (v6 ? 129 : 0);
	const char *name = icmp_name(flow);

	if (request || reply)
		append_text(text, " echo %s id %u", request ? "request" : "reply", flow->icmp_id);
	else if (name)
		append_text(text, " %s", name);
	else
		append_text(text, " type %u code %u", flow->icmp_type, flow->icmp_code);
}

static void add_arp(struct text *text, const struct flow *flow)
{
	append_text(text, " arp ");
	add_end(text, flow, flow->saddr, 0, false, false);
	append_text(text, " > ");
	add_end(text, flow, flow->daddr, 0, false, false);
	if (flow->arp == 1 || flow->arp == 2)
		append_text(text, flow->arp == 1 ? " request" : " reply");
	else
		append_text(text, " operation %u", flow->arp);
}

static void add_flow(struct text *text, const struct flow *flow, bool star)
{
	const char *name;
	bool ports = flow->sport || flow->dport;

	if (flow->arp) {
		add_arp(text, flow);
		return;
	}
	if (!has_address(flow)) {
		name = lookup(ethertypes, flow->ethertype);
		if (name)
			append_text(text, " %s", name);
		else if (flow->ethertype)
			append_text(text, " ethertype 0x%04x", flow->ethertype);
		return;
	}

	/* The protocol is not known yet when a call creates a socket. */
	if (star && !flow->proto)
		return;
	name = lookup(protocols, flow->proto);
	if (name)
		append_text(text, " %s ", name);
	else
		append_text(text, " proto %u ", flow->proto);
	add_end(text, flow, flow->saddr, flow->sport, ports, star);
	append_text(text, " > ");
	add_end(text, flow, flow->daddr, flow->dport, ports, star);
}

void flow_text_packet(char *buf, unsigned int pkt, const struct flow *flow)
{
	struct text text = { .buf = buf };

	append_text(&text, "#%u", pkt);
	add_flow(&text, flow, false);
	if (has_address(flow) && flow->has_icmp)
		add_icmp(&text, flow);
}

void flow_text_call(char *buf, const struct flow *flow)
{
	struct text text = { .buf = buf };

	append_text(&text, "call");
	add_flow(&text, flow, true);
}
