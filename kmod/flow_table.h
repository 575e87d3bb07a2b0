/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FLOW_TABLE_H
#define RECORD_SKB_FLOW_TABLE_H

#include "flow_tuple.h"
#include "ports.h"

struct flow_table;
struct stats;

struct flow_table *flow_table_new(struct stats *stats);
void flow_table_free(struct flow_table *f);
void flow_table_forget_all(struct flow_table *f);
u32 flow_table_number(struct flow_table *f, const struct tuple *t, u64 net);
u32 flow_table_of_packet(struct flow_table *f, const struct tuple *t, u64 net);
u32 flow_table_known(struct flow_table *f, const struct tuple *t, u64 net);
bool flow_table_is_followed(struct flow_table *f, const struct tuple *t, u64 net);
void flow_table_follow(struct flow_table *f, const struct tuple *t, u64 net);
void flow_table_unfollow(struct flow_table *f, const struct tuple *t, u64 net);
bool flow_table_carry(struct flow_table *f, u32 number, const struct tuple *t, u64 net,
		      const struct tuple *to, u64 to_net);
const struct port_set *flow_table_ports(const struct flow_table *f);
void flow_table_sees_flags(struct flow_table *f, const struct tuple *t, u32 number);
u32 flow_table_nr_closing(const struct flow_table *f);
bool flow_table_any_local(const struct flow_table *f);
bool flow_table_local_is_followed(struct flow_table *f, const struct tuple *t, u64 net);
void flow_table_follow_local(struct flow_table *f, const struct tuple *t, u64 net, bool also_v4);
void flow_table_unfollow_local(struct flow_table *f, const struct tuple *t, u64 net, bool also_v4);

#endif
