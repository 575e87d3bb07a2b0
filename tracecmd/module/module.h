/* SPDX-License-Identifier: GPL-2.0 */
/*
 * module.h - load and unload the kernel module, and find the key with which it is signed in the keyrings of
 * the kernel
 */
#ifndef _RECORD_SKB_MODULE_H
#define _RECORD_SKB_MODULE_H

#include <stdbool.h>

#include "err.h"

/**
 * enum key_trust - does the kernel accept modules that are signed with a key?
 * @KEY_UNKNOWN: the keyrings cannot be read, or only the kernels of some distributions accept such
 *	modules
 * @KEY_TRUSTED: the key is in a keyring from which every kernel accepts keys for modules
 * @KEY_NOT_TRUSTED: no keyring has the key
 */
enum key_trust {
	KEY_UNKNOWN,
	KEY_TRUSTED,
	KEY_NOT_TRUSTED,
};

/**
 * trusted_keys_find - find the key of a module's signer in the kernel's keyrings
 * @signer: name of the signer in the signature, as modinfo shows it
 * @keyring: set to the name of the keyring that has the key, a constant; NULL if no keyring has it
 *
 * Keys are compared only by the name of their owner. KEY_TRUSTED therefore does not mean that the signature
 * itself is valid: the kernel verifies the signature when it loads the module.
 */
enum key_trust trusted_keys_find(const char *signer, const char **keyring);

/**
 * module_load - load record_skb.ko, unless it is loaded already
 * @loaded_by_us: set to true if this function has loaded the module; false if it was loaded before
 * @err: set to the reason on failure
 *
 * Returns 0 or -1.
 */
int module_load(bool *loaded_by_us, struct err *err);

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
