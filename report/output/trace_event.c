// SPDX-License-Identifier: GPL-2.0
/*
 * trace_event.c - write events in the "Trace Event Format"
 *
 * A recording of 100 MB has millions of functions, so this code is fast. It writes the events without
 * json-c, and it escapes a name only if the name contains characters that need it.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "output/json_string.h"
#include "output/trace_event.h"

struct trace_events {
	FILE *file;
	bool any;      /* at least one event was written */
	bool has_args; /* the current event already has an argument */
	size_t n;
	char buf[1 << 16];
};

static void write_out(struct trace_events *events)
{
	fwrite(events->buf, 1, events->n, events->file);
	events->n = 0;
}

static void put_bytes(struct trace_events *events, const char *bytes, size_t len)
{
	if (events->n + len > sizeof(events->buf))
		write_out(events);
	if (len > sizeof(events->buf)) {
		fwrite(bytes, 1, len, events->file);
		return;
	}
	memcpy(events->buf + events->n, bytes, len);
	events->n += len;
}

static inline void put_text(struct trace_events *events, const char *text)
{
	put_bytes(events, text, strlen(text));
}

static void put_number(struct trace_events *events, uint64_t value)
{
	char digits[20];
	size_t n = sizeof(digits);

	do
		digits[--n] = '0' + value % 10;
	while (value /= 10);
	put_bytes(events, digits + n, sizeof(digits) - n);
}

/* Write a time in microseconds, the unit of the format, with three decimals for the nanoseconds. */
static void put_time(struct trace_events *events, uint64_t ns)
{
	const unsigned int part = ns % 1000;
	const char decimals[4] = { '.', '0' + part / 100, '0' + part / 10 % 10, '0' + part % 10 };

	put_number(events, ns / 1000);
	put_bytes(events, decimals, sizeof(decimals));
}

/* Return: true if the text needs no escapes in JSON. Nearly all names of functions need none. */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\')
			return false;
	return true;
}

static void put_string(struct trace_events *events, const char *text)
{
	char *json;

	if (is_plain(text)) {
		put_text(events, "\"");
		put_text(events, text);
		put_text(events, "\"");
		return;
	}
	json = json_string(text);
	put_text(events, json ? json : "\"?\"");
	free(json);
}

struct trace_events *trace_events_new(FILE *file)
{
	struct trace_events *events = calloc(1, sizeof(*events));

	if (!events)
		return NULL;
	events->file = file;
	put_text(events, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	return events;
}

void trace_events_end(struct trace_events *events, const char *complete)
{
	put_text(events, "\n],\"otherData\":{\"tool\":\"trace-cmd report-skb\",\"complete\":");
	put_string(events, complete);
	put_text(events, "}}\n");
	write_out(events);
	free(events);
}

void trace_event_begin(struct trace_events *events, enum trace_phase phase,
		       const struct track *track, uint64_t ns, const char *category,
		       const char *name)
{
	put_text(events, events->any ? ",\n{\"ph\":\"" : "{\"ph\":\"");
	put_bytes(events, (const char[]){ phase }, 1);
	events->any = true;
	events->has_args = false;
	put_text(events, "\",\"pid\":");
	put_number(events, track->group);
	put_text(events, ",\"tid\":");
	put_number(events, track->id);
	if (phase != TRACE_NAME) {
		put_text(events, ",\"ts\":");
		put_time(events, ns);
	}
	if (category) {
		put_text(events, ",\"cat\":\"");
		put_text(events, category);
		put_text(events, "\"");
	}
	if (name) {
		put_text(events, ",\"name\":");
		put_string(events, name);
	}
	if (phase == TRACE_INSTANT)
		put_text(events, ",\"s\":\"t\"");
	/*
	 * Attach the end of an arrow to the slice that is open at this time. The default of the format is the
	 * next slice.
	 */
	if (phase == TRACE_ARROW_TO)
		put_text(events, ",\"bp\":\"e\"");
}

void trace_event_duration(struct trace_events *events, uint64_t ns)
{
	put_text(events, ",\"dur\":");
	put_time(events, ns);
}

void trace_event_id(struct trace_events *events, uint64_t number, uint32_t part)
{
	put_text(events, ",\"id\":\"");
	put_number(events, number);
	put_text(events, ".");
	put_number(events, part);
	put_text(events, "\"");
}

static void begin_arg(struct trace_events *events, const char *name)
{
	put_text(events, events->has_args ? ",\"" : ",\"args\":{\"");
	put_text(events, name);
	put_text(events, "\":");
	events->has_args = true;
}

void trace_event_text(struct trace_events *events, const char *name, const char *text)
{
	begin_arg(events, name);
	put_string(events, text);
}

void trace_event_number(struct trace_events *events, const char *name, uint64_t value)
{
	begin_arg(events, name);
	put_number(events, value);
}

void trace_event_end(struct trace_events *events)
{
	put_text(events, events->has_args ? "}}" : "}");
}

void trace_event_name_group(struct trace_events *events, unsigned int group, const char *name,
			    unsigned int order)
{
	const struct track track = { .group = group };

	trace_event_begin(events, TRACE_NAME, &track, 0, "name", "process_name");
	trace_event_text(events, "name", name);
	trace_event_end(events);
	trace_event_begin(events, TRACE_NAME, &track, 0, "name", "process_sort_index");
	trace_event_number(events, "sort_index", order);
	trace_event_end(events);
}

void trace_event_name_track(struct trace_events *events, const struct track *track,
			    const char *name)
{
	trace_event_begin(events, TRACE_NAME, track, 0, "name", "thread_name");
	trace_event_text(events, "name", name);
	trace_event_end(events);
}
