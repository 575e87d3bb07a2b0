/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_HOOK_H
#define RECORD_SKB_HOOK_H

#include <linux/types.h>

struct armed;
struct ftrace_ops;
struct module;

int hook_register(struct ftrace_ops *ops);
int hook_start(const struct armed *a);
void hook_stop(const struct armed *a);
bool hook_forget_module(const struct armed *a, const struct module *mod);
void hook_exit(void);

#endif
