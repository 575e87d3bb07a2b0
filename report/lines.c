// SPDX-License-Identifier: GPL-2.0
/* lines.c - a line for each packet, and one for each of its copies */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "words.h"

/* clang-format off */
enum column {
	PACKET, TIME, FLOW, FLAGS, SEQ, ACK, LEN, PATH, STACK, WAITING, GAP, SLOWEST, CALLS, VERDICT,
	COLUMNS,
};
/* clang-format on */

/* Longest text of a cell: the path's. */
#define CELL_LEN PATH_LEN

/* How long a gap is worth a colour. */
#define LONG_GAP 10000000

#define RED    "\033[31m"
#define YELLOW "\033[33m"
#define PLAIN  "\033[0m"

/*
 * @width is the least, and negative to the left; @room that of what stands there mostly, for a terminal;
 * where that is too narrow the column with the highest @rank goes first.
 */
static const struct {
	const char *name, *title;
	int width;
	unsigned int room, rank;
} columns[COLUMNS] = {
	[PACKET] = { "packet", "PACKET ", 7, 7, 0 },
	[TIME] = { "time", "TIME", 14, 14, 3 },
	[FLOW] = { "flow", " FLOW", -47, 47, 0 },
	[FLAGS] = { "flags", "FLAGS", -5, 5, 2 },
	[SEQ] = { "seq", "SEQ", 10, 10, 11 },
	[ACK] = { "ack", "ACK", 10, 10, 10 },
	[LEN] = { "len", "LEN", 6, 6, 4 },
	[PATH] = { "path", " PATH", -31, 42, 6 },
	[STACK] = { "stack", "STACK", 8, 8, 5 },
	[WAITING] = { "waiting", "WAITING", 8, 8, 7 },
	[GAP] = { "gap", "GAP", 8, 8, 1 },
	[SLOWEST] = { "slowest", " SLOWEST", -37, 37, 8 },
	[CALLS] = { "calls", "CALLS", 6, 6, 9 },
	[VERDICT] = { "verdict", " VERDICT", 0, 34, 0 },
};

struct lines {
	struct packets **packets;
	const struct stations *stations;
	enum column shown[COLUMNS];
	unsigned int nr;
	bool colour;
};

/* What one line is about: a packet, or one of its copies. */
struct line {
	const struct packet *packet;
	const struct copy *copy;
	bool is_packet;
	const struct path *path;
	const struct outcome *outcome;
};

static unsigned int room_of(const struct lines *lines)
{
	unsigned int room = 0;

	for (unsigned int i = 0; i < lines->nr; i++)
		room += columns[lines->shown[i]].room + !!i;
	return room;
}

static void leave_out(struct lines *lines, enum column column)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < lines->nr; i++) {
		if (lines->shown[i] != column)
			lines->shown[n++] = lines->shown[i];
	}
	lines->nr = n;
}

static void fit(struct lines *lines, unsigned int width)
{
	enum column least = PACKET;

	while (room_of(lines) > width) {
		least = PACKET;
		for (unsigned int i = 0; i < lines->nr; i++) {
			if (columns[lines->shown[i]].rank > columns[least].rank)
				least = lines->shown[i];
		}
		if (!columns[least].rank)
			return;
		leave_out(lines, least);
	}
}

static int choose_columns(struct lines *lines, const char *names, struct err *err)
{
	enum column column;
	size_t len;

	for (;; names += len + 1) {
		len = strcspn(names, ",");
		for (column = 0; column < COLUMNS; column++) {
			if (strlen(columns[column].name) == len &&
			    !strncmp(columns[column].name, names, len))
				break;
		}
		if (column == COLUMNS || lines->nr == COLUMNS)
			return err_set(
				err,
				"'%.*s' is not a column, or one too many; there are packet, "
				"time, flow, flags, seq, ack, len, path, stack, waiting, gap, "
				"slowest, calls and verdict",
				(int)len, names);
		lines->shown[lines->nr++] = column;
		if (!names[len])
			return 0;
	}
}

struct lines *lines_new(const char *names, const struct screen *screen, struct packets **packets,
			const struct stations *stations, struct err *err)
{
	struct lines *lines = calloc(1, sizeof(*lines));

	if (!lines) {
		err_set(err, "out of memory");
		return NULL;
	}
	lines->packets = packets;
	lines->stations = stations;
	lines->colour = screen->colour;
	if (names && choose_columns(lines, names, err)) {
		free(lines);
		return NULL;
	}
	for (enum column column = 0; !names && column < COLUMNS; column++)
		lines->shown[lines->nr++] = column;
	if (!names && screen->terminal)
		fit(lines, screen->width);
	else if (!names)
		leave_out(lines, GAP);
	return lines;
}

