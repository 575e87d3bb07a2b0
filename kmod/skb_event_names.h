/* SPDX-License-Identifier: GPL-2.0 */
/* skb_event_names.h - names of the values of the trace events, for the text of an event */
#ifndef RECORD_SKB_SKB_EVENT_NAMES_H
#define RECORD_SKB_SKB_EVENT_NAMES_H

/* clang-format off */
#define show_how(how)								\
	__print_symbolic(how, { 0, "open" }, { 1, "nested" }, { 2, "hidden" })

#define show_dir(dir)								\
	__print_symbolic(dir, { 0, "-" }, { 1, "rx" }, { 2, "tx" })

#define show_proto(proto)							\
	__print_symbolic(proto, { 0, "-" }, { 1, "icmp" }, { 2, "igmp" },	\
			 { 4, "ipip" }, { 6, "tcp" }, { 17, "udp" }, { 47, "gre" },	\
			 { 50, "esp" }, { 58, "icmpv6" }, { 132, "sctp" })

#define show_kind(kind)								\
	__print_symbolic(kind, { 0, "clone" }, { 1, "copy" }, { 2, "segment" },	\
			 { 3, "fragment" }, { 4, "part" }, { 5, "morph" })

#define show_limit(kind)							\
	__print_symbolic(kind, { 1, "accept queue" }, { 2, "receive buffer" }, { 3, "socket backlog" },	\
			 { 4, "device queue" }, { 5, "neighbour queue" }, { 6, "conntrack" },		\
			 { 7, "CPU backlog" }, { 8, "MTU" }, { 9, "TTL" })

#define show_by(by)								\
	__print_symbolic(by, { 0, "nobody" }, { 1, "drop" }, { 2, "slow" }, { 3, "match" },	\
			 { 4, "unanswered" })

#define show_sched(what)							\
	__print_symbolic(what, { 0, "asleep" }, { 1, "preempted" }, { 2, "woken" }, { 3, "on" },	\
			 { 4, "other" })

#define show_netns_kind(kind)							\
	__print_symbolic(kind, { 0, "seen" }, { 1, "host" }, { 2, "ip-netns" }, { 3, "pod" },	\
			 { 4, "docker" }, { 5, "podman" }, { 6, "containerd" }, { 7, "nspawn" },	\
			 { 8, "lxc" }, { 9, "process" }, { 10, "packet socket" }, { 255, "last" })

#define show_nft_family(family)							\
	__print_symbolic(family, { 1, "inet" }, { 2, "ip" }, { 3, "arp" },	\
			 { 5, "netdev" }, { 7, "bridge" }, { 10, "ip6" })

#define show_nft_verdict(verdict)						\
	__print_symbolic(verdict, { 0, "drop" }, { 1, "accept" },		\
			 { 2, "stolen" }, { 3, "queue" }, { 0xfffffffb, "return" },	\
			 { 0xfffffffc, "goto" }, { 0xfffffffd, "jump" },		\
			 { 0xfffffffe, "break" }, { 0xffffffff, "continue" })

#define show_program(type)							\
	__print_symbolic(type, { 1, "socket_filter" }, { 3, "sched_cls" }, { 4, "sched_act" },	\
			 { 6, "xdp" }, { 8, "cgroup_skb" }, { 10, "lwt_in" }, { 11, "lwt_out" },	\
			 { 9, "cgroup_sock" }, { 12, "lwt_xmit" }, { 14, "sk_skb" }, { 16, "sk_msg" },	\
			 { 18, "cgroup_sock_addr" }, { 19, "lwt_seg6local" }, { 21, "sk_reuseport" },	\
			 { 30, "sk_lookup" }, { 32, "netfilter" })

#define show_decision(kind)							\
	__print_symbolic(kind, { 1, "policy rule" }, { 2, "route" }, { 3, "VRF" }, { 4, "IPVS" },	\
			 { 5, "flowtable" }, { 6, "Open vSwitch" },				\
			 { 7, "not in packet socket" })

#define show_tcp_flags(flags)							\
	__print_flags(flags, "", { 0x01, "F" }, { 0x02, "S" }, { 0x04, "R" },	\
		      { 0x08, "P" }, { 0x10, "." }, { 0x20, "U" }, { 0x40, "E" },	\
		      { 0x80, "W" })
/* clang-format on */

#endif
