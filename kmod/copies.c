// SPDX-License-Identifier: GPL-2.0
/*
 * copies.c - a copy of a packet that matched is the same packet
 *
 * Clones, copies, segments and fragments are made by functions that are given an skb and return
 * another, or a list of them. A kretprobe that is interested only when the first is tracked hands
 * its number on.
 */
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/skbuff.h>

#include "copies.h"
#include "stats.h"
#include "track.h"

struct copied {
	u32 pkt;
	u32 flow;
};

/* Non-zero: the return is of no interest. */
static int copy_of(struct kretprobe_instance *ri, unsigned long skb)
{
	struct copied *from = (struct copied *)ri->data;

	return !skb || !track_find((const struct sk_buff *)skb, &from->pkt, &from->flow);
}

static int copy_begins(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return copy_of(ri, regs_get_kernel_argument(regs, 0));
}

static int morph_begins(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return copy_of(ri, regs_get_kernel_argument(regs, 1));
}

static void copied(const struct sk_buff *skb, const struct copied *from)
{
	struct copied known;

	if (!track_find(skb, &known.pkt, &known.flow))
		track_add(skb, from->pkt, from->flow);
}

static int copy_made(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct sk_buff *skb = (const struct sk_buff *)regs_return_value(regs);

	if (!IS_ERR_OR_NULL(skb))
		copied(skb, (const struct copied *)ri->data);
	return 0;
}

static int segments_made(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct sk_buff *skb = (const struct sk_buff *)regs_return_value(regs);

	for (; !IS_ERR_OR_NULL(skb); skb = skb->next)
		copied(skb, (const struct copied *)ri->data);
	return 0;
}

/* Those that a kernel lacks are left out: then it makes its copies by the others. */
static const struct {
	const char *func;
	kretprobe_handler_t begins;
	kretprobe_handler_t made;
} makers[] = {
	{ "skb_clone", copy_begins, copy_made },
	{ "skb_copy", copy_begins, copy_made },
	{ "skb_copy_expand", copy_begins, copy_made },
	{ "skb_realloc_headroom", copy_begins, copy_made },
	{ "skb_expand_head", copy_begins, copy_made },
	{ "__pskb_copy_fclone", copy_begins, copy_made },
	{ "skb_morph", morph_begins, copy_made },
	{ "skb_segment", copy_begins, segments_made },
	{ "skb_segment_list", copy_begins, segments_made },
	{ "ip_frag_next", copy_begins, copy_made },
	{ "ip6_frag_next", copy_begins, copy_made },
};

static struct kretprobe probes[ARRAY_SIZE(makers)];
static struct kretprobe *registered[ARRAY_SIZE(makers)];
static int nr_registered;

/* From now on the numbers are handed on. */
void copies_start(void)
{
	int i;

	nr_registered = 0;
	for (i = 0; i < ARRAY_SIZE(makers); i++) {
		struct kretprobe *rp = &probes[i];

		*rp = (struct kretprobe) {
			.kp.symbol_name = makers[i].func,
			.entry_handler = makers[i].begins,
			.handler = makers[i].made,
			.data_size = sizeof(struct copied),
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
