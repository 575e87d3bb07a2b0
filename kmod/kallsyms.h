/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_KALLSYMS_H
#define RECORD_SKB_KALLSYMS_H

#include <record_skb.h>

struct tracepoint;

int kallsyms_set(const struct record_skb_addresses *want);
void kallsyms_forget(void);
int kallsyms_find(const char *func, unsigned long *ip);
int kallsyms_address(unsigned long func, unsigned long *ip);
void kallsyms_done(void);
struct tracepoint *tracepoint_named(const char *name);

#endif
