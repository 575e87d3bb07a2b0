/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SESSION_H
#define RECORD_SKB_SESSION_H

#include <record_skb.h>

struct file;
struct poll_table_struct;
struct session;

struct session *session_open(void);
void session_close(struct session *s);
int session_claim(struct session *s);
int session_claim_shared(struct session *s, struct record_skb_share *share);
int session_set_filter(struct session *s, const struct record_skb_filter *want);
int session_add_point(struct session *s, const struct record_skb_point *want);
int session_set_options(struct session *s, const struct record_skb_options *want);
int session_set_ring(struct session *s, const struct record_skb_ring *want);
int session_set_graph(struct session *s, const struct record_skb_graph *want);
int session_set_addresses(struct session *s, const struct record_skb_addresses *want);
int session_get_function(struct session *s, struct record_skb_function *function);
int session_set_restore(struct session *s, const struct record_skb_restore *want);
int session_add_process(struct session *s, const struct record_skb_process *process);
int session_follow(struct session *s, const struct record_skb_follow *want);
int session_get_netns(struct session *s, struct record_skb_netns *netns);
int session_name_netns(struct session *s, const struct record_skb_netns *netns);
bool session_poll(struct session *s, struct file *file, struct poll_table_struct *wait);
int session_arm(struct session *s);
int session_disarm(struct session *s);
void session_get_info(const struct session *s, struct record_skb_info *info);
int session_get_slot0(const struct session *s, __u32 *slot0);
void session_get_stats(const struct session *s, struct record_skb_stats *stats);

int session_init(void);
void session_exit(void);

#endif
