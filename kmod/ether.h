/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_ETHER_H
#define RECORD_SKB_ETHER_H

#include <linux/types.h>

struct bpf_prog;
struct view;

bool ether_run_filter(const struct bpf_prog *prog, const struct view *v);

#endif
