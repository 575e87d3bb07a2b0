// SPDX-License-Identifier: GPL-2.0
/*
 * grow.c - make a large recording from a small one. The large recording repeats the contents of the small
 * one, each time with later times and other packets, flows and tasks.
 *
 * Usage: grow FROM TO MEGABYTES. FROM must be made by "trace-cmd convert --file-version 6 --compression
 * none". The last section of such a file lists where the pages of each CPU are. The pages have the format
 * of the ring buffer. The program prints the number of repetitions in TO, and the number of packets.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kbuffer.h>
#include <trace-cmd.h>

#define PAGE	 4096
#define MAX_CPUS 64

/* The fields of record_skb events that get new values in each repetition. */
enum field { PKT, FLOW, FIELDS };

static const char *const field_names[FIELDS] = { "pkt", "flow" };
static const char *const event_names[] = { "packet", "drop",	"limit",    "return", "end", "copy",
					   "rule",   "program", "decision", "reset",  "call" };

#define EVENTS (int)(sizeof(event_names) / sizeof(event_names[0]))

struct event {
	int id;
	int offset[FIELDS]; /* -1 if the event does not have the field */
};

struct place {
	uint64_t offset, size;
};

struct recording {
	uint8_t *data;
	size_t size;
	struct place *places; /* where the pages are; a part of the file's data */
	int cpus;
	struct event events[EVENTS];
	struct kbuffer *kbuffer;
	uint64_t first, last; /* times of the first and last row */
	uint32_t most[FIELDS];
	uint32_t most_pid;
};

static void fail(const char *why)
{
	fprintf(stderr, "grow: %s\n", why);
	exit(1);
}

static void read_file(struct recording *r, const char *path)
{
	FILE *file = fopen(path, "r");

	if (!file || fseek(file, 0, SEEK_END))
		fail("cannot read the recording");
	r->size = ftell(file);
	r->data = malloc(r->size);
	rewind(file);
	if (!r->data || fread(r->data, 1, r->size, file) != r->size)
		fail("cannot read the recording");
	fclose(file);
}

static void find_events(struct recording *r, const char *path)
{
	struct tracecmd_input *input = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);

	if (!input)
		fail("not a recording");
	r->cpus = tep_get_cpus(tracecmd_get_tep(input));
	for (int i = 0; i < EVENTS; i++) {
		struct tep_event *event = tep_find_event_by_name(tracecmd_get_tep(input),
								 "record_skb", event_names[i]);

		r->events[i].id = event ? event->id : -1;
		for (int f = 0; f < FIELDS; f++) {
			struct tep_format_field *field =
				event ? tep_find_field(event, field_names[f]) : NULL;

			r->events[i].offset[f] = field ? field->offset : -1;
		}
	}
	tracecmd_close(input);
}

/*
 * Find the section that lists the pages of each CPU. Its name may also occur elsewhere: the right section
 * is the one whose pages extend to the end of the file.
 */
static void find_places(struct recording *r)
{
	static const char name[] = "flyrecord";
	const size_t room = sizeof(name) + r->cpus * sizeof(struct place);

	for (size_t at = 0; at + room <= r->size; at++) {
		struct place *places = (struct place *)(r->data + at + sizeof(name));

		if (memcmp(r->data + at, name, sizeof(name)))
			continue;
		if (places[r->cpus - 1].offset + places[r->cpus - 1].size == r->size) {
			r->places = places;
			return;
		}
	}
	fail("not a recording of version 6 without compression");
}

