// SPDX-License-Identifier: GPL-2.0
/*
 * prefilter_rejects.c - reject a call of a probe point that no recording wants
 *
 * probe_entry.S calls prefilter_rejects() for each call of a probe point, before any register was saved.
 * Therefore Kbuild sets compiler options for this file, so that its functions preserve the argument
 * registers. The code here must not call functions of other files or of a sanitizer.
 */
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/if_vlan.h>
#include <linux/skbuff.h>
#include <net/sock.h>
#include <net/xdp.h>

#include "counters.h"
#include "gate_stack.h"
#include "graph_pause.h"
#include "flow_tuple.h"
#include "ports.h"
#include "prefilter.h"
#include "skb_table.h"
#include "tasks.h"
#include "trace_emit.h"

/*
 * Return: true if the current context is certainly inside no open graph. There are two cases. The task has
 * the pause mark, which gate_stack_push() removes when a graph is opened. Or the pause of all tasks is off,
 * and the context is inside no gate.
 */
static __always_inline bool is_outside(void)
{
	return pause_is_marked(current) ||
	       (!READ_ONCE(record_skb_paused) && !gate_stack_may_be_inside());
}

/*
 * Find the ports of a packet, which begins at @header.
 * @protocol: network protocol of the packet, 0 if it is not known
 * Return: pointer to the ports if the packet is plain TCP or UDP; NULL for any other packet.
 */
static __always_inline const __be16 *ports_at(const u8 *header, const u8 *tail, __be16 protocol)
{
	const struct iphdr *ih = (const struct iphdr *)header;
	const struct ipv6hdr *ih6 = (const struct ipv6hdr *)header;

	if (header + sizeof(*ih) + 2 * sizeof(__be16) > tail)
		return NULL;
	if (parse_is_plain(ih))
		return protocol == htons(ETH_P_IP) || !protocol ? (const __be16 *)(ih + 1) : NULL;
	if (ih6->version != 6 || (protocol != htons(ETH_P_IPV6) && protocol) ||
	    header + sizeof(*ih6) + 2 * sizeof(__be16) > tail ||
	    (ih6->nexthdr != IPPROTO_UDP && ih6->nexthdr != IPPROTO_TCP))
		return NULL;
	return (const __be16 *)(ih6 + 1);
}

/*
 * Return: true if the ports of the socket match no recording's filter. @next is the argument that follows the
 * socket in the call of the probed function.
 */
static __always_inline bool rejects_sock(const struct sock *sk, unsigned long next, u32 flags)
{
	const struct msghdr *msg = (const struct msghdr *)next;
	__be16 sport, dport;

	if (!sk_fullsock(sk) || sk->sk_type == SOCK_RAW ||
	    (sk->sk_protocol != IPPROTO_UDP && sk->sk_protocol != IPPROTO_TCP) ||
	    (sk->sk_family != AF_INET && sk->sk_family != AF_INET6))
		return false;
	if (flags & PREFILTER_MSG && (IS_ERR_OR_NULL(msg) || msg->msg_name))
		return false;
	sport = htons(sock_local_port(sk));
	dport = sk->sk_dport;
	return flags & PREFILTER_RX ? !port_set_has(&record_skb_ports, dport, sport) :
				      !port_set_has(&record_skb_ports, sport, dport);
}

/* Find the ports of an skb's packet, as ports_at() does. @header is never before skb->head. */
static __always_inline const __be16 *ports_of(const struct sk_buff *skb, const u8 *header)
{
	return ports_at(header, skb_tail_pointer(skb), skb->protocol);
}

/*
 * Find the ports of a frame's packet, as ports_at() does. The frame has a whole Ethernet header. If it has
 * more than one VLAN tag, its ports are not found.
 */
