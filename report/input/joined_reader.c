// SPDX-License-Identifier: GPL-2.0
/* joined_reader.c - read the recordings of several hosts as if they were one */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "input/joined_reader.h"
#include "input/reader_state.h"
#include "input/trace_rows.h"
#include "model/packet_text.h"

/* Number of rows between two calls of the step function. */
#define STEP_ROWS 1024

struct joined_parts {
	struct reader **readers;
	const struct tep_record **next; /* the next row of each reader */
	struct host_map *maps;
	struct join join;
	struct sightings *sightings;
	struct join_times *times;
	uint64_t *synced_ids; /* see reader_synced_id() */
	unsigned int n;
};

/*
 * Add a host with the name @name. If @name is NULL, use the name in the file. It is between the system and
 * the release: "client" in "Linux client 6.1 x86_64". It may be empty or contain blanks.
 */
static void add_host(const struct reader *reader, const char *name)
{
	char host[HOST_NAME_LEN + 1] = "";
	const char *words = reader_machine(reader);
	const char *from = words ? strchr(words, ' ') : NULL,
		   *to = words ? strrchr(words, ' ') : NULL;

	while (from && to > from && *--to != ' ')
		continue;
	while (from && from + 1 < to && from[1] == ' ')
		from++;
	if (from && to > from)
		snprintf(host, sizeof(host), "%.*s", (int)(to - from - 1), from + 1);
	hosts_add(name ? name : host);
}

/* Read a file for the first time, to collect its sightings. */
static int look_at_file(struct joined_parts *parts, unsigned int i, const struct host_file *file,
			struct err *err)
{
	struct reader *reader = reader_open(file->path, err);
	struct sightings *sightings = &parts->sightings[i];

	if (!reader)
		return -1;
	if (words_are_in_ticks()) {
		reader_close(reader);
		return err_set(err,
			       "'%s' cannot be joined: its trace clock does not count "
			       "nanoseconds",
			       file->path);
	}
	add_host(reader, file->name);
	sightings->host = i;
	parts->synced_ids[i] = reader_synced_id(reader);
	reader_add_observer(reader, &sightings_observer, sightings);
	/* This reads the end of the file, where the arguments are. */
	reader_set_step(reader, NULL, NULL);
	reader_run(reader);
	sightings->losses.module = reader_module_losses(reader);
	sightings_end(sightings);
	parts->join.hosts[i].sightings = sightings;
	parts->join.hosts[i].end = reader_last(reader);
	parts->join.hosts[i].is_ring = reader_ring_end(reader)->is;
	if (reader_arguments(reader)) {
		parts->join.hosts[i].arguments = strdup(reader_arguments(reader));
		sightings->failed |= !parts->join.hosts[i].arguments;
	}
	reader_close(reader);
	return sightings->failed ? err_set(err, "out of memory") : 0;
}

/*
 * Return: true if both files are copies of one recording. Their packets must not be joined as if two hosts
 * had received them.
 */
static bool is_same_recording(const struct join_host *a, const struct join_host *b)
{
	return a->sightings->begin == b->sightings->begin && a->end == b->end &&
	       a->sightings->n == b->sightings->n && a->sightings->wall_ts &&
	       a->sightings->wall_ts == b->sightings->wall_ts &&
	       a->sightings->wall == b->sightings->wall;
}

static int check_different(const struct joined_parts *parts, const struct host_file *files,
			   unsigned int i, struct err *err)
{
	for (unsigned int j = 0; j < i; j++) {
		if (is_same_recording(&parts->join.hosts[j], &parts->join.hosts[i]))
			return err_set(err, "'%s' and '%s' are the same recording", files[j].path,
				       files[i].path);
	}
	return 0;
}

/*
 * trace-cmd can convert the times of a recording to the clock of another host. For each such recording, note
 * which recording is from that other host.
 */
static void find_synced(struct joined_parts *parts, const struct host_file *files)
{
	for (unsigned int i = 0; i < parts->n; i++) {
		for (unsigned int j = 0; parts->synced_ids[i] && j < parts->n; j++) {
			if (i != j && input_has_guest(files[j].path, parts->synced_ids[i]))
				parts->join.hosts[i].sync = j + 1;
		}
	}
}

static int set_offsets(struct joined_parts *parts, const struct host_offset *offsets,
		       unsigned int n, struct err *err)
{
	int host;

	for (unsigned int i = 0; i < n; i++) {
		host = hosts_find(offsets[i].name);
		if (host < 0)
			return err_set(err, "--offset: there is no recording of the host '%s'",
				       offsets[i].name);
		if ((unsigned int)host == parts->join.reference)
			return err_set(
				err,
				"--offset: all times are shown in the clock of the first host, "
				"'%s'; give the offsets of the other hosts",
				offsets[i].name);
		parts->join.hosts[host].has_offset = true;
		parts->join.hosts[host].offset = offsets[i].ns;
	}
	return 0;
}

