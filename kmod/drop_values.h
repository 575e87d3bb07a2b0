/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_DROP_VALUES_H
#define RECORD_SKB_DROP_VALUES_H

#include <linux/types.h>
#include <record_skb.h>

struct match;
struct Qdisc;
struct sk_buff;
struct sock;

/*
 * struct dropped - a packet that is being dropped
 * @skb: the packet
 * @m: numbers of the packet
 * @reason: name of the drop reason; empty if it has none
 * @sk: the socket that receives the packet; NULL if the kernel does not pass it
 * @qdisc: the queueing discipline that drops the packet; NULL if the kernel does not pass it
 * @qdisc_name: name of that queueing discipline; empty if it is not known
 */
struct dropped {
	const struct sk_buff *skb;
	const struct match *m;
	const char *reason;
	const struct sock *sk;
	const struct Qdisc *qdisc;
	const char *qdisc_name;
};

/*
 * struct drop_value - the queue or limit that decided about a packet, at the moment of the drop
 * @kind: the queue or limit
 * @used: how much of it was in use; for an MTU or a TTL, the value of the packet
 * @limit: the limit, 0 if it is not known
 * @needs: how much the packet would have added to @used; 0 if the kernel does not count the packet
 * @port_is_shared: the queue belongs to a socket, and other sockets may have its local port
 */
struct drop_value {
	enum record_skb_limit kind;
	u64 used, limit;
	u32 needs;
	bool port_is_shared;
};

bool drop_value_read(const struct dropped *d, struct drop_value *v);
bool drop_value_read_syn(const struct sk_buff *skb, struct drop_value *v);
void drop_values_start(void);
void drop_values_stop(void);

#endif
