/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SKB_PROBES_H
#define RECORD_SKB_SKB_PROBES_H

#include "graph.h"

struct list_head;
struct sk_buff;

enum gate decide_packet(const struct active_config *a, const struct point *point,
			const struct sk_buff *skb);
enum gate decide_copy(const struct active_config *a, const struct point *point,
		      const struct sk_buff *skb);
enum gate decide_list(const struct active_config *a, const struct point *point,
		      struct list_head *head);
enum gate packets_take_piece(const struct active_config *a, const struct point *point,
			     struct list_head *rest, struct list_head *piece);

#endif
