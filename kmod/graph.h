/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GRAPH_H
#define RECORD_SKB_GRAPH_H

#include <linux/types.h>

struct armed;
struct match;
struct point;
struct sk_buff;
struct sock;
struct tuple;
struct view;

/* Which gate a call is led through; its frame is pushed. */
enum gate {
	GATE_NONE,   /* it goes on as it is */
	GATE_OPEN,   /* a graph begins */
	GATE_SHUT,   /* it is kept out of the open graph around it */
	GATE_RESUME, /* it is let into that graph again */
	GATE_RETURN, /* the graph goes on, and what the function returns is said */
	GATE_LIST,   /* a list of packets: in pieces */
};

enum gate graph_matched_packet(const struct armed *a, const struct view *v, const struct match *m);
enum gate graph_asked(const struct armed *a, const struct point *point, const struct sk_buff *skb,
		      const struct match *m);
enum gate graph_matched_call(const struct armed *a, const struct point *point,
			     const struct sock *sk, const struct tuple *t, u32 flow, int fd);
enum gate graph_unrelated(const struct armed *a, const struct point *point, const void *object);
enum gate graph_interrupted(const struct armed *a, const struct point *point);
enum gate graph_maker(const struct armed *a, const struct point *point, const struct sk_buff *skb,
		      const struct match *m);
enum gate graph_split(const struct armed *a, const struct point *point);

#endif
