// SPDX-License-Identifier: GPL-2.0
/* Functions of networking that --detail net leaves out. */
#include <stddef.h>
#include <string.h>

#include "silent-functions.h"

/* Names, and prefixes of names ("*"). */
/* clang-format off */
static const char * const silent[] = {
	/* What a security module does where security_* asks it, which is a line. */
	"apparmor_*", "bpf_lsm_*", "aa_*", "tomoyo_*", "selinux_*", "smack_*",
	/* They move a packet's ends or fill in its fields. */
	"skb_put", "skb_push", "skb_pull", "skb_pull_rcsum", "skb_set_owner_w",
	"skb_scrub_packet", "skb_headers_offset_update",
	"__build_skb_around", "__copy_skb_header", "eth_type_trans", "ip_send_check",
	"ip_generic_getfrag", "ipv4_pktinfo_prepare", "tcp_v4_fill_cb", "tcp_v6_fill_cb",
	"skb_clone_tx_timestamp",
	/* They free a part of it: the function around them says that it ends. */
	"kfree_skbmem", "skb_free_head",
	/* Checksums. */
	"udp4_hwcsum", "skb_csum_hwoffload_help", "tcp_v4_send_check", "__tcp_v4_send_check",
	"tcp_v6_send_check", "__skb_checksum",
	/* They look up what a route or a device can do, and count references. */
	"dst_release", "ipv4_mtu", "ip6_mtu", "ipv4_dst_check", "ip6_dst_check",
	"ipv4_default_advmss", "ip6_default_advmss",
	"fib_lookup_good_nhc", "find_exception", "inet_lookup_ifaddr_rcu",
	"dev_get_by_index_rcu", "skb_network_protocol",
	"passthru_features_check", "netdev_core_pick_tx", "l3mdev_*",
	/* Hashes. */
	"inet_ehashfn", "inet6_ehashfn",
	/* Room in a socket's buffers. */
	"udp_rmem_release", "__sk_mem_reduce_allocated", "sk_forced_mem_schedule",
	"sk_leave_memory_pressure",
	"tcp_leave_memory_pressure", "tcp_stream_memory_free", "sk_page_frag_refill",
	"tcp_wmem_schedule", "tcp_check_space",
	/* TCP's book-keeping at each segment: rates, times, pacing, the window. */
	"tcp_mstamp_refresh", "tcp_established_options", "tcp_chrono_*", "tcp_rate_*",
	"tcp_ack_update_rtt*",
	"tcp_update_pacing_rate", "tcp_update_skb_after_send", "tcp_rearm_rto",
	"tcp_schedule_loss_probe*",
	"tcp_rack_update_reo_wnd", "tcp_rack_advance", "tcp_newly_delivered", "tcp_ack_tstamp",
	"tcp_in_ack_event",
	"tcp_do_parse_auth_options", "tcp_xmit_recovery", "tcp_measure_rcv_mss",
	"tcp_rbtree_insert", "tcp_init_cwnd",
	"tcp_delack_max", "__tcp_select_window", "__tcp_cleanup_rbuf", "bpf_skops_*",
	"sk_reset_timer",
	"sk_stop_timer", "cubictcp_*", "bictcp_*",
};
/* clang-format on */

static bool matches(const char *pattern, const char *name)
{
	for (; *pattern == *name; pattern++, name++)
		if (!*name)
			return true;
	return *pattern == '*';
}

bool function_is_silent(const char *name)
{
	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
		if (matches(silent[i], name))
			return true;
	return false;
}
