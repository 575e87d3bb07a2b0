/* SPDX-License-Identifier: GPL-2.0 */
/* skb_events.h - the trace events; Documentation/events.md is their contract */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM record_skb

#if !defined(RECORD_SKB_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define RECORD_SKB_EVENTS_H

/* clang-format off */
#include <linux/in6.h>
#include <linux/tracepoint.h>

#include "skb_event_names.h"

#ifndef RECORD_SKB_EVENTS_ONCE
#define RECORD_SKB_EVENTS_ONCE

/* Data of a call event, collected by trace_emit.c. */
struct call_record {
	const struct point *point;
	const struct sock *sk;
	const struct call_socket *socket;
	const struct tuple *tuple;
	u32 call;
	u32 flow;
	u32 netns;
	u8 how;
	u8 recording;
};

#endif

TRACE_EVENT(packet,
	TP_PROTO(const struct recording *r, const struct skb_view *v, const struct match *m, u8 how,
		 const struct tuple *t, u32 data_len),
	TP_ARGS(r, v, m, how, t, data_len),
	TP_STRUCT__entry(
		__field(unsigned long, func)
		__field(unsigned long, skb)
		__field(u32, pkt)
		__field(u32, flow)
		__field(u8, how)
		__field(u8, dir)
		__field(u8, family)
		__field(u8, proto)
		__array(u8, saddr, sizeof(struct sockaddr_in6))
		__array(u8, daddr, sizeof(struct sockaddr_in6))
		__field(u8, icmp_type)
		__field(u8, icmp_code)
		__field(u16, icmp_id)
		__field(u8, tcp_flags)
		__field(u16, ethertype)
		__field(u32, seq)
		__field(u32, ack)
		__field(u32, len)
		__field(u32, ifindex)
		__array(char, dev, IFNAMSIZ)
		__field(u32, netns)
		__field(u32, mark)
		__field(u32, copy)
		__field(u32, net_len)
		__field(u32, overrun)
		__field(u8, first)
		__field(u8, recording)
		__field(u8, lacks_points)
		__field(u8, ct)
		__field(u8, bridged)
		__field(u32, ct_status)
		__array(char, dev_kind, IFNAMSIZ)
		__dynamic_array(u8, data, data_len)
	),
	TP_fast_assign(
		fill_packet(__entry, r, v, m, how, t, __get_dynamic_array(data), data_len);
	),
	TP_printk("#%u %ps %s %s %pISpc > %pISpc flags=%s len=%u dev=%s netns=%u flow=%u %s",
		  __entry->pkt, (void *)__entry->func, show_dir(__entry->dir),
		  show_proto(__entry->proto), __entry->saddr, __entry->daddr,
		  show_tcp_flags(__entry->tcp_flags), __entry->len, __entry->dev,
		  __entry->netns, __entry->flow, show_how(__entry->how))
);

TRACE_EVENT(call,
	TP_PROTO(const struct call_record *r),
	TP_ARGS(r),
	TP_STRUCT__entry(
		__field(unsigned long, func)
		__field(unsigned long, sk)
		__field(u32, flow)
		__field(u8, how)
		__field(u8, dir)
		__field(u8, family)
		__field(u8, proto)
		__array(u8, saddr, sizeof(struct sockaddr_in6))
		__array(u8, daddr, sizeof(struct sockaddr_in6))
		__field(u32, netns)
		__field(u32, call)
		__field(u32, overrun)
		__field(u32, write_seq)
		__field(u32, copied_seq)
		__field(u32, tls_plain)
		__field(u32, tls_records)
		__field(u32, msg_flags)
		__field(u8, has_stream)
		__field(u8, tls)
		__field(u8, recording)
	),
	TP_fast_assign(
		const struct stream_positions at = stream_positions(r->socket, false);

		__entry->write_seq = at.write_seq;
		__entry->copied_seq = at.copied_seq;
		__entry->tls_plain = at.plain;
		__entry->tls_records = at.records;
		__entry->msg_flags = r->socket->msg_flags;
		__entry->has_stream = at.known;
		__entry->tls = at.tls;
		__entry->overrun = graph_overrun();
		__entry->func = r->point->ip;
		__entry->sk = (unsigned long)r->sk;
		__entry->flow = r->flow;
		__entry->how = r->how;
		__entry->dir = r->point->dir;
		__entry->family = r->tuple->family;
		__entry->proto = r->tuple->proto;
		fill_address(__entry->saddr, r->tuple, &r->tuple->saddr, r->tuple->sport);
		fill_address(__entry->daddr, r->tuple, &r->tuple->daddr, r->tuple->dport);
		__entry->netns = r->netns;
		__entry->call = r->call;
		__entry->recording = r->recording;
	),
	TP_printk("%ps %s %s %pISpc > %pISpc netns=%u flow=%u %s",
		  (void *)__entry->func, show_dir(__entry->dir), show_proto(__entry->proto),
		  __entry->saddr, __entry->daddr, __entry->netns, __entry->flow,
		  show_how(__entry->how))
);

