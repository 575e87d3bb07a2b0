// SPDX-License-Identifier: GPL-2.0
/* The loaded modules that packets go through. */
#include <glob.h>
#include <libkmod.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net-modules.h"

/* "/lib/modules/VERSION/kernel/drivers/net/veth.ko.xz" and the like. */
static void add_by_path(struct strings *modules)
{
	struct kmod_ctx *ctx = kmod_new(NULL, NULL);
	struct kmod_list *loaded = NULL, *item;

	if (!ctx)
		return;
	kmod_set_log_priority(ctx, 0); /* its words go to no one */
	kmod_load_resources(ctx);
	if (!kmod_module_new_from_loaded(ctx, &loaded)) {
		kmod_list_foreach(item, loaded) {
			struct kmod_module *module = kmod_module_get_module(item);
			const char *path = kmod_module_get_path(module);

			if (path && strstr(path, "/net/"))
				strings_add(modules, kmod_module_get_name(module));
			kmod_module_unref(module);
		}
		kmod_module_unref_list(loaded);
	}
	kmod_unref(ctx);
}

/* Also those that were put elsewhere, as packages of drivers do. */
static void add_by_device(struct strings *modules)
{
	char target[PATH_MAX];
	glob_t links;
	ssize_t n;

	if (glob("/sys/class/net/*/device/driver/module", 0, NULL, &links))
		return;
	for (size_t i = 0; i < links.gl_pathc; i++) {
		n = readlink(links.gl_pathv[i], target, sizeof(target) - 1);
		if (n <= 0)
			continue;
		target[n] = '\0';
		strings_add(modules, strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
	}
	globfree(&links);
}

void net_modules(struct strings *modules)
{
	add_by_path(modules);
	add_by_device(modules);
}