static uint32_t get32(const void *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Add @by to a number in the file. If the number is 0, leave it unchanged, because 0 means "none". */
static void raise32(uint8_t *at, uint32_t by)
{
	uint32_t value = get32(at);

	if (value)
		value += by;
	memcpy(at, &value, sizeof(value));
}

static const struct event *event_of(const struct recording *r, const uint8_t *row)
{
	for (int i = 0; i < EVENTS; i++) {
		if ((row[0] | row[1] << 8) == r->events[i].id)
			return &r->events[i];
	}
	return NULL;
}

/* Each record begins with the event type, two other bytes, and the PID. */
#define PID_OFFSET 4

static void look(struct recording *r, uint8_t *row, uint64_t ts)
{
	const struct event *event = event_of(r, row);

	if (!r->first || ts < r->first)
		r->first = ts;
	if (ts > r->last)
		r->last = ts;
	if (get32(row + PID_OFFSET) > r->most_pid)
		r->most_pid = get32(row + PID_OFFSET);
	for (int f = 0; event && f < FIELDS; f++) {
		if (event->offset[f] >= 0 && get32(row + event->offset[f]) > r->most[f])
			r->most[f] = get32(row + event->offset[f]);
	}
}

static void look_at_all(struct recording *r)
{
	unsigned long long ts;
	uint8_t *row;

	for (int cpu = 0; cpu < r->cpus; cpu++) {
		for (uint64_t at = 0; at < r->places[cpu].size; at += PAGE) {
			kbuffer_load_subbuffer(r->kbuffer, r->data + r->places[cpu].offset + at);
			for (row = kbuffer_read_event(r->kbuffer, &ts); row;
			     row = kbuffer_next_event(r->kbuffer, &ts))
				look(r, row, ts);
		}
	}
}

/*
 * Change a page so that it belongs to repetition @number. The header of the page has the time of its first
 * row. Each other row has only the difference from the row before it, so change only the time in the
 * header.
 */
static void change_page(struct recording *r, uint8_t *page, uint64_t number)
{
	const struct event *event;
	uint64_t begin;
	uint8_t *row;

	memcpy(&begin, page, sizeof(begin));
	begin += number * (r->last - r->first + 1000000);
	memcpy(page, &begin, sizeof(begin));
	kbuffer_load_subbuffer(r->kbuffer, page);
	for (row = kbuffer_read_event(r->kbuffer, NULL); row;
	     row = kbuffer_next_event(r->kbuffer, NULL)) {
		event = event_of(r, row);
		raise32(row + PID_OFFSET, number * r->most_pid);
		for (int f = 0; event && f < FIELDS; f++) {
			if (event->offset[f] >= 0)
				raise32(row + event->offset[f], number * r->most[f]);
		}
	}
}

static void write_copies(struct recording *r, const struct place *place, uint64_t copies, FILE *out)
{
	uint8_t page[PAGE];

	for (uint64_t n = 0; n < copies; n++) {
		for (uint64_t at = 0; at < place->size; at += PAGE) {
			memcpy(page, r->data + place->offset + at, PAGE);
			change_page(r, page, n);
			if (fwrite(page, PAGE, 1, out) != 1)
				fail("cannot write");
		}
	}
}

int main(int argc, char **argv)
{
	struct recording r = { 0 };
	struct place from[MAX_CPUS];
	uint64_t copies, size = 0;
	FILE *out;

	if (argc != 4)
		fail("usage: grow FROM TO MEGABYTES");
	read_file(&r, argv[1]);
	find_events(&r, argv[1]);
	if (r.cpus < 1 || r.cpus > MAX_CPUS)
		fail("too many CPUs");
	find_places(&r);
	r.kbuffer = kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_LITTLE);
	if (!r.kbuffer)
		fail("out of memory");
	look_at_all(&r);

	memcpy(from, r.places, r.cpus * sizeof(*from));
	for (int cpu = 0; cpu < r.cpus; cpu++)
		size += from[cpu].size;
	copies = (strtoull(argv[3], NULL, 10) << 20) / size;
	for (int cpu = 0; cpu < r.cpus; cpu++) {
		if (cpu)
			r.places[cpu].offset = r.places[cpu - 1].offset + r.places[cpu - 1].size;
		r.places[cpu].size *= copies;
	}
	out = fopen(argv[2], "w");
	if (!out || fwrite(r.data, from[0].offset, 1, out) != 1)
		fail("cannot write");
	for (int cpu = 0; cpu < r.cpus; cpu++)
		write_copies(&r, &from[cpu], copies, out);
	if (fclose(out))
		fail("cannot write");
	printf("%llu copies, %llu packets\n", (unsigned long long)copies,
	       (unsigned long long)copies * r.most[PKT]);
	kbuffer_free(r.kbuffer);
	free(r.data);
	return 0;
}