TRACE_EVENT(other,
	TP_PROTO(u8 recording, unsigned long func, const void *object),
	TP_ARGS(recording, func, object),
	TP_STRUCT__entry(
		__field(unsigned long, func)
		__field(unsigned long, skb)
		__field(u8, recording)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->func = func;
		__entry->skb = (unsigned long)object;
	),
	TP_printk("%ps of another packet, skb=%lx", (void *)__entry->func, __entry->skb)
);

TRACE_EVENT(drop,
	TP_PROTO(u8 recording, const struct sk_buff *skb, const struct match *m, unsigned long location,
		 u32 reason, const char *name, const char *qdisc, const char *qdisc_reason),
	TP_ARGS(recording, skb, m, location, reason, name, qdisc, qdisc_reason),
	TP_STRUCT__entry(
		__field(unsigned long, location)
		__field(unsigned long, skb)
		__field(u32, pkt)
		__field(u32, flow)
		__field(u32, reason)
		__array(char, name, 48)
		__field(u32, copy)
		__array(char, qdisc, 16)
		__array(char, qdisc_reason, 24)
		__field(u8, recording)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->location = location;
		__entry->skb = (unsigned long)skb;
		__entry->pkt = m->pkt;
		__entry->flow = m->flow;
		__entry->copy = m->copy;
		__entry->reason = reason;
		strscpy_pad(__entry->name, name, sizeof(__entry->name));
		strscpy_pad(__entry->qdisc, qdisc, sizeof(__entry->qdisc));
		strscpy_pad(__entry->qdisc_reason, qdisc_reason, sizeof(__entry->qdisc_reason));
	),
	TP_printk("#%u dropped at %pS reason=%s (%u) %s %s", __entry->pkt, (void *)__entry->location,
		  __entry->name, __entry->reason, __entry->qdisc, __entry->qdisc_reason)

);

TRACE_EVENT(limit,
	TP_PROTO(u8 recording, const struct sk_buff *skb, const struct match *m, const struct drop_value *v),
	TP_ARGS(recording, skb, m, v),
	TP_STRUCT__entry(
		__field(unsigned long, skb)
		__field(u64, used)
		__field(u64, limit)
		__field(u32, pkt)
		__field(u32, copy)
		__field(u32, flow)
		__field(u32, needs)
		__field(u8, kind)
		__field(u8, shared)
		__field(u8, recording)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->skb = (unsigned long)skb;
		__entry->pkt = m->pkt;
		__entry->copy = m->copy;
		__entry->flow = m->flow;
		__entry->kind = v->kind;
		__entry->used = v->used;
		__entry->limit = v->limit;
		__entry->needs = v->needs;
		__entry->shared = v->port_is_shared;
	),
	TP_printk("#%u.%u %s %llu of %llu, needs %u", __entry->pkt, __entry->copy, show_limit(__entry->kind),
		  __entry->used, __entry->limit, __entry->needs)
);

TRACE_EVENT(copy,
	TP_PROTO(u8 recording, const struct sk_buff *skb, const struct match *m, const struct sk_buff *from,
		 u32 from_copy, u8 kind, unsigned long func),
	TP_ARGS(recording, skb, m, from, from_copy, kind, func),
	TP_STRUCT__entry(
		__field(unsigned long, func)
		__field(unsigned long, skb)
		__field(unsigned long, from_skb)
		__field(u32, pkt)
		__field(u32, copy)
		__field(u32, from)
		__field(u32, flow)
		__field(u8, kind)
		__field(u8, recording)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->func = func;
		__entry->skb = (unsigned long)skb;
		__entry->from_skb = (unsigned long)from;
		__entry->pkt = m->pkt;
		__entry->copy = m->copy;
		__entry->from = from_copy;
		__entry->flow = m->flow;
		__entry->kind = kind;
	),
	TP_printk("#%u.%u %s of #%u.%u by %ps", __entry->pkt, __entry->copy, show_kind(__entry->kind),
		  __entry->pkt, __entry->from, (void *)__entry->func)
);

