/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_QUESTIONS_H
#define RECORD_SKB_QUESTIONS_H

#include <linux/types.h>

struct match;
struct questions;
struct tuple;

struct questions *questions_new(void);
void questions_free(struct questions *q);
void questions_forget_all(struct questions *q);
bool questions_hear(struct questions *q, const struct tuple *flow, const struct tuple *own,
		    u32 payload, const struct match *m, u64 limit_ns, struct match *late);
bool questions_find_old(const struct questions *q, u64 limit_ns, struct match *late);

#endif
