// SPDX-License-Identifier: LGPL-2.1
/* plugin.c - fuzz the plugin with rows that are printed as in trace-cmd report */
#include <dlfcn.h>
#include <stdlib.h>

#include "fuzzed_rows.h"

static FILE *nowhere;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char path[4096];

	(void)argc;
	(void)argv;
	nowhere = fopen("/dev/null", "w");
	/*
	 * The plugin is loaded and unloaded with each trace. Keep one more reference, because the fuzzer
	 * needs the code to stay loaded.
	 */
	snprintf(path, sizeof(path), "%s/plugin_record_skb.so", getenv("TRACEEVENT_PLUGIN_DIR"));
	if (!nowhere || !dlopen(path, RTLD_NOW | RTLD_NODELETE)) {
		fprintf(stderr, "plugin: %s\n", nowhere ? dlerror() : "no /dev/null");
		return -1;
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct canned_trace *trace = rows_make(data, size);
	struct tep_plugin_list *list;
	struct tep_handle *tep;

	if (!trace)
		return 0;
	tep = canned_open(&trace->machine, true, &list);
	canned_print(trace, tep, data[0] & 32, nowhere);
	canned_close(tep, list);
	canned_free(trace);
	return 0;
}
