// SPDX-License-Identifier: GPL-2.0
/* module.c - load and unload the kernel module, and describe it with the key of its signature */
#include <errno.h>
#include <glob.h>
#include <libkmod.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "module/module.h"
#include "module/module_key.h"
#include "tracefs/files.h"
#include "text.h"
#include "check.h"
#include "record_skb.h"

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

bool lockdown_is_visible(void)
{
	glob_t files;
	const bool is_visible = !glob("/sys/kernel/security/*", 0, NULL, &files);

	if (is_visible)
		globfree(&files);
	return is_visible;
}

/* Does the kernel require that a module has a valid signature? */
enum signatures { SIGNATURES_NOT_REQUIRED, SIGNATURES_REQUIRED, SIGNATURES_UNKNOWN };

static enum signatures signatures_required(void)
{
	char *enforced = file_read("/sys/module/module/parameters/sig_enforce");
	char *lockdown = file_read(LOCKDOWN);
	enum signatures required = SIGNATURES_NOT_REQUIRED;

	if ((enforced && !strcmp(enforced, "Y")) || (lockdown && !strstr(lockdown, "[none]")))
		required = SIGNATURES_REQUIRED;
	else if (!lockdown && !lockdown_is_visible())
		required = SIGNATURES_UNKNOWN;
	free(lockdown);
	free(enforced);
	return required;
}

/*
 * The kernel has the same error for a signature that is missing and for one that it does not accept. If it
 * does not require signatures, it accepts a missing one.
 */
static int explain_rejected(struct err *err)
{
	if (signatures_required() == SIGNATURES_NOT_REQUIRED)
		return err_set(err, "the kernel rejects the signature of " RECORD_SKB_MODULE
				    ": the file is damaged, or its key was revoked; build and "
				    "install it again");
	return err_set(err, "this kernel accepts only signed modules: sign " RECORD_SKB_MODULE
			    " with a key that it trusts (see record_skb(4))");
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
	case EBADMSG:
		return explain_rejected(err);
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

static const char boot_without[] =
	"boot without module.sig_enforce and lockdown, or with a kernel that has this key";

static int explain_untrusted(const char *path, const char *signer, const char *certificate,
			     struct err *err)
{
	if (!keys_can_be_enrolled())
		return err_set(err,
			       "%s is signed by '%s', a key that this kernel does not trust, and "
			       "without Secure Boot no key can be enrolled: %s",
			       path, signer, boot_without);
	return err_set(err,
		       "%s is signed by '%s', a key that this kernel does not trust: run 'mokutil "
		       "--import %s' and 'systemctl reboot', and choose \"Enroll MOK\" at the boot",
		       path, signer, certificate);
}

/*
 * Describe what the keyrings say about the signer. Without the signer's certificate, only the names of the
 * keys can be compared. To be freed.
 */
static char *describe_key(const struct module_key *key)
{
	const bool accepted = key->trust == KEY_TRUSTED;

	if (!key->keyrings_read)
		return xstrdup(": the keyrings of the kernel cannot be read");
	if (key->keyring)
		return xasprintf("%s in the %skeyring %s%s",
				 key->certificate ? ", a key" : "; a key of this name is",
				 accepted ? "kernel's " : "", key->keyring,
				 accepted ? "" : ", which not all kernels use for modules");
	if (key->certificate)
		return xstrdup(", a key that this kernel does not trust");
	return xasprintf("; this kernel has no key of this name: if it refuses the module, %s",
			 keys_can_be_enrolled() ? "run 'mokutil --import' with the certificate of "
						  "the key, and 'systemctl reboot'" :
						  boot_without);
}

/*
 * Set @text to a description of a signed module and its signer. Set *@known to false if only the kernel can
 * tell whether it accepts the signature. Returns 0. Returns -1 if the kernel requires signatures and does not
 * trust the signer.
 */
static int describe_signer(const char *path, const char *signer, const char *serial, char **text,
			   bool *known, struct err *err)
{
	const enum signatures required = signatures_required();
	struct module_key key;
	char *trust;

	/* Some signatures do not name the signer. */
	if (!*signer) {
		*known = required == SIGNATURES_NOT_REQUIRED;
		*text = xasprintf("%s, with a signature that does not name the signer", path);
		return 0;
	}
	module_key_find(signer, serial, &key);
	if (key.trust == KEY_NOT_TRUSTED && required == SIGNATURES_REQUIRED)
		return explain_untrusted(path, signer, key.certificate, err);
	/* If the kernel has the key, it rejects a signature that is not valid, even if none is required. */
	*known = required == SIGNATURES_NOT_REQUIRED && key.trust != KEY_TRUSTED;
	if (*known && !key.keyring)
		trust = xstrdup("; this kernel does not require a signature");
	else
		trust = describe_key(&key);
	*text = xasprintf("%s, signed by '%s'%s", path, signer, trust);
	free(trust);
	return 0;
}

static int describe_module(const struct kmod_module *module, char **text, bool *known,
			   struct err *err)
{
	struct utsname kernel;
	char *release = release_of(module);
	char *signer = read_modinfo(module, "signer"), *serial = read_modinfo(module, "sig_key");
	const char *path = kmod_module_get_path(module);
	const enum signatures required = signatures_required();
	int ret = 0;

	/* A signature that libkmod cannot read has the field "sig_id" only. */
	if (!signer) {
		signer = read_modinfo(module, "sig_id");
		if (signer)
			*signer = '\0';
	}
	uname(&kernel);
	*known = true;
	if (access(path, F_OK))
		ret = explain_load(ENOENT, module, err);
	else if (!release || strcmp(release, kernel.release))
		ret = explain_format(module, kernel.release, err);
	else if (may_not_be_loaded())
		ret = explain_load(EPERM, module, err);
	else if (!signer && required == SIGNATURES_REQUIRED)
		ret = explain_load(ENOKEY, module, err);
	else if (signer)
		ret = describe_signer(path, signer, serial ? serial : "", text, known, err);
	else
		*text = xasprintf("%s, not signed", path);
	if (!signer && required == SIGNATURES_UNKNOWN)
		*known = false;
	free(signer);
	free(serial);
	free(release);
	return ret;
}

/*
 * Describe the loaded module. The kernel marks modules without a valid signature, if it can verify
 * signatures. To be freed.
 */
static char *describe_loaded(void)
{
	char *taint = file_read(SYS_MODULE "/taint");
	const bool verifies = !access("/sys/module/module/parameters/sig_enforce", F_OK);
	char *text;

	if (!taint || !verifies)
		text = xstrdup("loaded");
	else if (strchr(taint, 'E'))
		text = xstrdup("loaded, without a signature of a key that this kernel trusts");
	else
		text = xstrdup("loaded, with a valid signature of a key that this kernel trusts");
	free(taint);
	return text;
}

int module_describe(char **text, bool *known, struct err *err)
{
	struct kmod_list *found = NULL;
	struct kmod_module *module = NULL;
	struct kmod_ctx *ctx;
	int ret;

	if (!access(SYS_MODULE, F_OK)) {
		*known = true;
		*text = describe_loaded();
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
