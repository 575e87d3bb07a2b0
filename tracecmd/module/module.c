// SPDX-License-Identifier: GPL-2.0
/*
 * module.c - load and unload the kernel module, and find the key with which it is signed in the keyrings of
 * the kernel
 */
#include <errno.h>
#include <glob.h>
#include <libkmod.h>
#include <linux/keyctl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "module/module.h"
#include "tracefs/files.h"
#include "text.h"
#include "check.h"
#include "record_skb.h"

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

/*
 * Return the ID of the keyring @name from @keys, the text of /proc/keys; 0 if it is not found. The line of a
 * keyring ends with "keyring   .name: number".
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
 * Return true if the owner of a key is @signer. The kernel describes a key as
 * "asymmetric;uid;gid;permissions;owner: number".
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

/* Return 1 if the keyring has a key of @signer and 0 if not. Return -1 if the keyring cannot be read. */
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
	 * Each kernel that verifies modules has the keyring .builtin_trusted_keys. If it is missing in
	 * /proc/keys, this process may not see it.
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

#define SYS_MODULE "/sys/module/" RECORD_SKB_MODULE

/* Print no messages of libkmod: its return values are sufficient to report errors. */
static void keep_quiet(void *data, int priority, const char *file, int line, const char *fn,
		       const char *format, va_list args)
{
	(void)data, (void)priority, (void)file, (void)line, (void)fn, (void)format, (void)args;
}

/* Return what "modinfo -F KEY" would print for the module and @key, to be freed; NULL if that is nothing. */
static char *read_modinfo(const struct kmod_module *module, const char *key)
{
	struct kmod_list *info = NULL, *item;
	char *text = NULL;

	if (kmod_module_get_info(module, &info) < 0)
		return NULL;
	kmod_list_foreach(item, info) {
		if (!text && !strcmp(kmod_module_info_get_key(item), key))
			text = xstrdup(kmod_module_info_get_value(item));
	}
	kmod_module_info_free_list(info);
	return text;
}

/* Return the release of the kernel for which the module was built, to be freed. */
static char *release_of(const struct kmod_module *module)
{
	char *vermagic = read_modinfo(module, "vermagic");

	if (vermagic)
		vermagic[strcspn(vermagic, " ")] = '\0';
	return vermagic;
}

/*
 * Set @err to the reason why the kernel has rejected the module's format: the module was built for another
 * kernel, or its file is damaged. The kernel reports the same error in both cases. Returns -1.
 */
static int explain_format(const struct kmod_module *module, const char *running, struct err *err)
{
	const char *path = kmod_module_get_path(module);
	char *release = release_of(module);

	if (!release)
		err_set(err, "%s is damaged: it is not a kernel module; install it again", path);
	else if (strcmp(release, running))
		err_set(err,
			"the module " RECORD_SKB_MODULE
			" was built for kernel %s, and this kernel is %s: "
			"build and install it again",
			release, running);
	else
		err_set(err,
			"%s was built for another kernel of this release (%s): build and install it "
			"again; dmesg says more",
			path, running);
	free(release);
	return -1;
}

/*
 * Set @err to the reason why no module is installed for this kernel. If DKMS has the module's source and did
 * not build the module, something was missing for the build. Returns -1.
 */
static int explain_absent(const char *running, struct err *err)
{
	char *headers = xasprintf("/lib/modules/%s/build", running), *line;
	const bool has_headers = !access(headers, F_OK);
	glob_t sources;

	free(headers);
	if (glob("/usr/src/record-skb-*/dkms.conf", 0, NULL, &sources))
		return err_set(err,
			       "the module " RECORD_SKB_MODULE
			       " is not installed for this kernel (%s): run "
			       "'make install' in record-skb's sources, with this kernel's headers "
			       "there, or install its package record-skb-dkms",
			       running);
	globfree(&sources);
	if (has_headers)
		return err_set(err,
			       "DKMS has not built the module " RECORD_SKB_MODULE
			       " for this kernel "
			       "(%s): run 'dkms autoinstall', which says why",
			       running);
	line = package_hint_headers(OS_RELEASE, running);
	err_set(err,
		"DKMS could not build the module " RECORD_SKB_MODULE
		" without this kernel's headers: %s",
		line);
	free(line);
	return -1;
}

