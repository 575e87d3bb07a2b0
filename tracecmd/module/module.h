/* SPDX-License-Identifier: GPL-2.0 */
/* module.h - load and unload the kernel module */
#ifndef _RECORD_SKB_MODULE_H
#define _RECORD_SKB_MODULE_H

#include <stdbool.h>

#include "err.h"

/**
 * module_load - make sure that record_skb.ko is in the kernel
 * @loaded_by_us: set to true if this function has loaded the module; false if it was loaded before
 * @err: set to the reason on failure
 *
 * Returns 0 or -1.
 */
int module_load(bool *loaded_by_us, struct err *err);

/**
 * module_describe - check if the module could be loaded, without loading it
 * @text: set to a description of the module, to be freed
 * @known: set to true if the answer is certain; false if only loading the module could tell
 * @err: set to the reason and a remedy if it cannot be loaded
 *
 * Returns 0 or -1.
 */
int module_describe(char **text, bool *known, struct err *err);

/**
 * module_unload - unload the module
 * @err: set to the reason and a remedy if it has to stay
 *
 * Close the session first. Returns 0, 1 if a task still sleeps in the module's code, or -1 on other errors.
 */
int module_unload(struct err *err);

/*
 * Return true if the kernel module @name is loaded or built in. Some built-in modules are missing in
 * /sys/module.
 */
bool module_is_there(const char *name);

#endif