void lines_free(struct lines *lines)
{
	free(lines);
}

static uint64_t gap_of(const struct lines *lines, const struct packet *packet)
{
	const struct way *way = stations_way(lines->stations, packet->number);

	return way ? way->longest.ns : 0;
}

/* What is told of a packet as a whole, and not of its copies. */
static void packet_cell(char *buf, const struct lines *lines, const struct line *line,
			enum column column)
{
	const struct packet *packet = line->packet;
	char slow[DURATION_LEN];

	*buf = '\0';
	if (!line->is_packet)
		return;
	switch (column) {
	case STACK:
		words_duration(buf, packet->stack_ns);
		break;
	case WAITING:
		words_duration(buf, packet->wait_ns);
		break;
	case GAP:
		words_duration(buf, gap_of(lines, packet));
		break;
	case SLOWEST:
		snprintf(buf, CELL_LEN, " %.40s%s%s", packet->slowest ? packet->slowest->text : "-",
			 packet->slowest ? " " : "",
			 packet->slowest ? words_duration(slow, packet->slowest_ns) : "");
		break;
	default:
		snprintf(buf, CELL_LEN, "%llu", (unsigned long long)packet->calls);
		break;
	}
}

static void number_cell(char *buf, const struct line *line)
{
	char number[NUMBER_LEN];

	if (line->is_packet)
		snprintf(number, sizeof(number), "%u", line->packet->number);
	else
		words_number(number, line->packet, line->copy);
	snprintf(buf, CELL_LEN, "%s%c", number, line->packet->incomplete ? '!' : ' ');
}

static void cell(char *buf, const struct lines *lines, const struct line *line, enum column column)
{
	const struct devices *devices = packets_devices(*lines->packets);
	const struct copy *copy = line->copy;
	char flow[FLOW_TEXT_LEN];

	switch (column) {
	case PACKET:
		number_cell(buf, line);
		break;
	case TIME:
		words_time(buf, copy->seen ? copy->first : line->packet->first);
		break;
	case FLOW:
		snprintf(buf, CELL_LEN, " %s", words_flow(flow, &copy->flow));
		break;
	case FLAGS:
		words_tcp_flags(buf, copy);
		if (copy->again)
			strcat(buf, "r");
		break;
	case SEQ:
		words_tcp_number(buf, copy, copy->seq);
		break;
	case ACK:
		words_tcp_number(buf, copy, copy->ack);
		break;
	case LEN:
		snprintf(buf, CELL_LEN, "%u", copy->len);
		break;
	case PATH:
		*buf = ' ';
		words_path(buf + 1, line->path, devices);
		break;
	case VERDICT:
		*buf = ' ';
		if (line->is_packet)
			words_verdict(buf + 1, line->packet, devices);
		else
			words_outcome(buf + 1, line->outcome, devices);
		break;
	default:
		packet_cell(buf, lines, line, column);
		break;
	}
}

static const char *colour_of(const struct lines *lines, const struct line *line, enum column column)
{
	if (!lines->colour)
		return "";
	if (column == VERDICT && line->outcome->verdict == VERDICT_DROPPED)
		return RED;
	if (column == GAP && line->is_packet && gap_of(lines, line->packet) >= LONG_GAP)
		return YELLOW;
	return "";
}

static void print_line(const struct lines *lines, const struct line *line)
{
	char buf[CELL_LEN + 2];

	for (unsigned int i = 0; i < lines->nr; i++) {
		const char *colour = colour_of(lines, line, lines->shown[i]);

		cell(buf, lines, line, lines->shown[i]);
		printf("%s%s%*s%s", i ? " " : "", colour, columns[lines->shown[i]].width, buf,
		       *colour ? PLAIN : "");
	}
	putchar('\n');
}

static void begin(void *data)
{
	const struct lines *lines = data;

	for (unsigned int i = 0; i < lines->nr; i++)
		printf("%s%*s", i ? " " : "", columns[lines->shown[i]].width,
		       columns[lines->shown[i]].title);
	putchar('\n');
}

static void one_packet(void *data, const struct packet *packet)
{
	struct line line = {
		.packet = packet,
		.copy = packet->copies[0],
		.is_packet = true,
		.path = &packet->decided->path,
		.outcome = &packet->decided->outcome,
	};

	print_line(data, &line);
	line.is_packet = false;
	for (unsigned int i = 0; packet->nr_copies > 1 && i < packet->nr_copies; i++) {
		line.copy = packet->copies[i];
		line.path = &line.copy->path;
		line.outcome = &line.copy->outcome;
		print_line(data, &line);
	}
}

const struct output lines_output = { .begin = begin, .packet = one_packet };
