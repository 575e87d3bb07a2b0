// SPDX-License-Identifier: LGPL-2.1
/*
 * trace_cmd_standin.c - stand-in for the parts of trace-cmd report that the plugin uses
 *
 * The handlers treat records as trace-cmd does. After the entry of a function, a handler reads the next
 * row of the same trace buffer. If that row is the exit of the same call, the handler consumes the row, and
 * the report does not show it. trace-cmd 3.1 has a fault, which these handlers have, too: they also consume
 * the exit of the same function in the idle task of another CPU.
 *
 * libtracecmd allocates a record when a row is peeked, and frees the record when the row has been read. The
 * next record is usually allocated at the same address. So the stand-in always does that.
 */
#include <assert.h>
#include <sanitizer/asan_interface.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "trace_cmd_standin.h"

static struct canned_trace *reading;
static int position;
static bool answering;
static int exit_type;

/* The peeked row of a CPU in a buffer, and its record. */
struct peeked {
	struct canned_row *row;
	struct tep_record *record;
};

#define MAX_PEEKED 16

static struct peeked peeked[MAX_PEEKED];
static int nr_peeked;

/* Freed records. The last one is allocated first. */
static struct tep_record *spare[MAX_PEEKED];
static int nr_spare;

/* Stand-ins for the functions of libtracecmd that the plugin calls. This program exports them. */

struct tracecmd_input;

__thread struct tracecmd_input *tracecmd_curr_thread_handle;

static int (*missed_callback)(struct tracecmd_input *, struct tep_event *, struct tep_record *, int,
			      void *);
static void *missed_data;

int tracecmd_cpus(struct tracecmd_input *handle)
{
	(void)handle;
	return 4;
}

static struct tep_record *peek_row(struct canned_row *row)
{
	struct tep_record *record;
	int i;

	for (i = 0; i < nr_peeked; i++) {
		if (peeked[i].row == row)
			return peeked[i].record;
	}
	record = nr_spare ? spare[--nr_spare] : malloc(sizeof(*record));
	assert(record && nr_peeked < MAX_PEEKED);
	ASAN_UNPOISON_MEMORY_REGION(record, sizeof(*record));
	*record = row->record;
	peeked[nr_peeked++] = (struct peeked){ .row = row, .record = record };
	return record;
}

/* Mark the row as read, and free its record. The sanitizer reports later accesses to the record. */
static void read_row(struct canned_row *row)
{
	int i = 0;

	row->was_read = true;
	while (i < nr_peeked && peeked[i].row != row)
		i++;
	if (i == nr_peeked)
		return;
	memset(peeked[i].record, 0xa5, sizeof(*peeked[i].record));
	ASAN_POISON_MEMORY_REGION(peeked[i].record, sizeof(*peeked[i].record));
	spare[nr_spare++] = peeked[i].record;
	peeked[i] = peeked[--nr_peeked];
}

static void free_records(void)
{
	while (nr_peeked)
		read_row(peeked[0].row);
	while (nr_spare) {
		nr_spare--;
		ASAN_UNPOISON_MEMORY_REGION(spare[nr_spare], sizeof(*spare[nr_spare]));
		free(spare[nr_spare]);
	}
}

struct tep_record *tracecmd_peek_data(struct tracecmd_input *handle, int cpu)
{
	const void *buffer = reading->rows[position - 1].buffer;
	struct canned_row *row;
	int i;

	(void)handle;
	for (i = position; i < reading->nr; i++) {
		row = &reading->rows[i];
		if (row->cpu == cpu && !row->was_read && row->buffer == buffer)
			return peek_row(row);
	}
	return NULL;
}

int tracecmd_follow_missed_events(struct tracecmd_input *handle,
				  int (*callback)(struct tracecmd_input *, struct tep_event *,
						  struct tep_record *, int, void *),
				  void *data)
{
	(void)handle;
	missed_callback = callback;
	missed_data = data;
	return 0;
}

/* The main loop of the report. */

void standin_start(struct canned_trace *trace, bool answers)
{
	reading = trace;
	position = 0;
	answering = answers;
	missed_callback = NULL;
}

void standin_stop(void)
{
	tracecmd_curr_thread_handle = NULL;
	free_records();
	reading = NULL;
}

struct canned_row *standin_next_row(void)
{
	struct canned_row *row;

	while (position < reading->nr) {
		row = &reading->rows[position++];
		if (row->was_read)
			continue;
		read_row(row);
		if (answering)
			tracecmd_curr_thread_handle = row->buffer ? row->buffer : (void *)reading;
		if (row->missed_events && missed_callback)
			missed_callback(tracecmd_curr_thread_handle, NULL, &row->record, row->cpu,
					missed_data);
		return row;
	}
	return NULL;
}

/* The handlers */

static void indent(struct trace_seq *s, unsigned long long depth)
{
	while (depth--)
		trace_seq_puts(s, "  ");
}

static void print_func(struct trace_seq *s, struct tep_handle *tep, unsigned long long func)
{
	const char *name = tep_find_function(tep, func);

	if (name)
		trace_seq_puts(s, name);
	else
		trace_seq_printf(s, "%llx", func);
}

static bool take_exit(struct tep_event *event, struct tep_record *record, unsigned long long func)
{
	struct tep_event *exits = tep_find_event(event->tep, exit_type);
	const void *buffer = reading->rows[position - 1].buffer;
	unsigned long long exit_func;
	struct canned_row *row;
	int i = position;

	while (i < reading->nr && (reading->rows[i].was_read || reading->rows[i].buffer != buffer))
		i++;
	if (!exits || i == reading->nr)
		return false;
	row = &reading->rows[i];
	if (tep_data_type(event->tep, &row->record) != exit_type ||
	    tep_data_pid(event->tep, &row->record) != tep_data_pid(event->tep, record) ||
	    tep_get_field_val(NULL, exits, "func", &row->record, &exit_func, 0) ||
	    exit_func != func)
		return false;
	read_row(row);
	return true;
}

static int entry(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		 void *context)
{
	unsigned long long func, depth;
	bool leaf;

	(void)context;
	if (tep_get_field_val(s, event, "func", record, &func, 0) ||
	    tep_get_field_val(s, event, "depth", record, &depth, 0))
		return trace_seq_putc(s, '!');
	if (depth > 100)
		depth = 100;
	leaf = take_exit(event, record, func);
	trace_seq_puts(s, leaf ? "+ 12.345 us  |  " : "             |  ");
	indent(s, depth);
	print_func(s, event->tep, func);
	trace_seq_puts(s, leaf ? "();" : "() {");
	return 0;
}

static int leaving(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		   void *context)
{
	unsigned long long depth;

	(void)context;
	if (tep_get_field_val(s, event, "depth", record, &depth, 0))
		return trace_seq_putc(s, '!');
	if (depth > 100)
		depth = 100;
	trace_seq_puts(s, "+ 12.345 us  |  ");
	indent(s, depth);
	trace_seq_putc(s, '}');
	return 0;
}

void standin_register(struct tep_handle *tep, int exit_id)
{
	exit_type = exit_id;
	tep_register_event_handler(tep, -1, "ftrace", "funcgraph_entry", entry, NULL);
	tep_register_event_handler(tep, -1, "ftrace", "fgraph_retaddr_entry", entry, NULL);
	tep_register_event_handler(tep, -1, "ftrace", "funcgraph_exit", leaving, NULL);
}