static bool may_not_be_loaded(void)
{
	char *disabled = file_read("/proc/sys/kernel/modules_disabled");
	const bool may_not = disabled && !strcmp(disabled, "1");

	free(disabled);
	return may_not;
}

static int explain_forbidden(struct err *err)
{
	if (may_not_be_loaded())
		return err_set(
			err,
			"kernel.modules_disabled is 1: no module can be loaded until the next boot");
	return err_set(err,
		       "this kernel does not allow loading this module: with lockdown, sign it "
		       "with a key that the kernel trusts, see record_skb(4); in a container, "
		       "load it on the host");
}

static int explain_load(int error, const struct kmod_module *module, struct err *err)
{
	struct utsname kernel;

	uname(&kernel);
	switch (error) {
	case ENOENT:
		return explain_absent(kernel.release, err);
	case ENOEXEC:
	case EINVAL:
		return explain_format(module, kernel.release, err);
	case EKEYREJECTED:
	case ENOKEY:
		return err_set(err,
			       "this kernel accepts only signed modules: sign " RECORD_SKB_MODULE
			       " with a key that it trusts (see record_skb(4))");
	case EPERM:
		return explain_forbidden(err);
	default:
		return err_set(err,
			       "cannot load the module " RECORD_SKB_MODULE ": %s; dmesg says more",
			       strerror(error));
	}
}

static int explain_unload(int error, struct err *err)
{
	if (error == EAGAIN || error == EBUSY) {
		err_set(err, "the module " RECORD_SKB_MODULE
			     " stays loaded, disarmed: a task sleeps in a call that the module "
			     "has entered; it is unloaded when that call returns");
		return 1;
	}
	return err_set(err, "cannot unload the module " RECORD_SKB_MODULE ": %s", strerror(error));
}

static struct kmod_ctx *open_libkmod(struct err *err)
{
	struct kmod_ctx *ctx = kmod_new(NULL, NULL);

	if (!ctx)
		err_set(err, "cannot initialize libkmod: %s", strerror(errno));
	else
		kmod_set_log_fn(ctx, keep_quiet, NULL);
	return ctx;
}

#define SETTLE_MSEC 5000
#define POLL_MSEC   20

/*
 * Wait until the kernel has finished loading or unloading the module: in the meantime, its device is missing.
 * After a recording, the module can be unloaded late, when the last task has left its code.
 */
static void wait_until_settled(void)
{
	for (int msec = 0; msec < SETTLE_MSEC; msec += POLL_MSEC) {
		char *state = file_read(SYS_MODULE "/initstate");
		const bool is_settled = !state || !strcmp(state, "live");

		free(state);
		if (is_settled)
			return;
		usleep(POLL_MSEC * 1000);
	}
}

int module_load(bool *loaded_by_us, struct err *err)
{
	struct kmod_list *found = NULL;
	struct kmod_module *module = NULL;
	struct kmod_ctx *ctx;
	int ret;

	*loaded_by_us = false;
	wait_until_settled();
	if (!access(SYS_MODULE, F_OK))
		return 0;
	ctx = open_libkmod(err);
	if (!ctx)
		return -1;
	/*
	 * Search for the file of the module. kmod_module_new_from_name() would succeed for any name, even if
	 * no such module exists.
	 */
	ret = kmod_module_new_from_lookup(ctx, RECORD_SKB_MODULE, &found);
	if (!ret && !found)
		ret = -ENOENT;
	if (!ret) {
		module = kmod_module_get_module(found);
		ret = kmod_module_probe_insert_module(module, 0, NULL, NULL, NULL, NULL);
	}
	*loaded_by_us = !ret;
	if (ret)
		ret = explain_load(abs(ret), module, err);
	kmod_module_unref(module);
	kmod_module_unref_list(found);
	kmod_unref(ctx);
	return ret;
}

int module_unload(struct err *err)
{
	struct kmod_module *module;
	struct kmod_ctx *ctx;
	int ret;

	ctx = open_libkmod(err);
	if (!ctx)
		return -1;
	/* Find the loaded module by its name, because its file may have been removed after loading. */
	ret = kmod_module_new_from_name(ctx, RECORD_SKB_MODULE, &module);
	if (!ret) {
		ret = kmod_module_remove_module(module, KMOD_REMOVE_NOWAIT);
		kmod_module_unref(module);
	}
	kmod_unref(ctx);
	return ret && ret != -ENOENT ? explain_unload(-ret, err) : 0;
}