TRACE_EVENT(end,
	TP_PROTO(u8 recording, const struct sk_buff *skb, const struct match *m),
	TP_ARGS(recording, skb, m),
	TP_STRUCT__entry(
		__field(unsigned long, skb)
		__field(u32, pkt)
		__field(u32, copy)
		__field(u32, flow)
		__field(u8, recording)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->skb = (unsigned long)skb;
		__entry->pkt = m->pkt;
		__entry->copy = m->copy;
		__entry->flow = m->flow;
	),
	TP_printk("#%u.%u ends", __entry->pkt, __entry->copy)
);

TRACE_EVENT(return,
	TP_PROTO(u8 recording, unsigned long func, const struct sk_buff *skb, const struct match *m, u32 call,
		 long ret, const struct call_socket *socket),
	TP_ARGS(recording, func, skb, m, call, ret, socket),
	TP_STRUCT__entry(
		__field(unsigned long, func)
		__field(long, ret)
		__field(unsigned long, skb)
		__field(u32, pkt)
		__field(u32, copy)
		__field(u32, flow)
		__field(u32, call)
		__field(u32, overrun)
		__field(u32, write_seq)
		__field(u32, copied_seq)
		__field(u32, tls_plain)
		__field(u32, tls_records)
		__field(u8, has_stream)
		__field(u8, tls)
		__field(u8, recording)
	),
	TP_fast_assign(
		const struct stream_positions at = stream_positions(socket, true);

		__entry->write_seq = at.write_seq;
		__entry->copied_seq = at.copied_seq;
		__entry->tls_plain = at.plain;
		__entry->tls_records = at.records;
		__entry->has_stream = at.known;
		__entry->tls = at.tls;
		__entry->recording = recording;
		__entry->overrun = graph_overrun();
		__entry->func = func;
		__entry->ret = ret;
		__entry->skb = (unsigned long)skb;
		__entry->pkt = m->pkt;
		__entry->copy = m->copy;
		__entry->flow = m->flow;
		__entry->call = call;
	),
	TP_printk("%s%u %ps = %d", __entry->pkt ? "#" : "call ",
		  __entry->pkt ? __entry->pkt : __entry->call, (void *)__entry->func,
		  (int)__entry->ret)
);

TRACE_EVENT(rule,
	TP_PROTO(u8 recording, const struct rule_record *r, const struct match *m),
	TP_ARGS(recording, r, m),
	TP_STRUCT__entry(
		__field(unsigned long, skb)
		__field(u64, handle)
		__field(u32, pkt)
		__field(u32, copy)
		__field(u32, flow)
		__field(u32, netns)
		__field(s32, verdict)
		__field(u8, type)
		__field(u8, family)
		__field(u8, hook)
		__field(u8, recording)
		__dynamic_array(char, table, strlen(r->table) + 1)
		__dynamic_array(char, chain, strlen(r->chain) + 1)
		__dynamic_array(char, to, strlen(r->to) + 1)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->skb = (unsigned long)r->skb;
		__entry->handle = r->handle;
		__entry->pkt = m->pkt;
		__entry->copy = m->copy;
		__entry->flow = m->flow;
		__entry->netns = r->netns;
		__entry->verdict = r->verdict;
		__entry->type = r->type;
		__entry->family = r->family;
		__entry->hook = r->hook;
		strcpy(__get_dynamic_array(table), r->table);
		strcpy(__get_dynamic_array(chain), r->chain);
		strcpy(__get_dynamic_array(to), r->to);
	),
	TP_printk("#%u.%u %s %s %s handle %llu: %s %s", __entry->pkt, __entry->copy,
		  show_nft_family(__entry->family), __get_str(table), __get_str(chain),
		  __entry->handle, show_nft_verdict((u32)__entry->verdict), __get_str(to))
);

