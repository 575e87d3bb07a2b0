/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_VLAN_H
#define RECORD_SKB_VLAN_H

struct bpf_prog;
struct sk_buff;

unsigned int vlan_run_filter(const struct bpf_prog *prog, const struct sk_buff *skb);

#endif
