/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_DROPS_H
#define RECORD_SKB_DROPS_H

struct ftrace_regs;
struct recording;

int drops_init(void);
void drops_forget_all(const struct recording *r);
int drops_start(void);
void drops_stop(void);
void drops_enqueue(const struct recording *r, struct ftrace_regs *fregs);

#endif
