/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FLOW_H
#define RECORD_SKB_FLOW_H

#include "tuple.h"

int flow_init(void);
void flow_exit(void);
void flow_forget_all(void);
u32 flow_number(const struct tuple *t, u64 net);
u32 flow_of_packet(const struct tuple *t, u64 net);
u32 flow_known(const struct tuple *t, u64 net);
bool flow_is_followed(const struct tuple *t, u64 net);
void flow_follow(const struct tuple *t, u64 net);
void flow_unfollow(const struct tuple *t, u64 net);
bool flow_carry(u32 number, const struct tuple *t, u64 net, const struct tuple *to, u64 to_net);
bool flow_any_local(void);
bool flow_local_is_followed(const struct tuple *t, u64 net);
void flow_follow_local(const struct tuple *t, u64 net, bool also_v4);
void flow_unfollow_local(const struct tuple *t, u64 net);

#endif
