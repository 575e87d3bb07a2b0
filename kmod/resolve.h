/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_RESOLVE_H
#define RECORD_SKB_RESOLVE_H

struct kprobe;

int resolve(const char *func, struct kprobe **lookup);
int resolve_address(unsigned long func, struct kprobe **lookup);
void resolve_done(struct kprobe **lookups, int nr);

#endif
