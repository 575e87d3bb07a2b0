/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_RULES_H
#define RECORD_SKB_RULES_H

#include <linux/types.h>

struct ftrace_regs;
struct recording;

bool rules_hold(void);
void rules_release(void);
void rule_seen(const struct recording *of, struct ftrace_regs *fregs);

#endif
