/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_LIST_H
#define RECORD_SKB_LIST_H

#include <linux/types.h>

struct ftrace_regs;
struct point;
struct session;

void list_split(const struct session *s, const struct point *point, struct ftrace_regs *fregs);
bool list_is_caller(unsigned long ip);

#endif
