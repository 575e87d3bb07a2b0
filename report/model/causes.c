// SPDX-License-Identifier: GPL-2.0
/* causes.c - the table of causes: why the kernel drops a packet, and a command that shows the cause */
#include <string.h>

#include "event.h"
#include "model/cause_command.h"
#include "model/causes.h"

#define ROUTE_IN "ip route get %D from %S iif %d; " SHOW_ROUTES
#define FORWARD \
	"sysctl net.ipv4.ip_forward net/ipv4/conf/%c/forwarding net.ipv6.conf.all.forwarding"
#define MTU_OF_WAY "ip route get %D from %S iif %d; ip link show up"
#define SOCKET	   "ss -%uanm 'sport = :%l'"
/*
 * Show all listeners on the port, even those outside of the packet's VRF. A listener outside of the VRF gets
 * the packet only if the sysctl l3mdev_accept is 1.
 */
#define LISTENER  "ss -%Ln 'sport = :%l'; sysctl net.ipv4.%n_l3mdev_accept"
#define QDISC	  "tc -s qdisc show dev %d"
#define LINK	  "ip -s -s link show dev %d"
#define TCP_STATE "ss -tani 'sport = :%l'"
/*
 * The checksum of a long datagram is verified when a task reads the datagram. The datagram is freed in the
 * same way if the checksum is wrong, or if the reader's buffer is not valid.
 */
#define CHECKSUM_ON_READ \
	"its UDP checksum, which was checked when it was read; or the reader's buffer was not valid"
#define SHORTER "its headers: it is shorter than they say"
#define UDP_LENGTH \
	"its headers: the length in its UDP header is below 8, or more than the packet has"
#define LIMIT(which) .limit = RECORD_SKB_LIMIT_##which
#define MD5(which)   "nstat -asz TcpExtTCPMD5" which "; ss -tani 'sport = :%l'"

/*
 * The drop reasons of the kernel. The first matching row is used, so a row for one function must precede the
 * row for all functions. The command shows the limit, table or program that caused the drop, or else the
 * kernel's counter of such drops.
 */
