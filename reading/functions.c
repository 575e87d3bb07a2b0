// SPDX-License-Identifier: LGPL-2.1
/* functions.c - table of kernel functions that packets pass: their return values and roles */
#include <stddef.h>
#include <string.h>

#include "functions.h"
#include "record_skb.h"

#define FREES_ALL 1

/*
 * The entries describe the documented return values and effects of the functions in all kernels from 6.1 on.
 * tests/lint fails if the probe points and this table do not agree.
 *
 * Some return values are unexpected:
 *   tcp_v4_rcv(), vxlan_rcv()    -1, which does not mean -EPERM
 *   udp_rcv()                    may be the negative number of a protocol
 *   ip_forward()                 NET_RX_DROP or NET_XMIT_DROP, which are both 1
 *   br_dev_queue_push_xmit()     0 even if the packet was dropped
 *   __ip_local_out()             1 on success
 *   sock_queue_rcv_skb_reason()  a drop reason instead of an error from 7.0 on
 *
 * FREES_ALL marks functions that call kfree_skb() even for packets that they have processed. In the
 * recording, such a packet looks like a dropped one. TCP does this for segments that end a connection, and
 * ICMPv6 (up to 6.3) for each message. Drivers do it for sent packets, and sockets and tun for unread
 * packets. Up to 6.1, any function that frees an skb also calls kfree_skb() for all skbs that were merged
 * into this skb.
 */
