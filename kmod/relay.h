/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_RELAY_H
#define RECORD_SKB_RELAY_H

#include <linux/types.h>
#include <record_skb.h>

struct module;

int relay_set(const struct record_skb_graph *want);
void relay_forget(void);
void relay_forget_module(const struct module *mod);
void relay_add_module(const struct module *mod);
int relay_start(void);
void relay_stop(void);
void relay_exit(void);

#endif
