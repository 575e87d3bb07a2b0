// SPDX-License-Identifier: GPL-2.0
/*
 * names.c - names TRACE: print the start address and the name of each traced function, according to the
 * symbols in the file TRACE
 */
#include <stdio.h>
#include <trace-cmd.h>

static int name(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *data)
{
	struct tep_handle *tep = tracecmd_get_tep(handle);
	struct tep_event *event = tep_find_event_by_record(tep, record);
	unsigned long long address, begin;
	const char *function;

	(void)cpu, (void)data;
	/* The event of a route decision has no function. */
	if (!event || tep_get_field_val(NULL, event, "func", record, &address, 0) || !address)
		return 0;
	function = tep_find_function(tep, address);
	begin = tep_find_function_address(tep, address);
	/*
	 * The address in an entry is that of the call to the tracer, a few bytes after the start of the
	 * function.
	 */
	printf("%016llx %s\n", begin, function && address - begin <= 16 ? function : "?");
	return 0;
}

int main(int argc, char **argv)
{
	struct tracecmd_input *handle = NULL;

	if (argc == 2)
		handle = tracecmd_open(argv[1], TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!handle)
		return 1;
	tracecmd_iterate_events(handle, NULL, 0, name, NULL);
	tracecmd_close(handle);
	return 0;
}