TRACE_EVENT(program,
	TP_PROTO(u8 recording, const struct program_record *r, const struct match *m),
	TP_ARGS(recording, r, m),
	TP_STRUCT__entry(
		__field(unsigned long, skb)
		__field(u32, pkt)
		__field(u32, copy)
		__field(u32, flow)
		__field(u32, id)
		__field(s32, result)
		__field(u32, ifindex)
		__field(u32, netns)
		__field(u32, to_index)
		__field(u32, to_map)
		__field(u16, candidates)
		__field(u8, to)
		__field(u8, type)
		__field(u8, dir)
		__field(u8, recording)
		__array(u8, tag, RECORD_SKB_PROGRAM_TAG_LEN)
		__array(char, name, RECORD_SKB_PROGRAM_NAME_LEN)
		__array(char, dev, IFNAMSIZ)
		__array(char, to_dev, IFNAMSIZ)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->skb = (unsigned long)r->skb;
		__entry->pkt = m->pkt;
		__entry->copy = m->copy;
		__entry->flow = m->flow;
		__entry->candidates = r->candidates;
		__entry->to = r->to;
		__entry->to_index = r->to_index;
		__entry->to_map = r->to_map;
		fill_name(__entry->to_dev, r->to_dev);
		__entry->id = r->run->id;
		__entry->type = r->run->type;
		__entry->result = r->run->result;
		__entry->dir = r->dir;
		__entry->ifindex = r->dev ? r->dev->ifindex : 0;
		__entry->netns = r->dev ? dev_net(r->dev)->ns.inum : m->netns;
		memcpy(__entry->tag, r->run->tag, sizeof(__entry->tag));
		strscpy_pad(__entry->name, r->run->name, sizeof(__entry->name));
		fill_name(__entry->dev, r->dev);
	),
	TP_printk("#%u.%u %s %s (id %u, tag %s) on %s = %d", __entry->pkt, __entry->copy,
		  show_program(__entry->type), __entry->name, __entry->id,
		  __print_hex_str(__entry->tag, RECORD_SKB_PROGRAM_TAG_LEN), __entry->dev,
		  __entry->result)
);

TRACE_EVENT(decision,
	TP_PROTO(u8 recording, const struct decision_record *d, const struct match *m),
	TP_ARGS(recording, d, m),
	TP_STRUCT__entry(
		__field(unsigned long, func)
		__field(unsigned long, skb)
		__field(u32, pkt)
		__field(u32, copy)
		__field(u32, flow)
		__field(u32, netns)
		__field(u32, number)
		__field(u32, table)
		__field(s32, result)
		__field(u32, ifindex)
		__field(u8, kind)
		__field(u8, family)
		__field(u8, proto)
		__field(u8, recording)
		__array(char, dev, IFNAMSIZ)
		__array(u8, saddr, sizeof(struct sockaddr_in6))
		__array(u8, daddr, sizeof(struct sockaddr_in6))
		__array(u8, via, sizeof(struct sockaddr_in6))
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->func = d->func;
		__entry->skb = (unsigned long)d->skb;
		__entry->pkt = m->pkt;
		__entry->copy = m->copy;
		__entry->flow = m->flow;
		__entry->netns = d->netns;
		__entry->number = d->number;
		__entry->table = d->table;
		__entry->result = d->result;
		__entry->ifindex = d->dev ? d->dev->ifindex : 0;
		__entry->kind = d->kind;
		__entry->family = d->family;
		__entry->proto = d->proto;
		fill_name(__entry->dev, d->dev);
		memcpy(__entry->saddr, &d->saddr, sizeof(d->saddr));
		memcpy(__entry->daddr, &d->daddr, sizeof(d->daddr));
		memcpy(__entry->via, &d->via, sizeof(d->via));
	),
	TP_printk("#%u.%u %s %ps number=%u table=%u result=%d dev=%s %pISpc > %pISpc via %pISpc",
		  __entry->pkt, __entry->copy, show_decision(__entry->kind), (void *)__entry->func,
		  __entry->number, __entry->table, __entry->result, __entry->dev,
		  __entry->saddr, __entry->daddr, __entry->via)
);

