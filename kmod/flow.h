/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FLOW_H
#define RECORD_SKB_FLOW_H

#include "tuple.h"

struct flows;
struct stats;

struct flows *flows_new(struct stats *stats);
void flows_free(struct flows *f);
void flow_forget_all(struct flows *f);
u32 flow_number(struct flows *f, const struct tuple *t, u64 net);
u32 flow_of_packet(struct flows *f, const struct tuple *t, u64 net);
u32 flow_known(struct flows *f, const struct tuple *t, u64 net);
bool flow_is_followed(struct flows *f, const struct tuple *t, u64 net);
void flow_follow(struct flows *f, const struct tuple *t, u64 net);
void flow_unfollow(struct flows *f, const struct tuple *t, u64 net);
bool flow_carry(struct flows *f, u32 number, const struct tuple *t, u64 net, const struct tuple *to,
		u64 to_net);
bool flow_any_local(const struct flows *f);
bool flow_local_is_followed(struct flows *f, const struct tuple *t, u64 net);
void flow_follow_local(struct flows *f, const struct tuple *t, u64 net, bool also_v4);
void flow_unfollow_local(struct flows *f, const struct tuple *t, u64 net, bool also_v4);

#endif