/* clang-format off */
static const struct cause drops[] = {
	{ "NETFILTER_DROP", NULL, 0, "netfilter", NULL },
	{ "NETFILTER_INGRESS", NULL, 0, "netfilter, at the device's ingress", NULL },

	/* Routes. */
	{ "IP_INNOROUTES", "ip6_pkt_discard|ip6_pkt_drop", 0,
	  "the route lookup: no route to the destination that may be used, or IPv6 forwarding is off",
	  ROUTE_IN "; " FORWARD },
	{ "IP_INNOROUTES", NULL, 0,
	  "the route lookup: no route to the destination, or none that may be used",
	  ROUTE_IN },
	{ "IP_OUTNOROUTES", NULL, 0, "the route lookup: no route to the destination", SHOW_ROUTE_TO },
	{ "IP_INADDRERRORS", "ip6_protocol_deliver_rcu|ip6_mc_input", 0,
	  "IPv6: multicast to a group that this host has not joined on the device, or not for this source",
	  "ip -6 maddress show dev %d; cat /proc/net/mcfilter6" },
	{ "IP_INADDRERRORS", NULL, 0,
	  "the route lookup: the address is not valid here, or the host does not forward",
	  ROUTE_IN "; " FORWARD },
	{ "IP_RPFILTER", NULL, 0,
	  "sysctl rp_filter: the route back to the source leads to another device than the one that it came "
	  "by, or there is no such route",
	  "ip route get %S; sysctl net.ipv4.conf.all.rp_filter net/ipv4/conf/%c/rp_filter" },
	{ "IP_LOCAL_SOURCE", NULL, 0, "the route lookup: the source is an address of this host itself",
	  "ip route get %S" },
	{ "IP_INVALID_SOURCE", NULL, 0, "the route lookup: the source is not a valid source address",
	  ROUTE_IN },
	{ "IP_LOCALNET", NULL, 0, "sysctl route_localnet: 127.0.0.0/8 is not routed",
	  "sysctl net.ipv4.conf.all.route_localnet net/ipv4/conf/%c/route_localnet" },
	{ "IP_INVALID_DEST", NULL, 0, "the route lookup: the destination is not a valid destination address",
	  ROUTE_IN },
	/*
	 * LOOPBACK_ADDRESS is our own name: Linux before 6.15 gives no reason; call_causes.c uses it.
	 */
	{ "LOOPBACK_ADDRESS", NULL, 0,
	  "the route lookup: 127.0.0.0/8 is not routed without the sysctl route_localnet, and with it the "
	  "source must not be an address of this host",
	  "sysctl net.ipv4.conf.all.route_localnet net/ipv4/conf/%c/route_localnet; ip route get %S" },
	/* NO_MULTICAST_GROUP is our own name, because the kernel gives no reason; call_causes.c uses it. */
	{ "NO_MULTICAST_GROUP", NULL, 0,
	  "the route lookup: the device has not joined its multicast group, or its source is not valid here",
	  "ip maddress show dev %d" },
	{ "UNICAST_IN_L2_MULTICAST", NULL, 0,
	  "sysctl drop_unicast_in_l2_multicast: a unicast packet in a broadcast frame",
	  "sysctl net/ipv%f/conf/all/drop_unicast_in_l2_multicast "
	  "net/ipv%f/conf/%c/drop_unicast_in_l2_multicast" },
	{ "IPV6DISABLED", NULL, 0, "sysctl disable_ipv6: IPv6 is off on the device",
	  "sysctl net.ipv6.conf.all.disable_ipv6 net/ipv6/conf/%c/disable_ipv6" },

	/* Drop reasons about headers, sizes and checksums. */
	{ "IP_INHDR", "ip_forward", 0, "forwarding: its TTL had run out", "nstat -asz IpInHdrErrors",
	  LIMIT(TTL) },
	{ "IP_INHDR", "ip6_forward", 0, "forwarding: its hop limit had run out",
	  "nstat -asz Ip6InHdrErrors", LIMIT(TTL) },
	{ "IP_INHDR", NULL, 0, "IP: its header is not valid", "nstat -asz Ip%6InHdrErrors" },
	{ "TTL_EXCEEDED", NULL, 0, "forwarding: its TTL or hop limit had run out",
	  "nstat -asz Ip%6InHdrErrors", LIMIT(TTL) },
	{ "PKT_TOO_BIG", "ip6_forward", 0,
	  "the MTU of the way out: IPv6 does not fragment what it forwards",
	  MTU_OF_WAY "; nstat -asz Ip6InTooBigErrors", LIMIT(MTU) },
	{ "PKT_TOO_BIG", "ip_forward", 0,
	  "the MTU of the way out: it is larger and must not be fragmented (DF)",
	  MTU_OF_WAY "; nstat -asz IpFragFails", LIMIT(MTU) },
	{ "PKT_TOO_BIG", NULL, 0, "the MTU of the way out: it is larger and must not be fragmented",
	  "nstat -asz Ip%6FragFails", LIMIT(MTU) },
	{ "PKT_TOO_SMALL", "__udp4_lib_rcv|udp_rcv", 0, UDP_LENGTH, "nstat -asz UdpInErrors" },
	{ "PKT_TOO_SMALL", "__udp6_lib_rcv|udpv6_rcv", 0, UDP_LENGTH, "nstat -asz Udp6InErrors" },
	{ "PKT_TOO_SMALL", "tcp_v4_rcv|tcp_v6_rcv", 0,
	  "its headers: the length in its TCP header is below 20 bytes", "nstat -asz TcpInErrs" },
	{ "PKT_TOO_SMALL", "icmp_rcv", 0, SHORTER, "nstat -asz IcmpInErrors" },
	{ "PKT_TOO_SMALL", "icmpv6_rcv", 0, SHORTER, "nstat -asz Icmp6InErrors" },
	{ "PKT_TOO_SMALL", "vxlan_rcv", 0, SHORTER, "ip -s -s -d link show type vxlan" },
	{ "PKT_TOO_SMALL", NULL, 0, SHORTER,
	  "nstat -asz Ip%eInTruncatedPkts" },
	{ "HDR_TRUNC", NULL, 0, "its headers: they are not all there", NULL },
	{ "IP_CSUM", NULL, 0, "the checksum of its IP header", "nstat -asz IpExtInCsumErrors" },
	{ "UDP_CSUM", NULL, 0, "its UDP checksum", "nstat -asz Udp%6InCsumErrors" },
	{ "TCP_CSUM", NULL, 0, "its TCP checksum", "nstat -asz TcpInCsumErrors" },
	{ "ICMP_CSUM", NULL, 0, "its ICMP checksum", "nstat -asz Icmp%6InCsumErrors" },
	{ "SKB_CSUM", NULL, 0, "its checksum could not be made", LINK },
	{ "IP_NOPROTO", NULL, 0, "IP: no protocol and no raw socket takes it", "ss -%6wan" },
	{ "UNHANDLED_PROTO", "icmp_rcv", 0, "ICMP: the kernel has no use for its type",
	  "nstat -asz IcmpInErrors" },
	{ "UNHANDLED_PROTO", "ip6_rcv_core", 0, "IPv6: the version in its header is not 6",
	  "nstat -asz Ip6InHdrErrors" },
	{ "UNHANDLED_PROTO", "ip6_tlvopt_unknown|ip6_parse_tlv|icmpv6_param_prob_reason", 0,
	  "IPv6: an option in an extension header is not known, and says that the packet is to be dropped",
	  "nstat -asz Ip6InHdrErrors" },
	{ "UNHANDLED_PROTO", "__netif_receive_skb_core", 0,
	  "the device: no handler for the frame's protocol, or an inactive device of a bond", LINK },
	{ "UNHANDLED_PROTO", NULL, 0,
	  "its headers: the kernel does not handle a protocol, type, version or option in them", LINK },
	{ "OTHERHOST", NULL, 0,
	  "its link-layer address: it is another host's; or its VLAN has no device here", LINK },

	/* Fragments. */
	{ "FRAG_REASM_TIMEOUT", "ip6_frag_expire|ip6frag_expire_frag_queue|nf_ct_frag6_expire", 0,
	  "reassembly: fragments were missing for too long", "sysctl net.ipv6.ip6frag_time" },
	{ "FRAG_REASM_TIMEOUT", NULL, 0, "reassembly: fragments were missing for too long",
	  "sysctl net.ipv4.ipfrag_time" },
	{ "DUP_FRAG", NULL, 0, "reassembly: the fragment was there already", "nstat -asz IpReasmFails" },
	{ "FRAG_TOO_FAR", NULL, 0, "sysctl ipfrag_max_dist: others came in between",
	  "sysctl net.ipv4.ipfrag_max_dist" },

	/* Sockets. */
	{ "NO_SOCKET", "icmp_rcv|ping_rcv", 0, "ICMP: no ping socket waits for it (raw sockets get a copy)",
	  "ss -wan" },
	{ "NO_SOCKET", "icmpv6_rcv", 0, "ICMPv6: no ping socket waits for it (raw sockets get a copy)",
	  "ss -wan" },
	{ "NO_SOCKET", NULL, 0,
	  "no socket takes it: none has its port, or only for another address, peer or device",
	  LISTENER },
	{ "SOCKET_RCVBUFF", NULL, 0,
	  "the socket's receive buffer is full (rb in skmem; SO_RCVBUF, net.core.rmem_max)",
	  SOCKET, LIMIT(RECEIVE_BUFFER) },
	{ "PROTO_MEM", NULL, 0,
	  "the memory of the protocol or the cgroup is used up, or (TCP) the socket's receive buffer",
	  "cat /proc/net/sockstat", LIMIT(RECEIVE_BUFFER) },
	{ "SOCKET_BACKLOG", NULL, 0, "the socket's backlog is full: its owner had it locked (bl in skmem)",
	  SOCKET, LIMIT(BACKLOG) },
	/* CLASSIC_FILTER is our own name for the kernel's SOCKET_FILTER; explanations.c uses it. */
	{ "CLASSIC_FILTER", NULL, 0, "the socket's classic filter (SO_ATTACH_FILTER)",
	  "ss -%uanmp 'sport = :%l'" },
	{ "SOCKET_FILTER", NULL, 0,
	  "a BPF filter, of the socket or its cgroup, or a security module; or memory was very low",
	  "ss -%uanmp 'sport = :%l'; bpftool cgroup tree; nstat -asz TcpExtPFMemallocDrop" },
	{ "XFRM_POLICY", NULL, 0, "an IPsec policy", "ip xfrm policy" },
	{ "TCP_FLAGS", NULL, 0, "TCP: its flags do not fit the connection's state", TCP_STATE },
	{ "TCP_ZEROWINDOW", NULL, 0,
	  "TCP: the receive window is 0: its data is not read, or memory was short",
	  TCP_STATE },
	{ "TCP_OLD_DATA", NULL, 0, "TCP: all of its data had been received", TCP_STATE },
	{ "TCP_OVERWINDOW", "tcp_v4_rcv|tcp_v6_rcv", 0,
	  "TCP: its sequence number is outside of the receive window: beyond it, or of before",
	  TCP_STATE },
	{ "TCP_OVERWINDOW", NULL, 0, "TCP: its data are beyond the receive window", TCP_STATE },
	{ "TCP_OLD_SEQUENCE", NULL, 0, "TCP: its sequence number is of before", TCP_STATE },
	/* TCP_PROBE is our own name and no reason of the kernel; cause_of_probe() uses it. */
	{ "TCP_PROBE", NULL, 0,
	  "TCP: an acknowledgement without data and outside of the receive window, such as a probe "
	  "(keepalive, or a window of 0), which TCP answers",
	  TCP_STATE },
	{ "TCP_INVALID_SEQUENCE", NULL, 0,
	  "TCP: its sequence number is outside of the receive window: beyond it, or of before",
	  TCP_STATE },
	{ "TCP_INVALID_END_SEQUENCE", NULL, 0, "TCP: its last byte is beyond the receive window",
	  TCP_STATE },
	{ "TCP_INVALID_ACK_SEQUENCE", NULL, 0,
	  "TCP: its acknowledgement does not fit: it is old, or of data that was not sent", TCP_STATE },
	{ "TCP_ACK_UNSENT_DATA", NULL, 0, "TCP: it acknowledges data that was not sent", TCP_STATE },
	{ "TCP_OLD_ACK", "tcp_rcv_state_process", 0,
	  "TCP: its acknowledgement does not fit: it is old, or of data that was not sent", TCP_STATE },
	{ "TCP_OLD_ACK", NULL, 0, "TCP: its acknowledgement is of before", TCP_STATE },
	{ "TCP_TOO_OLD_ACK", NULL, 0, "TCP: its acknowledgement is far too old", TCP_STATE },
	{ "TCP_RFC7323_PAWS_ACK", NULL, 0, "TCP: its timestamp is older than the last one",
	  "nstat -asz TcpExtPAWSOldAck" },
	{ "TCP_RFC7323_PAWS", "tcp_v4_do_rcv|tcp_v6_do_rcv", 0,
	  "TCP: it echoes a timestamp that the SYN did not have", "nstat -asz TcpExtPAWSActive" },
	{ "TCP_RFC7323_PAWS", NULL, 0, "TCP: its timestamp is older than the last one",
	  "nstat -asz TcpExtPAWSEstab" },
	{ "TCP_RESET", NULL, 0,
	  "TCP: a reset that TCP ignores: its sequence number is not exactly the expected one, or it does "
	  "not fit a listener or a connection that is being opened",
	  "nstat -asz TcpExtTCPChallengeACK; " TCP_STATE },
	{ "TCP_INVALID_SYN", NULL, 0, "TCP: a SYN within the connection", TCP_STATE },
	{ "TCP_CLOSE", NULL, 0, "TCP: the connection is closed", TCP_STATE },
	{ "TCP_ABORT_ON_DATA", NULL, 0, "TCP: data for a socket that was closed",
	  "nstat -asz TcpExtTCPAbortOnData" },
	{ "TCP_OFO_QUEUE_PRUNE", NULL, 0, "the socket's receive buffer: what came out of order made room",
	  SOCKET },
	{ "TCP_OFO_DROP", NULL, 0, "TCP: another segment, before or after it, has the same data",
	  TCP_STATE },
	{ "TCP_MINTTL", NULL, 0, "the socket's IP_MINTTL", "nstat -asz TcpExtTCPMinTTLDrop" },
	{ "TCP_MD5NOTFOUND", NULL, 0, "TCP-MD5: the socket requires a signature, and the packet has none",
	  MD5("NotFound") },
	{ "TCP_MD5UNEXPECTED", NULL, 0, "TCP-MD5: signed, and the socket has no key for it",
	  MD5("Unexpected") },
	{ "TCP_MD5FAILURE", NULL, 0, "TCP-MD5: the signature is wrong", MD5("Failure") },

	/* Neighbours. */
	{ "NEIGH_FAILED", NULL, 0, "the neighbour did not answer: its link-layer address is not known",
	  "ip neighbour show dev %d nud failed" },
	{ "NEIGH_QUEUEFULL", NULL, 0,
	  "the neighbour's queue is full: more waited for its address than it holds",
	  "ip ntable show dev %d", LIMIT(NEIGHBOUR) },
	{ "NEIGH_CREATEFAIL", NULL, 0,
	  "the neighbour's entry could not be made, as when the neighbour table is full",
	  "sysctl net.ipv%f.neigh.default.gc_thresh3", true },
	{ "NEIGH_DEAD", NULL, 0, "the neighbour's entry was being removed", "ip neighbour show dev %d" },

	/* Drop reasons of devices, queues and programs. */
	{ "TC_INGRESS", NULL, 0, "a tc filter or BPF program at the device's ingress",
	  "tc -s filter show dev %d ingress" },
	{ "TC_EGRESS", NULL, 0, "a tc filter or BPF program at the device's egress",
	  "tc -s filter show dev %d egress" },
	{ "QDISC_DROP (noop)", NULL, 0, "the device is down, or has no carrier: it has no queue",
	  "ip link show dev %d" },
	{ "QDISC_DROP (noop GENERIC)", NULL, 0, "the device is down, or has no carrier: it has no queue",
	  "ip link show dev %d" },
	/* On Linux 7, the reason has two parts, as in "QDISC_DROP (fq FLOW_LIMIT)". */
	{ "QDISC_DROP (* OVERLIMIT)", NULL, 0, "the queueing discipline: its limit is reached", QDISC,
	  LIMIT(QDISC) },
	{ "QDISC_DROP (* CONGESTED)", NULL, 0,
	  "the queueing discipline: its algorithm drops before the queue is full", QDISC },
	{ "QDISC_DROP (* MAXFLOWS)", NULL, 0,
	  "the queueing discipline: it has no room for another flow", QDISC },
	{ "QDISC_DROP (* FLOOD_PROTECTION)", NULL, 0,
	  "the queueing discipline: its flow does not respond to congestion", QDISC },
	{ "QDISC_DROP (* BAND_LIMIT)", NULL, 0,
	  "the queueing discipline: the limit of its band is reached", QDISC },
	{ "QDISC_DROP (* HORIZON_LIMIT)", NULL, 0,
	  "the queueing discipline: it is to be sent later than the horizon allows", QDISC },
	{ "QDISC_DROP (* FLOW_LIMIT)", NULL, 0,
	  "the queueing discipline: the limit of its flow is reached", QDISC },
	{ "QDISC_DROP (* L4S_STEP_NON_ECN)", NULL, 0,
	  "the queueing discipline: its L4S queue is above the threshold, and the packet is without ECN",
	  QDISC },
	{ "QDISC_DROP", NULL, 0, "the queueing discipline", QDISC, LIMIT(QDISC) },
	{ "QDISC_OVERLIMIT", NULL, 0, "the queueing discipline: its limit is reached", QDISC, LIMIT(QDISC) },
	{ "QDISC_CONGESTED", NULL, 0,
	  "the queueing discipline: its algorithm drops before the queue is full",
	  QDISC },
	{ "XDP", NULL, 0, "the device's XDP program, as when its redirect failed", "ip -d link show dev %d" },
	{ "CPU_BACKLOG", NULL, 0,
	  "the CPU's backlog is full, or one flow had too much of it (flow_limit_cpu_bitmap)",
	  "sysctl net.core.netdev_max_backlog net.core.flow_limit_cpu_bitmap",
	  true, LIMIT(CPU_BACKLOG) },
	{ "FULL_RING", NULL, 0, "the device's ring is full", LINK },
	{ "DEV_READY", NULL, 0, "the device is down, or not ready", LINK },
	{ "DEV_HDR", NULL, 0,
	  "the device could not make its header, or a header from a virtual machine or program is not valid",
	  LINK },
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

	/* Drop reasons of TCP: queues, authentication and timestamps. */
	{ "TCP_LISTEN_OVERFLOW", NULL, 0,
	  "the listener's accept queue is full (Recv-Q over Send-Q): the program does not accept fast "
	  "enough; or no connection could be made, as without memory or a route back",
	  "ss -tln 'sport = :%l'; nstat -asz TcpExtListenOverflows", LIMIT(ACCEPT_QUEUE) },
	{ "TCP_OFOMERGE", NULL, 0, "TCP: another segment, before or after it, has the same data", TCP_STATE },
	{ "TCP_FASTOPEN", NULL, 0, "TCP Fast Open: the connection waits for the end of its handshake",
	  "nstat -asz TcpExtTCPFastOpenPassive TcpExtTCPFastOpenPassiveFail" },
	{ "TCP_RFC7323_TW_PAWS", NULL, 0,
	  "TCP: the connection is in TIME_WAIT, and the timestamp is older than the last one",
	  "nstat -asz TcpExtPAWSTimewait" },
	{ "TCP_RFC7323_TSECR", NULL, 0,
	  "TCP: it echoes a timestamp that the answer to the SYN did not have",
	  "nstat -asz TcpExtTSEcrRejected" },
	{ "TCP_AUTH_HDR", NULL, 0,
	  "TCP: its signature option is not valid, or it has both of TCP-MD5 and TCP-AO", "ss -tani" },
	{ "TCP_AONOTFOUND", NULL, 0, "TCP-AO: the socket requires a signature, and the packet has none",
	  "nstat -asz TcpExtTCPAORequired" },
	{ "TCP_AOUNEXPECTED", NULL, 0, "TCP-AO: signed, and the socket has no key for the peer",
	  "nstat -asz TcpExtTCPAOKeyNotFound" },
	{ "TCP_AOKEYNOTFOUND", NULL, 0, "TCP-AO: the socket does not have the key with its number",
	  "nstat -asz TcpExtTCPAOKeyNotFound" },
	{ "TCP_AOFAILURE", NULL, 0, "TCP-AO: the signature is wrong", "nstat -asz TcpExtTCPAOBad" },

	/* Drop reasons of sockets: closed sockets, and packets that a socket does not accept. */
	{ "SOCKET_CLOSE", NULL, 0, "the socket was closed before a program had read it", SOCKET },
	{ "QUEUE_PURGE", NULL, 0, "the queue that it was in was emptied", NULL },
	{ "UNIX_DISCONNECT", NULL, 0,
	  "the Unix socket was connected to another one, or its peer was closed: its queue was emptied",
	  "ss -xa" },
	{ "UNIX_SKIP_OOB", NULL, 0, "the reader of the Unix socket skipped out-of-band data", "ss -xa" },
	{ "SECURITY_HOOK", NULL, 0, "a security module (SELinux, AppArmor, Smack)",
	  "cat /sys/kernel/security/lsm", true },
	{ "PACKET_SOCK_ERROR", NULL, 0, "the packet socket could not take it: no room, or no memory",
	  "ss -0anm" },
	{ "PFMEMALLOC", NULL, 0,
	  "memory was so low that it came from the reserve, and its socket may not use that",
	  "nstat -asz TcpExtPFMemallocDrop" },
	{ "PSP_INPUT", NULL, 0, "PSP: what came in is not encrypted as the connection demands", TCP_STATE },
	{ "PSP_OUTPUT", NULL, 0, "PSP: the device cannot encrypt as the connection demands", TCP_STATE },

	/* Drop reasons of IP, IPv6 and neighbours. */
	{ "INVALID_PROTO", "icmp_rcv", 0,
	  "ICMP to a broadcast or multicast address: sysctl icmp_echo_ignore_broadcasts, or a type that "
	  "is not for it",
	  "sysctl net.ipv4.icmp_echo_ignore_broadcasts" },
	{ "INVALID_PROTO", NULL, 0, "its headers: a protocol or an option in them is not valid here",
	  "nstat -asz Ip%6InHdrErrors" },
	{ "IPV6_BAD_EXTHDR", NULL, 0, "IPv6: an extension header is not valid",
	  "nstat -asz Ip6InHdrErrors" },
	{ "IPV6_TOO_MANY_EXTHDRS", NULL, 0, "IPv6: it has more extension headers than the kernel reads",
	  "nstat -asz Ip6InHdrErrors" },
	{ "IPV6_NDISC_FRAG", NULL, 0, "sysctl suppress_frag_ndisc: neighbour discovery in a fragment",
	  "sysctl net/ipv6/conf/%c/suppress_frag_ndisc" },
	{ "IPV6_NDISC_HOP_LIMIT", NULL, 0,
	  "neighbour discovery: its hop limit is not 255", NULL },
	{ "IPV6_NDISC_BAD_CODE", NULL, 0, "neighbour discovery: its ICMPv6 code is not 0", NULL },
	{ "IPV6_NDISC_BAD_OPTIONS", NULL, 0, "neighbour discovery: its options are not valid", NULL },
	{ "IPV6_NDISC_NS_OTHERHOST", NULL, 0, "neighbour discovery: it asks for another host's address",
	  "ip -6 address show dev %d" },
	{ "NEIGH_HH_FILLFAIL", NULL, 0, "the device could not make the link-layer header", LINK },
	{ "ARP_PVLAN_DISABLE", NULL, 0,
	  "sysctl proxy_arp_pvlan: it would go out by the device that it came from, and is not IP",
	  "sysctl net/ipv4/conf/%c/proxy_arp_pvlan" },

	/* Drop reasons of devices, queues and tunnels. */
	{ "NO_TX_TARGET", "br_handle_frame_finish", 0,
	  "bridge: its destination is not known, and no other port takes it: flooding is off, the ports are "
	  "isolated, or do not have its VLAN",
	  "bridge -d link show; bridge vlan show" },
	{ "NO_TX_TARGET", NULL, 0,
	  "the device knows no way to send it: no port, peer or remote address for this destination",
	  "ip -d link show dev %d" },
	{ "TUNNEL_TXINFO", NULL, 0,
	  "the tunnel is \"external\": a route or a tc filter has to say where each packet goes",
	  "ip -d link show dev %d" },
	{ "VXLAN_INVALID_HDR", NULL, 0, "VXLAN: its header is not valid: a reserved bit is set, or no VNI is",
	  LINK },
	{ "VXLAN_ENTRY_EXISTS", NULL, 0,
	  "VXLAN: its source has a static entry in the forwarding database, by another way",
	  "bridge fdb show dev %d" },
	{ "MAC_INVALID_SOURCE", "vxlan_rcv", 0,
	  "VXLAN: the source address of the frame inside is multicast, zero, or that of the VXLAN device",
	  "ip -d link show type vxlan" },
	{ "LOCAL_MAC", "vxlan_rcv", 0,
	  "VXLAN: the source address of the frame inside is that of the VXLAN device: it came back",
	  "ip -d link show type vxlan" },
	{ "MAC_INVALID_SOURCE", NULL, 0,
	  "its source link-layer address is not valid: multicast, zero, or that of the device itself",
	  "ip link show dev %d" },
	{ "LOCAL_MAC", NULL, 0, "its source link-layer address is that of this device: it came back",
	  "ip link show dev %d" },
	{ "MAC_IEEE_MAC_CONTROL", NULL, 0,
	  "its destination is an address of link control (01:80:c2:00:00:01), which is not forwarded", NULL },
	{ "MACVLAN_BROADCAST_BACKLOG", NULL, 0, "macvlan: its queue of broadcasts is full (bcqueuelen)",
	  "ip -d link show type macvlan" },
	{ "IPVLAN_MULTICAST_BACKLOG", NULL, 0, "ipvlan: its queue of multicasts is full",
	  "ip -d link show type ipvlan" },
	{ "QDISC_BURST_DROP", NULL, 0,
	  "sysctl qdisc_max_burst: more waited for the queueing discipline than that",
	  "sysctl net.core.qdisc_max_burst", true },
	{ "FQ_BAND_LIMIT", NULL, 0, "fq: the limit of its band is reached", QDISC },
	{ "FQ_HORIZON_LIMIT", NULL, 0, "fq: it is to be sent later than the horizon allows", QDISC },
	{ "FQ_FLOW_LIMIT", NULL, 0, "fq: the limit of its flow is reached", QDISC },
	{ "SKB_BAD_GSO", NULL, 0, "its sizes of segments do not fit its data", LINK },
	{ "SKB_UCOPY_FAULT", NULL, 0, "the data of the sender could not be copied", NULL },
	{ "RECURSION_LIMIT", NULL, 0, "devices send it to each other in a loop", "ip -d link show dev %d" },
	{ "TC_COOKIE_ERROR", NULL, 0, "tc: no memory to remember what the hardware had done of its filters",
	  "tc -s filter show dev %d ingress" },
	{ "TC_CHAIN_NOTFOUND", NULL, 0, "tc: an action leads to a chain that does not exist",
	  "tc -s filter show dev %d ingress" },
	{ "TC_RECLASSIFY_LOOP", NULL, 0, "tc: actions lead back to the first filter, too often",
	  "tc -s filter show dev %d ingress" },
	{ "CAN_RX_INVALID_FRAME", NULL, 0, "CAN: its frame is not valid", LINK },
	{ "CANFD_RX_INVALID_FRAME", NULL, 0, "CAN FD: its frame is not valid", LINK },
	{ "CANXL_RX_INVALID_FRAME", NULL, 0, "CAN XL: its frame is not valid", LINK },

	/* Drops without a reason. The function that drops the packet shows the cause. */
	{ "NOT_SPECIFIED", "tcp_conn_request", 0,
	  "the listener's queue of connections is full, or SYN cookies are off",
	  "nstat -asz TcpExtListenDrops TcpExtListenOverflows" },
	{ "NOT_SPECIFIED", "ip_error", 0, "the route lookup: the route is a blackhole, or refuses it",
	  ROUTE_IN },
	{ "NOT_SPECIFIED", "nf_queue", 0,
	  "netfilter: given to a queue (NFQUEUE) that no program has, or that is full",
	  "cat /proc/net/netfilter/nfnetlink_queue" },
	{ "NOT_SPECIFIED", "__udp4_lib_rcv|udp_rcv", 0,
	  "UDP: broadcast or multicast to a port that no socket has, an IPsec policy, or a header that is "
	  "cut off",
	  "ss -uan 'sport = :%p'; ip maddress show dev %d" },
	{ "NOT_SPECIFIED", "__dev_forward_skb2", 0, "the other end: it is down, or its MTU is smaller",
	  "ip -d link show dev %d" },
	{ "NOT_SPECIFIED", "ip_rcv_finish_core", 0,
	  "the route lookup: its source or destination is not valid here, or the device has not joined its "
	  "multicast group",
	  "ip maddress show dev %d; ip route get %D from %S iif %d" },
	{ "NOT_SPECIFIED", "dst_discard|dst_discard_out", 0,
	  "the route discards all its packets: a blackhole, a route that was removed, or multicast without a "
	  "way out",
	  SHOW_ROUTE_TO },
	{ "NOT_SPECIFIED", "br_allowed_ingress|__allowed_ingress", 0,
	  "bridge: its VLAN is not allowed at this port, or it has none and the port has no PVID",
	  "bridge vlan show dev %d" },
	{ "NOT_SPECIFIED", "br_handle_frame", 0,
	  "bridge: the port does not forward, or the source or destination address is not valid for a bridge "
	  "(01:80:c2:00:00:01)",
	  "bridge -d link show dev %d" },
	{ "NOT_SPECIFIED", "ip_tunnel_rcv", 0,
	  "the tunnel device: its checksum or sequence number is missing or not valid (icsum, iseq), the "
	  "packet inside is cut off, or the ECN bits inside and outside contradict each other",
	  "ip -s -s -d tunnel show" },
	{ "NOT_SPECIFIED", "tunnel64_rcv", 0,
	  "IPv6 in IPv4: no tunnel device takes it: none has its addresses", "ip -d tunnel show" },
	{ "NOT_SPECIFIED", "tunnel6_rcv", 0,
	  "in IPv6: no tunnel device takes it: none has its addresses", "ip -6 -d tunnel show" },
	{ "NOT_SPECIFIED", "tunnel46_rcv", 0,
	  "IPv4 in IPv6: no tunnel device takes it: none has its addresses", "ip -6 -d tunnel show" },
	{ "NOT_SPECIFIED", "vxlan_rcv", 0,
	  "VXLAN: its header or the frame inside is not accepted, as with reserved bits (GBP), without a VNI "
	  "or a device for it, or from the address of the device itself",
	  "ip -s -s -d link show type vxlan" },
	{ "NOT_SPECIFIED", "geneve_udp_encap_recv", 0,
	  "Geneve: its header is cut off, or of another version or protocol", "ip -d link show type geneve" },
	{ "NOT_SPECIFIED", "xfrm_input", 0,
	  "IPsec: no state fits, or the packet is not valid: its sequence number, or its signature",
	  "cat /proc/net/xfrm_stat" },
	{ "NOT_SPECIFIED", "mpls_forward", 0,
	  "MPLS: its label has no route, its TTL had run out, it is larger than the MTU of the way out, or "
	  "the device does not take MPLS",
	  "ip -f mpls route; sysctl net/mpls/conf/%c/input" },
	{ "NOT_SPECIFIED", "igmp_rcv", 0,
	  "IGMP: not valid, or a message that the kernel has no use for, such as a report", NULL },
	{ "NOT_SPECIFIED", "ipv6_parse_hopopts", 0,
	  "IPv6: the hop-by-hop header is longer than the packet, or not valid",
	  "nstat -asz Ip6InHdrErrors" },
	{ "NOT_SPECIFIED", "ipv6_destopt_rcv", 0,
	  "IPv6: the header with destination options is longer than the packet, or not valid",
	  "nstat -asz Ip6InHdrErrors" },
	{ "NOT_SPECIFIED", "ipv6_rthdr_rcv", 0,
	  "IPv6: its routing header is not valid, of an unknown type, or not allowed (accept_source_route, "
	  "seg6_enabled, rpl_seg_enabled)",
	  "nstat -asz Ip6InHdrErrors; sysctl net/ipv6/conf/%c/accept_source_route "
	  "net/ipv6/conf/%c/seg6_enabled net/ipv6/conf/%c/rpl_seg_enabled" },
	{ "NOT_SPECIFIED", "ipv6_frag_rcv", 0, "IPv6: its fragment header is not valid",
	  "nstat -asz Ip6InHdrErrors Ip6ReasmFails" },
	{ "NOT_SPECIFIED", "ip6_mc_input", 0,
	  "IPv6: multicast to a group that this host has not joined on the device",
	  "ip -6 maddress show dev %d" },
	{ "NOT_SPECIFIED", "gre_rcv", 0,
	  "GRE: no tunnel device takes it: none has its key and its addresses, or its header is not valid",
	  "ip -d tunnel show" },
	{ "NOT_SPECIFIED", "tunnel4_rcv", 0,
	  "IP in IP: no tunnel device takes it: none has its addresses", "ip -d tunnel show" },
	{ "NOT_SPECIFIED", "udp_recvmsg", 0, CHECKSUM_ON_READ, "nstat -asz UdpInCsumErrors" },
	{ "NOT_SPECIFIED", "udpv6_recvmsg", 0, CHECKSUM_ON_READ, "nstat -asz Udp6InCsumErrors" },
	{ "NOT_SPECIFIED", "__first_packet_length", 0, CHECKSUM_ON_READ,
	  "nstat -asz Udp%6InCsumErrors" },
	{ "NOT_SPECIFIED", "ip_do_fragment", 0,
	  "IP: it could not be fragmented, or an earlier fragment was not sent",
	  "nstat -asz IpFragFails" },
	{ "NOT_SPECIFIED", "ip6_fragment", 0,
	  "IPv6: it could not be fragmented, or an earlier fragment was not sent",
	  "nstat -asz Ip6FragFails" },
	{ "NOT_SPECIFIED", "ip_expire", 0, "reassembly: fragments were missing for too long",
	  "sysctl net.ipv4.ipfrag_time" },
	{ "NOT_SPECIFIED", "ip6_pkt_drop|ip6_pkt_discard", 0, "the route lookup: no route to the destination",
	  ROUTE_IN },
	{ "NOT_SPECIFIED", "ip6_forward", 0, "forwarding IPv6", "nstat -as 'Ip6*'" },
	{ "NOT_SPECIFIED", "do_xdp_generic", 0, "the device's XDP program", "ip -d link show dev %d" },
	{ "NOT_SPECIFIED", "veth_xdp_rcv_skb", 0, "the device's XDP program, or no memory for its copy",
	  "ip -d link show dev %d" },
};

