// SPDX-License-Identifier: LGPL-2.1
/*
 * count_records.c - a plugin of libtraceevent that counts all records of a file
 *
 * contrib/check loads this plugin into trace-cmd with our patches. When the file is closed, the plugin
 * prints the number of records, and of buffers that they came from.
 */
#include <stdio.h>
#include <trace-cmd.h>

#define MAX_BUFFERS 16

static struct tracecmd_input *buffers[MAX_BUFFERS];
static int nr_buffers;
static long nr_records;

static int count(struct tracecmd_input *handle, struct tep_event *event, struct tep_record *record,
		 int cpu, void *data)
{
	int i;

	(void)event;
	(void)record;
	(void)cpu;
	(void)data;
	nr_records++;
	for (i = 0; i < nr_buffers && buffers[i] != handle; i++)
		;
	if (i == nr_buffers && nr_buffers < MAX_BUFFERS)
		buffers[nr_buffers++] = handle;
	return 0;
}

int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	struct tracecmd_input *handle = tracecmd_get_thread_handle();

	(void)tep;
	if (handle)
		tracecmd_follow_records(handle, count, NULL);
	return 0;
}

void TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	(void)tep;
	printf("count_records: %ld records in %d buffers\n", nr_records, nr_buffers);
}
