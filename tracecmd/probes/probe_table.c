// SPDX-License-Identifier: GPL-2.0
/* probe_table.c - the table of probes along a packet's path */
#include <string.h>

#include "probes/probe_table.h"

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
 * The table has three kinds of functions: those in which a packet arrives from another context (driver,
 * backlog, queue), those that change a packet, and those in which a filter can match for the first time.
 * Other functions on a packet's path need no probe points, because they are in the call graph.
 */
/* clang-format off */
const struct probe_row probe_table[] = {
	/* Functions on the receive path, from the driver up. */
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

	/*
	 * Functions that queue the packet for a socket or refuse it. The programs that read a recording
	 * know these functions: see reading/functions.c.
	 */
	{ { "__udp_enqueue_schedule_skb" },	KIND(SKB, 1, RX), FLAGS(RETURN) },
	{ { "sock_queue_rcv_skb_reason" },	KIND(SKB, 1, RX), FLAGS(RETURN) },
	{ { "packet_rcv" },			KIND(SKB, 0, NONE), .in_module = true },
	{ { "tpacket_rcv" },			KIND(SKB, 0, NONE), .in_module = true },

	/*
	 * Functions on the transmit path, down to the driver. The module finds the transmit functions of
	 * drivers by itself.
	 */
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

	/*
	 * Functions of sockets. A packet to be sent has no headers yet, and the headers of a received packet
	 * were removed.
	 */
	{ { "__tcp_transmit_skb" },		KIND(SOCK, 0, TX) },
	{ { "tcp_v4_connect", "tcp_v6_connect" }, KIND(SOCK, 0, TX), FLAGS(PEER) },
	{ { "tcp_sendmsg", "tcp_sendpage" },	KIND(SOCK, 0, TX), FLAGS(RETURN) },
	{ { "tcp_bpf_sendmsg" },		KIND(SOCK, 0, TX), FLAGS(RETURN), .in_module = true },
	{ { "tcp_recvmsg" },			KIND(SOCK, 0, RX), FLAGS(RETURN) },
	{ { "tcp_splice_read" },		KIND(SOCKET, 0, RX), FLAGS(RETURN) },
	{ { "tls_sw_sendmsg", "tls_sw_sendpage" }, KIND(SOCK, 0, TX), FLAGS(RETURN), .in_module = true },
	{ { "tls_sw_recvmsg" },			KIND(SOCK, 0, RX), FLAGS(RETURN), .in_module = true },
	{ { "tls_sw_splice_read" },		KIND(SOCKET, 0, RX), FLAGS(RETURN), .in_module = true },
	{ { "udp_sendmsg", "udpv6_sendmsg" },	KIND(SOCK, 0, TX), FLAGS(MSG) },
	{ { "udp_recvmsg", "udpv6_recvmsg" },	KIND(SOCK, 0, RX) },
	{ { "raw_sendmsg", "rawv6_sendmsg" },	KIND(SOCK, 0, TX), FLAGS(MSG) },
	{ { "ping_v4_sendmsg", "ping_v6_sendmsg" }, KIND(SOCK, 0, TX), FLAGS(MSG) },

	/*
	 * System calls and functions of sockets, which are probed only if tasks are followed. inet_release()
	 * is also probed if the filter selects packets by TCP flags.
	 */
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
	{ { "inet_release" },			KIND(SOCKET, 0, NONE), FLAGS(RELEASE), .follow = true,
						.resets = true },
};
/* clang-format on */

const size_t nr_probe_rows = sizeof(probe_table) / sizeof(probe_table[0]);

void point_fill(struct record_skb_point *point, const struct probe_row *row, const char *name)
{
	memset(point, 0, sizeof(*point));
	strncpy(point->func, name, sizeof(point->func) - 1);
	point->kind = row->kind;
	point->arg = row->arg;
	point->dir = row->dir;
	point->flags = row->flags;
}

const struct probe_row *probe_table_find(const char *name)
{
	for (size_t i = 0; i < nr_probe_rows; i++)
		for (const char *const *known = probe_table[i].names; *known; known++)
			if (!strcmp(*known, name))
				return &probe_table[i];
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