TRACE_EVENT(reset,
	TP_PROTO(u8 recording, const struct reset_record *r),
	TP_ARGS(recording, r),
	TP_STRUCT__entry(
		__field(unsigned long, skb)
		__array(unsigned long, callers, RECORD_SKB_RESET_CALLERS)
		__field(u32, pkt)
		__field(u32, copy)
		__field(u32, flow)
		__field(u32, netns)
		__field(u32, reason)
		__field(u32, user_timeout)
		__field(u32, unread)
		__field(u8, state)
		__field(u8, probes)
		__field(u8, family)
		__field(u8, proto)
		__array(u8, saddr, sizeof(struct sockaddr_in6))
		__array(u8, daddr, sizeof(struct sockaddr_in6))
		__array(char, name, 32)
		__field(u8, recording)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->skb = (unsigned long)r->skb;
		memcpy(__entry->callers, r->callers, sizeof(__entry->callers));
		__entry->pkt = r->m->pkt;
		__entry->copy = r->m->copy;
		__entry->flow = r->m->flow;
		__entry->netns = r->netns;
		__entry->reason = r->reason;
		__entry->user_timeout = r->user_timeout;
		__entry->unread = r->unread;
		__entry->state = r->state;
		__entry->probes = r->probes;
		__entry->family = r->tuple->family;
		__entry->proto = r->tuple->proto;
		fill_address(__entry->saddr, r->tuple, &r->tuple->saddr, r->tuple->sport);
		fill_address(__entry->daddr, r->tuple, &r->tuple->daddr, r->tuple->dport);
		strscpy_pad(__entry->name, r->name, sizeof(__entry->name));
	),
	TP_printk("%pISpc > %pISpc reset in answer to #%u reason=%s (%u) unread=%u by %ps %ps %ps",
		  __entry->saddr, __entry->daddr, __entry->pkt, __entry->name, __entry->reason,
		  __entry->unread, (void *)__entry->callers[0], (void *)__entry->callers[1],
		  (void *)__entry->callers[2])
);

TRACE_EVENT(stop,
	TP_PROTO(u8 recording, u8 by, const struct match *m),
	TP_ARGS(recording, by, m),
	TP_STRUCT__entry(
		__field(u32, pkt)
		__field(u32, copy)
		__field(u32, flow)
		__field(u8, by)
		__field(u8, recording)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->pkt = m->pkt;
		__entry->copy = m->copy;
		__entry->flow = m->flow;
		__entry->by = by;
	),
	TP_printk("the ring ends by %s #%u.%u", show_by(__entry->by), __entry->pkt, __entry->copy)
);

TRACE_EVENT(sched,
	TP_PROTO(u8 recording, u8 what, const struct task_struct *task, const struct task_struct *other),
	TP_ARGS(recording, what, task, other),
	TP_STRUCT__entry(
		__field(u8, what)
		__field(s32, task)
		__field(s32, other)
		__field(u32, switches)
		__array(char, name, TASK_COMM_LEN)
		__array(char, other_name, TASK_COMM_LEN)
		__field(u8, recording)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->what = what;
		__entry->task = task->pid;
		__entry->other = other ? other->pid : 0;
		__entry->switches = task->nvcsw + task->nivcsw;
		memcpy(__entry->name, task->comm, TASK_COMM_LEN);
		if (other)
			memcpy(__entry->other_name, other->comm, TASK_COMM_LEN);
		else
			memset(__entry->other_name, 0, TASK_COMM_LEN);
	),
	TP_printk("%s-%d %s %s-%d", __entry->name, __entry->task, show_sched(__entry->what),
		  __entry->other_name, __entry->other)
);

TRACE_EVENT(netns,
	TP_PROTO(u8 recording, u64 cookie, u32 netns, u8 kind, const char *name, const char *detail),
	TP_ARGS(recording, cookie, netns, kind, name, detail),
	TP_STRUCT__entry(
		__field(u64, cookie)
		__field(u32, netns)
		__field(u8, kind)
		__field(u8, recording)
		__dynamic_array(char, name, strlen(name) + 1)
		__dynamic_array(char, detail, strlen(detail) + 1)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->cookie = cookie;
		__entry->netns = netns;
		__entry->kind = kind;
		strcpy(__get_dynamic_array(name), name);
		strcpy(__get_dynamic_array(detail), detail);
	),
	TP_printk("netns=%u %s %s %s", __entry->netns, show_netns_kind(__entry->kind),
		  __get_str(name), __get_str(detail))
);

TRACE_EVENT(wall_clock,
	TP_PROTO(u8 recording, u64 real, u32 sample),
	TP_ARGS(recording, real, sample),
	TP_STRUCT__entry(
		__field(u64, real)
		__field(u32, sample)
		__field(u8, recording)
	),
	TP_fast_assign(
		__entry->recording = recording;
		__entry->real = real;
		__entry->sample = sample;
	),
	TP_printk("%llu ns since 1970", __entry->real)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE skb_events
#include <trace/define_trace.h>
