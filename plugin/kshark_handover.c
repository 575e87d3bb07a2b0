// SPDX-License-Identifier: LGPL-2.1
/*
 * kshark_handover.c - make KernelShark load the plugin in kshark/ for the file that KernelShark opens
 *
 * If KernelShark's headers are not installed at build time, kshark_handover() does nothing.
 */
#include "kshark_handover.h"

#ifdef HAVE_KSHARK
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libkshark.h>
#include <libkshark-plugin.h>

#pragma weak kshark_instance
#pragma weak kshark_find_plugin
#pragma weak kshark_register_plugin
#pragma weak kshark_register_plugin_to_stream

#define NAME "record_skb"
/*
 * Path of KernelShark's plugin, relative to the directory of libtraceevent's plugins. Both directories are
 * in the same libdir.
 */
#define PLUGIN_PATH "/../../kernelshark/plugins/plugin-" NAME ".so"

static int plugin_path(char path[static PATH_MAX])
{
	char joined[PATH_MAX];
	Dl_info self;
	const char *slash;

	if (!dladdr((void *)kshark_handover, &self) || !self.dli_fname)
		return -1;
	slash = strrchr(self.dli_fname, '/');
	if (!slash ||
	    (size_t)snprintf(joined, sizeof(joined), "%.*s" PLUGIN_PATH,
			     (int)(slash - self.dli_fname), self.dli_fname) >= sizeof(joined))
		return -1;
	/*
	 * Resolve the path as KernelShark does. With another path, KernelShark's option -p would load the
	 * plugin a second time.
	 */
	return realpath(joined, path) ? 0 : -1;
}

/*
 * Return: the stream of the file that KernelShark is opening now. It is the stream that does not have
 * functions for reading data yet.
 */
static struct kshark_data_stream *new_stream(struct kshark_context *context)
{
	int i;

	for (i = 0; context->stream && i <= context->stream_info.max_stream_id; i++) {
		if (context->stream[i] && !context->stream[i]->interface)
			return context->stream[i];
	}
	return NULL;
}

void kshark_handover(void)
{
	struct kshark_context *context = NULL;
	struct kshark_plugin_list *plugin;
	struct kshark_data_stream *stream;
	char path[PATH_MAX];

	if (!kshark_instance || !kshark_find_plugin || !kshark_register_plugin ||
	    !kshark_register_plugin_to_stream || plugin_path(path) || !kshark_instance(&context) ||
	    !context)
		return;
	stream = new_stream(context);
	if (!stream)
		return;
	plugin = kshark_find_plugin(context->plugins, path);
	if (!plugin)
		plugin = kshark_register_plugin(context, NAME, path);
	if (plugin && plugin->process_interface)
		kshark_register_plugin_to_stream(stream, plugin->process_interface, true);
}

#else

void kshark_handover(void) {}

#endif