bool module_is_there(const char *name)
{
	struct kmod_module *module;
	struct kmod_ctx *ctx;
	struct err err;
	int state = -ENOENT;

	ctx = open_libkmod(&err);
	if (!ctx)
		return false;
	if (!kmod_module_new_from_name(ctx, name, &module)) {
		state = kmod_module_get_initstate(module);
		kmod_module_unref(module);
	}
	kmod_unref(ctx);
	return state == KMOD_MODULE_BUILTIN || state == KMOD_MODULE_LIVE;
}

static bool must_be_signed(void)
{
	char *enforced = file_read("/sys/module/module/parameters/sig_enforce");
	char *lockdown = file_read("/sys/kernel/security/lockdown");
	const bool must = (enforced && !strcmp(enforced, "Y")) ||
			  (lockdown && !strstr(lockdown, "[none]"));

	free(lockdown);
	free(enforced);
	return must;
}

/* Certificate of the key with which DKMS signs the modules that it builds on this machine. */
#define DKMS_KEY "/var/lib/dkms/mok.pub"

static int explain_untrusted(const char *path, const char *signer, struct err *err)
{
	return err_set(err,
		       "%s is signed by '%s', a key that this kernel does not trust: run 'mokutil "
		       "--import %s' and 'systemctl reboot', and choose \"Enroll MOK\" at the boot",
		       path, signer, access(DKMS_KEY, F_OK) ? "CERTIFICATE.der" : DKMS_KEY);
}

/*
 * Set @text to a description of a signed module and its signer. If the kernel requires signatures, set
 * *@known to false: only the kernel can verify the signature. Returns 0. Returns -1 if the kernel requires
 * signatures and does not trust the signer.
 */
static int describe_signer(const char *path, const char *signer, char **text, bool *known,
			   struct err *err)
{
	const char *keyring;
	const enum key_trust trust = trusted_keys_find(signer, &keyring);

	*known = !must_be_signed();
	if (trust == KEY_NOT_TRUSTED && must_be_signed())
		return explain_untrusted(path, signer, err);
	if (trust == KEY_TRUSTED)
		*text = xasprintf("%s, signed by '%s', a key in the kernel's keyring %s", path,
				  signer, keyring);
	else if (trust == KEY_NOT_TRUSTED)
		*text = xasprintf(
			"%s, signed by '%s', a key that this kernel does not trust and does "
			"not require",
			path, signer);
	else if (keyring)
		*text = xasprintf(
			"%s, signed by '%s', a key in the keyring %s, which not all kernels "
			"use for modules",
			path, signer, keyring);
	else
		*text = xasprintf("%s, signed by '%s': the keyrings of the kernel cannot be read",
				  path, signer);
	return 0;
}

static int describe_module(const struct kmod_module *module, char **text, bool *known,
			   struct err *err)
{
	struct utsname kernel;
	char *release = release_of(module), *signer = read_modinfo(module, "signer");
	const char *path = kmod_module_get_path(module);
	int ret = 0;

	uname(&kernel);
	*known = true;
	if (access(path, F_OK))
		ret = explain_load(ENOENT, module, err);
	else if (!release || strcmp(release, kernel.release))
		ret = explain_format(module, kernel.release, err);
	else if (may_not_be_loaded())
		ret = explain_load(EPERM, module, err);
	else if (!signer && must_be_signed())
		ret = explain_load(ENOKEY, module, err);
	else if (signer)
		ret = describe_signer(path, signer, text, known, err);
	else
		*text = xasprintf("%s, not signed", path);
	free(signer);
	free(release);
	return ret;
}

int module_describe(char **text, bool *known, struct err *err)
{
	struct kmod_list *found = NULL;
	struct kmod_module *module = NULL;
	struct kmod_ctx *ctx;
	int ret;

	if (!access(SYS_MODULE, F_OK)) {
		*known = true;
		*text = xstrdup("loaded");
		return 0;
	}
	ctx = open_libkmod(err);
	if (!ctx)
		return -1;
	if (kmod_module_new_from_lookup(ctx, RECORD_SKB_MODULE, &found) || !found) {
		ret = explain_load(ENOENT, NULL, err);
	} else {
		module = kmod_module_get_module(found);
		ret = describe_module(module, text, known, err);
	}
	kmod_module_unref(module);
	kmod_module_unref_list(found);
	kmod_unref(ctx);
	return ret;
}
