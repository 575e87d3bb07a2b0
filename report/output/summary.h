/* SPDX-License-Identifier: GPL-2.0 */
/* summary.h - print a summary of a recording of any size on one screen (24 lines of 80 columns) */
#ifndef _RECORD_SKB_SUMMARY_H
#define _RECORD_SKB_SUMMARY_H

#include "err.h"
#include "model/overview.h"
#include "model/packet_filter.h"
#include "output/requests_table.h"
#include "output/terminal.h"

/**
 * struct recorded - the recording and the machine that it was made on
 * @file: name of the recording
 * @words: for joined recordings, their file names quoted for a shell command; otherwise NULL
 * @chosen: the selection of packets
 * @machine: system, host, release and architecture, separated by blanks, as trace-cmd stores them; NULL if
 *	not known
 * @arguments: arguments of record-skb, as words of a shell; NULL if not known
 * @cpus: number of CPUs
 * @sample: only one of @sample flows was recorded; 0 or 1 for all flows
 * @wall: wall-clock time at @wall_ts, in nanoseconds since 1970; 0 if not known
 * @wall_ts: the time of the trace clock at which the wall clock showed @wall
 * @end: the event that ended the ring, if the recording is a ring
 * @has_beginning: the recording contains its beginning
 */
struct recorded {
	const char *file;
	const char *words;
	const struct chosen *chosen;
	const char *machine;
	const char *arguments;
	int cpus;
	uint32_t sample;
	uint64_t wall, wall_ts;
	const struct ring_end *end;
	bool has_beginning;
};

enum summary_kind {
	SUMMARY_TEXT, /* the summary; a list of packets follows if there are few packets */
	SUMMARY_JSON,
	SUMMARY_FINDING, /* only the finding and the next command */
	SUMMARY_SERVERS, /* only the table of servers */
	SUMMARY_SERVERS_JSON,
};

/* Order of the rows of the table of servers. */
enum server_order { BY_PACKETS, BY_BYTES, BY_DROPPED, BY_MEDIAN, BY_P99, BY_MAX, BY_TIME };

/**
 * struct summary_options - options of the summary
 * @kind: what to print
 * @file: name of the recording
 * @words: for joined recordings, their file names quoted for a shell command; otherwise NULL
 * @chosen: the selection of packets. If there is a selection, failed calls are left out, because calls do
 * not belong to a packet
 * @is_wide: show all columns in the list of packets
 * @order: order of the servers
 * @top: maximum number of servers; 0 for any number
 */
struct summary_options {
	enum summary_kind kind;
	const char *file;
	const char *words;
	const struct chosen *chosen;
	bool is_wide;
	enum server_order order;
	uint32_t top;
};

struct summary;

/**
 * summary_new - begin a summary on standard output
 * @options: the options. @options, @overview, @packets, @stages and @reader must outlive the result
 * @overview: collects the packets
 * @packets: address of a pointer to struct packets, which knows the losses and devices. The pointer must be
 *	set before the first packet
 * @stages: source of the delays
 * @reader: the reader of the recording
 * @terminal: properties of standard output
 * @err: set on failure
 *
 * Return: the summary; NULL if there is not enough memory.
 */
struct summary *summary_new(const struct summary_options *options, struct overview *overview,
			    struct packets **packets, const struct stages *stages,
			    const struct reader *reader, const struct terminal *terminal,
			    struct err *err);
/*
 * Add a section about requests. All requests must have been added to @requests before the output of packets
 * ends.
 */
void summary_set_requests(struct summary *summary, struct requests_table *requests);
/* Return: true if rows or calls are missing. Call this function after the last packet. */
bool summary_lacks(const struct summary *summary);
void summary_free(struct summary *summary);

/*
 * summary_observer is for reader_add_observer(), and summary_output gets the packets. Both need the struct
 * summary as data.
 */
extern const struct observer summary_observer;
extern const struct output summary_output;

/* Print the summary as a JSON object on one line. @requests is NULL if packets are selected. */
void summary_print_json(const struct overview *overview, const struct recorded *recorded,
			const struct packets *packets, struct requests_table *requests,
			const struct reader *reader);

/* Print the table of servers. */
void servers_print(const struct overview *overview, const struct summary_options *options);
/* Print the table of servers as JSON, with an object for each server. */
void servers_print_json(const struct overview *overview, const struct summary_options *options);

/*
 * Return: true if neither rows nor calls are missing. Rows that a ring has overwritten do not count as
 * missing.
 */
bool summary_is_complete(const struct recorded *recorded, const struct packets *packets);

/*
 * Return: the time of the last row of the recording; if packets are selected, the time of their last event.
 */
uint64_t summary_last(const struct overview *overview, const struct recorded *recorded);

#define UNREAD_LEN 40
/*
 * Format the number of unread bytes for a row about resets: " (936 unread bytes)". The text is empty if the
 * number is not known for each reset of the row. @buf has UNREAD_LEN bytes.
 */
const char *summary_unread(char *buf, const struct happened *row);

#define FINDING_LEN 512
/**
 * struct found - the most important finding of a recording
 * @text: one sentence
 * @command: the command of trace-cmd that shows more; empty for none
 * @see: a command that shows the cause on the recorded machine; empty for none
 * @netns: network namespace in which @see has to run
 */
struct found {
	char text[FINDING_LEN], command[FINDING_LEN], see[COMMAND_LEN];
	uint32_t netns;
};

/**
 * summary_finding - choose the most important finding
 * @overview: the packets, after overview_finish()
 * @recorded: the recording
 * @packets: the losses and devices
 * @found: receives the finding
 */
void summary_finding(const struct overview *overview, const struct recorded *recorded,
		     const struct packets *packets, struct found *found);

#endif
