// SPDX-License-Identifier: GPL-2.0
/* module_key.c - find the key with which the module is signed, and the keyring that has it */
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "module/module_key.h"
#include "tracefs/files.h"
#include "text.h"

/*
 * Keyrings that can have keys for modules. Linux itself does not accept modules that are signed with a key of
 * .platform, but the kernels of several distributions do. The keyring .machine, which some kernels have, is a
 * part of .secondary_trusted_keys.
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
#define NR_KEYRINGS (sizeof(keyrings) / sizeof(keyrings[0]))

/* Where DKMS and akmods have the certificate of the key with which they sign the modules of this machine. */
static const char *const certificates[] = {
	"/var/lib/dkms/mok.pub",
	"/var/lib/shim-signed/mok/MOK.der",
	"/etc/pki/akmods/certs/public_key.der",
};
#define NR_CERTIFICATES (sizeof(certificates) / sizeof(certificates[0]))

#define MAX_CERTIFICATE 8192
#define MAX_ID		64

/* Certificates */

/* Convert hexadecimal digits to bytes, and skip colons. Returns the number of bytes; 0 if it is too large. */
static size_t bytes_of(const char *text, uint8_t bytes[MAX_ID])
{
	unsigned int byte;
	size_t n = 0;

	while (*text) {
		text += *text == ':';
		if (n == MAX_ID || sscanf(text, "%2x", &byte) != 1 || !text[1])
			return 0;
		bytes[n++] = byte;
		text += 2;
	}
	return n;
}

/* Return true if the number of type INTEGER or OCTET STRING at @at is @wanted. Both can begin with zeros. */
static bool is_number(const uint8_t *at, const uint8_t *end, uint8_t type, const uint8_t *wanted,
		      size_t n)
{
	size_t length;

	if (end - at < 2 || at[0] != type || at[1] > end - at - 2)
		return false;
	length = at[1];
	for (at += 2; length && !*at; at++)
		length--;
	for (; n && !*wanted; wanted++)
		n--;
	return n && length == n && !memcmp(at, wanted, n);
}

/* Return the byte after the first @pattern, or NULL. */
static const uint8_t *after(const void *data, size_t size, const void *pattern, size_t n)
{
	const uint8_t *at = memmem(data, size, pattern, n);

	return at ? at + n : NULL;
}

/* Return true if @bytes is the serial number, which follows the version of a certificate: 3, encoded as 2. */
static bool has_serial(const uint8_t *der, size_t size, const uint8_t *bytes, size_t n)
{
	static const uint8_t version[] = { 0xa0, 3, 2, 1, 2 };
	const uint8_t *at = after(der, size, version, sizeof(version));

	return at && is_number(at, der + size, 2, bytes, n);
}

bool certificate_has_serial(const void *der, size_t size, const char *serial)
{
	uint8_t bytes[MAX_ID];

	return has_serial(der, size, bytes, bytes_of(serial, bytes));
}

bool certificate_has_key(const void *der, size_t size, const char *id)
{
	/* The extension "subject key identifier": its name, and the type of its contents. */
	static const uint8_t name[] = { 6, 3, 0x55, 0x1d, 0x0e, 4 };
	const uint8_t *at = after(der, size, name, sizeof(name)),
		      *end = (const uint8_t *)der + size;
	uint8_t bytes[MAX_ID];
	const size_t n = bytes_of(id, bytes);

	/* Without the extension, the kernel uses the serial number. */
	if (!at)
		return has_serial(der, size, bytes, n);
	return end - at > 1 && is_number(at + 1, end, 4, bytes, n);
}

/* Return the first of the files that is the certificate with this serial number, or NULL. */
static const char *find_certificate(const char *serial, uint8_t der[MAX_CERTIFICATE], size_t *size)
{
	for (size_t i = 0; i < NR_CERTIFICATES; i++) {
		FILE *file = fopen(certificates[i], "re");

		if (!file)
			continue;
		*size = fread(der, 1, MAX_CERTIFICATE, file);
		fclose(file);
		if (certificate_has_serial(der, *size, serial))
			return certificates[i];
	}
	return NULL;
}

/* Keyrings */

/*
 * Return the ID of the kernel's keyring @name from @keys, the text of /proc/keys; 0 if it is not found. Other
 * users can have keys with such names, but no keyring that belongs to root.
 */
