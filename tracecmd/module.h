/* SPDX-License-Identifier: GPL-2.0 */
/* Load the module and unload it. */
#ifndef _RECORD_SKB_MODULE_H
#define _RECORD_SKB_MODULE_H

#include <stdbool.h>

#include "err.h"

/**
 * module_load - make sure that record_skb.ko is in the kernel
 * @loaded_by_us: set to true if it was not there before
 * @err: why it cannot be
 *
 * Returns 0 or -1.
 */
int module_load(bool *loaded_by_us, struct err *err);

/**
 * module_describe - see whether the module could be loaded, without loading it
 * @text: set to what there is, to be freed
 * @known: set to whether it could be; else that is seen only by loading it
 * @err: why not, and what to do
 *
 * Returns 0 or -1.
 */
int module_describe(char **text, bool *known, struct err *err);

/**
 * module_unload - take it out again
 * @err: why it has to stay, and what to do
 *
 * Close the session first. Returns 0 or -1.
 */
int module_unload(struct err *err);

/* Whether a module of the kernel's is loaded, or built in: /sys/module has not all of those. */
bool module_is_there(const char *name);

#endif
