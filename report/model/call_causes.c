// SPDX-License-Identifier: GPL-2.0
/* call_causes.c - causes of drops that a recorded call or the addresses of the packet show */
#include <string.h>

#include "model/call_causes.h"
#include "model/packet_headers.h"

#define NO_REASON "NOT_SPECIFIED"

/*
 * The causes of drops by functions that drop packets for several causes. A row applies if the function
 * @called was called before the drop. The first row that applies is used.
 */
/* clang-format off */
static const struct call_cause {
	const char *called;
	struct cause cause;
} rows[] = {
	{ "ip_options_compile", { NO_REASON, "ip_rcv_finish_core", 0,
	  "IP: an option in its header is not valid, or is a source route (sysctl accept_source_route)",
	  "nstat -asz IpInHdrErrors; sysctl net.ipv4.conf.all.accept_source_route" } },
	{ "__ip_options_compile", { NO_REASON, "ip_rcv_finish_core", 0,
	  "IP: an option in its header is not valid, or is a source route (sysctl accept_source_route)",
	  "nstat -asz IpInHdrErrors; sysctl net.ipv4.conf.all.accept_source_route" } },
	{ "ip_handle_martian_source", { NO_REASON, "ip_rcv_finish_core", 0,
	  "rejected by the route lookup, ip_handle_martian_source(): its source is an address of this host, "
	  "or no valid source here",
	  "ip route get %S" } },
	{ "icmp_unreach", { NO_REASON, "icmp_rcv", 0, "ICMP: the error does not quote a valid packet",
	  "nstat -asz IcmpInErrors" } },
	{ "__udp4_lib_mcast_deliver", { NO_REASON, "__udp4_lib_rcv|udp_rcv", 0,
	  "UDP: multicast or broadcast to a port that no socket has for this group and source",
	  "ss -uan 'sport = :%p'; ip maddress show dev %d" } },
	{ "__xfrm_policy_check", { NO_REASON, "__udp4_lib_rcv|udp_rcv", 0, "an IPsec policy",
	  "ip xfrm policy" } },
	{ "tcp_v4_send_reset", { NO_REASON, "tcp_v4_do_rcv", 0,
	  "TCP: it does not fit the state of its socket, as data after close() or an acknowledgement to a "
	  "listener: TCP answered with a reset",
	  "nstat -asz TcpOutRsts TcpExtTCPAbortOnData" } },
	{ "tcp_v6_send_reset", { NO_REASON, "tcp_v6_do_rcv", 0,
	  "TCP: it does not fit the state of its socket, as data after close() or an acknowledgement to a "
	  "listener: TCP answered with a reset",
	  "nstat -asz TcpOutRsts TcpExtTCPAbortOnData" } },
	{ "br_forward", { NO_REASON, "br_handle_frame_finish", 0,
	  "bridge: the port to its destination does not take it: it came by that port, both ports are "
	  "isolated, or the port does not forward or does not have its VLAN",
	  "bridge -d link show; bridge vlan show" } },
	{ "br_flood", { NO_REASON, "br_handle_frame_finish", 0,
	  "bridge: its destination is not known, and no other port takes it: flooding is off, the ports are "
	  "isolated, or do not have its VLAN",
	  "bridge -d link show; bridge vlan show" } },
	{ "br_fdb_find_rcu", { NO_REASON, "br_handle_frame_finish", 0,
	  "bridge: the port is locked, and the bridge does not know its source address at this port",
	  "bridge -d link show dev %d; bridge fdb show dev %d" } },
	{ "__iptunnel_pull_header", { NO_REASON, "vxlan_rcv", 0,
	  "VXLAN: its header or the frame inside is not accepted, as with reserved bits (GBP), ECN bits that "
	  "contradict each other, or the device's own address",
	  "ip -s -s -d link show type vxlan" } },
	{ "vxlan_vs_find_vni", { NO_REASON, "vxlan_rcv", 0, "VXLAN: no device has its VNI",
	  "ip -d link show type vxlan" } },
	{ "geneve_lookup", { NO_REASON, "geneve_udp_encap_recv", 0,
	  "Geneve: no device has its VNI and address, or takes its protocol",
	  "ip -d link show type geneve" } },
	{ "xfrm_audit_state_notfound", { NO_REASON, "xfrm_input", 0,
	  "IPsec: no state has its SPI, protocol and destination",
	  "ip xfrm state; cat /proc/net/xfrm_stat" } },
};

#define NOT_CONFIRMED                                                                                      \
	"netfilter, conntrack: the connection could not be added to its table, as when NAT has found no "   \
	"free port or another packet has added it (insert_failed), or the helper of its protocol failed"

