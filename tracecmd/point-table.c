// SPDX-License-Identifier: GPL-2.0
/* The table of probe points: the places of a packet's path. */
#include <string.h>

#include "point-table.h"

#define KIND(k, n, d) .kind = RECORD_SKB_KIND_##k, .arg = (n), .dir = RECORD_SKB_DIR_##d
#define FLAGS(...)    .flags = __VA_ARGS__

#define CARRIER RECORD_SKB_POINT_CARRIER
#define SENDER	RECORD_SKB_POINT_SENDER
#define AT_DATA RECORD_SKB_POINT_AT_DATA
#define PEER	RECORD_SKB_POINT_PEER
#define MSG	RECORD_SKB_POINT_MSG
#define RELEASE RECORD_SKB_POINT_RELEASE
#define RETURN	RECORD_SKB_POINT_RETURN

/*
 * Where a packet comes from another context (a driver, a backlog, a queue), where it changes, or where a
 * filter can tell for the first time. What lies between shows in the graph anyway.
 */
/* clang-format off */
const struct place places[] = {
	/* From the driver up. */
	{ { "gro_receive_skb", "napi_gro_receive" }, KIND(SKB, 1, RX), FLAGS(AT_DATA | CARRIER) },
	{ { "netif_receive_skb" },		KIND(SKB, 0, RX), FLAGS(AT_DATA) },
	{ { "netif_receive_skb_list_internal" }, KIND(LIST, 0, RX), FLAGS(AT_DATA) },
	{ { "netif_rx_internal" },		KIND(SKB, 0, RX), FLAGS(AT_DATA) },
	{ { "__netif_receive_skb" },		KIND(SKB, 0, RX), FLAGS(AT_DATA) },
	{ { "__netif_receive_skb_list_core" },	KIND(LIST, 0, RX), FLAGS(AT_DATA) },
	{ { "br_handle_frame_finish" },		KIND(SKB, 2, RX), .in_module = true },
	{ { "arp_rcv" },			KIND(SKB, 0, RX) },
	{ { "ip_rcv" },				KIND(SKB, 0, RX) },
	{ { "ip_list_rcv" },			KIND(LIST, 0, RX) },
	{ { "ip_sublist_rcv" },			KIND(LIST, 0, RX) },
	{ { "ipv6_rcv" },			KIND(SKB, 0, RX) },
	{ { "ipv6_list_rcv" },			KIND(LIST, 0, RX) },
	{ { "ip6_sublist_rcv" },		KIND(LIST, 0, RX) },
	{ { "ip_defrag" },			KIND(SKB, 1, RX) },
	{ { "ipv6_frag_rcv" },			KIND(SKB, 0, RX) },
	{ { "ip_forward" },			KIND(SKB, 0, RX) },
	{ { "ip6_forward" },			KIND(SKB, 0, RX) },
	{ { "ip_local_deliver" },		KIND(SKB, 0, RX) },
	{ { "ip6_input" },			KIND(SKB, 0, RX) },
	{ { "vxlan_rcv" },			KIND(SKB, 1, RX), .in_module = true },
	{ { "gre_rcv" },			KIND(SKB, 0, RX), .in_module = true },
	{ { "ipip_rcv" },			KIND(SKB, 0, RX), .in_module = true },
	{ { "tcp_v4_rcv" },			KIND(SKB, 0, RX) },
	{ { "tcp_v6_rcv" },			KIND(SKB, 0, RX) },
	{ { "tcp_v4_do_rcv" },			KIND(SKB, 1, RX) },
	{ { "tcp_v6_do_rcv" },			KIND(SKB, 1, RX) },
	{ { "udp_rcv" },			KIND(SKB, 0, RX) },
	{ { "udpv6_rcv" },			KIND(SKB, 0, RX) },
	{ { "icmp_rcv" },			KIND(SKB, 0, RX) },
	{ { "icmpv6_rcv" },			KIND(SKB, 0, RX) },
	{ { "raw_rcv" },			KIND(SKB, 1, RX) },
	{ { "rawv6_rcv" },			KIND(SKB, 1, RX) },
	{ { "igmp_rcv" },			KIND(SKB, 0, RX) },
	{ { "sctp_rcv" },			KIND(SKB, 0, RX), .in_module = true },

	/* Those that take it for a socket, or refuse it: reading/functions.c. */
	{ { "__udp_enqueue_schedule_skb" },	KIND(SKB, 1, RX), FLAGS(RETURN) },
	{ { "sock_queue_rcv_skb_reason" },	KIND(SKB, 1, RX), FLAGS(RETURN) },
	{ { "packet_rcv" },			KIND(SKB, 0, NONE), .in_module = true },
	{ { "tpacket_rcv" },			KIND(SKB, 0, NONE), .in_module = true },

	/* And down to it; its own transmit function is the module's to find. */
	{ { "__ip_local_out" },			KIND(SKB, 2, TX), FLAGS(SENDER) },
	{ { "__ip6_local_out" },		KIND(SKB, 2, TX), FLAGS(SENDER) },
	{ { "ip_output" },			KIND(SKB, 2, TX), FLAGS(SENDER) },
	{ { "ip_mc_output" },			KIND(SKB, 2, TX), FLAGS(SENDER) },
	{ { "ip6_output" },			KIND(SKB, 2, TX), FLAGS(SENDER) },
	{ { "neigh_resolve_output" },		KIND(SKB, 1, TX) },
	{ { "arp_xmit" },			KIND(SKB, 0, TX) },
	{ { "br_dev_queue_push_xmit" },		KIND(SKB, 2, TX), .in_module = true },
	{ { "__dev_queue_xmit" },		KIND(SKB, 0, TX), FLAGS(SENDER) },
	{ { "sch_direct_xmit" },		KIND(SKB, 0, TX), FLAGS(CARRIER) },
	{ { "dev_hard_start_xmit" },		KIND(SKB, 0, TX), FLAGS(CARRIER | RETURN) },

	/* Sockets: no header yet, or none any more. */
	{ { "__tcp_transmit_skb" },		KIND(SOCK, 0, TX) },
	{ { "tcp_v4_connect", "tcp_v6_connect" }, KIND(SOCK, 0, TX), FLAGS(PEER) },
	{ { "tcp_sendmsg" },			KIND(SOCK, 0, TX) },
	{ { "tcp_recvmsg" },			KIND(SOCK, 0, RX) },
	{ { "udp_sendmsg", "udpv6_sendmsg" },	KIND(SOCK, 0, TX), FLAGS(MSG) },
	{ { "udp_recvmsg", "udpv6_recvmsg" },	KIND(SOCK, 0, RX) },
	{ { "raw_sendmsg", "rawv6_sendmsg" },	KIND(SOCK, 0, TX), FLAGS(MSG) },
	{ { "ping_v4_sendmsg", "ping_v6_sendmsg" }, KIND(SOCK, 0, TX), FLAGS(MSG) },

	/* What a followed task asks for. */
	{ { "__sys_socket" },			KIND(FAMILY, 0, NONE), .follow = true },
	{ { "__sys_bind" },			KIND(FD, 0, NONE), .follow = true },
	{ { "__sys_connect" },			KIND(FD, 0, TX), .follow = true },
	{ { "__sys_listen" },			KIND(FD, 0, NONE), .follow = true },
	{ { "__sys_accept4" },			KIND(FD, 0, RX), .follow = true },
	{ { "__sys_sendto" },			KIND(FD, 0, TX), .follow = true },
	{ { "__sys_sendmsg" },			KIND(FD, 0, TX), .follow = true },
	{ { "__sys_sendmmsg" },			KIND(FD, 0, TX), .follow = true },
	{ { "__sys_recvfrom" },			KIND(FD, 0, RX), .follow = true },
	{ { "__sys_recvmsg" },			KIND(FD, 0, RX), .follow = true },
	{ { "__sys_recvmmsg", "do_recvmmsg" },	KIND(FD, 0, RX), .follow = true },
	{ { "__sys_setsockopt" },		KIND(FD, 0, NONE), .follow = true },
	{ { "__sys_getsockopt" },		KIND(FD, 0, NONE), .follow = true },
	{ { "__sys_shutdown" },			KIND(FD, 0, NONE), .follow = true },
	{ { "sock_write_iter" },		KIND(KIOCB, 0, TX), .follow = true },
	{ { "sock_read_iter" },			KIND(KIOCB, 0, RX), .follow = true },
	{ { "sock_sendmsg" },			KIND(SOCKET, 0, TX), FLAGS(MSG), .follow = true },
	{ { "sock_recvmsg" },			KIND(SOCKET, 0, RX), .follow = true },
	{ { "inet_stream_connect", "inet_dgram_connect" },
						KIND(SOCKET, 0, TX), FLAGS(PEER), .follow = true },
	{ { "inet_release" },			KIND(SOCKET, 0, NONE), FLAGS(RELEASE), .follow = true },
};
/* clang-format on */

