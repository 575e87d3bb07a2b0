/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PACKETS_H
#define RECORD_SKB_PACKETS_H

#include "graph.h"

struct list_head;
struct sk_buff;

enum gate packet_seen(const struct armed *a, const struct point *point, const struct sk_buff *skb);
enum gate maker_seen(const struct armed *a, const struct point *point, const struct sk_buff *skb);
enum gate packets_seen(const struct armed *a, const struct point *point, struct list_head *head);
enum gate packets_take_piece(const struct armed *a, const struct point *point,
			     struct list_head *rest, struct list_head *piece);
enum gate packets_next_piece(const struct frame *frame, struct list_head *rest,
			     struct list_head *piece);

#endif
