/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_NAT_H
#define RECORD_SKB_NAT_H

#include <linux/skbuff.h>

#include "tuple.h"

#if IS_ENABLED(CONFIG_NF_CONNTRACK)
#include <net/netfilter/nf_conntrack.h>

/* Whether its addresses or ports are changed, as far as is known by now. */
static inline bool nat_changes(const struct sk_buff *skb)
{
	enum ip_conntrack_info info;
	const struct nf_conn *ct = nf_ct_get(skb, &info);

	return ct && !nf_ct_is_template(ct) && READ_ONCE(ct->status) & IPS_NAT_MASK;
}
#else
static inline bool nat_changes(const struct sk_buff *skb)
{
	return false;
}
#endif

void nat_tuples(const struct sk_buff *skb, struct tuple *sent, struct tuple *answer, u64 *net);

#endif
