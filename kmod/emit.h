/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_EMIT_H
#define RECORD_SKB_EMIT_H

#include <linux/types.h>
#include <record_skb.h>

struct match;
struct point;
struct sk_buff;
struct sock;
struct tuple;
struct view;

void emit_packet(const struct view *v, const struct match *m, enum record_skb_how how);
void emit_call(const struct point *point, u32 call, const struct sock *sk, const struct tuple *t,
	       u32 flow, enum record_skb_how how);
void emit_other(unsigned long func, const void *object);
void emit_drop(const struct sk_buff *skb, const struct match *m, unsigned long location, u32 reason,
	       const char *name, const char *qdisc, const char *qdisc_reason);

void emit_copy(const struct sk_buff *skb, const struct match *m, const struct sk_buff *from,
	       u32 from_copy, enum record_skb_copy_kind kind, unsigned long func);
void emit_end(const struct sk_buff *skb, const struct match *m);
void emit_return(unsigned long func, const struct sk_buff *skb, const struct match *m, u32 call,
		 unsigned long ret);
void emit_wall_clock(void);

#endif