static __always_inline const __be16 *ports_of_frame(const struct ethhdr *eth, const u8 *end)
{
	const struct vlan_hdr *tag = (const struct vlan_hdr *)(eth + 1);

	if (!eth_type_vlan(eth->h_proto))
		return ports_at((const u8 *)tag, end, eth->h_proto);
	if ((const u8 *)(tag + 1) > end)
		return NULL;
	return ports_at((const u8 *)(tag + 1), end, tag->h_vlan_encapsulated_proto);
}

/*
 * Return: true if no recording wants the ports of the frame, and the frame is not in the buffer of a tracked
 * skb. Generic XDP may have replaced this buffer, but then the current context is inside a gate of the skb.
 */
static __always_inline bool rejects_frame(const struct xdp_buff *xdp)
{
	const struct ethhdr *eth = xdp->data;
	const __be16 *ports;

	if ((u8 *)(eth + 1) > (u8 *)xdp->data_end ||
	    (busy_with_packets() && skb_table_may_know(emit_find_buffer(xdp->data_hard_start))))
		return false;
	ports = ports_of_frame(eth, xdp->data_end);
	return ports && !port_set_has(&record_skb_ports, ports[0], ports[1]);
}

static noinline bool rejects_other(unsigned long arg, unsigned long next, u32 flags)
{
	if (flags & PREFILTER_INSIDE)
		return true;
	if (flags & PREFILTER_RULE)
		return !busy_with_packets();
	if (flags & PREFILTER_XDP)
		return rejects_frame((const struct xdp_buff *)arg);
	if (flags & PREFILTER_SENDER && task_table_may_know_current())
		return false;
	if (flags & PREFILTER_CALL)
		return true;
	/*
	 * Test this flag before IS_ERR_OR_NULL(), which would not reject a NULL pointer. Many callers free a
	 * NULL pointer, and skb_table_may_know() accepts any pointer.
	 */
	if (flags & PREFILTER_TRACKED)
		return !busy_with_packets() || !skb_table_may_know((const struct sk_buff *)arg);
	if (IS_ERR_OR_NULL((const void *)arg))
		return false;
	return rejects_sock((const struct sock *)arg, next, flags);
}

/**
 * prefilter_rejects() - test if no recording wants a call of a probe point
 * @a0: first argument of the call
 * @a1: second argument
 * @a2: third argument
 * @a3: not used
 * @a4: not used
 * @a5: not used
 * @return_address: address after the call to ftrace at the start of the probed function
 *
 * Called in any context.
 *
 * Return: true if the call can be ignored.
 */
arch_noendbr bool prefilter_rejects(unsigned long a0, unsigned long a1, unsigned long a2,
				    unsigned long a3, unsigned long a4, unsigned long a5,
				    unsigned long return_address)
{
	const unsigned long ip = return_address - MCOUNT_INSN_SIZE;
	const u32 slot = prefilter_slot(ip, READ_ONCE(record_skb_prefilter.factor));
	const struct prefilter_probe *probe = &record_skb_prefilter.probe[slot];
	const struct sk_buff *skb;
	unsigned long arg = a0, next = a1;
	const __be16 *ports;
	u32 flags;

	/* Make the compiler keep the address in @probe, instead of computing it again for each access. */
	OPTIMIZER_HIDE_VAR(probe);
	/* Pairs with smp_store_release() in add_point(). */
	if (smp_load_acquire(&probe->ip) != ip || !is_outside())
		return false;
	flags = READ_ONCE(probe->flags);
	if (flags & PREFILTER_ARG) {
		arg = flags & 1 ? a1 : a2;
		next = 0;
	}
	if (flags & PREFILTER_OTHER)
		return rejects_other(arg, next, flags);
	skb = (const struct sk_buff *)arg;
	if (IS_ERR_OR_NULL(skb))
		return false;
	ports = ports_of(skb, flags & PREFILTER_AT_DATA ? skb->data : skb_network_header(skb));
	if (!ports || port_set_has(&record_skb_ports, ports[0], ports[1]))
		return false;
	if (flags & PREFILTER_SENDER && task_table_may_know_current())
		return false;
	return !busy_with_packets() || !skb_table_may_know(skb);
}
