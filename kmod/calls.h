/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_CALLS_H
#define RECORD_SKB_CALLS_H

#include "graph.h"

struct ftrace_regs;
struct point;

enum gate call_seen(const struct armed *a, const struct point *point, struct ftrace_regs *fregs);
void call_left(const struct armed *a, int fd);
void calls_learn(const struct armed *a);

#endif
