// SPDX-License-Identifier: LGPL-2.1
/*
 * return_text.c - what a probe point's function returned, in the kernel's words
 */
#include <stdio.h>
#include <string.h>

#include "return_text.h"

/* The most that the kernel takes for an error. */
#define MAX_ERRNO	4095
/* Errors from here on the kernel keeps to itself. */
#define FIRST_OWN_ERRNO	512

enum meaning {
	NOTHING,	/* it returns nothing, or a pointer */
	NUMBER,		/* zero and others, of which even negative ones may be no errors */
	ERROR,		/* a negative one is an error */
	RX,		/* what a protocol says of a packet, or an error */
	XMIT,		/* what a device's queue says of one, or an error */
	DRIVER,		/* what a driver's transmit function says, who may be a queue's customer too */
	GRO,
	BOOL,
};

/*
 * By the functions' own contracts, in all versions from 6.1 on.
 *
 * Not what one would think: tcp_v4_rcv() and vxlan_rcv() return -1 that is no -EPERM; udp_rcv()
 * may return a protocol's number as a negative one; ip_forward() NET_RX_DROP, and NET_XMIT_DROP,
 * which are both 1; br_dev_queue_push_xmit() 0 whatever became of the packet; __ip_local_out() 1
 * if all is well.
 */
static const struct {
	const char *func;
	enum meaning meaning;
} functions[] = {
	{ "__dev_queue_xmit",			XMIT },
	{ "__ip6_local_out",			ERROR },
	{ "__ip_local_out",			ERROR },
	{ "__netif_receive_skb",		RX },
	{ "__netif_receive_skb_list_core",	NOTHING },
	{ "__sys_accept4",			ERROR },
	{ "__sys_bind",				ERROR },
	{ "__sys_connect",			ERROR },
	{ "__sys_getsockopt",			ERROR },
	{ "__sys_listen",			ERROR },
	{ "__sys_recvfrom",			ERROR },
	{ "__sys_recvmmsg",			ERROR },
	{ "__sys_recvmsg",			ERROR },
	{ "__sys_sendmmsg",			ERROR },
	{ "__sys_sendmsg",			ERROR },
	{ "__sys_sendto",			ERROR },
	{ "__sys_setsockopt",			ERROR },
	{ "__sys_shutdown",			ERROR },
	{ "__sys_socket",			ERROR },
	{ "__tcp_transmit_skb",			XMIT },
	{ "arp_rcv",				RX },
	{ "arp_xmit",				NOTHING },
	{ "bond_start_xmit",			DRIVER },
	{ "br_dev_queue_push_xmit",		NUMBER },
	{ "br_dev_xmit",			DRIVER },
	{ "br_handle_frame_finish",		NUMBER },
	{ "dev_hard_start_xmit",		NOTHING },
	{ "do_recvmmsg",			ERROR },
	{ "dummy_xmit",				DRIVER },
	{ "e1000_xmit_frame",			DRIVER },
	{ "gre_rcv",				NUMBER },
	{ "gre_tap_xmit",			DRIVER },
	{ "gro_receive_skb",			GRO },
	{ "icmp_rcv",				RX },
	{ "icmpv6_rcv",				NUMBER },
	{ "igb_xmit_frame",			DRIVER },
	{ "inet_dgram_connect",			ERROR },
	{ "inet_release",			ERROR },
	{ "inet_stream_connect",		ERROR },
	{ "ip6_forward",			ERROR },
	{ "ip6_input",				RX },
	{ "ip6_output",				XMIT },
	{ "ip6_sublist_rcv",			NOTHING },
	{ "ip_defrag",				ERROR },
	{ "ip_forward",				ERROR },
	{ "ip_list_rcv",			NOTHING },
	{ "ip_local_deliver",			RX },
	{ "ip_mc_output",			XMIT },
	{ "ip_output",				XMIT },
	{ "ip_rcv",				RX },
	{ "ip_sublist_rcv",			NOTHING },
	{ "ipgre_xmit",				DRIVER },
	{ "ipip_rcv",				NUMBER },
	{ "ipip_tunnel_xmit",			DRIVER },
	{ "ipv6_frag_rcv",			NUMBER },
	{ "ipv6_list_rcv",			NOTHING },
	{ "ipv6_rcv",				RX },
	{ "ipvlan_start_xmit",			DRIVER },
	{ "loopback_xmit",			DRIVER },
	{ "macvlan_start_xmit",			DRIVER },
	{ "napi_gro_receive",			GRO },
	{ "neigh_resolve_output",		XMIT },
	{ "netif_receive_skb",			RX },
	{ "netif_receive_skb_list_internal",	NOTHING },
	{ "netif_rx_internal",			RX },
	{ "ping_v4_sendmsg",			ERROR },
	{ "ping_v6_sendmsg",			ERROR },
	{ "raw_rcv",				RX },
	{ "raw_sendmsg",			ERROR },
	{ "rawv6_rcv",				RX },
	{ "rawv6_sendmsg",			ERROR },
	{ "sch_direct_xmit",			BOOL },
	{ "sock_read_iter",			ERROR },
	{ "sock_recvmsg",			ERROR },
	{ "sock_sendmsg",			ERROR },
	{ "sock_write_iter",			ERROR },
	{ "tcp_recvmsg",			ERROR },
	{ "tcp_sendmsg",			ERROR },
	{ "tcp_v4_connect",			ERROR },
	{ "tcp_v4_do_rcv",			NUMBER },
	{ "tcp_v4_rcv",				NUMBER },
	{ "tcp_v6_connect",			ERROR },
	{ "tcp_v6_do_rcv",			NUMBER },
	{ "tcp_v6_rcv",				NUMBER },
	{ "udp_rcv",				NUMBER },
	{ "udp_recvmsg",			ERROR },
	{ "udp_sendmsg",			ERROR },
	{ "udpv6_rcv",				NUMBER },
	{ "udpv6_recvmsg",			ERROR },
	{ "udpv6_sendmsg",			ERROR },
	{ "veth_xmit",				DRIVER },
	{ "vlan_dev_hard_start_xmit",		DRIVER },
	{ "vxlan_rcv",				NUMBER },
	{ "vxlan_xmit",				DRIVER },
};