/* clang-format off */
static const struct function_facts functions[] = {
	{ "__dev_kfree_skb_any",                 RETURNS_NOTHING, ROLE_PASSES, FREES_ALL },
	{ "__dev_queue_xmit",                    RETURNS_XMIT, ROLE_QUEUES, .keeps_segments = 1 },
	{ "__first_packet_length",               RETURNS_NOTHING, ROLE_READS },
	{ "__ip6_local_out",                     RETURNS_ERROR, .writes_len = 1 },
	{ "__ip_local_out",                      RETURNS_ERROR, .writes_len = 1 },
	{ "__netif_receive_skb",                 RETURNS_RX, .offers = 1 },
	{ "__netif_receive_skb_list_core",       RETURNS_NOTHING, .offers = 1 },
	{ "__skb_array_destroy_skb",             RETURNS_NOTHING, ROLE_PASSES, FREES_ALL },
	{ "__sock_queue_rcv_skb",                RETURNS_NUMBER, ROLE_TAKES },
	{ "__sys_accept4",                       RETURNS_ERROR },
	{ "__sys_bind",                          RETURNS_ERROR },
	{ "__sys_connect",                       RETURNS_ERROR },
	{ "__sys_getsockopt",                    RETURNS_ERROR },
	{ "__sys_listen",                        RETURNS_ERROR },
	{ "__sys_recvfrom",                      RETURNS_ERROR },
	{ "__sys_recvmmsg",                      RETURNS_ERROR },
	{ "__sys_recvmsg",                       RETURNS_ERROR },
	{ "__sys_sendmmsg",                      RETURNS_ERROR },
	{ "__sys_sendmsg",                       RETURNS_ERROR },
	{ "__sys_sendto",                        RETURNS_ERROR },
	{ "__sys_setsockopt",                    RETURNS_ERROR },
	{ "__sys_shutdown",                      RETURNS_ERROR },
	{ "__sys_socket",                        RETURNS_ERROR },
	{ "__tcp_transmit_skb",                  RETURNS_XMIT },
	{ "__udp_enqueue_schedule_skb",          RETURNS_NUMBER, ROLE_TAKES },
	{ "arp_rcv",                             RETURNS_RX, ROLE_HANDLES },
	{ "arp_xmit",                            RETURNS_NOTHING },
	{ "bareudp_xmit",                        RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "bond_start_xmit",                     RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "br_dev_queue_push_xmit",              RETURNS_NUMBER },
	{ "br_dev_xmit",                         RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "br_handle_frame_finish",              RETURNS_NUMBER, ROLE_FORWARDS },
	{ "dev_hard_start_xmit",                 RETURNS_NOTHING, ROLE_SENDS },
	{ "dev_kfree_skb_any_reason",            RETURNS_NOTHING, ROLE_PASSES, FREES_ALL },
	{ "do_recvmmsg",                         RETURNS_ERROR },
	{ "dummy_xmit",                          RETURNS_DRIVER, ROLE_DRIVES },
	{ "e1000_xmit_frame",                    RETURNS_DRIVER, ROLE_DRIVES },
	{ "geneve_xmit",                         RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "gre_rcv",                             RETURNS_NUMBER },
	{ "gre_tap_xmit",                        RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "gro_receive_skb",                     RETURNS_GRO, ROLE_MERGES },
	{ "gtp_dev_xmit",                        RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "icmp_rcv",                            RETURNS_RX, ROLE_HANDLES, .keeps_errors = 1 },
	{ "icmpv6_rcv",                          RETURNS_NUMBER, ROLE_HANDLES, FREES_ALL, .keeps_errors = 1 },
	{ "ifb_xmit",                            RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "igb_xmit_frame",                      RETURNS_DRIVER, ROLE_DRIVES },
	{ "igmp_rcv",                            RETURNS_NUMBER, ROLE_HANDLES },
	{ "inet_dgram_connect",                  RETURNS_ERROR },
	{ "inet_release",                        RETURNS_ERROR },
	{ "inet_stream_connect",                 RETURNS_ERROR },
	{ "ip6_forward",                         RETURNS_ERROR, ROLE_FORWARDS },
	{ "ip6_input",                           RETURNS_RX, .offers = 1 },
	{ "ip6_output",                          RETURNS_XMIT },
	{ "ip6_sublist_rcv",                     RETURNS_NOTHING },
	{ "ip6_tnl_start_xmit",                  RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "ip6gre_tunnel_xmit",                  RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "ip_defrag",                           RETURNS_ERROR, ROLE_QUEUES },
	{ "ip_forward",                          RETURNS_ERROR, ROLE_FORWARDS },
	{ "ip_list_rcv",                         RETURNS_NOTHING },
	{ "ip_local_deliver",                    RETURNS_RX, .offers = 1 },
	{ "ip_mc_output",                        RETURNS_XMIT },
	{ "ip_output",                           RETURNS_XMIT },
	{ "ip_rcv",                              RETURNS_RX },
	{ "ip_sublist_rcv",                      RETURNS_NOTHING },
	{ "ipgre_xmit",                          RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "ipip_rcv",                            RETURNS_NUMBER },
	{ "ipip_tunnel_xmit",                    RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "ipv6_frag_rcv",                       RETURNS_NUMBER, ROLE_QUEUES },
	{ "ipv6_list_rcv",                       RETURNS_NOTHING },
	{ "ipv6_rcv",                            RETURNS_RX },
	{ "ipvlan_start_xmit",                   RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "loopback_xmit",                       RETURNS_DRIVER, ROLE_DRIVES },
	{ "macvlan_start_xmit",                  RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "napi_gro_receive",                    RETURNS_GRO, ROLE_MERGES },
	{ "neigh_resolve_output",                RETURNS_XMIT, ROLE_QUEUES },
	{ "net_tx_action",                       RETURNS_NOTHING, ROLE_PASSES, FREES_ALL },
	{ "netif_receive_skb",                   RETURNS_RX, .offers = 1 },
	{ "netif_receive_skb_list_internal",     RETURNS_NOTHING, .offers = 1 },
	{ "netif_rx_internal",                   RETURNS_RX, ROLE_QUEUES, .offers = 1 },
	{ "packet_rcv",                          RETURNS_NUMBER, ROLE_TAPS },
	{ "ping_v4_sendmsg",                     RETURNS_ERROR },
	{ "ping_v6_sendmsg",                     RETURNS_ERROR },
	{ "raw_rcv",                             RETURNS_RX },
	{ "raw_sendmsg",                         RETURNS_ERROR },
	{ "rawv6_rcv",                           RETURNS_RX },
	{ "rawv6_sendmsg",                       RETURNS_ERROR },
	{ "sch_direct_xmit",                     RETURNS_BOOL, .keeps_segments = 1 },
	{ "sctp_rcv",                            RETURNS_NUMBER, ROLE_HANDLES_SCTP },
	{ "sit_tunnel_xmit",                     RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "sk_stream_kill_queues",               RETURNS_NOTHING, ROLE_CLOSES },
	{ "skb_queue_purge",                     RETURNS_NOTHING, ROLE_PASSES, FREES_ALL },
	{ "skb_queue_purge_reason",              RETURNS_NOTHING, ROLE_PASSES, FREES_ALL },
	{ "skb_release_data",                    RETURNS_NOTHING, ROLE_PASSES, FREES_ALL },
	{ "sock_queue_rcv_skb_reason",           RETURNS_NUMBER, ROLE_TAKES },
	{ "sock_read_iter",                      RETURNS_ERROR },
	{ "sock_recvmsg",                        RETURNS_ERROR },
	{ "sock_sendmsg",                        RETURNS_ERROR },
	{ "sock_write_iter",                     RETURNS_ERROR },
	{ "tcp_bpf_sendmsg",                     RETURNS_ERROR },
	{ "tcp_rcv_state_process",               RETURNS_NUMBER, ROLE_PASSES, FREES_ALL },
	{ "tcp_recvmsg",                         RETURNS_ERROR },
	{ "tcp_sendmsg",                         RETURNS_ERROR },
	{ "tcp_sendpage",                        RETURNS_ERROR },
	{ "tcp_splice_read",                     RETURNS_ERROR },
	{ "tcp_v4_connect",                      RETURNS_ERROR },
	{ "tcp_v4_do_rcv",                       RETURNS_NUMBER, ROLE_HANDLES_TCP },
	{ "tcp_v4_rcv",                          RETURNS_NUMBER, ROLE_HANDLES_TCP, FREES_ALL },
	{ "tcp_v6_connect",                      RETURNS_ERROR },
	{ "tcp_v6_do_rcv",                       RETURNS_NUMBER, ROLE_HANDLES_TCP },
	{ "tcp_v6_rcv",                          RETURNS_NUMBER, ROLE_HANDLES_TCP, FREES_ALL },
	{ "tpacket_rcv",                         RETURNS_NUMBER, ROLE_TAPS },
	{ "tls_sw_recvmsg",                      RETURNS_ERROR },
	{ "tls_sw_sendmsg",                      RETURNS_ERROR },
	{ "tls_sw_sendpage",                     RETURNS_ERROR },
	{ "tls_sw_splice_read",                  RETURNS_ERROR },
	{ "udp_rcv",                             RETURNS_NUMBER, .offers = 1 },
	{ "udp_recvmsg",                         RETURNS_ERROR, ROLE_READS },
	{ "udp_sendmsg",                         RETURNS_ERROR },
	{ "udpv6_rcv",                           RETURNS_NUMBER, .offers = 1 },
	{ "udpv6_recvmsg",                       RETURNS_ERROR, ROLE_READS },
	{ "udpv6_sendmsg",                       RETURNS_ERROR },
	{ "veth_xmit",                           RETURNS_DRIVER, ROLE_CROSSES },
	{ "vlan_dev_hard_start_xmit",            RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "vxlan_rcv",                           RETURNS_NUMBER },
	{ "vxlan_xmit",                          RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
	{ "wg_xmit",                             RETURNS_DRIVER, ROLE_DRIVES, .passes_on = 1 },
};
/* clang-format on */

const struct function_facts *function_facts(const char *name)
{
	for (size_t i = 0; name && i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (!strcmp(functions[i].name, name))
			return &functions[i];
	}
	return NULL;
}

int function_is_gate(const char *name)
{
	const size_t n = strlen(RECORD_SKB_GATE);

	if (strncmp(name, RECORD_SKB_GATE, n))
		return 0;
	name += n;
	return !*name || (*name == '_' && name[1] && !name[1 + strspn(name + 1, "0123456789")]);
}