/* Possible causes if the kernel freed a packet without a reason. */
static const struct cause freed[] = {
	[FREED_SYN] = { NULL, NULL, 0,
	  "no answer to this SYN was recorded: the listener's accept queue is full (Recv-Q over Send-Q), or "
	  "its queue of half-open connections, or it could make no connection, as without a "
	  "route back to the source; or the filter leaves answers out",
	  "ss -tln 'sport = :%l'; nstat -asz TcpExtListenOverflows TcpExtListenDrops; ip route get %S",
	  LIMIT(ACCEPT_QUEUE) },
	[FREED_HANDSHAKE] = { NULL, NULL, 0,
	  "an acknowledgement of the handshake, and no connection came of it: the listener's accept queue is "
	  "full (Recv-Q over Send-Q), it waits for data (TCP_DEFER_ACCEPT), there is no memory or no route "
	  "back, or the flags or numbers of the packet do not fit",
	  "ss -tln 'sport = :%l'; nstat -asz TcpExtListenOverflows TcpExtListenDrops", LIMIT(ACCEPT_QUEUE) },
	[FREED_TCP] = { NULL, NULL, 0,
	  "TCP gives no reason: what it ignores is freed as what ends a connection is",
	  TCP_STATE },
	[FREED_EARLY] = { NULL, NULL, 0,
	  "TCP: rejected before its socket saw it: its header is cut off, it is broadcast or multicast, or "
	  "its TTL is less than the socket's IP_MINTTL",
	  "nstat -asz TcpInErrs TcpExtTCPMinTTLDrop" },
	[FREED_ECHO] = { NULL, NULL, 0,
	  "no answer to this echo request was recorded: a sysctl (echo_ignore_all or another echo_ignore), a "
	  "rate limit, no route back, or a filter that leaves answers out",
	  "sysctl net/ipv4/icmp_echo_ignore_all net/ipv6/icmp/echo_ignore_all "
	  "net/ipv6/icmp/echo_ignore_multicast net/ipv6/icmp/echo_ignore_anycast; ip route get %S" },
	[FREED_OTHER] = { NULL, NULL, 0,
	  "its queue was emptied, or the kernel was done with it: the place gives no reason",
	  LINK },
};
/* clang-format on */

