/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_TRIGGER_H
#define RECORD_SKB_TRIGGER_H

#include <linux/types.h>

struct armed;
struct match;
struct record_skb_stats;
struct tuple;
struct view;

void trigger_init(void);
void trigger_exit(void);
void trigger_start(const struct armed *a);
void trigger_stop(const struct armed *a);
void trigger_read(struct record_skb_stats *out);

bool trigger_waits_for_match(const struct armed *a);
void trigger_matched(const struct match *m);
bool trigger_waits_for_answer(const struct armed *a);
void trigger_heard(const struct armed *a, const struct view *v, const struct tuple *flow,
		   const struct match *m);
void trigger_dropped(const struct armed *a, const struct match *m, const char *reason);
void trigger_ended(const struct armed *a, const struct match *m);
void trigger_graph_closed(void);

#endif
