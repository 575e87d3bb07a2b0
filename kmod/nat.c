// SPDX-License-Identifier: GPL-2.0
/* nat.c - what connection tracking knows of a packet whose addresses are changed */
#include <linux/icmp.h>
#include <linux/skbuff.h>
#include <net/net_namespace.h>

#include "nat.h"

#if IS_ENABLED(CONFIG_NF_CONNTRACK)
static void nat_tuple(const struct nf_conntrack_tuple *ends, struct tuple *t)
{
	*t = (struct tuple){
		.family = ends->src.l3num,
		.proto = ends->dst.protonum,
		.saddr = ends->src.u3.in6,
		.daddr = ends->dst.u3.in6,
	};
	if (tuple_has_ports(t->proto)) {
		t->sport = ntohs(ends->src.u.all);
		t->dport = ntohs(ends->dst.u.all);
	} else if (t->proto == IPPROTO_ICMP || t->proto == IPPROTO_ICMPV6) {
		t->sport = t->dport = ntohs(ends->src.u.icmp.id);
	}
}

/**
 * nat_tuples() - the ends of a connection whose addresses or ports are changed
 * @skb: one of its packets, of which nat_changes()
 * @sent: set to those of who began it, as its packets come
 * @answer: set to those of the answers, as these come
 * @net: set to the cookie of the namespace where that is so
 */
void nat_tuples(const struct sk_buff *skb, struct tuple *sent, struct tuple *answer, u64 *net)
{
	enum ip_conntrack_info info;
	const struct nf_conn *ct = nf_ct_get(skb, &info);

	nat_tuple(&ct->tuplehash[IP_CT_DIR_ORIGINAL].tuple, sent);
	nat_tuple(&ct->tuplehash[IP_CT_DIR_REPLY].tuple, answer);
	*net = nf_ct_net(ct)->net_cookie;
}
#else
void nat_tuples(const struct sk_buff *skb, struct tuple *sent, struct tuple *answer, u64 *net) {}
#endif
