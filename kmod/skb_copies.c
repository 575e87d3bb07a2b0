// SPDX-License-Identifier: GPL-2.0
/*
 * skb_copies.c - follow the copies of a matching packet
 *
 * Clones, copies, segments and fragments are made by functions that get an skb and return another skb or a
 * list of skbs (probes.c). If the original skb belongs to a tracked packet, each new skb gets the number of
 * that packet and its own copy number, and the module emits an event.
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/skbuff.h>
#include <linux/string.h>

#include "probes.h"
#include "skb_copies.h"
#include "trace_emit.h"
#include "task_pause.h"
#include "recording.h"
#include "skb_table.h"

static void note_copy(const struct recording *r, const struct sk_buff *skb,
		      const struct sk_buff *from, const struct match *of,
		      enum record_skb_copy_kind kind, unsigned long func)
{
	struct match m;

	if (skb_table_copy(r->track, skb, of, &m))
		emit_copy(r, skb, &m, from, of->copy, kind, func);
}

/**
 * skb_copies_made() - register the copies that a function returned
 * @r: the recording
 * @from: the skb that was copied; it may have been freed
 * @of: numbers of @from
 * @kind: kind of the copies
 * @func: address of the function
 * @ret: return value of the function
 */
void skb_copies_made(const struct recording *r, const struct sk_buff *from, const struct match *of,
		     enum record_skb_copy_kind kind, unsigned long func, unsigned long ret)
{
	const struct sk_buff *skb = (const struct sk_buff *)ret;

	if (IS_ERR_OR_NULL(skb))
		return;
	note_copy(r, skb, from, of, kind, func);
	if (kind == RECORD_SKB_COPY_SEGMENT)
		while ((skb = skb->next))
			note_copy(r, skb, from, of, kind, func);
}

/*
 * Return: true if this caller of skb_copy_header() replaces the old skb by the new one. Other callers keep
 * the old skb: functions that copy packets, which skb_copies_made() handles, and TLS, which only needs a copy
 * of the header.
 */
static bool replaces_skb(unsigned long caller)
{
	struct graph_hidden hidden = graph_hide();
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, caller);
	graph_show(&hidden);
	return !strcmp(name, "skb_pp_cow_data") || str_has_prefix(name, "veth_");
}

/**
 * skb_copies_header() - handle a call of skb_copy_header(new, old)
 * @r: the recording
 * @hit: the call
 *
 * If an XDP program needs a packet in a buffer of its own, the kernel moves the packet into another skb with
 * skb_copy_header(). The caller disables preemption.
 */
void skb_copies_header(const struct recording *r, const struct hit *hit)
{
	const struct sk_buff *skb = (const struct sk_buff *)hit->arg[0];
	const struct sk_buff *from = (const struct sk_buff *)hit->arg[1];
	struct match of;

	if (skb_table_find(r->track, from, &of) && replaces_skb(hit->parent_ip))
		note_copy(r, skb, from, &of, RECORD_SKB_COPY_COPY, hit->ip);
}

/**
 * skb_copies_parts() - register the skbs in a packet's frag_list as copies
 * @r: the recording
 * @skb: a packet that has just matched
 * @m: numbers of the packet
 *
 * Fragments to be sent and segments that GRO merged become independent skbs later. An skb that is already
 * tracked keeps its numbers. Kernel TLS uses a part of a receive queue as frag_list. Such a list continues
 * after the last skb of the packet, so the walk ends when it has reached the packet's length.
 */
void skb_copies_parts(const struct recording *r, const struct sk_buff *skb, const struct match *m)
{
	const struct sk_buff *part;
	u32 left = skb->data_len;

	skb_walk_frags(skb, part) {
		if (!left)
			break;
		note_copy(r, part, skb, m, RECORD_SKB_COPY_PART, 0);
		left -= min(left, part->len);
	}
}
