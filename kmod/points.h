/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_POINTS_H
#define RECORD_SKB_POINTS_H

#include <linux/types.h>
#include <record_skb.h>

struct module;

/* Kinds of our own, after those of enum record_skb_kind. */
enum {
	POINT_KIND_IRQ = 64, /* an interrupt ends, and unrelated softirqs run */
	POINT_KIND_MAKER,    /* copies of the skb are made, and nothing else is asked of it */
	/* From here on no call is led anywhere. */
	POINT_KIND_FREE,    /* the skb is being freed */
	POINT_KIND_HEADER,  /* an skb is made what another is */
	POINT_KIND_RULE,    /* a rule of nftables has said what becomes of it: rules.c */
	POINT_KIND_ENQUEUE, /* a queueing discipline is given the skb */
	POINT_KIND_COPYING, /* a task is about to be copied */
	POINT_KIND_COPIED,  /* a task has been copied, and nobody can find the copy yet */
};

/*
 * struct point - a function to stand at
 * @ip: as ftrace names it: what callbacks are given and funcgraph_entry records
 * @kind, @arg, @dir, @flags: as in struct record_skb_point; @kind may be one of our own
 * @copies: 1 + the enum record_skb_copy_kind of what it makes and returns, 0 if it makes no copies
 * @enqueues: a queueing discipline is given the skb, which the user wants to see there, too
 * @alone: function_graph does not see its calls itself: hook.c gives it those that are to be recorded
 * @offset: where @arg stands among the registers that a callback is given
 */
struct point {
	unsigned long ip;
	u32 kind;
	u32 arg;
	u32 dir;
	u32 flags;
	u32 copies;
	bool enqueues;
	bool alone;
	u8 offset;
};

/*
 * struct points - some of them, each function once
 * @max: the room there is
 * @no_memory: a function of the module's own may be missing, for there was none to look it up
 */
struct points {
	struct point *point;
	u32 nr;
	u32 max;
	bool no_memory;
};

int points_init(struct points *p, u32 max);
int points_copy(struct points *p, const struct points *from);
int points_complete(struct points *p, const struct points *users,
		    struct record_skb_options *options);
struct point *points_find(const struct points *p, unsigned long ip);
void points_free(struct points *p);
int points_add(struct points *p, const struct record_skb_point *want);
void points_forget_module(struct points *p, const struct module *mod);

#endif
