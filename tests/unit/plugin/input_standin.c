// SPDX-License-Identifier: GPL-2.0
/*
 * input_standin.c - stand-in for report/input/trace_rows.c. It gives canned rows to trace-cmd report-skb,
 * instead of rows of a file.
 */
#include <stdlib.h>

#include "input/trace_rows.h"
#include "input_standin.h"

struct input {
	int next;
};

static struct canned_trace *trace;
static struct tep_handle *tep;

void input_standin_set(struct canned_trace *t, struct tep_handle *of)
{
	trace = t;
	tep = of;
}

struct input *input_open(const char *path, struct err *err)
{
	struct input *input = calloc(1, sizeof(*input));

	(void)path;
	(void)err;
	if (!input)
		abort();
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
	(void)input;
	return tep;
}

int input_cpus(struct input *input)
{
	(void)input;
	return tep_get_cpus(tep);
}

const char *input_clock(struct input *input)
{
	(void)input;
	return "local";
}

uint64_t input_synced_id(struct input *input)
{
	(void)input;
	return 0;
}

bool input_has_guest(const char *path, uint64_t id)
{
	(void)path;
	(void)id;
	return false;
}

const char *input_machine(struct input *input)
{
	(void)input;
	return NULL;
}

const struct tep_record *input_next(struct input *input)
{
	return input->next < trace->nr ? &trace->rows[input->next++].record : NULL;
}

bool input_look_at_end(struct input *input, input_look *look, void *data)
{
	(void)input;
	(void)look;
	(void)data;
	return true;
}

bool input_ended_early(const struct input *input, int cpu)
{
	(void)input;
	(void)cpu;
	return false;
}

/* The canned rows of one CPU are not together, so search all later rows for the next one of this CPU. */
const struct tep_record *input_peek(const struct input *input, int cpu)
{
	for (int i = input->next; i < trace->nr; i++) {
		if (trace->rows[i].record.cpu == cpu)
			return &trace->rows[i].record;
	}
	return NULL;
}
