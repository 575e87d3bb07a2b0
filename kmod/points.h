/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_POINTS_H
#define RECORD_SKB_POINTS_H

#include <linux/kprobes.h>
#include <linux/types.h>
#include <record_skb.h>

struct session;

/* Points the module adds for itself. */
#define POINTS_OWN	2

/* Kinds of our own, after those of enum record_skb_kind. */
enum {
	POINT_KIND_FREE = 64,	/* the skb is being freed */
};

/*
 * struct point - a function the session has its hand on
 * @ip: as ftrace names it: what callbacks are given and funcgraph_entry records
 * @func: its name
 * @lookup: the kprobe it was looked up with, never enabled
 */
struct point {
	unsigned long ip;
	u32 kind;
	u32 arg;
	u32 dir;
	u32 flags;
	char func[RECORD_SKB_FUNC_LEN];
	struct kprobe *lookup;
};

int points_add(struct session *s, const struct record_skb_point *want);
int points_arm(struct session *s);
void points_disarm(struct session *s);
void points_free(struct session *s);

#endif
