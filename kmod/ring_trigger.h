/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_RING_TRIGGER_H
#define RECORD_SKB_RING_TRIGGER_H

#include <linux/types.h>

struct active_config;
struct match;
struct record_skb_ring;
struct record_skb_stats;
struct skb_view;
struct trigger_config;
struct tuple;

int trigger_config_create(struct trigger_config *u, const struct record_skb_ring *want);
void trigger_config_destroy(struct trigger_config *u);

void trigger_init(void);
void trigger_exit(void);
void trigger_start(const struct active_config *a);
void trigger_stop(const struct active_config *a);
void trigger_read(struct record_skb_stats *out);

bool trigger_waits_for_match(const struct active_config *a);
void trigger_matched(const struct match *m);
bool trigger_waits_for_answer(const struct active_config *a);
void trigger_heard(const struct active_config *a, const struct skb_view *v,
		   const struct tuple *flow, const struct match *m);
void trigger_dropped(const struct active_config *a, const struct match *m, const char *reason);
void trigger_ended(const struct active_config *a, const struct match *m);
void trigger_graph_closed(void);

#endif
