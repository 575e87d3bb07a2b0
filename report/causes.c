// SPDX-License-Identifier: GPL-2.0
/* causes.c - why the kernel drops a packet or refuses a call, and the command that shows it */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "causes.h"

#define PROTO_TCP 6
#define PROTO_UDP 17

#define ROUTE_IN  "ip route get %D from %S iif %d"
#define ROUTE_OUT "ip route get %D"
#define SOCKET	  "ss -%uanm 'sport = :%l'"
#define LISTENER  "ss -%uln 'sport = :%l'"
#define QDISC	  "tc -s qdisc show dev %d"
#define LINK	  "ip -s -s link show dev %d"
#define TCP_STATE "ss -tani 'sport = :%l'"

/*
 * A row for each reason; one with a function tells more, and stands in front of that without. What no
 * limit, table or program decides has no command but the kernel's counter.
 */
/* clang-format off */
static const struct cause drops[] = {
	{ "NETFILTER_DROP", NULL, 0, "netfilter", NULL },
	{ "NETFILTER_INGRESS", NULL, 0, "netfilter, at the device's ingress", NULL },

	/* Routes. */
	{ "IP_INNOROUTES", NULL, 0,
	  "the route lookup: no route to the destination, or none that may be used",
	  ROUTE_IN },
	{ "IP_OUTNOROUTES", NULL, 0, "the route lookup: no route to the destination", ROUTE_OUT },
	{ "IP_INADDRERRORS", NULL, 0,
	  "the route lookup: the address is not valid here, or the host does not forward",
	  ROUTE_IN },
	{ "IP_RPFILTER", NULL, 0,
	  "sysctl rp_filter: the way back to the source is not the device that it came by",
	  "sysctl net.ipv4.conf.all.rp_filter net.ipv4.conf.%d.rp_filter" },
	{ "IP_LOCAL_SOURCE", NULL, 0, "the route lookup: the source is an address of this host itself",
	  "ip route get %S" },
	{ "IP_INVALID_SOURCE", NULL, 0, "the route lookup: the source is no address to come from",
	  ROUTE_IN },
	{ "IP_LOCALNET", NULL, 0, "sysctl route_localnet: 127.0.0.0/8 is not routed",
	  "sysctl net.ipv4.conf.all.route_localnet net.ipv4.conf.%d.route_localnet" },
	{ "IP_INVALID_DEST", NULL, 0, "the route lookup: the destination is no address to send to",
	  ROUTE_IN },
	{ "UNICAST_IN_L2_MULTICAST", NULL, 0, "IP: a unicast packet in a broadcast frame", LINK },
	{ "IPV6DISABLED", NULL, 0, "sysctl disable_ipv6: IPv6 is off on the device",
	  "sysctl net.ipv6.conf.all.disable_ipv6 net.ipv6.conf.%d.disable_ipv6" },

	/* Headers, sizes, checksums. */
	{ "IP_INHDR", "ip_forward", 0, "forwarding: its TTL had run out", "nstat -asz IpInHdrErrors" },
	{ "IP_INHDR", "ip6_forward", 0, "forwarding: its hop limit had run out",
	  "nstat -asz Ip6InHdrErrors" },
	{ "IP_INHDR", NULL, 0, "IP: its header is not valid", "nstat -asz Ip%6InHdrErrors" },
	{ "TTL_EXCEEDED", NULL, 0, "forwarding: its TTL or hop limit had run out",
	  "nstat -asz Ip%6InHdrErrors" },
	{ "PKT_TOO_BIG", "ip6_forward", 0,
	  "the MTU of the way out: IPv6 does not fragment what it forwards",
	  "nstat -asz Ip6InTooBigErrors" },
	{ "PKT_TOO_BIG", NULL, 0, "the MTU of the way out: it is larger and must not be fragmented (DF)",
	  "nstat -asz IpFragFails" },
	{ "PKT_TOO_SMALL", NULL, 0, "its headers: it is shorter than they say",
	  "nstat -asz Ip%6InTruncatedPkts" },
	{ "HDR_TRUNC", NULL, 0, "its headers: they are not all there", NULL },
	{ "IP_CSUM", NULL, 0, "the checksum of its IP header", "nstat -asz IpExtInCsumErrors" },
	{ "UDP_CSUM", NULL, 0, "its UDP checksum", "nstat -asz Udp%6InCsumErrors" },
	{ "TCP_CSUM", NULL, 0, "its TCP checksum", "nstat -asz TcpInCsumErrors" },
	{ "ICMP_CSUM", NULL, 0, "its ICMP checksum", "nstat -asz IcmpInCsumErrors" },
	{ "SKB_CSUM", NULL, 0, "its checksum could not be made", LINK },
	{ "IP_NOPROTO", NULL, 0, "IP: no protocol and no raw socket takes it", "ss -%6wan" },
	{ "UNHANDLED_PROTO", NULL, 0,
	  "the device: nobody takes frames of its protocol, or it is an inactive one of a bond", LINK },
	{ "OTHERHOST", NULL, 0,
	  "its link-layer address: it is another host's; or its VLAN has no device here", LINK },

	/* Fragments. */
	{ "FRAG_REASM_TIMEOUT", NULL, 0, "reassembly: fragments were missing for too long",
	  "sysctl net.ipv4.ipfrag_time" },
	{ "DUP_FRAG", NULL, 0, "reassembly: the fragment was there already", "nstat -asz IpReasmFails" },
	{ "FRAG_TOO_FAR", NULL, 0, "sysctl ipfrag_max_dist: others came in between",
	  "sysctl net.ipv4.ipfrag_max_dist" },

	/* Sockets. */
	{ "NO_SOCKET", "icmp_rcv", 0, "ICMP: no ping socket waits for it (raw sockets get a copy)",
	  "ss -wan" },
	{ "NO_SOCKET", "icmpv6_rcv", 0, "ICMPv6: no ping socket waits for it (raw sockets get a copy)",
	  "ss -wan" },
	{ "NO_SOCKET", "ping_rcv", 0, "ICMP: no ping socket waits for it (raw sockets get a copy)",
	  "ss -wan" },
	{ "NO_SOCKET", NULL, 0,
	  "no socket takes it: none has its port, or only for another address, peer or device",
	  LISTENER },
	{ "SOCKET_RCVBUFF", NULL, 0,
	  "the socket's receive buffer is full (rb in skmem; SO_RCVBUF, net.core.rmem_max)",
	  SOCKET },
	{ "PROTO_MEM", NULL, 0,
	  "the memory of the protocol or the cgroup is used up, or (TCP) the socket's receive buffer",
	  "cat /proc/net/sockstat" },
	{ "SOCKET_BACKLOG", NULL, 0, "the socket's backlog is full: its owner had it locked (bl in skmem)",
	  SOCKET },
	{ "SOCKET_FILTER", NULL, 0,
	  "a BPF filter, of the socket or its cgroup, or a security module", SOCKET },
	{ "XFRM_POLICY", NULL, 0, "an IPsec policy", "ip xfrm policy" },
	{ "TCP_FLAGS", NULL, 0, "TCP: its flags do not fit the connection's state", TCP_STATE },
	{ "TCP_ZEROWINDOW", NULL, 0, "TCP: the receive window is closed, for nobody reads", TCP_STATE },
	{ "TCP_OLD_DATA", NULL, 0, "TCP: all of its data had been received", TCP_STATE },
	{ "TCP_OVERWINDOW", NULL, 0, "TCP: its data are beyond the receive window", TCP_STATE },
	{ "TCP_OLD_SEQUENCE", NULL, 0, "TCP: its sequence number is of before", TCP_STATE },
	{ "TCP_INVALID_SEQUENCE", NULL, 0,
	  "TCP: its sequence number is outside of the receive window: beyond it, or of before",
	  TCP_STATE },
	{ "TCP_INVALID_END_SEQUENCE", NULL, 0, "TCP: its last byte is beyond the receive window",
	  TCP_STATE },
	{ "TCP_INVALID_ACK_SEQUENCE", NULL, 0, "TCP: it acknowledges what was not sent", TCP_STATE },
	{ "TCP_ACK_UNSENT_DATA", NULL, 0, "TCP: it acknowledges what was not sent", TCP_STATE },
	{ "TCP_OLD_ACK", NULL, 0, "TCP: its acknowledgement is of before", TCP_STATE },
	{ "TCP_TOO_OLD_ACK", NULL, 0, "TCP: its acknowledgement is far too old", TCP_STATE },
	{ "TCP_RFC7323_PAWS_ACK", NULL, 0, "TCP: its timestamp is older than the last one",
	  "nstat -asz TcpExtPAWSOldAck" },
	{ "TCP_RFC7323_PAWS", NULL, 0, "TCP: its timestamp is older than the last one",
	  "nstat -asz TcpExtPAWSEstab" },
	{ "TCP_RESET", NULL, 0, "TCP: it resets the connection, and is done with", TCP_STATE },
	{ "TCP_INVALID_SYN", NULL, 0, "TCP: a SYN within the connection", TCP_STATE },
	{ "TCP_CLOSE", NULL, 0, "TCP: the connection is closed", TCP_STATE },
	{ "TCP_ABORT_ON_DATA", NULL, 0, "TCP: data for a socket that was closed",
	  "nstat -asz TcpExtTCPAbortOnData" },
	{ "TCP_OFO_QUEUE_PRUNE", NULL, 0, "the socket's receive buffer: what came out of order made room",
	  SOCKET },
	{ "TCP_OFO_DROP", NULL, 0, "TCP: all of its data had been received meanwhile, by another segment",
	  TCP_STATE },
	{ "TCP_MINTTL", NULL, 0, "the socket's IP_MINTTL", TCP_STATE },
	{ "TCP_MD5NOTFOUND", NULL, 0, "TCP-MD5: the socket wants a signature, and there is none",
	  "ss -tani" },
	{ "TCP_MD5UNEXPECTED", NULL, 0, "TCP-MD5: signed, and the socket has no key for it", "ss -tani" },
	{ "TCP_MD5FAILURE", NULL, 0, "TCP-MD5: the signature is wrong", "ss -tani" },

	/* Neighbours. */
	{ "NEIGH_FAILED", NULL, 0, "the neighbour did not answer: its link-layer address is not known",
	  "ip neighbour show dev %d nud failed" },
	{ "NEIGH_QUEUEFULL", NULL, 0,
	  "the neighbour's queue is full: more waited for its address than it holds",
	  "ip ntable show dev %d" },
	{ "NEIGH_CREATEFAIL", NULL, 0, "the neighbour table is full",
	  "sysctl net.ipv4.neigh.default.gc_thresh3", true },
	{ "NEIGH_DEAD", NULL, 0, "the neighbour's entry was being removed", "ip neighbour show dev %d" },

	/* Devices, queues, programs. */
	{ "TC_INGRESS", NULL, 0, "a tc filter or BPF program at the device's ingress",
	  "tc -s filter show dev %d ingress" },
	{ "TC_EGRESS", NULL, 0, "a tc filter or BPF program at the device's egress",
	  "tc -s filter show dev %d egress" },
	{ "QDISC_DROP (noop)", NULL, 0, "the device is down, or has no carrier: it has no queue",
	  "ip link show dev %d" },
	{ "QDISC_DROP (noop GENERIC)", NULL, 0, "the device is down, or has no carrier: it has no queue",
	  "ip link show dev %d" },
	{ "QDISC_DROP", NULL, 0, "the queueing discipline", QDISC },
	{ "QDISC_OVERLIMIT", NULL, 0, "the queueing discipline: its limit is reached", QDISC },
	{ "QDISC_CONGESTED", NULL, 0,
	  "the queueing discipline: its algorithm drops before the queue is full",
	  QDISC },
	{ "XDP", NULL, 0, "the device's XDP program", "ip -d link show dev %d" },
	{ "CPU_BACKLOG", NULL, 0, "the CPU's backlog is full", "sysctl net.core.netdev_max_backlog", true },
	{ "FULL_RING", NULL, 0, "the device's ring is full", LINK },
	{ "DEV_READY", NULL, 0, "the device is down, or not ready", LINK },
	{ "DEV_HDR", NULL, 0, "the device could not make its header", LINK },
	{ "TAP_FILTER", NULL, 0, "the BPF program of the tun or tap device", "ip -d link show dev %d" },
	{ "TAP_TXFILTER", NULL, 0, "the address filter of the tap device", "ip -d link show dev %d" },
	{ "BPF_CGROUP_EGRESS", NULL, 0, "a BPF program of the cgroup", "bpftool cgroup tree" },
	{ "BRIDGE_INGRESS_STP_STATE", NULL, 0, "the bridge port's state: it does not forward",
	  "bridge -d link show dev %d" },
	{ "VXLAN_VNI_NOT_FOUND", NULL, 0, "VXLAN: no device has its VNI", "ip -d link show type vxlan" },
	{ "IP_TUNNEL_ECN", NULL, 0, "the tunnel: the ECN bits inside and outside contradict each other",
	  LINK },
	{ "SKB_GSO_SEG", NULL, 0, "it could not be cut into segments", LINK },
	{ "NOMEM", NULL, 0, "no memory", "cat /proc/net/sockstat" },

	/* What gives no reason, told by its place. */
	{ "NOT_SPECIFIED", "tcp_conn_request", 0,
	  "the listener's queue of connections is full, or SYN cookies are off",
	  "nstat -asz TcpExtListenDrops TcpExtListenOverflows" },
	{ "NOT_SPECIFIED", "ip_error", 0, "the route lookup: the route is a blackhole, or refuses it",
	  ROUTE_IN },
	{ "NOT_SPECIFIED", "nf_queue", 0,
	  "netfilter: given to a queue (NFQUEUE) that no program has, or that is full",
	  "cat /proc/net/netfilter/nfnetlink_queue" },
	{ "NOT_SPECIFIED", "__udp4_lib_rcv", 0,
	  "UDP: multicast to a group and port that no socket has; or an IPsec policy",
	  "ip maddress show dev %d" },
	{ "NOT_SPECIFIED", "udp_rcv", 0, /* the same, inlined */
	  "UDP: multicast to a group and port that no socket has; or an IPsec policy",
	  "ip maddress show dev %d" },
	{ "NOT_SPECIFIED", "__dev_forward_skb2", 0, "the other end: it is down, or its MTU is smaller",
	  "ip -d link show dev %d" },
	{ "NOT_SPECIFIED", "ip_expire", 0, "reassembly: fragments were missing for too long",
	  "sysctl net.ipv4.ipfrag_time" },
	{ "NOT_SPECIFIED", "ip6_pkt_drop", 0, "the route lookup: no route to the destination", ROUTE_IN },
	{ "NOT_SPECIFIED", "ip6_pkt_discard", 0, "the route lookup: no route to the destination",
	  ROUTE_IN },
	{ "NOT_SPECIFIED", "ip6_forward", 0, "forwarding IPv6", "nstat -as 'Ip6*'" },
	{ "NOT_SPECIFIED", "skb_release_data", 0,
	  "it went with the packet that it was a part of: see there",
	  NULL },
	{ "NOT_SPECIFIED", "do_xdp_generic", 0, "the device's XDP program", "ip -d link show dev %d" },
};

