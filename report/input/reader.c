// SPDX-License-Identifier: GPL-2.0
/* reader.c - read a trace.dat and report what happens to packets, as a stream of calls to observers */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/reader_state.h"
#include "model/packet_text.h"

static void find_other(struct reader *reader, struct event_fields *fields, const char *name)
{
	struct tep_event *event = tep_find_event_by_name(reader->rows.tep, RECORD_SKB_MODULE, name);

	memset(fields, 0, sizeof(*fields));
	if (event)
		event_fields_find(fields, event);
}

/* Look up the events in @tep. */
static void find_events(struct reader *reader, struct tep_handle *tep)
{
	rows_find(&reader->rows, tep);
	find_other(reader, &reader->wall_clock, "wall_clock");
	find_other(reader, &reader->stop, "stop");
	find_other(reader, &reader->sched, "sched");
	find_other(reader, &reader->netns, "netns");
	trace_marker_find(&reader->marker, tep);
}

static int set_up(struct reader *reader, int cpus, struct err *err)
{
	reader->cpus = cpus;
	reader->graph = graph_state_new();
	reader->waits = sched_waits_new();
	function_times_init(&reader->times, &reader->observers);
	reader->names = names_new(reader->rows.tep);
	reader->netns_names = netns_names_new();
	reader->last_ts = calloc(reader->cpus > 0 ? reader->cpus : 1, sizeof(*reader->last_ts));
	if (reader->graph && reader->waits && reader->names && reader->netns_names &&
	    reader->last_ts)
		return 0;
	return err_set(err, "out of memory");
}

/*
 * Return: true if the trace clock counts nanoseconds. This program does not know the unit of other clocks
 * (counter, uptime, x86-tsc). A file without a clock name was recorded with the default clock.
 */
static bool counts_ns(const char *clock)
{
	static const char *const clocks[] = { "local",	  "global", "perf", "mono",
					      "mono_raw", "boot",   "tai",  "tsc2nsec" };

	for (size_t i = 0; clock && i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (!strcmp(clock, clocks[i]))
			return true;
	return !clock;
}

static int open_input(struct reader *reader, const char *path, struct err *err)
{
	reader->input = input_open(path, err);
	if (!reader->input)
		return -1;
	reader->synced_id = input_synced_id(reader->input);
	if (input_machine(reader->input))
		reader->machine = strdup(input_machine(reader->input));
	words_use_ticks(!counts_ns(input_clock(reader->input)));
	find_events(reader, input_tep(reader->input));
	if (!reader->rows.fields[EVENT_PACKET].event)
		return err_set(err,
			       "'%s' was not recorded by trace-cmd record-skb: it has no "
			       "record_skb events",
			       path);
	reader->lines = source_lines_new(input_tep(reader->input), reader->machine);
	if (!reader->lines)
		return err_set(err, "out of memory");
	return set_up(reader, input_cpus(reader->input), err);
}

struct reader *reader_open(const char *path, struct err *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		err_set(err, "out of memory");
		return NULL;
	}
	if (!open_input(reader, path, err))
		return reader;
	reader_close(reader);
	return NULL;
}

struct reader *reader_begin(struct tep_handle *tep, int cpus, struct err *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		err_set(err, "out of memory");
		return NULL;
	}
	find_events(reader, tep);
	if (!reader->rows.fields[EVENT_PACKET].event)
		err_set(err, "the kernel has no record_skb events: is the module loaded?");
	else if (!set_up(reader, cpus, err))
		return reader;
	reader_close(reader);
	return NULL;
}

void reader_close(struct reader *reader)
{
	if (!reader)
		return;
	joined_close(reader);
	free(reader->machine);
	free(reader->arguments);
	free(reader->last_ts);
	source_lines_free(reader->lines);
	names_free(reader->names);
	netns_names_free(reader->netns_names);
	table_free(&reader->open_calls);
	function_times_free(&reader->times);
	graph_state_free(reader->graph);
	sched_waits_free(reader->waits);
	input_close(reader->input);
	free(reader);
}

void reader_add_observer(struct reader *reader, const struct observer *observer, void *data)
{
	reader->observers.v[reader->observers.n].observer = observer;
	reader->observers.v[reader->observers.n++].data = data;
}

struct names *reader_names(struct reader *reader)
{
	return reader->names;
}

const struct netns_names *reader_netns_names(const struct reader *reader)
{
	return reader->netns_names;
}

const struct ring_end *reader_ring_end(const struct reader *reader)
{
	return &reader->ring_end;
}

bool reader_has_beginning(const struct reader *reader)
{
	return !reader->begins_later;
}

uint64_t reader_last(const struct reader *reader)
{
	return reader->over ? reader->over : reader->newest;
}

const char *reader_machine(const struct reader *reader)
{
	return reader->machine;
}

struct module_losses reader_module_losses(const struct reader *reader)
{
	struct module_losses sum = reader->module_losses;

	joined_add_module_losses(reader, &sum);
	return sum;
}

const char *reader_arguments(const struct reader *reader)
{
	return reader->arguments;
}

uint64_t reader_synced_id(const struct reader *reader)
{
	return reader->synced_id;
}

uint32_t reader_sample(const struct reader *reader)
{
	return reader->sample;
}

