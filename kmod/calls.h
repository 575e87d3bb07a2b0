/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_CALLS_H
#define RECORD_SKB_CALLS_H

#include "gate.h"

struct ftrace_regs;
struct point;
struct session;

gate_fn *call_seen(const struct session *s, const struct point *point, struct ftrace_regs *fregs);
void call_left(const struct session *s, int fd);
void calls_learn(const struct session *s);

#endif
