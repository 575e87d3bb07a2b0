/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_TRACE_EMIT_H
#define RECORD_SKB_TRACE_EMIT_H

#include <linux/hash.h>
#include <linux/in6.h>
#include <linux/types.h>
#include <record_skb.h>

struct call_socket;
struct drop_value;
struct match;
struct net_device;
struct netns_entry;
struct point;
struct recording;
struct sk_buff;
struct sock;
struct task_struct;
struct tuple;
struct skb_view;

/*
 * struct rule_record - a verdict of an nftables rule or of a chain policy on a packet
 * @skb: the packet
 * @netns: inode number of the namespace that the rule belongs to
 * @handle: handle of the rule; 0 for a policy
 * @verdict: NF_* or NFT_* verdict
 * @type: NFT_TRACETYPE_*
 * @family: family of the table, NFPROTO_*
 * @hook: hook number in the table's family, NF_*_HOOK for most families
 * @table: name of the table
 * @chain: name of the chain
 * @to: name of the chain that a jump leads to; empty for other verdicts
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

/*
 * struct reset_record - a TCP reset that this machine sends
 * @skb: the packet that the reset answers; NULL if the socket sends the reset by itself
 * @m: numbers of that packet and of the flow, 0 if not known
 * @tuple: addresses of the reset
 * @netns: inode number of the network namespace
 * @reason: number of the kernel's reset reason
 * @name: name of the reset reason; empty if the kernel has none
 * @state: state of the socket, TCP_*; 0 without a socket
 * @probes: number of probes that the peer has not answered
 * @user_timeout: TCP_USER_TIMEOUT of the socket in milliseconds, 0 if it is not set
 * @unread: number of bytes that the socket has received and its program has not read; 0 also if not known
 * @callers: the functions that led to the reset, innermost first; 0 after the last one
 */
struct reset_record {
	const struct sk_buff *skb;
	const struct match *m;
	const struct tuple *tuple;
	u32 netns;
	u32 reason;
	const char *name;
	u8 state;
	u8 probes;
	u32 user_timeout;
	u32 unread;
	unsigned long callers[RECORD_SKB_RESET_CALLERS];
};

/*
 * struct program_record - a BPF program has run on a packet
 * @run: the program and its result
 * @skb: the packet
 * @dev: device of the packet; NULL if it is not known
 * @dir: RECORD_SKB_DIR_RX for a program at the ingress of the device, _TX at the egress, _NONE if not known
 * @candidates: 0 if the result of the program is known. Otherwise, this many programs have run, and at least
 *	one of them has refused the packet
 * @to: enum record_skb_redirect
 * @to_index: key in the map, number of the CPU, or local port of the socket
 * @to_map: id of the map, 0 without a map
 * @to_dev: device to which the packet is redirected; NULL if there is none, or if it is not known
 */
struct program_record {
	const struct record_skb_program *run;
	const struct sk_buff *skb;
	const struct net_device *dev;
	enum record_skb_dir dir;
	u16 candidates;
	enum record_skb_redirect to;
	u32 to_index;
	u32 to_map;
	const struct net_device *to_dev;
};

/*
 * struct decision_record - a decision about the path of a packet
 * @kind: enum record_skb_decision
 * @func: address of the function that decides, 0 for a route
 * @skb: the packet; NULL if the decision belongs to the packet or call of the open graph
 * @dev: the VRF, or the device of a route; otherwise NULL
 * @netns: inode number of the network namespace, 0 if unknown
 * @number: priority of a policy rule; for IPVS, the firewall mark of the service; for a packet socket, its
 *	inode number
 * @table: the routing table of a rule or route
 * @result: for a rule, its action (FR_ACT_*); for a route, 0 or a negative error; for IPVS, the forwarding
 *	method (IP_VS_CONN_F_*); for a packet socket, enum record_skb_tap
 * @family, @proto: address family; for IPVS, the IP protocol
 * @saddr, @daddr: for a route, the addresses that were looked up; for IPVS, the client and the service
 * @via: gateway of a route, or real server of IPVS; the family is 0 without an address
 */
struct decision_record {
	enum record_skb_decision kind;
	unsigned long func;
	const struct sk_buff *skb;
	const struct net_device *dev;
	u32 netns;
	u32 number;
	u32 table;
	s32 result;
	u8 family;
	u8 proto;
	struct sockaddr_in6 saddr, daddr, via;
};

void emit_packet(const struct recording *r, const struct skb_view *v, const struct match *m,
		 enum record_skb_how how);
void emit_call(const struct recording *r, const struct point *point, u32 call,
	       const struct sock *sk, const struct call_socket *socket, const struct tuple *t,
	       u32 flow, enum record_skb_how how);
void emit_other(const struct recording *r, unsigned long func, const void *object);
void emit_drop(const struct recording *r, const struct sk_buff *skb, const struct match *m,
	       unsigned long location, u32 reason, const char *name, const char *qdisc,
	       const char *qdisc_reason);
void emit_limit(const struct recording *r, const struct sk_buff *skb, const struct match *m,
		const struct drop_value *v);
void emit_copy(const struct recording *r, const struct sk_buff *skb, const struct match *m,
	       const struct sk_buff *from, u32 from_copy, enum record_skb_copy_kind kind,
	       unsigned long func);
void emit_end(const struct recording *r, const struct sk_buff *skb, const struct match *m);
void emit_return(const struct recording *r, unsigned long func, const struct sk_buff *skb,
		 const struct match *m, u32 call, unsigned long ret,
		 const struct call_socket *socket);
void emit_rule(const struct recording *r, const struct rule_record *rule, const struct match *m);
void emit_program(const struct recording *r, const struct program_record *program,
		  const struct match *m);
void emit_decision(const struct recording *r, const struct decision_record *decision,
		   const struct match *m);
void emit_reset(const struct recording *r, const struct reset_record *reset);
const struct sk_buff *emit_last_skb(void);

#define RECORD_SKB_BUFFER_BITS 12

extern const struct sk_buff *record_skb_by_buffer[1 << RECORD_SKB_BUFFER_BITS];

/**
 * emit_find_buffer() - find the skb that has a buffer
 * @head: the beginning of the buffer
 *
 * Return: an skb that may have this buffer, or may have been freed; NULL if none was seen.
 */
static __always_inline const struct sk_buff *emit_find_buffer(const void *head)
{
	return READ_ONCE(record_skb_by_buffer[hash_ptr(head, RECORD_SKB_BUFFER_BITS)]);
}

void emit_wall_clock(const struct recording *r);
void emit_netns_name(const struct recording *r, const struct netns_entry *entry);
void emit_netns_names(const struct recording *r);
void emit_sched(const struct recording *r, enum record_skb_sched what,
		const struct task_struct *task, const struct task_struct *other);
void emit_stop(const struct recording *r, enum record_skb_by by, const struct match *m);

#endif