const size_t nr_places = sizeof(places) / sizeof(places[0]);

void point_fill(struct record_skb_point *point, const struct place *place, const char *name)
{
	memset(point, 0, sizeof(*point));
	strncpy(point->func, name, sizeof(point->func) - 1);
	point->kind = place->kind;
	point->arg = place->arg;
	point->dir = place->dir;
	point->flags = place->flags;
}

const struct place *place_find(const char *name)
{
	for (size_t i = 0; i < nr_places; i++)
		for (const char *const *known = places[i].names; *known; known++)
			if (!strcmp(*known, name))
				return &places[i];
	return NULL;
}

const char *point_kind_name(unsigned int kind)
{
	static const char *const names[] = {
		[RECORD_SKB_KIND_SKB] = "skb",	     [RECORD_SKB_KIND_LIST] = "list",
		[RECORD_SKB_KIND_SOCK] = "sock",     [RECORD_SKB_KIND_SOCKET] = "socket",
		[RECORD_SKB_KIND_FD] = "fd",	     [RECORD_SKB_KIND_KIOCB] = "kiocb",
		[RECORD_SKB_KIND_FAMILY] = "family",
	};

	return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "?";
}

const char *point_dir_name(unsigned int dir)
{
	switch (dir) {
	case RECORD_SKB_DIR_RX:
		return "rx";
	case RECORD_SKB_DIR_TX:
		return "tx";
	default:
		return "-";
	}
}
