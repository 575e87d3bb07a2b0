/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_RESTORE_H
#define RECORD_SKB_RESTORE_H

#include <linux/types.h>

#include <record_skb.h>

struct restore;

struct restore *restore_new(const struct record_skb_restore *want);
int restore_add_process(struct restore *r, const struct record_skb_process *process);
void restore_free(struct restore *r);
void restore_start(struct restore *r);
bool restore_is_pending(void);
void restore_try(void);
void restore_exit(void);

#endif