/* By the function of netfilter's hook that decided; those whose names begin so. */
static const struct cause hooks[] = {
	{ NULL, "nft_do_chain", 0,
	  "netfilter, nftables; which rule is not in the recording: record-skb --why records it",
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
	  "sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max" },
	{ NULL, "ipv6_conntrack", 0,
	  "netfilter, conntrack: no room in its table, or it does not go on with what it tracks",
	  "sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max" },
	{ NULL, "ip_vs_", 0, "netfilter: IPVS", "ipvsadm -Ln" },
};

static const struct cause refusals[] = {
	{ NULL, "__sys_socket", EACCES,
	  "the process may not open such a socket: no CAP_NET_RAW, nor a group of ping_group_range",
	  "sysctl net.ipv4.ping_group_range" },
	{ NULL, "__sys_socket", EPERM, "the process may not open such a socket: no CAP_NET_RAW", NULL },
	{ NULL, "__sys_socket", EINVAL, "there is no such socket: family, type and protocol do not fit",
	  NULL },
	{ NULL, "__sys_bind", EACCES,
	  "the process may not take a port below this without CAP_NET_BIND_SERVICE",
	  "sysctl net.ipv4.ip_unprivileged_port_start" },
	{ NULL, "__sys_bind", EINVAL, "the socket has an address already, or this is none", NULL },
	{ NULL, "__sys_setsockopt", EINVAL, "the option does not take this value", NULL },
	{ NULL, "__sys_setsockopt", EPERM, "the process may not set this option", NULL },
	{ NULL, "__sys_getsockopt", EINVAL, "the option is none of this socket's", NULL },
	{ NULL, "__sys_bind", EPERM, "a BPF program of the cgroup, or a security module",
	  "bpftool cgroup tree" },
	{ NULL, NULL, EPERM,
	  "a rule of netfilter (output) dropped what it sent; or a BPF program, or a security module",
	  "nft -a list ruleset" },
	{ NULL, NULL, EACCES,
	  "the route is \"prohibit\", it is broadcast without SO_BROADCAST, or a router said so (ICMPv6)",
	  ROUTE_OUT },
	{ NULL, NULL, EINVAL, "the route lookup: the route is \"blackhole\"; or an argument of the call",
	  ROUTE_OUT },
	{ NULL, NULL, EPIPE,
	  "the socket was shut down for sending, or the other end had closed, and then reset the connection",
	  SOCKET },
	{ NULL, NULL, EMSGSIZE,
	  "larger than the way's MTU, and not to be fragmented; or than the protocol allows",
	  ROUTE_OUT },
	{ NULL, NULL, EADDRINUSE, "another socket has the port", "ss -%uan 'sport = :%P'" },
	{ NULL, "__sys_bind", EADDRNOTAVAIL, "the address is none of this host's", "ip address show" },
	{ NULL, NULL, EADDRNOTAVAIL,
	  "no local port is free for this destination; or the address is none of this host's",
	  "sysctl net.ipv4.ip_local_port_range" },
	{ NULL, NULL, ENETDOWN, "the device is down", "ip link show" },
	{ NULL, NULL, ENETUNREACH,
	  "the route lookup: no route to the destination; or a router said so (ICMP)", ROUTE_OUT },
	{ NULL, NULL, ECONNRESET, "the other end has reset the connection (RST)",
	  "nstat -asz TcpEstabResets" },
	{ NULL, NULL, ENOBUFS, "no room: a device's queue, or memory for the socket",
	  "ss -%uanm 'sport = :%P'" },
	{ NULL, NULL, ENOMEM, "no memory", "cat /proc/net/sockstat" },
	{ NULL, NULL, ETIMEDOUT, "the other end has not answered in time", "nstat -asz TcpExtTCPTimeouts" },
	{ NULL, NULL, ECONNREFUSED,
	  "the other end said that nobody listens there, or a firewall did (RST, or ICMP port unreachable)",
	  NULL },
	{ NULL, NULL, EHOSTUNREACH,
	  "the route is \"unreachable\", the neighbour did not answer, or a router said so (ICMP)",
	  ROUTE_OUT },
};
/* clang-format on */

