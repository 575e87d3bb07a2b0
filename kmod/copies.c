// SPDX-License-Identifier: GPL-2.0
/*
 * copies.c - a copy of a packet that matched is the same packet
 *
 * Clones, copies, segments and fragments are made by functions that are given an skb and return
 * another, or a list of them. A kretprobe that is interested only when the first is tracked hands
 * the packet's number on, gives the copy one of its own, and says so.
 */
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/skbuff.h>

#include "copies.h"
#include "emit.h"
#include "stats.h"
#include "track.h"

/* What a maker that is under way was given. */
struct source {
	const struct sk_buff *skb;
	struct match of;
};

#define MAX_MAKERS 11

/* On a function that makes copies of . */
static struct probe {
	struct kretprobe rp;
	enum record_skb_copy_kind kind;
} probes[MAX_MAKERS];
static struct kretprobe *registered[MAX_MAKERS];
static int nr_registered;

/* Non-zero: the return is of no interest. */
static int copy_of(struct kretprobe_instance *ri, unsigned long skb)
{
	struct source *from = (struct source *)ri->data;

	from->skb = (const struct sk_buff *)skb;
	return !skb || !track_find(from->skb, &from->of);
}

static int copy_begins(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return copy_of(ri, regs_get_kernel_argument(regs, 0));
}

static int morph_begins(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return copy_of(ri, regs_get_kernel_argument(regs, 1));
}

static void copied(const struct sk_buff *skb, const struct sk_buff *from, const struct match *of,
		   enum record_skb_copy_kind kind, unsigned long func)
{
	struct match m;

	if (track_copy(skb, of, &m))
		emit_copy(skb, &m, from, of->copy, kind, func);
}

static void maker_made(struct kretprobe_instance *ri, const struct sk_buff *skb)
{
	struct kretprobe *rp = get_kretprobe(ri);
	const struct source *from = (const struct source *)ri->data;

	/* None: it is being taken away. */
	if (rp)
		copied(skb, from->skb, &from->of, container_of(rp, struct probe, rp)->kind,
		       (unsigned long)rp->kp.addr);
}

static int copy_made(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct sk_buff *skb = (const struct sk_buff *)regs_return_value(regs);

	if (!IS_ERR_OR_NULL(skb))
		maker_made(ri, skb);
	return 0;
}

static int segments_made(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct sk_buff *skb = (const struct sk_buff *)regs_return_value(regs);

	for (; !IS_ERR_OR_NULL(skb); skb = skb->next)
		maker_made(ri, skb);
	return 0;
}

/**
 * copies_parts() - the skbs that a packet is made of travel on their own later: they are copies
 * @skb: a packet that is new
 * @m: its numbers
 *
 * Fragments to be sent, segments merged by GRO. Those that matched for themselves stay what they are.
 */
void copies_parts(const struct sk_buff *skb, const struct match *m)
{
	const struct sk_buff *part;

	skb_walk_frags(skb, part)
		copied(part, skb, m, RECORD_SKB_COPY_PART, 0);
}

/* Those that a kernel lacks are left out: then it makes its copies by the others. */
static const struct {
	const char *func;
	kretprobe_handler_t begins;
	kretprobe_handler_t made;
	enum record_skb_copy_kind kind;
} makers[MAX_MAKERS] = {
	{ "skb_clone", copy_begins, copy_made, RECORD_SKB_COPY_CLONE },
	{ "skb_copy", copy_begins, copy_made, RECORD_SKB_COPY_COPY },
	{ "skb_copy_expand", copy_begins, copy_made, RECORD_SKB_COPY_COPY },
	{ "skb_realloc_headroom", copy_begins, copy_made, RECORD_SKB_COPY_COPY },
	{ "skb_expand_head", copy_begins, copy_made, RECORD_SKB_COPY_COPY },
	{ "__pskb_copy_fclone", copy_begins, copy_made, RECORD_SKB_COPY_COPY },
	{ "skb_morph", morph_begins, copy_made, RECORD_SKB_COPY_MORPH },
	{ "skb_segment", copy_begins, segments_made, RECORD_SKB_COPY_SEGMENT },
	{ "skb_segment_list", copy_begins, segments_made, RECORD_SKB_COPY_SEGMENT },
	{ "ip_frag_next", copy_begins, copy_made, RECORD_SKB_COPY_FRAGMENT },
	{ "ip6_frag_next", copy_begins, copy_made, RECORD_SKB_COPY_FRAGMENT },
};

/* From now on the numbers are handed on. */
void copies_start(void)
{
	int i;

	nr_registered = 0;
	for (i = 0; i < ARRAY_SIZE(makers); i++) {
		struct kretprobe *rp = &probes[i].rp;

		probes[i].kind = makers[i].kind;
		*rp = (struct kretprobe){
			.kp.symbol_name = makers[i].func,
			.entry_handler = makers[i].begins,
			.handler = makers[i].made,
			.data_size = sizeof(struct source),
			.maxactive = 4 * num_possible_cpus(),
		};
		if (!register_kretprobe(rp))
			registered[nr_registered++] = rp;
	}
}

/* Copies missed because too many were being made at once are lost to the tracking: count them. */
void copies_stop(void)
{
	int i;

	if (!nr_registered)
		return;
	unregister_kretprobes(registered, nr_registered);
	for (i = 0; i < nr_registered; i++)
		stat_add(STAT_LOST_TRACKED, registered[i]->nmissed);
	nr_registered = 0;
}
