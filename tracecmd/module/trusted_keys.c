// SPDX-License-Identifier: GPL-2.0
/* trusted_keys.c - find the key of a module's signature in the keyrings of the kernel */
#include <linux/keyctl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"
#include "module/trusted_keys.h"
#include "text.h"

/*
 * Keyrings with keys for modules. The kernel itself does not accept keys of .platform for modules, but the
 * kernels of several distributions do. (.machine is a part of .secondary_trusted_keys on kernels that have
 * it.)
 */
static const struct {
	const char *name;
	bool accepted;
} keyrings[] = {
	{ ".builtin_trusted_keys", true },
	{ ".secondary_trusted_keys", true },
	{ ".machine", true },
	{ ".platform", false },
};

/*
 * Return the ID of a keyring from the text of /proc/keys, or 0. A line ends with "keyring   .name: number".
 */
static int32_t keyring_id(const char *keys, const char *name)
{
	char *wanted = xasprintf(" %s: ", name);
	const char *at = strstr(keys, wanted);
	unsigned int id = 0;

	free(wanted);
	while (at && at > keys && at[-1] != '\n')
		at--;
	return at && sscanf(at, "%x", &id) == 1 ? (int32_t)id : 0;
}

/*
 * Return true if the key belongs to @signer. Its description is "asymmetric;uid;gid;permissions;owner:
 * number".
 */
static bool is_key_of(int32_t key, const char *signer)
{
	char text[1024];
	const long n = syscall(SYS_keyctl, KEYCTL_DESCRIBE, key, text, sizeof(text));
	const char *owner = text;

	if (n <= 0 || (size_t)n > sizeof(text) || strncmp(text, "asymmetric;", 11))
		return false;
	for (int i = 0; i < 4; i++) {
		owner = strchr(owner, ';');
		if (!owner)
			return false;
		owner++;
	}
	return !strncmp(owner, signer, strlen(signer)) && owner[strlen(signer)] == ':';
}

/* Return 1 if the keyring has a key of @signer, 0 if not, and -1 if it cannot be read. */
static int keyring_has(int32_t keyring, const char *signer)
{
	int32_t keys[1024];
	const long size = syscall(SYS_keyctl, KEYCTL_READ, keyring, keys, sizeof(keys));

	if (size < 0 || (size_t)size > sizeof(keys))
		return -1;
	for (size_t i = 0; i < size / sizeof(*keys); i++)
		if (is_key_of(keys[i], signer))
			return 1;
	return 0;
}

enum key_trust trusted_keys_find(const char *signer, const char **keyring)
{
	char *keys = file_read("/proc/keys");
	enum key_trust trust = KEY_NOT_TRUSTED;
	int32_t id;
	int has;

	*keyring = NULL;
	/*
	 * Each kernel that verifies modules has this keyring. If it is not shown, this process may not see
	 * it.
	 */
	if (!keys || !keyring_id(keys, keyrings[0].name))
		trust = KEY_UNKNOWN;
	for (size_t i = 0;
	     trust != KEY_UNKNOWN && !*keyring && i < sizeof(keyrings) / sizeof(keyrings[0]); i++) {
		id = keyring_id(keys, keyrings[i].name);
		has = id ? keyring_has(id, signer) : 0;
		if (has < 0)
			trust = KEY_UNKNOWN;
		if (has > 0) {
			*keyring = keyrings[i].name;
			trust = keyrings[i].accepted ? KEY_TRUSTED : KEY_UNKNOWN;
		}
	}
	free(keys);
	return trust;
}
