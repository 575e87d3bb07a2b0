/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_RESOLVE_H
#define RECORD_SKB_RESOLVE_H

#include <record_skb.h>

int resolve_set(const struct record_skb_addresses *want);
void resolve_forget(void);
int resolve(const char *func, unsigned long *ip);
int resolve_address(unsigned long func, unsigned long *ip);
void resolve_done(void);

#endif
