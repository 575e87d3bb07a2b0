// SPDX-License-Identifier: GPL-2.0
/*
 * copies.c - a copy of a packet that matched is the same packet
 *
 * Clones, copies, segments and fragments are made by functions that are given an skb and return
 * another, or a list of them (points.c). When the first is remembered, its packet's number is handed
 * on; the copy gets one of its own, and that is said.
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/skbuff.h>
#include <linux/string.h>

#include "compat/ftrace.h"
#include "copies.h"
#include "emit.h"
#include "pause.h"
#include "recording.h"
#include "track.h"

static void copied(const struct recording *r, const struct sk_buff *skb, const struct sk_buff *from,
		   const struct match *of, enum record_skb_copy_kind kind, unsigned long func)
{
	struct match m;

	if (track_copy(r->track, skb, of, &m))
		emit_copy(r, skb, &m, from, of->copy, kind, func);
}

/**
 * copies_made() - a function that makes copies has returned
 * @r: of which recording
 * @from: what it was given; may be gone
 * @of: its numbers
 * @kind: what it makes
 * @func: the function
 * @ret: what it returned
 */
void copies_made(const struct recording *r, const struct sk_buff *from, const struct match *of,
		 enum record_skb_copy_kind kind, unsigned long func, unsigned long ret)
{
	const struct sk_buff *skb = (const struct sk_buff *)ret;

	if (IS_ERR_OR_NULL(skb))
		return;
	copied(r, skb, from, of, kind, func);
	if (kind == RECORD_SKB_COPY_SEGMENT)
		while ((skb = skb->next))
			copied(r, skb, from, of, kind, func);
}

/* Of those who give an skb what another's header says, makers return it, and TLS only borrows it. */
static bool replaces_skb(unsigned long caller)
{
	struct graph_hidden hidden = graph_hide();
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, caller);
	graph_show(&hidden);
	return !strcmp(name, "skb_pp_cow_data") || str_has_prefix(name, "veth_");
}

/**
 * copies_header() - at skb_copy_header(new, old)
 * @r: of which recording
 * @fregs: with what it was called
 * @func: itself
 * @caller: an address in who calls it
 *
 * Where XDP needs a packet in a buffer of its own, it goes on in another skb. Preemption is off.
 */
void copies_header(const struct recording *r, struct ftrace_regs *fregs, unsigned long func,
		   unsigned long caller)
{
	const struct sk_buff *skb = (const struct sk_buff *)ftrace_regs_get_argument(fregs, 0);
	const struct sk_buff *from = (const struct sk_buff *)ftrace_regs_get_argument(fregs, 1);
	struct match of;

	if (track_find(r->track, from, &of) && replaces_skb(caller))
		copied(r, skb, from, &of, RECORD_SKB_COPY_COPY, func);
}

/**
 * copies_parts() - the skbs that a packet is made of travel on their own later: they are copies
 * @r: of which recording
 * @skb: a packet that is new
 * @m: its numbers
 *
 * Fragments to be sent, segments merged by GRO. Those that matched for themselves stay what they are. Of what
 * is only borrowed (the kernel's TLS) the list has no end: the packet's length is the end.
 */
void copies_parts(const struct recording *r, const struct sk_buff *skb, const struct match *m)
{
	const struct sk_buff *part;
	u32 left = skb->data_len;

	skb_walk_frags(skb, part) {
		if (!left)
			break;
		copied(r, part, skb, m, RECORD_SKB_COPY_PART, 0);
		left -= min(left, part->len);
	}
}
