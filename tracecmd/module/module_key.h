/* SPDX-License-Identifier: GPL-2.0 */
/* module_key.h - find the key with which the module is signed, and the keyring that has it */
#ifndef _RECORD_SKB_MODULE_KEY_H
#define _RECORD_SKB_MODULE_KEY_H

#include <stdbool.h>

/**
 * enum key_trust - does the kernel accept modules that are signed with a key?
 * @KEY_UNKNOWN: the keyrings cannot be read; or the certificate of the key is not known, and no keyring has a
 *	key of this name; or only the kernels of some distributions accept such modules
 * @KEY_TRUSTED: the key is in a keyring from which every kernel accepts keys for modules
 * @KEY_NOT_TRUSTED: no keyring has the key
 */
enum key_trust {
	KEY_UNKNOWN,
	KEY_TRUSTED,
	KEY_NOT_TRUSTED,
};

/**
 * struct module_key - the key of a signature
 * @trust: see enum key_trust
 * @keyring: name of the keyring that has the key, a constant; NULL if none has it
 * @certificate: file with the certificate of the key, a constant; NULL if it was not found. Then @keyring has
 *	a key of the signer's name, which can be another key
 * @keyrings_read: false if the keyrings of the kernel cannot be read
 */
struct module_key {
	enum key_trust trust;
	const char *keyring, *certificate;
	bool keyrings_read;
};

/**
 * module_key_find - find the key of a signature
 * @signer: name of the signer, as modinfo shows it
 * @serial: serial number of the certificate, as modinfo shows it in "sig_key": hexadecimal bytes and colons
 * @key: set to the result
 *
 * KEY_TRUSTED does not mean that the signature itself is valid: the kernel verifies the signature when it
 * loads the module.
 */
void module_key_find(const char *signer, const char *serial, struct module_key *key);

/**
 * certificate_has - compare a certificate with what the module and the kernel say about its key
 * @der: the certificate, in DER format
 * @size: its size in bytes
 * @serial: the serial number, as in module_key_find()
 *
 * Returns true if this is the serial number of the certificate.
 */
bool certificate_has_serial(const void *der, size_t size, const char *serial);

/*
 * Return true if @id is the identifier of the certificate's key, in hexadecimal digits. The kernel shows it
 * at the end of a key's description.
 */
bool certificate_has_key(const void *der, size_t size, const char *id);

/*
 * Return true if the kernel describes a key of this signer in this way: "NAME: identifier", where NAME can
 * begin with the organization and a colon.
 */
bool key_has_name(const char *description, const char *signer);

/*
 * Return true if this machine can accept more keys with the next boot: the kernel only reads the keys that
 * mokutil enrols if Secure Boot is on.
 */
bool keys_can_be_enrolled(void);

#endif
