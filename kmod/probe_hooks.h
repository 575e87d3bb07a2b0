/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PROBE_HOOKS_H
#define RECORD_SKB_PROBE_HOOKS_H

#include <linux/types.h>

struct active_config;
struct ftrace_ops;
struct module;

int hook_register(struct ftrace_ops *ops);
int hook_start(const struct active_config *a);
void hook_stop(const struct active_config *a);
bool hook_forget_module(const struct active_config *a, const struct module *mod);
void hook_exit(void);

#endif
