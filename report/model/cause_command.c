// SPDX-License-Identifier: GPL-2.0
/* cause_command.c - fill the addresses, ports and devices of a packet into the command of a cause */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "escape.h"
#include "event.h"
#include "model/cause_command.h"

#define PROTO_TCP 6
#define PROTO_UDP 17

static const char *format_address(char *buf, size_t size, const struct flow *flow,
				  const uint8_t *bytes)
{
	static const uint8_t none[16];

	if (!flow->family || !memcmp(bytes, none, flow->family == FLOW_INET6 ? 16 : 4))
		return NULL;
	return inet_ntop(flow->family == FLOW_INET6 ? AF_INET6 : AF_INET, bytes, buf, size);
}

static const char *format_port(char *buf, size_t size, uint16_t port)
{
	if (!port)
		return NULL;
	snprintf(buf, size, "%u", port);
	return buf;
}

static const char *choose_protocol(const struct flow *flow, const char *tcp, const char *udp)
{
	switch (flow->proto) {
	case PROTO_TCP:
		return tcp;
	case PROTO_UDP:
		return udp;
	default:
		return NULL;
	}
}

/*
 * Return: the device name, quoted for use in the path of a sysctl; NULL if the name contains an equals sign,
 * because sysctl(8) would then write a setting instead of reading it.
 */
static const char *sysctl_word(char *buf, size_t size, const char *device)
{
	return strchr(device, '=') ? NULL : escape_shell(buf, size, device);
}

#define ETHERTYPE_IPV4 0x0800
#define ETHERTYPE_IPV6 0x86dd

/*
 * Return: @ipv6 or @ipv4, by the version of IP; NULL if it is not known. The headers of a packet that
 * is cut off have no addresses, so its EtherType decides.
 */
static const char *choose_version(const struct flow *flow, const char *ipv6, const char *ipv4)
{
	if (flow->family == FLOW_INET6 || (!flow->family && flow->ethertype == ETHERTYPE_IPV6))
		return ipv6;
	if (flow->family == FLOW_INET || (!flow->family && flow->ethertype == ETHERTYPE_IPV4))
		return ipv4;
	return NULL;
}

/*
 * Return: the text that replaces a % letter; NULL if its value is not known or cannot be quoted for a shell.
 */
static const char *expand_letter(char *buf, size_t size, char which, const struct about *about)
{
	const struct flow *flow = about->flow;

	switch (which) {
	case 'd':
		return about->device ? escape_shell(buf, size, about->device) : NULL;
	case 'c':
		return about->device ? sysctl_word(buf, size, about->device) : NULL;
	case 'S':
		return format_address(buf, size, flow, flow->saddr);
	case 'D':
		return format_address(buf, size, flow, flow->daddr);
	case 'P':
		return format_port(buf, size, flow->sport);
	case 'p':
		return format_port(buf, size, flow->dport);
	case 'l':
		return format_port(buf, size, about->receives ? flow->dport : flow->sport);
	case 'u':
		return choose_protocol(flow, "t", "u");
	case 'L':
		/*
		 * UDP: use "-a" and not "-l", because "-l" leaves out sockets that are connected to another
		 * peer.
		 */
		return choose_protocol(flow, "tl", "ua");
	case 'n':
		return choose_protocol(flow, "tcp", "udp");
	case 'f':
		return choose_version(flow, "6", "4");
	case '6':
		return choose_version(flow, "6", "");
	case 'e':
		/* nstat uses the prefix "IpExt" for counters of IPv4 that are not in the MIB of IPv4. */
		return choose_version(flow, "6", "Ext");
	default:
		return NULL;
	}
}

const char *cause_command(char *buf, const struct cause *cause, const struct about *about)
{
	const char *from = cause->shows, *what;
	char text[SHELL_WORD_LEN(DEVICE_NAME_LEN)];
	size_t len = 0;

	if (!from)
		return NULL;
	for (; *from && len < COMMAND_LEN - 1; from++) {
		if (*from != '%') {
			buf[len++] = *from;
			continue;
		}
		what = expand_letter(text, sizeof(text), *++from, about);
		if (!what || strlen(what) >= COMMAND_LEN - len)
			return NULL;
		len += snprintf(buf + len, COMMAND_LEN - len, "%s", what);
	}
	buf[len] = '\0';
	return buf;
}

const char *nft_family(unsigned int family)
{
	static const char *const names[] = {
		[1] = "inet", [2] = "ip", [3] = "arp", [5] = "netdev", [7] = "bridge", [10] = "ip6",
	};

	return family < sizeof(names) / sizeof(names[0]) && names[family] ? names[family] : "?";
}

bool nft_can_name(const char *name)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
	static const char others[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-/";

	return *name && strchr(letters, *name) && strspn(name, others) == strlen(name);
}

void nft_command(char *buf, unsigned int family, const char *table, const char *chain)
{
	const char *word = nft_family(family);
	const bool is_known = *word != '?';
	int n = COMMAND_LEN;

	if (is_known && nft_can_name(table) && nft_can_name(chain))
		n = snprintf(buf, COMMAND_LEN, "nft -a list chain %s %s %s", word, table, chain);
	if (n >= COMMAND_LEN)
		snprintf(buf, COMMAND_LEN, "nft -a list ruleset%s%s", is_known ? " " : "",
			 is_known ? word : "");
}

void program_command(char *buf, uint32_t id, bool is_one_of)
{
	*buf = '\0';
	if (is_one_of)
		snprintf(buf, COMMAND_LEN, "bpftool cgroup tree");
	else if (id)
		snprintf(buf, COMMAND_LEN, "bpftool prog show id %u", id);
}