/* Open a file for the second time, to call the observers. */
static int open_part(struct reader *joined, unsigned int i, const struct host_file *file,
		     struct err *err)
{
	struct joined_parts *parts = joined->parts;
	struct reader *reader = reader_open(file->path, err);

	if (!reader)
		return -1;
	parts->readers[i] = reader;
	reader->map = &parts->maps[i];
	reader->common = joined->names;
	netns_names_free(reader->netns_names);
	reader->netns_names = joined->netns_names;
	joined->cpus += reader_cpus(reader);
	return 0;
}

static int open_parts(struct reader *joined, const struct host_file *files, unsigned int n,
		      const struct host_offset *offsets, unsigned int nr_offsets, struct err *err)
{
	struct joined_parts *parts = joined->parts;

	parts->readers = calloc(n, sizeof(struct reader *));
	parts->next = calloc(n, sizeof(struct tep_record *));
	parts->sightings = calloc(n, sizeof(*parts->sightings));
	parts->join.hosts = calloc(n, sizeof(*parts->join.hosts));
	parts->join.nr_hosts = parts->n = n;
	parts->synced_ids = calloc(n, sizeof(*parts->synced_ids));
	if (!parts->readers || !parts->next || !parts->sightings || !parts->join.hosts ||
	    !parts->synced_ids)
		return err_set(err, "out of memory");
	for (unsigned int i = 0; i < n; i++) {
		if (look_at_file(parts, i, &files[i], err) || check_different(parts, files, i, err))
			return -1;
	}
	find_synced(parts, files);
	if (set_offsets(parts, offsets, nr_offsets, err))
		return -1;
	if (!join_find(&parts->join))
		return err_set(err, "out of memory");
	for (unsigned int i = 0; i < n; i++) {
		const struct join_host *host = &parts->join.hosts[i];

		hosts_set_clock_error(i, host->error_is_known ? host->clock.error :
								CLOCK_ERROR_UNKNOWN);
	}
	parts->maps = host_maps_create(&parts->join);
	parts->times = parts->maps ? join_times_create(&parts->join, parts->maps) : NULL;
	if (!parts->times)
		return err_set(err, "out of memory");
	/*
	 * Free the sightings now: they are no longer needed, and use more memory than the rest of the report.
	 */
	join_free(&parts->join);
	for (unsigned int i = 0; i < n; i++) {
		free(parts->sightings[i].v);
		parts->sightings[i].v = NULL;
		parts->sightings[i].n = 0;
	}
	for (unsigned int i = 0; i < n; i++) {
		if (open_part(joined, i, &files[i], err))
			return -1;
	}
	return 0;
}

struct reader *joined_open(const struct host_file *files, unsigned int n,
			   const struct host_offset *offsets, unsigned int nr_offsets,
			   struct err *err)
{
	struct reader *joined = calloc(1, sizeof(*joined));

	if (n > MAX_HOSTS) {
		err_set(err, "at most %d recordings can be joined", MAX_HOSTS);
		free(joined);
		return NULL;
	}
	if (joined) {
		joined->parts = calloc(1, sizeof(*joined->parts));
		joined->names = names_new(NULL);
		joined->netns_names = netns_names_new();
	}
	if (!joined || !joined->parts || !joined->names || !joined->netns_names)
		err_set(err, "out of memory");
	else if (!open_parts(joined, files, n, offsets, nr_offsets, err))
		return joined;
	reader_close(joined);
	return NULL;
}

const struct join *joined_hosts(const struct reader *reader)
{
	return reader->parts ? &reader->parts->join : NULL;
}

const struct host_map *joined_map(const struct reader *reader, unsigned int host)
{
	return &reader->parts->maps[host];
}

int joined_cpus(const struct reader *reader, unsigned int host)
{
	return reader_cpus(reader->parts->readers[host]);
}

const struct join_times *joined_times(const struct reader *reader)
{
	return reader->parts ? reader->parts->times : NULL;
}

void joined_add_module_losses(const struct reader *reader, struct module_losses *sum)
{
	for (unsigned int i = 0; reader->parts && i < reader->parts->n; i++) {
		const struct module_losses *part = &reader->parts->readers[i]->module_losses;

		sum->flows += part->flows;
		sum->tasks += part->tasks;
		sum->probes += part->probes;
		sum->packets += part->packets;
		sum->frames += part->frames;
		sum->graphs += part->graphs;
		sum->others += part->others;
	}
}

void joined_look_at_end(struct reader *reader)
{
	for (unsigned int i = 0; i < reader->parts->n; i++) {
		const struct join_host *host = &reader->parts->join.hosts[i];
		const uint64_t end = clock_convert(&host->clock, host->end);

		if (end > reader->end)
			reader->end = end;
	}
}

/* Return: the part with the earliest row, NULL if all rows were read. */
static struct reader *earliest(const struct joined_parts *parts, unsigned int *index)
{
	uint64_t first = UINT64_MAX, ts;
	struct reader *found = NULL;

