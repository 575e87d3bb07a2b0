/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PROBE_TYPES_H
#define RECORD_SKB_PROBE_TYPES_H

#include <linux/types.h>

struct record_skb_point;

bool prototype_has_dev(const struct record_skb_point *point);
bool prototype_keeps_sock(const struct record_skb_point *point);
bool prototype_has_tls_message(const struct record_skb_point *point);
bool prototype_has_recv_flags(const struct record_skb_point *point);
int prototype_check(const struct record_skb_point *point, unsigned long ip);
bool prototype_begins(const char *module, const char *func, const char *what);
bool prototype_lacks_memory(void);
void prototype_forget(void);

#endif
