/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_MATCH_H
#define RECORD_SKB_MATCH_H

#include <linux/types.h>

#include "nat.h"
#include "track.h"
#include "view.h"

struct armed;
struct point;
struct sock;
struct tuple;

bool match_packet(const struct armed *a, const struct view *v, struct match *m);
bool match_packet_quick(const struct armed *a, const struct view *v);
bool match_call(const struct armed *a, const struct point *point, const struct sock *sk,
		const struct tuple *t, u32 *flow);
bool match_learn(const struct armed *a, const struct sock *sk, const struct tuple *t);
bool match_learn_of(const struct armed *a, const struct sock *sk, const struct tuple *t);
void match_unlearn(const struct armed *a, const struct sock *sk, const struct tuple *t);
bool match_new_sock(const struct armed *a, const struct tuple *t);

/* Whether a packet that is remembered is where it was, and whose it was. */
static inline bool match_stays(const struct view *v, const struct match *m)
{
	const struct net *net = view_net(v);

	return (!net || (net->ns.inum == m->netns && net->net_cookie == m->net)) &&
	       !(m->flow && nat_changes(v->skb));
}

#endif
