/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FILTER_H
#define RECORD_SKB_FILTER_H

#include <linux/types.h>
#include <record_skb.h>

#include "sieve.h"

struct bpf_prog;
struct sk_buff;
struct tuple;

/*
 * struct filter - the filter of a recording, created from struct record_skb_filter
 * @raw, @ll, @at_data: BPF programs, as documented for struct record_skb_filter; each may be NULL
 * @inner: BPF program for the packet inside a tunnel packet, NULL if every packet may match
 * @all: true if @raw and @at_data match every packet, so that only the terms decide
 * @bytes_only: true if @at_data reads only bytes of the packet
 * @sieve: terms that a matching IP packet must satisfy in addition to the BPF programs
 */
struct filter {
	struct bpf_prog *raw;
	struct bpf_prog *ll;
	struct bpf_prog *at_data;
	struct bpf_prog *inner;
	bool all;
	bool bytes_only;
	struct sieve sieve;
};

int filter_create(struct filter *f, const struct record_skb_filter *want);
void filter_destroy(struct filter *f);
bool filter_inner_holds(const struct filter *f, const struct sk_buff *skb, int offset);
bool filter_is_none(const struct filter *f);
bool filter_rejects(const struct filter *f, const struct headers *h);
bool filter_terms_hold(const struct filter *f, const struct headers *h);
bool filter_run_bytes(const struct filter *f, u8 *from, u32 len);
bool filter_run(const struct filter *f, const struct sk_buff *skb, int offset);
bool filter_run_tuple(const struct filter *f, const struct tuple *t, bool receive);
bool filter_run_reset(const struct filter *f, const struct tuple *t);

#endif