#define nr_of(array) (sizeof(array) / sizeof((array)[0]))

/* The compiler may have made a variant of the function: "ip_forward.constprop.0". */
static bool is_in(const struct cause *cause, const char *func)
{
	const size_t len = cause->func ? strlen(cause->func) : 0;

	return !cause->func ||
	       (func && !strncmp(cause->func, func, len) && (!func[len] || func[len] == '.'));
}

/* Behind the reason there may be more of it: "QDISC_DROP (prio OVERLIMIT)". */
static bool is_reason(const struct cause *cause, const char *reason)
{
	const size_t len = strlen(cause->reason);

	return !strncmp(reason, cause->reason, len) && (!reason[len] || reason[len] == ' ');
}

const struct cause *cause_of_drop(const char *reason, const char *func)
{
	static const struct cause unknown = {
		.says = "for a reason that has no more than its name in the recording",
	};

	for (size_t i = 0; i < nr_of(drops); i++) {
		const struct cause *cause = &drops[i];

		if (is_reason(cause, reason) && is_in(cause, func))
			return cause;
	}
	return &unknown;
}

const struct cause *cause_of_hook(const char *func)
{
	for (size_t i = 0; i < nr_of(hooks); i++) {
		if (!strncmp(func, hooks[i].func, strlen(hooks[i].func)))
			return &hooks[i];
	}
	return NULL;
}

