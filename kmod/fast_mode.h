/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FAST_MODE_H
#define RECORD_SKB_FAST_MODE_H

#include <linux/types.h>

struct active_config;
struct module;
struct record_skb_stats;

int fast_mode_start(const struct active_config *a, bool pause);
void fast_mode_stop(void);
void fast_mode_read(struct record_skb_stats *out);
void fast_mode_add_module(const struct module *mod);
void fast_mode_forget_module(const struct module *mod);
void fast_mode_exit(void);

#endif