void reader_print_source_files(FILE *out, const struct reader *reader)
{
	if (reader->parts)
		joined_print_source_files(out, reader);
	else
		source_lines_print_files(out, reader->lines);
}

int reader_cpus(const struct reader *reader)
{
	return reader->cpus;
}

/* Number of rows between two calls of the step function. */
#define STEP_ROWS 1024
/*
 * Number of steps between two searches for the task with the oldest incomplete calls. The search is expensive
 * if there are many tasks.
 */
#define STEPS_PER_SEARCH 64

/*
 * Read facts from a row near the end of a CPU's rows. Return: true if the row has the name of a namespace.
 * Such rows do not count towards the limit of input_look_at_end(), because the rows of a CPU can end with
 * many of them.
 */
static bool look_at_last_row(void *data, const struct tep_record *record)
{
	struct reader *reader = data;
	struct netns_facts facts;

	if (record->ts > reader->end)
		reader->end = record->ts;
	reader_handle_stop(reader, record);
	if (reader_is_event(&reader->marker.fields, record)) {
		reader->read_by_others |= trace_marker_read_by_others(&reader->marker, record);
		if (!reader->arguments)
			reader->arguments = trace_marker_arguments(&reader->marker, record);
		trace_marker_losses(&reader->marker, record, &reader->module_losses);
	}
	if (!reader_is_event(&reader->netns, record) ||
	    !netns_facts_read(&reader->netns, record, &facts))
		return false;
	netns_names_add(reader->netns_names, record->ts, &facts);
	reader->has_all_names |= facts.kind == RECORD_SKB_NETNS_LAST;
	return true;
}

void reader_set_step(struct reader *reader, reader_step *step, void *data)
{
	reader->step = step;
	reader->step_data = data;
	if (reader->parts) {
		joined_look_at_end(reader);
		return;
	}
	/*
	 * If another process consumed rows, record-skb writes a text at the end of the recording. Then rows
	 * of any packet may be lost, so no packet is final before the end of the file.
	 */
	reader->can_stream = input_look_at_end(reader->input, look_at_last_row, reader) &&
			     !reader->read_by_others &&
			     (reader->has_all_names || !reader->netns.event) &&
			     reader->rows.fields[EVENT_PACKET].field[FIELD_COPY] &&
			     reader->rows.fields[EVENT_END].event && !words_are_in_ticks();
}

bool reader_can_stream(const struct reader *reader)
{
	return reader->can_stream;
}

bool reader_ended_early(const struct reader *reader)
{
	return reader->ended_early;
}

bool reader_was_stopped(const struct reader *reader)
{
	return reader->stopped;
}

uint64_t reader_file_end(const struct reader *reader)
{
	return reader->end;
}

/*
 * Return: a lower bound for the time of all losses that were not reported yet. If rows were lost before the
 * next row of a CPU, the bound is the last row of this CPU. All other losses come later.
 */
static uint64_t losses_from(const struct reader *reader)
{
	const struct tep_record *next;
	uint64_t from = reader->newest;

	for (int cpu = 0; cpu < reader->cpus; cpu++) {
		next = input_peek(reader->input, cpu);
		/*
		 * libtracecmd cannot read the rest of the CPU, and reader_end() will report this rest as
		 * lost. Until then, packets after the last row of the CPU are not final.
		 */
		if (input_ended_early(reader->input, cpu) && reader->last_ts[cpu] < from)
			from = reader->last_ts[cpu];
		if (next && next->missed_events && reader->last_ts[cpu] < from)
			from = reader->last_ts[cpu];
	}
	return from;
}

static struct read_state read_state(struct reader *reader)
{
	if (reader->rows_read / STEP_ROWS % STEPS_PER_SEARCH == 1) {
		reader->calls_from = graph_state_oldest(reader->graph);
		if (reader->calls_from > reader->newest)
			reader->calls_from = reader->newest;
	}
	return (struct read_state){
		.now = reader->newest,
		.losses_from = losses_from(reader),
		.calls_from = reader->calls_from,
	};
}

/*
 * Call the step function after every STEP_ROWS rows. Return: false if the step function needs no more rows.
 */
static bool make_step(struct reader *reader)
{
	struct read_state state;

	if (!reader->step || ++reader->rows_read % STEP_ROWS)
		return true;
	state = read_state(reader);
	return reader->step(reader->step_data, &state);
}

void reader_end(struct reader *reader)
{
	const struct moment end = { .ts = reader->newest };

	for (int cpu = 0; reader->input && !reader->stopped && cpu < reader->cpus; cpu++) {
		if (!input_ended_early(reader->input, cpu))
			continue;
		reader_lose_rest(reader, cpu);
		reader->ended_early = true;
	}
	function_times_end(&reader->times, &end);
}

const struct tep_record *reader_next(struct reader *reader)
{
	return input_next(reader->input);
}

void reader_run(struct reader *reader)
{
	const struct tep_record *record;

	if (reader->parts) {
		joined_run(reader);
		return;
	}
	while ((record = reader_next(reader))) {
		reader_row(reader, record);
		reader->stopped = !make_step(reader);
		if (reader->stopped)
			break;
	}
	reader_end(reader);
}
