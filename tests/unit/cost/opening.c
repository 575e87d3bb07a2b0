// SPDX-License-Identifier: LGPL-2.1
/*
 * opening.c - load a recording as KernelShark does, and request the rows of the first screen
 *
 * Usage: opening trace.dat. As in KernelShark, libtraceevent loads the plugin. Prints the number of rows, and
 * how many rows of the first screen belong to a packet or a call.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libkshark.h>
#include <libkshark-plugin.h>

#define SCREEN 50

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_entry **rows = NULL;
	int sd, i, labelled = 0;
	ssize_t n;
	char *info;

	if (argc != 2 || !kshark_instance(&context))
		return 2;
	sd = kshark_open(context, argv[1]);
	if (sd < 0)
		return 2;
	kshark_handle_all_dpis(kshark_get_data_stream(context, sd), KSHARK_PLUGIN_INIT);
	n = kshark_load_entries(context, sd, &rows);
	for (i = 0; i < SCREEN && i < n; i++) {
		info = kshark_get_info(rows[i]);
		labelled += info && (strstr(info, " /* #") || strstr(info, " /* call "));
		free(info);
	}
	printf("%zd %d\n", n, labelled);
	return n <= 0;
}