static int32_t keyring_id(const char *keys, const char *name)
{
	const size_t length = strlen(name);

	for (const char *line = keys; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		unsigned int id;
		int user, at = 0;

		/* ID, flags, usage, timeout, permissions, user, group, type and description */
		sscanf(line, "%x %*s %*s %*s %*s %d %*d keyring %n", &id, &user, &at);
		if (at && !user && !strncmp(line + at, name, length) && line[at + length] == ':')
			return id;
	}
	return 0;
}

bool key_has_name(const char *description, const char *signer)
{
	const char *id = NULL;
	size_t length, n = strlen(signer);

	for (const char *at = description; (at = strstr(at, ": ")); at++)
		id = at;
	if (!n || !id)
		return false;
	length = id - description;
	if (length < n || strncmp(id - n, signer, n))
		return false;
	return length == n || (length > n + 1 && !strncmp(id - n - 2, ": ", 2));
}

/*
 * Return true if the kernel's key is the one of the certificate; without a certificate, if it has the name of
 * the signer.
 */
static bool is_key_of(int32_t key, const char *signer, const uint8_t *der, size_t size)
{
	char text[1024];
	const long n = syscall(SYS_keyctl, KEYCTL_DESCRIBE, key, text, sizeof(text));
	const char *description = text, *id;

	/* "asymmetric;uid;gid;permissions;description" */
	if (n <= 0 || (size_t)n > sizeof(text) || strncmp(text, "asymmetric;", 11))
		return false;
	for (int i = 0; i < 4; i++) {
		description = strchr(description, ';');
		if (!description)
			return false;
		description++;
	}
	if (!der)
		return key_has_name(description, signer);
	id = strrchr(description, ' ');
	return id && certificate_has_key(der, size, id + 1);
}

/* Return 1 if the keyring has the key and 0 if not. Return -1 if the keyring cannot be read. */
static int keyring_has(int32_t keyring, const char *signer, const uint8_t *der, size_t size)
{
	int32_t keys[1024];
	const long n = syscall(SYS_keyctl, KEYCTL_READ, keyring, keys, sizeof(keys));

	if (n < 0 || (size_t)n > sizeof(keys))
		return -1;
	for (size_t i = 0; i < n / sizeof(*keys); i++)
		if (is_key_of(keys[i], signer, der, size))
			return 1;
	return 0;
}

void module_key_find(const char *signer, const char *serial, struct module_key *key)
{
	uint8_t der[MAX_CERTIFICATE];
	size_t size = 0;
	char *keys = file_read("/proc/keys");

	*key = (struct module_key){ .certificate = find_certificate(serial, der, &size) };
	/*
	 * Each kernel that verifies modules has the keyring .builtin_trusted_keys. If it is missing in
	 * /proc/keys, this process may not see it.
	 */
	key->keyrings_read = keys && keyring_id(keys, keyrings[0].name);
	for (size_t i = 0; key->keyrings_read && !key->keyring && i < NR_KEYRINGS; i++) {
		const int32_t id = keyring_id(keys, keyrings[i].name);
		const int has = id ? keyring_has(id, signer, key->certificate ? der : NULL, size) :
				     0;

		key->keyrings_read = has >= 0;
		if (has <= 0)
			continue;
		key->keyring = keyrings[i].name;
		key->trust = keyrings[i].accepted ? KEY_TRUSTED : KEY_UNKNOWN;
	}
	if (key->keyrings_read && !key->keyring && key->certificate)
		key->trust = KEY_NOT_TRUSTED;
	free(keys);
}

/* The firmware */

#define EFI	     "/sys/firmware/efi"
#define SECURE_BOOT  EFI "/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define SHIM_IGNORES EFI "/efivars/MokSBStateRT-605dab50-e046-4300-abb6-3dd810dd8b23"

/* Return the value of a variable of the firmware that has one byte, after four of attributes; -1 if none. */
static int firmware_byte(const char *file)
{
	uint8_t bytes[5];
	const int fd = open(file, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));

	if (fd >= 0)
		close(fd);
	return n == sizeof(bytes) ? bytes[4] : -1;
}

bool keys_can_be_enrolled(void)
{
	return !access(EFI, F_OK) && firmware_byte(SECURE_BOOT) != 0 &&
	       firmware_byte(SHIM_IGNORES) != 1;
}
