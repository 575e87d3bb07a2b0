/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GATE_CHOICE_H
#define RECORD_SKB_GATE_CHOICE_H

#include <linux/types.h>

#include "gate_stack.h"

struct active_config;
struct hit;
struct list_head;
struct match;
struct point;
struct sk_buff;
struct sock;
struct tuple;
struct skb_view;

enum gate graph_matched_packet(const struct active_config *a, const struct skb_view *v,
			       const struct match *m);
enum gate graph_asked(const struct active_config *a, const struct point *point,
		      const struct sk_buff *skb, const struct match *m);
enum gate graph_matched_call(const struct active_config *a, const struct point *point,
			     const struct sock *sk, const struct hit *hit, const struct tuple *t,
			     u32 flow, int fd);
enum gate graph_unrelated(const struct active_config *a, const struct point *point,
			  const void *object);
enum gate graph_interrupted(const struct active_config *a, const struct point *point);
enum gate graph_maker(const struct active_config *a, const struct point *point,
		      const struct sk_buff *skb, const struct match *m);
enum gate graph_split(const struct active_config *a, const struct point *point);
enum gate decide_packet(const struct active_config *a, const struct point *point,
			const struct sk_buff *skb);
enum gate decide_refusal(const struct active_config *a, const struct point *point,
			 const struct hit *hit);
enum gate decide_frame(const struct active_config *a, const struct point *point,
		       const struct hit *hit);
enum gate decide_copy(const struct active_config *a, const struct point *point,
		      const struct sk_buff *skb);
enum gate decide_list(const struct active_config *a, const struct point *point,
		      struct list_head *head);
enum gate packets_take_piece(const struct active_config *a, const struct point *point,
			     struct list_head *rest, struct list_head *piece);

#endif
