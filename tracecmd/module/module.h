/* SPDX-License-Identifier: GPL-2.0 */
/* module.h - load and unload the kernel module, and describe it with the key of its signature */
#ifndef _RECORD_SKB_MODULE_H
#define _RECORD_SKB_MODULE_H

#include <stdbool.h>

#include "err.h"

/**
 * module_load - load record_skb.ko, unless it is loaded already
 * @loaded_by_us: set to true if this function has loaded the module; false if it was loaded before
 * @err: set to the reason on failure
 *
 * Returns 0 or -1.
 */
int module_load(bool *loaded_by_us, struct err *err);

/*
 * The file with the kernel's lockdown mode, and true if the file would be visible here: securityfs is
 * mounted. A container may not have it.
 */
#define LOCKDOWN "/sys/kernel/security/lockdown"
bool lockdown_is_visible(void);

/**
 * module_describe - check if the module could be loaded, without loading it
 * @text: set to a description of the module, to be freed
 * @known: set to true if the answer is certain; false if only loading the module would show it
 * @err: if the module cannot be loaded, set to the reason and a remedy
 *
 * Returns 0 or -1.
 */
int module_describe(char **text, bool *known, struct err *err);

/**
 * module_unload - unload the module
 * @err: if the module stays loaded, set to the reason and a remedy
 *
 * Close the session before this call. Returns 0. Returns 1 if a task still sleeps in the module's code, or -1
 * after another error.
 */
int module_unload(struct err *err);

/*
 * Return true if the kernel module @name is loaded or built into the kernel. /sys/module would not suffice,
 * because some built-in modules are missing there.
 */
bool module_is_there(const char *name);

#endif
