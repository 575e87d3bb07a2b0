/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FILTER_H
#define RECORD_SKB_FILTER_H

#include <record_skb.h>

struct bpf_prog;

/* struct filter - the programs of struct record_skb_filter, which says what each reads; any may be NULL */
struct filter {
	struct bpf_prog *raw;
	struct bpf_prog *ll;
	struct bpf_prog *at_data;
};

int filter_create(struct filter *f, const struct record_skb_filter *want);
void filter_destroy(struct filter *f);

#endif
