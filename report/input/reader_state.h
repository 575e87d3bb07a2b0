/* SPDX-License-Identifier: GPL-2.0 */
/* reader_state.h - the state of a reader; only reader.c, reader_rows.c and joined_reader.c use it */
#ifndef _RECORD_SKB_READER_STATE_H
#define _RECORD_SKB_READER_STATE_H

#include "graph_state.h"
#include "hash_table.h"
#include "hosts/host_map.h"
#include "hosts/hosts.h"
#include "input/reader.h"
#include "input/trace_rows.h"
#include "model/function_times.h"
#include "model/netns_names.h"
#include "model/observers.h"
#include "rows.h"

struct reader {
	struct input *input;
	char *machine;
	char *arguments;
	struct rows rows;
	const char *comm; /* name of the task @comm_pid; NULL if it was not looked up yet */
	int comm_pid;
	struct event_fields wall_clock; /* not in older recordings */
	struct event_fields stop;
	struct event_fields sched; /* event of record-skb --sched */
	struct event_fields netns; /* not in older recordings */
	struct netns_names *netns_names;
	uint64_t synced_id; /* see input_synced_id() */
	uint32_t sample;    /* N of --sample 1/N; 0 or 1 if all flows were recorded */
	bool has_all_names; /* the end of the file has the names of all namespaces */
	struct sched_waits *waits;
	struct trace_marker marker;
	struct ring_end ring_end;
	bool begun;	   /* the wall_clock event, normally the first event, was read */
	bool begins_later; /* another event came before wall_clock: the beginning is missing */
	struct graph_state *graph;
	struct function_times times;
	struct names *names;
	struct source_lines *lines; /* NULL if the reader reads no file */
	struct table open_calls;    /* table of struct open_call, by task */
	uint64_t losses;	    /* number of losses so far */
	struct observers observers;
	int cpus;
	uint64_t *last_ts; /* for each CPU, the time of its last row */
	uint64_t newest;   /* time of the newest row of all CPUs */
	uint64_t over;	   /* time at which the module stopped matching packets, 0 if not known */
	uint64_t end;	   /* time of the last row in the file, 0 if not known */
	reader_step *step; /* NULL if no function was set */
	void *step_data;
	uint64_t rows_read;
	uint64_t calls_from; /* see struct read_state */
	struct module_losses module_losses;
	bool read_by_others; /* the end of the file tells that another process consumed rows */
	bool can_stream;
	bool stopped;
	bool ended_early; /* see reader_ended_early() */
	/*
	 * The last three members are used only if recordings are joined. The caller's reader reads no file;
	 * it has @parts with a reader for each file. Each of these readers has @map, which converts the
	 * numbers of its host, and @common, the common function names.
	 */
	struct joined_parts *parts;
	const struct host_map *map;
	struct names *common;
};

/* Return: true if the record is of the event that @fields describes. */
bool reader_is_event(const struct event_fields *fields, const struct tep_record *record);
/* Note the end of a ring, if the record is a stop event. */
void reader_handle_stop(struct reader *reader, const struct tep_record *record);

/*
 * Report the rest of a CPU as lost, because libtracecmd could not read it. @cpu is the number of the CPU in
 * the file.
 */
void reader_lose_rest(struct reader *reader, int cpu);

/* Read the next row of the file. Return: NULL at the end. */
const struct tep_record *reader_next(struct reader *reader);

/*
 * Convert numbers and times of a host to those of the joined recordings, where no other host uses the same
 * number. If the recordings are not joined, they stay the same.
 */
static inline uint64_t common_time(const struct reader *reader, uint64_t ts)
{
	return reader->map ? clock_convert(&reader->map->clock, ts) : ts;
}

static inline int common_task(const struct reader *reader, int pid)
{
	return reader->map ? hosts_task(reader->map->host, pid) : pid;
}

static inline int common_cpu(const struct reader *reader, int cpu)
{
	return reader->map ? hosts_cpu(reader->map->host, cpu) : cpu;
}

static inline uint32_t common_netns(const struct reader *reader, uint32_t netns)
{
	return reader->map ? hosts_netns(reader->map->host, netns) : netns;
}

static inline uint64_t common_cookie(const struct reader *reader, uint64_t cookie)
{
	return reader->map ? hosts_cookie(reader->map->host, cookie) : cookie;
}

/* Functions of joined_reader.c. For recordings that are not joined, they return NULL, 0 or true. */

/* Return: the departure of the copy that a row is about; NULL if the copy did not leave for another host. */
const struct departure *joined_departure_of(const struct reader *reader, const struct row *row);
/* Return: the number of hosts that the packet of a row passed before this one. */
uint8_t joined_hosts_before(const struct reader *reader, const struct row *row);
/*
 * Convert the numbers and the time of a row. Return: false if the row must not be passed to the observers.
 */
bool joined_map_row(const struct reader *reader, struct row *row,
		    const struct departure *departure);
/* Report the duplicates of a copy that left, and report if the copy did not arrive at the next host. */
void joined_leave_host(struct reader *reader, const struct moment *at,
		       const struct skb_event *event, const struct departure *departure);

/* These functions of joined_reader.c do the work of functions of reader.h if recordings are joined. */
void joined_run(struct reader *reader);
void joined_look_at_end(struct reader *reader);
/* Add the losses of all parts. */
void joined_add_module_losses(const struct reader *reader, struct module_losses *sum);
void joined_print_source_files(FILE *out, const struct reader *reader);
void joined_close(struct reader *reader);
#endif
