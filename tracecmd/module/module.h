/* SPDX-License-Identifier: GPL-2.0 */
/*
 * module.h - load and unload the kernel module, and find the key of its signature in the keyrings of the
 * kernel
 */
#ifndef _RECORD_SKB_MODULE_H
#define _RECORD_SKB_MODULE_H

#include <stdbool.h>

#include "err.h"

/**
 * enum key_trust - whether the kernel accepts modules that are signed with a key
 * @KEY_UNKNOWN: the keyrings cannot be read, or the answer depends on the distribution
 * @KEY_TRUSTED: the key is in a keyring that the kernel uses for modules
 * @KEY_NOT_TRUSTED: no keyring has the key
 */
enum key_trust {
	KEY_UNKNOWN,
	KEY_TRUSTED,
	KEY_NOT_TRUSTED,
};

/**
 * trusted_keys_find - find the key of a signer in the kernel's keyrings
 * @signer: name in the signature, as modinfo shows it
 * @keyring: set to the name of the keyring that has the key, a constant; NULL if no keyring has it
 *
 * Keys are compared by the name of their owner only. So KEY_TRUSTED does not mean that the signature itself
 * is valid: the kernel verifies that when it loads the module.
 */
enum key_trust trusted_keys_find(const char *signer, const char **keyring);

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
