/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_HOOK_H
#define RECORD_SKB_HOOK_H

#include <linux/types.h>

struct armed;
struct module;

int hook_start(const struct armed *a);
void hook_stop(const struct armed *a);
bool hook_forget_module(const struct armed *a, const struct module *mod);
void hook_exit(void);

#endif