	for (unsigned int i = 0; i < parts->n; i++) {
		if (!parts->next[i])
			continue;
		ts = clock_convert(&parts->maps[i].clock, parts->next[i]->ts);
		if (found && ts >= first)
			continue;
		first = ts;
		found = parts->readers[i];
		*index = i;
	}
	return found;
}

/*
 * Call the step function, which only shows the progress: joined recordings pass their packets on at the end.
 */
static void make_step(struct reader *reader)
{
	const struct read_state state = { .now = reader->newest };

	if (reader->step && !(++reader->rows_read % STEP_ROWS))
		reader->step(reader->step_data, &state);
}

void joined_run(struct reader *reader)
{
	struct joined_parts *parts = reader->parts;
	struct reader *part;
	unsigned int i;

	for (i = 0; i < parts->n; i++) {
		parts->readers[i]->observers = reader->observers;
		parts->next[i] = reader_next(parts->readers[i]);
	}
	while ((part = earliest(parts, &i))) {
		reader_row(part, parts->next[i]);
		reader->newest = part->newest;
		parts->next[i] = reader_next(part);
		make_step(reader);
	}
	for (i = 0; i < parts->n; i++) {
		reader_end(parts->readers[i]);
		reader->begins_later |= parts->readers[i]->begins_later;
		reader->ended_early |= parts->readers[i]->ended_early;
		if (reader->over < reader_last(parts->readers[i]))
			reader->over = reader_last(parts->readers[i]);
		/*
		 * If several rings were stopped together, only one recording has the packet that stopped
		 * them: use the stop event of this recording.
		 */
		if (parts->readers[i]->ring_end.is && !reader->ring_end.by)
			reader->ring_end = parts->readers[i]->ring_end;
	}
}

const struct departure *joined_departure_of(const struct reader *reader, const struct row *row)
{
	return reader->map && row->readable && row->kind < OWN_EVENTS && row->event.pkt ?
		       host_map_departure(reader->map, row->event.pkt, row->event.copy) :
		       NULL;
}

uint8_t joined_hosts_before(const struct reader *reader, const struct row *row)
{
	return reader->map && row->readable && row->kind < OWN_EVENTS ?
		       host_map_hosts_before(reader->map, row->event.pkt) :
		       0;
}

bool joined_map_row(const struct reader *reader, struct row *row, const struct departure *departure)
{
	bool is_known = true;

	if (!reader->map)
		return true;
	row->ts = common_time(reader, row->ts);
	row->pid = common_task(reader, row->pid);
	row->cpu = common_cpu(reader, row->cpu);
	if (row->readable && row->kind < OWN_EVENTS)
		is_known = host_map_event(reader->map, &row->event);
	/* Assign no functions to a packet without a number in the joined recordings. */
	if (!is_known && row->kind == EVENT_PACKET)
		row->readable = false;
	/*
	 * The copy has left for another host, which recorded it. Ignore the events of the skb that remains at
	 * this host.
	 */
	return is_known && !(departure && departure->goes_on && row->ts > departure->ts &&
			     row->kind != EVENT_PACKET && row->kind != EVENT_COPY);
}

void joined_leave_host(struct reader *reader, const struct moment *at,
		       const struct skb_event *event, const struct departure *departure)
{
	struct skb_event copied = *event;

	for (uint32_t i = 0; i < departure->nr_arrivals; i++) {
		copied.from = event->copy;
		copied.copy = departure->arrivals[i].copy;
		copied.copy_kind = departure->arrivals[i].kind;
		copied.skb = 0;
		copied.func = 0;
		notify_observers(&reader->observers, copied, at, &copied);
	}
	if (departure->missed)
		notify_observers(&reader->observers, missed, at, event, departure->missed - 1u);
}

void joined_print_source_files(FILE *out, const struct reader *reader)
{
	for (unsigned int i = 0; i < reader->parts->n; i++)
		source_lines_print_files(out, reader->parts->readers[i]->lines);
}

void joined_close(struct reader *reader)
{
	struct joined_parts *parts = reader->parts;

	if (!parts)
		return;
	for (unsigned int i = 0; parts->readers && i < parts->n; i++) {
		/* Keep the names of namespaces, because they belong to @reader. */
		if (parts->readers[i])
			parts->readers[i]->netns_names = NULL;
		reader_close(parts->readers[i]);
	}
	for (unsigned int i = 0; parts->sightings && i < parts->n; i++)
		sightings_free(&parts->sightings[i]);
	for (unsigned int i = 0; parts->join.hosts && i < parts->n; i++)
		free(parts->join.hosts[i].arguments);
	host_maps_free(parts->maps, parts->n);
	join_times_free(parts->times);
	join_free(&parts->join);
	free(parts->join.hosts);
	free(parts->synced_ids);
	free(parts->sightings);
	free(parts->next);
	free(parts->readers);
	free(parts);
}
