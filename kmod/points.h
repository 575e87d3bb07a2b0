/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_POINTS_H
#define RECORD_SKB_POINTS_H

#include <linux/kprobes.h>
#include <linux/types.h>
#include <record_skb.h>

#include "gate.h"

struct match;
struct module;
struct session;
struct sk_buff;
struct sock;
struct tuple;

/* Most points that the module adds for itself. */
#define POINTS_OWN	68

/* Kinds of our own, after those of enum record_skb_kind. */
enum {
	POINT_KIND_FREE = 64,	/* the skb is being freed */
	POINT_KIND_IRQ,		/* an interrupt ends, and softirqs run that have nothing to do with it */
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
bool points_module_gone(struct session *s, const struct module *mod);
void points_exit(void);
const struct session *points_armed(void);

const struct point *point_find(const struct session *s, unsigned long ip);

/* For what finds out whether a point's argument matches. */
gate_fn *point_matched_skb(const struct session *s, const struct point *point,
			   const struct sk_buff *skb, const struct match *m);
gate_fn *point_matched_call(const struct session *s, const struct point *point,
			    const struct sock *sk, const struct tuple *t, u32 flow, int fd);
gate_fn *point_other(const struct session *s, const struct point *point, const void *object);

#endif