/* Causes for drops by netfilter hooks. @func is the beginning of the hook function's name. */
static const struct cause hooks[] = {
	{ NULL, "nft_do_chain", 0,
	  "netfilter, nftables; which rule is not in the recording: trace-cmd record-skb --why records it",
	  "nft -a list ruleset" },
	{ NULL, "ipt_do_table", 0, "netfilter: a rule or policy of iptables-legacy",
	  "iptables-legacy-save -c" },
	{ NULL, "iptable_", 0, "netfilter: a rule or policy of iptables-legacy",
	  "iptables-legacy-save -c" },
	{ NULL, "ip6t_do_table", 0, "netfilter: a rule or policy of ip6tables-legacy",
	  "ip6tables-legacy-save -c" },
	{ NULL, "ip6table_", 0, "netfilter: a rule or policy of ip6tables-legacy",
	  "ip6tables-legacy-save -c" },
	{ NULL, "ipv4_conntrack", 0,
	  "netfilter, conntrack: no room in its table, or it does not go on with what it tracks",
	  "sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max",
	  .limit = RECORD_SKB_LIMIT_CONNTRACK },
	{ NULL, "ipv6_conntrack", 0,
	  "netfilter, conntrack: no room in its table, or it does not go on with what it tracks",
	  "sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max",
	  .limit = RECORD_SKB_LIMIT_CONNTRACK },
	{ NULL, "ipv4_confirm", 0, NOT_CONFIRMED, "conntrack -S" },
	{ NULL, "ipv6_confirm", 0, NOT_CONFIRMED, "conntrack -S" },
	{ NULL, "nf_confirm", 0, NOT_CONFIRMED, "conntrack -S" },
	{ NULL, "ip_vs_", 0, "netfilter: IPVS", "ipvsadm -Ln" },
	{ NULL, "ebt_do_table", 0, "netfilter: a rule or policy of ebtables-legacy",
	  "ebtables-legacy-save" },
	{ NULL, "arpt_do_table", 0, "netfilter: a rule or policy of arptables-legacy",
	  "arptables-legacy-save -c" },
	{ NULL, "selinux_ip", 0, "netfilter: SELinux", "cat /sys/kernel/security/lsm", true },
	{ NULL, "smack_ip", 0, "netfilter: Smack", "cat /sys/kernel/security/lsm", true },
};
/* clang-format on */

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

const struct cause *cause_of_calls(const char *reason, const char *place,
				   was_called_function *was_called, const void *data)
{
	for (size_t i = 0; i < NR_ROWS && place; i++) {
		const struct cause *cause = &rows[i].cause;

		if (!strcmp(reason, cause->reason) && cause_is_in(cause->func, place) &&
		    was_called(data, rows[i].called))
			return cause;
	}
	return NULL;
}

static bool is_multicast(uint8_t first)
{
	return first >= 224 && first < 240;
}

static bool is_broadcast(const uint8_t *address)
{
	static const uint8_t all[4] = { 255, 255, 255, 255 };

	return !memcmp(address, all, sizeof(all));
}

const struct cause *cause_of_addresses(const struct cause *by_calls, const char *reason,
				       const char *place, const struct flow *flow)
{
	const uint8_t from = flow->saddr[0], to = flow->daddr[0];

	if (strcmp(reason, NO_REASON) || !place || !cause_is_in("ip_rcv_finish_core", place) ||
	    flow->family != FLOW_INET || (by_calls && strstr(by_calls->says, "option")))
		return by_calls;
	/* The kernel looks at the group before it looks at the source. */
	if (is_multicast(to))
		return cause_of_drop("NO_MULTICAST_GROUP", NULL);
	if (from == 127 || to == 127)
		return cause_of_drop("LOOPBACK_ADDRESS", NULL);
	/* A broadcast is dropped because of its source, which may be any address that is not valid here. */
	if (is_broadcast(flow->daddr))
		return by_calls;
	if (!from || is_multicast(from) || is_broadcast(flow->saddr))
		return cause_of_drop("IP_INVALID_SOURCE", NULL);
	if (!to)
		return cause_of_drop("IP_INVALID_DEST", NULL);
	return by_calls;
}

const struct cause *cause_of_probe(const char *reason, const char *place, uint8_t tcp_flags,
				   int32_t payload)
{
	if (strcmp(reason, "TCP_INVALID_SEQUENCE") && strcmp(reason, "TCP_OLD_SEQUENCE"))
		return NULL;
	if (tcp_flags != TCP_ACK || payload || !place)
		return NULL;
	if (!cause_is_in("tcp_validate_incoming|tcp_rcv_established", place))
		return NULL;
	return cause_of_drop("TCP_PROBE", NULL);
}

const struct cause *cause_of_hook(const char *func)
{
	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++) {
		if (!strncmp(func, hooks[i].func, strlen(hooks[i].func)))
			return &hooks[i];
	}
	return NULL;
}
