// SPDX-License-Identifier: GPL-2.0
/* report.c - fuzz trace-cmd report-skb: all of it but the reading of the file (input.c), which is libtracecmd's */
#include <getopt.h>
#include <stdlib.h>

#include "input.h"
#include "rows.h"

int report_main(int argc, char **argv);

/* Stands for input.c. */
struct input {
	struct tep_handle *tep;
	int next;
};

static const uint8_t *bytes;
static struct canned_trace *trace;

struct input *input_open(const char *path, struct err *err)
{
	struct input *input = calloc(1, sizeof(*input));

	(void)path;
	(void)err;
	if (!input)
		abort();
	input->tep = rows_tep(bytes, trace);
	canned_own_data(trace);
	return input;
}

void input_close(struct input *input)
{
	if (!input)
		return;
	canned_free_data(trace);
	free(input);
}

struct tep_handle *input_tep(struct input *input)
{
	return input->tep;
}

int input_cpus(struct input *input)
{
	return tep_get_cpus(input->tep);
}

const struct tep_record *input_next(struct input *input, bool *renewed)
{
	*renewed = false;
	return input->next < trace->nr ? &trace->rows[input->next++].record : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const ways[][5] = {
		{ "report-skb" }, { "report-skb", "--packet", "1" }, { "report-skb", "--flow" },
		{ "report-skb", "--json" }, { "report-skb", "--folded" },
		{ "report-skb", "--pcap", "/dev/null" }, { "report-skb", "--strict" },
	};
	char *argv[4] = { 0 };
	int argc = 0;

	bytes = data;
	trace = rows_make(data, size);
	if (!trace)
		return 0;
	while (ways[data[1] % 7][argc]) {
		argv[argc] = ways[data[1] % 7][argc];
		argc++;
	}
	optind = 0;
	report_main(argc, argv);
	canned_free(trace);
	return 0;
}
