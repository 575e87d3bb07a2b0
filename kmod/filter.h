/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FILTER_H
#define RECORD_SKB_FILTER_H

#include <linux/types.h>
#include <record_skb.h>

#include "sieve.h"

struct bpf_prog;
struct sk_buff;

/*
 * struct filter - the programs of struct record_skb_filter, which says what each reads; any may be NULL
 * @bytes_only: @at_data asks for nothing but bytes of the packet
 * @sieve: what they ask for at least
 */
struct filter {
	struct bpf_prog *raw;
	struct bpf_prog *ll;
	struct bpf_prog *at_data;
	bool bytes_only;
	struct sieve sieve;
};

int filter_create(struct filter *f, const struct record_skb_filter *want);
void filter_destroy(struct filter *f);
bool filter_run_bytes(const struct filter *f, u8 *from, u32 len);
bool filter_run(const struct filter *f, const struct sk_buff *skb, int offset);

#endif
