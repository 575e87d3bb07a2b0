/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_UNANSWERED_H
#define RECORD_SKB_UNANSWERED_H

#include <linux/types.h>

struct match;
struct unanswered;
struct tuple;

struct unanswered *unanswered_new(void);
void unanswered_free(struct unanswered *q);
void unanswered_forget_all(struct unanswered *q);
bool unanswered_hear(struct unanswered *q, const struct tuple *flow, const struct tuple *own,
		     u32 payload, const struct match *m, u64 limit_ns, struct match *late);
bool unanswered_find_old(const struct unanswered *q, u64 limit_ns, struct match *late);

#endif
