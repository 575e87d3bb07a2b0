/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace_event.h - write events in the "Trace Event Format", which Perfetto, speedscope and
 * chrome://tracing read
 *
 * The format is described in "Trace Event Format" by Nat Duca and Dan Sinclair (Google, 2016). Each event is
 * a JSON object on a line of its own. Viewers sort the events by time and keep the order of events with the
 * same time.
 */
#ifndef _RECORD_SKB_TRACE_EVENT_H
#define _RECORD_SKB_TRACE_EVENT_H

#include <stdint.h>
#include <stdio.h>

/**
 * struct track - one line of the timeline in the viewer
 * @group: number of the group of tracks, the "pid" of the format
 * @id: number of the track, the "tid" of the format; unique in all groups
 */
struct track {
	unsigned int group;
	uint64_t id;
};

/* Phase of an event, the "ph" of the format. */
enum trace_phase {
	TRACE_SLICE = 'X', /* needs trace_event_duration() */
	TRACE_BEGIN = 'B',
	TRACE_END = 'E',
	TRACE_INSTANT = 'i',
	TRACE_ARROW_FROM =
		's', /* needs trace_event_id(); belongs to the slice that is open at this time */
	TRACE_ARROW_TO = 'f',
	TRACE_SPAN_BEGIN = 'b', /* needs trace_event_id(); spans of a group may overlap */
	TRACE_SPAN_END = 'e',
	TRACE_NAME = 'M',
};

struct trace_events;

/* Begin to write events. Return: NULL if there is not enough memory. */
struct trace_events *trace_events_new(FILE *file);

/**
 * trace_events_end - complete the file, and free @events
 * @events: from trace_events_new()
 * @complete: text about the completeness of the recording
 */
void trace_events_end(struct trace_events *events, const char *complete);

/**
 * trace_event_begin - begin an event; trace_event_end() completes the event
 * @events: from trace_events_new()
 * @phase: kind of the event
 * @track: track of the event
 * @ns: time in nanoseconds; not used by TRACE_NAME
 * @category: a word of the characters a-z, NULL for none
 * @name: any text; NULL if the event ends another event and so has no name
 */
void trace_event_begin(struct trace_events *events, enum trace_phase phase,
		       const struct track *track, uint64_t ns, const char *category,
		       const char *name);
void trace_event_duration(struct trace_events *events, uint64_t ns);
/* Set the number of an arrow or span. Spans with the same number must differ in @part. */
void trace_event_id(struct trace_events *events, uint64_t number, uint32_t part);
/*
 * Add an argument to the event. @name consists of the characters a-z and _. Arguments come last in an event.
 */
void trace_event_text(struct trace_events *events, const char *name, const char *text);
void trace_event_number(struct trace_events *events, const char *name, uint64_t value);
void trace_event_end(struct trace_events *events);

/* Set the name that a group or a track has in the viewer. @order sorts the groups. */
void trace_event_name_group(struct trace_events *events, unsigned int group, const char *name,
			    unsigned int order);
void trace_event_name_track(struct trace_events *events, const struct track *track,
			    const char *name);

#endif
