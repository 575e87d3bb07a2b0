/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_MATCH_H
#define RECORD_SKB_MATCH_H

#include "track.h"
#include "tuple.h"

struct point;
struct session;
struct sk_buff;
struct sock;

bool match_skb(const struct session *s, const struct point *point, const struct sk_buff *skb,
	       struct match *m);
bool match_skb_quick(const struct session *s, const struct point *point,
		     const struct sk_buff *skb);
bool match_call(const struct session *s, const struct point *point, const struct sock *sk,
		const struct tuple *t, u32 *flow);
bool match_learn(const struct session *s, const struct sock *sk, const struct tuple *t);
bool match_learn_of(const struct session *s, const struct sock *sk, const struct tuple *t);
void match_unlearn(const struct sock *sk, const struct tuple *t);
bool match_new_sock(const struct session *s, const struct tuple *t);

int match_network_offset(const struct point *point, const struct sk_buff *skb);
const struct net_device *match_device(const struct point *point, const struct sk_buff *skb);
u32 match_netns(const struct point *point, const struct sk_buff *skb);

#endif
