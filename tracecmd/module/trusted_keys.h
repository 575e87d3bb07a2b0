/* SPDX-License-Identifier: GPL-2.0 */
/* trusted_keys.h - find the key of a module's signature in the keyrings of the kernel */
#ifndef _RECORD_SKB_TRUSTED_KEYS_H
#define _RECORD_SKB_TRUSTED_KEYS_H

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

#endif
