/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SESSION_H
#define RECORD_SKB_SESSION_H

#include <linux/types.h>
#include <record_skb.h>

struct bpf_prog;
struct point;

#define POINT_HASH_BITS	11

/*
 * struct session - what one open file has asked for
 *
 * Written under session_lock while not armed, read without a lock by the ftrace callback while
 * armed.
 *
 * @raw, @ll, @at_data: the filter's programs, any may be NULL
 * @points: RECORD_SKB_MAX_POINTS of them and the module's own, @nr_points used
 * @by_ip: open hash from a point's address to its index in @points plus 1
 * @epoch: of the arming, never 0 while armed
 */
struct session {
	struct bpf_prog *raw;
	struct bpf_prog *ll;
	struct bpf_prog *at_data;
	struct record_skb_options options;
	struct point *points;
	u32 nr_points;
	u32 nr_own;
	u16 by_ip[1 << POINT_HASH_BITS];
	u32 epoch;
	bool armed;
	pid_t pid;
	char comm[RECORD_SKB_COMM_LEN];
};

struct session *session_open(void);
void session_close(struct session *s);
int session_claim(struct session *s);
int session_set_filter(struct session *s, const struct record_skb_filter *want);
int session_add_point(struct session *s, struct record_skb_point *want);
int session_set_options(struct session *s, const struct record_skb_options *want);
int session_follow(struct session *s, const struct record_skb_follow *want);
int session_arm(struct session *s);
int session_disarm(struct session *s);
void session_get_info(const struct session *s, struct record_skb_info *info);
void session_get_stats(const struct session *s, struct record_skb_stats *stats);

int session_init(void);
void session_exit(void);

/* The armed session's epoch, 0 if none is armed. Any context. */
u32 session_epoch(void);

#endif