#define nr_of(array) (sizeof(array) / sizeof((array)[0]))

bool cause_is_in(const char *names, const char *func)
{
	size_t len;

	if (!names)
		return true;
	for (; func && *names; names += len + !!names[len]) {
		len = strcspn(names, "|");
		if (!strncmp(func, names, len) && (!func[len] || func[len] == '.'))
			return true;
	}
	return false;
}

/*
 * Return: true if @cause is for this reason. @reason may have a suffix: "QDISC_DROP (prio OVERLIMIT)".
 * A star in the reason of @cause stands for the kind of the queueing discipline.
 */
static bool is_reason(const struct cause *cause, const char *reason)
{
	const char *star = strchr(cause->reason, '*');
	const size_t len = star ? (size_t)(star - cause->reason) : strlen(cause->reason);
	const char *suffix = star ? strchr(reason + strnlen(reason, len), ' ') : NULL;

	if (strncmp(reason, cause->reason, len))
		return false;
	if (star)
		return suffix && !strcmp(suffix, star + 1);
	return !reason[len] || reason[len] == ' ';
}

static const struct cause unknown = {
	.says = "for a reason that has no more than its name in the recording",
};

const struct cause *cause_of_drop(const char *reason, const char *func)
{
	for (size_t i = 0; i < nr_of(drops); i++) {
		const struct cause *cause = &drops[i];

		if (is_reason(cause, reason) && cause_is_in(cause->func, func))
			return cause;
	}
	return &unknown;
}

bool cause_is_known(const char *reason, const char *func)
{
	return cause_of_drop(reason, func) != &unknown;
}

const struct cause *cause_of_freed(enum freed_kind kind, const char *func)
{
	/* If @func frees packets without a reason only for a single cause, return this cause. */
	for (size_t i = 0; i < nr_of(drops) && func && kind == FREED_OTHER; i++) {
		const struct cause *cause = &drops[i];

		if (cause->func && is_reason(cause, "NOT_SPECIFIED") &&
		    cause_is_in(cause->func, func))
			return cause;
	}
	return &freed[kind];
}