static const char *const rx_names[] = { "NET_RX_SUCCESS", "NET_RX_DROP" };
static const char *const xmit_names[] = { "NET_XMIT_SUCCESS", "NET_XMIT_DROP", "NET_XMIT_CN" };
static const char *const driver_names[] = {
	[0] = "NETDEV_TX_OK", [1] = "NET_XMIT_DROP", [2] = "NET_XMIT_CN", [16] = "NETDEV_TX_BUSY",
};
static const char *const gro_names[] = {
	"GRO_MERGED", "GRO_MERGED_FREE", "GRO_HELD", "GRO_NORMAL", "GRO_CONSUMED",
};
static const char *const bool_names[] = { "false", "true" };
static const char *const own_errors[] = {
	"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD", "ERESTART_RESTARTBLOCK",
};

#define lookup(table, number)	name_of(table, sizeof(table) / sizeof((table)[0]), number)

static const char *name_of(const char *const *table, size_t len, int64_t number)
{
	return number >= 0 && (uint64_t)number < len ? table[number] : NULL;
}

static const char *error_name(int number)
{
	if (number >= FIRST_OWN_ERRNO)
		return lookup(own_errors, number - FIRST_OWN_ERRNO);
	return strerrorname_np(number);
}

static const char *value_name(enum meaning meaning, int64_t value)
{
	switch (meaning) {
	case RX:
		return lookup(rx_names, value);
	case XMIT:
		return lookup(xmit_names, value);
	case DRIVER:
		return lookup(driver_names, value);
	case GRO:
		return lookup(gro_names, value);
	case BOOL:
		return lookup(bool_names, value);
	default:
		return NULL;
	}
}

static bool has_errors(enum meaning meaning)
{
	return meaning == ERROR || meaning == RX || meaning == XMIT || meaning == DRIVER;
}

static const enum meaning *find(const char *func)
{
	for (size_t i = 0; func && i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(functions[i].func, func))
			return &functions[i].meaning;
	return NULL;
}

bool return_text(char *buf, const char *func, int64_t ret, bool unknown)
{
	const enum meaning *known = find(func);
	enum meaning meaning = known ? *known : NUMBER;
	/* More of the register means nothing where a function returns int, or bool. */
	int value = meaning == BOOL ? (uint8_t)ret : (int32_t)ret;
	const char *name = value_name(meaning, value);
	const char *error = NULL;

	if (known ? meaning == NOTHING : !unknown)
		return false;
	if (has_errors(meaning) && value < 0 && value >= -MAX_ERRNO)
		error = error_name(-value);
	if (name)
		snprintf(buf, RETURN_TEXT_LEN, "= %s", name);
	else if (error)
		snprintf(buf, RETURN_TEXT_LEN, "= -%s", error);
	else
		snprintf(buf, RETURN_TEXT_LEN, "= %d", value);
	return true;
}
