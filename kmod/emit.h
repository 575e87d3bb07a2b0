/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_EMIT_H
#define RECORD_SKB_EMIT_H

#include <linux/types.h>
#include <record_skb.h>

struct match;
struct point;
struct recording;
struct sk_buff;
struct sock;
struct task_struct;
struct tuple;
struct view;

/*
 * struct rule_record - what a rule or policy of nftables said of a packet
 * @skb: the packet
 * @netns: inode number of the namespace whose rules they are
 * @handle: of the rule; 0 if it was none
 * @verdict: NF_* and NFT_*
 * @type: NFT_TRACETYPE_*
 * @family: of the table, NFPROTO_*
 * @hook: NF_*_HOOK, or what the family has instead
 * @table: in which
 * @chain: in which
 * @to: to which chain, of a jump; else empty
 */
struct rule_record {
	const struct sk_buff *skb;
	u32 netns;
	u64 handle;
	int verdict;
	u8 type;
	u8 family;
	u8 hook;
	const char *table;
	const char *chain;
	const char *to;
};

void emit_packet(const struct recording *r, const struct view *v, const struct match *m,
		 enum record_skb_how how);
void emit_call(const struct recording *r, const struct point *point, u32 call,
	       const struct sock *sk, const struct tuple *t, u32 flow, enum record_skb_how how);
void emit_other(const struct recording *r, unsigned long func, const void *object);
void emit_drop(const struct recording *r, const struct sk_buff *skb, const struct match *m,
	       unsigned long location, u32 reason, const char *name, const char *qdisc,
	       const char *qdisc_reason);

void emit_copy(const struct recording *r, const struct sk_buff *skb, const struct match *m,
	       const struct sk_buff *from, u32 from_copy, enum record_skb_copy_kind kind,
	       unsigned long func);
void emit_end(const struct recording *r, const struct sk_buff *skb, const struct match *m);
void emit_return(const struct recording *r, unsigned long func, const struct sk_buff *skb,
		 const struct match *m, u32 call, unsigned long ret);
void emit_rule(const struct recording *r, const struct rule_record *rule, const struct match *m);
void emit_wall_clock(const struct recording *r);
void emit_sched(const struct recording *r, enum record_skb_sched what,
		const struct task_struct *task, const struct task_struct *other);
void emit_stop(const struct recording *r, enum record_skb_by by, const struct match *m);

#endif
