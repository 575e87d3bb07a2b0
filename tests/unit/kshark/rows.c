// SPDX-License-Identifier: LGPL-2.1
/*
 * rows.c - print the rows of a recording as KernelShark shows them: "time cpu pid event info"
 *
 * Usage: rows trace.dat. As in KernelShark, libtraceevent loads the plugin. Each row is requested twice,
 * first in reverse order. Both requests must give the same text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libkshark.h>
#include <libkshark-plugin.h>
#include <libkshark-tepdata.h>

static const char *label_of(const char *info)
{
	const char *label = strstr(info, " /* ");

	return label ? label : "";
}

static int print_rows(struct kshark_entry **rows, ssize_t n)
{
	char **reverse = calloc(n, sizeof(*reverse));
	char *info, *event;
	int differ = 0;
	ssize_t i;

	if (!reverse)
		return -1;
	for (i = n - 1; i >= 0; i--)
		reverse[i] = kshark_get_info(rows[i]);
	for (i = 0; i < n; i++) {
		info = kshark_get_info(rows[i]);
		event = kshark_get_event_name(rows[i]);
		printf("%lld %d %d %s %s\n", (long long)rows[i]->ts, rows[i]->cpu, rows[i]->pid,
		       event, info);
		differ += !!strcmp(label_of(info), label_of(reverse[i]));
		free(event);
		free(info);
		free(reverse[i]);
	}
	free(reverse);
	if (differ)
		fprintf(stderr, "%d rows differ in reverse order\n", differ);
	return differ;
}

static ssize_t load(struct kshark_context *context, int sd, struct kshark_entry ***rows)
{
	ssize_t n = kshark_load_entries(context, sd, rows);

	if (n <= 0)
		exit(2);
	free(kshark_get_info((*rows)[n - 1]));
	return n;
}

static void free_rows(struct kshark_entry **rows, ssize_t n)
{
	while (n > 0)
		free(rows[--n]);
	free(rows);
}

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_entry **rows = NULL;
	ssize_t n;
	int sd, ret;

	if (argc != 2 || !kshark_instance(&context))
		return 2;
	sd = kshark_open(context, argv[1]);
	if (sd < 0)
		return 2;
	kshark_handle_all_dpis(kshark_get_data_stream(context, sd), KSHARK_PLUGIN_INIT);
	/* Load the trace a second time, as "Reload" in KernelShark does. */
	n = load(context, sd, &rows);
	free_rows(rows, n);
	n = load(context, sd, &rows);
	ret = print_rows(rows, n);
	free_rows(rows, n);
	kshark_close(context, sd);
	kshark_free(context);
	return !!ret;
}