const struct cause *cause_of_error(int error, const char *func)
{
	for (size_t i = 0; i < nr_of(refusals); i++) {
		const struct cause *cause = &refusals[i];

		if (cause->error == error && is_in(cause, func))
			return cause;
	}
	return NULL;
}

/* Commands */

static const char *address(char *buf, size_t room, const struct flow *flow, const uint8_t *bytes)
{
	static const uint8_t none[16];

	if (!flow->family || !memcmp(bytes, none, flow->family == FLOW_INET6 ? 16 : 4))
		return NULL;
	return inet_ntop(flow->family == FLOW_INET6 ? AF_INET6 : AF_INET, bytes, buf, room);
}

static const char *port(char *buf, size_t room, uint16_t port)
{
	if (!port)
		return NULL;
	snprintf(buf, room, "%u", port);
	return buf;
}

static const char *protocol(const struct flow *flow, const char *tcp, const char *udp)
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

/* What a letter stands for; NULL if that is not known. */
static const char *letter(char *buf, size_t room, char which, const struct about *about)
{
	const struct flow *flow = about->flow;

	switch (which) {
	case 'd':
		return about->device;
	case 'S':
		return address(buf, room, flow, flow->saddr);
	case 'D':
		return address(buf, room, flow, flow->daddr);
	case 'P':
		return port(buf, room, flow->sport);
	case 'p':
		return port(buf, room, flow->dport);
	case 'l':
		return port(buf, room, about->receives ? flow->dport : flow->sport);
	case 'u':
		return protocol(flow, "t", "u");
	case '6':
		return flow->family == FLOW_INET6 ? "6" : "";
	default:
		return NULL;
	}
}

const char *cause_command(char *buf, const struct cause *cause, const struct about *about)
{
	const char *from = cause->shows, *what;
	char text[INET6_ADDRSTRLEN];
	size_t len = 0;

	if (!from)
		return NULL;
	for (; *from && len < COMMAND_LEN - 1; from++) {
		if (*from != '%') {
			buf[len++] = *from;
			continue;
		}
		what = letter(text, sizeof(text), *++from, about);
		if (!what || strlen(what) >= COMMAND_LEN - len)
			return NULL;
		len += snprintf(buf + len, COMMAND_LEN - len, "%s", what);
	}
	buf[len] = '\0';
	return buf;
}
