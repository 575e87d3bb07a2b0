// SPDX-License-Identifier: GPL-2.0
/* packet_table.c - print a line for each packet and for each of its copies */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/packet_table.h"
#include "model/packet_text.h"

/* clang-format off */
enum column {
	PACKET, TIME, FLOW, FLAGS, SEQ, ACK, LEN, PATH, STACK, WAITING, DELAY, SLOWEST, CALLS, VERDICT,
	COLUMNS,
};
/* clang-format on */

/* Maximum length of the text in a cell. The longest texts are paths. */
#define CELL_LEN PATH_LEN

/* Width of the column FLOW in a terminal that is too narrow: two IPv4 addresses with ports. */
#define NARROW_FLOW 37

/* Shortest delay that is coloured, in ns. */
#define LONG_DELAY 10000000

#define RED    "\033[31m"
#define YELLOW "\033[33m"
#define PLAIN  "\033[0m"

/*
 * The columns. @width is the minimum width; a negative width means left alignment. @typical_width is used to
 * estimate if the table fits into a terminal. If the table does not fit, columns are left out: first the
 * column with the highest @rank, and never a column with rank 0.
 */
static const struct {
	const char *name, *title;
	int width;
	unsigned int typical_width, rank;
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
	[DELAY] = { "gap", "GAP", 8, 8, 1 },
	[SLOWEST] = { "slowest", " SLOWEST", -37, 37, 8 },
	[CALLS] = { "calls", "CALLS", 6, 6, 9 },
	[VERDICT] = { "verdict", " VERDICT", 0, 38, 0 },
};

struct packet_table {
	struct packets **packets;
	const struct stages *stages;
	enum column shown[COLUMNS];
	unsigned int nr;
	int flow_width;	    /* minimum width of the column FLOW; negative means left alignment */
	unsigned int width; /* lines are cut to this width; 0 for no limit */
	bool colour;
	FILE *stream; /* NULL for standard output */
};

/* A line of the table: a packet or one of its copies. */
struct line {
	const struct packet *packet;
	const struct copy *copy;
	bool is_packet;
	const struct path *path;
	const struct outcome *outcome;
};

static unsigned int width_of(const struct packet_table *table)
{
	unsigned int typical_width = 0;

	for (unsigned int i = 0; i < table->nr; i++)
		typical_width += !!i + (table->shown[i] == FLOW ?
						(unsigned int)-table->flow_width :
						columns[table->shown[i]].typical_width);
	return typical_width;
}

static void leave_out(struct packet_table *table, enum column column)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < table->nr; i++) {
		if (table->shown[i] != column)
			table->shown[n++] = table->shown[i];
	}
	table->nr = n;
}

/*
 * Leave out columns until the table fits. If only the columns with rank 0 are left and are still too wide,
 * make the column FLOW narrow, and cut longer lines.
 */
static void fit_columns(struct packet_table *table, unsigned int width)
{
	enum column least = PACKET;

	table->width = width;
	while (width_of(table) > width) {
		least = PACKET;
		for (unsigned int i = 0; i < table->nr; i++) {
			if (columns[table->shown[i]].rank > columns[least].rank)
				least = table->shown[i];
		}
		if (!columns[least].rank) {
			table->flow_width = -NARROW_FLOW;
			return;
		}
		leave_out(table, least);
	}
}

static int choose_columns(struct packet_table *table, const char *names, struct err *err)
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
		if (column == COLUMNS || table->nr == COLUMNS)
			return err_set(
				err,
				"'%.*s' is not a column, or there are too many; the columns are "
				"packet, time, flow, flags, seq, ack, len, path, stack, waiting, "
				"gap, slowest, calls and verdict",
				(int)len, names);
		table->shown[table->nr++] = column;
		if (!names[len])
			return 0;
	}
}

struct packet_table *packet_table_new(const char *names, bool is_wide,
				      const struct terminal *terminal, struct packets **packets,
				      const struct stages *stages, struct err *err)
{
	struct packet_table *table = calloc(1, sizeof(*table));

	if (!table) {
		err_set(err, "out of memory");
		return NULL;
	}
	table->packets = packets;
	table->stages = stages;
	table->colour = terminal->colour;
	table->flow_width = columns[FLOW].width;
	if (names && choose_columns(table, names, err)) {
		free(table);
		return NULL;
	}
	for (enum column column = 0; !names && column < COLUMNS; column++)
		table->shown[table->nr++] = column;
	if (!names && !is_wide && terminal->is_terminal)
		fit_columns(table, terminal->width);
	else if (!names && !is_wide)
		leave_out(table, DELAY);
	return table;
}

void packet_table_set_stream(struct packet_table *table, FILE *stream)
{
	table->stream = stream;
}

void packet_table_free(struct packet_table *table)
{
	free(table);
}

static uint64_t delay_of(const struct packet_table *table, const struct packet *packet)
{
	const struct way *way = stages_way(table->stages, packet->number);

	return way ? way->longest.ns : 0;
}

/* Write a duration with the error of the clocks. */
static void write_duration(char *buf, uint64_t ns, uint64_t clock_error)
{
	char text[DURATION_LEN], error[CLOCK_ERROR_LEN];

	snprintf(buf, CELL_LEN, "%s%s", words_duration(text, ns),
		 words_clock_error(error, clock_error));
}

static void write_delay(char *buf, const struct packet_table *table, const struct packet *packet)
{
	const struct way *way = stages_way(table->stages, packet->number);

	write_duration(buf, way ? way->longest.ns : 0, way ? rest_clock_error(&way->longest) : 0);
}

/*
 * Write a cell that only the line about the whole packet has. In the lines about copies, this cell is empty.
 */
static void write_packet_cell(char *buf, const struct packet_table *table, const struct line *line,
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
		write_duration(buf, packet->wait_ns, packet_wait_error(packet));
		break;
	case DELAY:
		write_delay(buf, table, packet);
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

static void write_number_cell(char *buf, const struct line *line)
{
	char number[NUMBER_LEN];

	if (line->is_packet)
		snprintf(number, sizeof(number), "%u", line->packet->number);
	else
		words_number(number, line->packet, line->copy);
	snprintf(buf, CELL_LEN, "%s%c", number, line->packet->incomplete ? '!' : ' ');
}

/*
 * Append the number of the first copy that was made from this copy, and the number of its further copies. A
 * reader of the table can then find the lines of these copies.
 */
static void append_own_copies(char *buf, const struct line *line)
{
	const struct packet *packet = line->packet;
	unsigned int nr_others = 0;
	char number[NUMBER_LEN];
	size_t len = strlen(buf);
	bool named = false;

	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];

		if (copy == line->copy || copy->from != line->copy->number)
			continue;
		if (named) {
			nr_others++;
			continue;
		}
		words_number(number, packet, copy);
		len += snprintf(buf + len, CELL_LEN - 1 - len, ": #%s", number);
		named = true;
	}
	if (nr_others)
		snprintf(buf + len, CELL_LEN - 1 - len, " and %u more", nr_others);
}

static void write_cell(char *buf, const struct packet_table *table, const struct line *line,
		       enum column column)
{
	const struct devices *devices = packets_devices(*table->packets);
	const struct copy *copy = line->copy;
	char flow[FLOW_TEXT_LEN];

	switch (column) {
	case PACKET:
		write_number_cell(buf, line);
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
		if (!line->is_packet && line->outcome->verdict == VERDICT_COPIED)
			append_own_copies(buf + 1, line);
		break;
	default:
		write_packet_cell(buf, table, line, column);
		break;
	}
}

static const char *colour_of(const struct packet_table *table, const struct line *line,
			     enum column column)
{
	if (!table->colour)
		return "";
	if (column == VERDICT && line->outcome->verdict == VERDICT_DROPPED)
		return RED;
	if (column == DELAY && line->is_packet && delay_of(table, line->packet) >= LONG_DELAY)
		return YELLOW;
	return "";
}

static int width_of_column(const struct packet_table *table, enum column column)
{
	return column == FLOW ? table->flow_width : columns[column].width;
}

/*
 * Return: the largest length of at most @size bytes to which @text can be cut without splitting a character.
 */
static size_t fitting_length(const char *text, size_t size)
{
	size_t len = strlen(text);

	if (len <= size)
		return len;
	for (len = size; len && ((uint8_t)text[len] & 0xc0) == 0x80; len--)
		;
	return len;
}

/*
 * Write a cell, with its colour. @used is the number of terminal columns before the cell.
 *
 * Return: false if the line has reached the width of the terminal.
 */
static bool put_cell(const struct packet_table *table, FILE *stream, unsigned int *used,
		     const char *colour, int width, const char *text)
{
	char cell[CELL_LEN + 64];
	size_t size = sizeof(cell) - 1, len;
	bool fits;

	if (*used) {
		putc(' ', stream);
		++*used;
	}
	if (table->width && table->width - *used < size)
		size = *used < table->width ? table->width - *used : 0;
	snprintf(cell, sizeof(cell), "%*s", width, text);
	len = fitting_length(cell, size);
	fits = !cell[len];
	/* If only blanks are cut off, do not print "...". */
	if (!fits && cell[len + strspn(cell + len, " ")] && size > 3)
		strcpy(cell + fitting_length(cell, size - 3), "...");
	else
		cell[len] = '\0';
	fprintf(stream, "%s%s%s", colour, cell, *colour ? PLAIN : "");
	*used += strlen(cell);
	return fits && (!table->width || *used + 1 < table->width);
}

static void print_line(const struct packet_table *table, const struct line *line)
{
	FILE *stream = table->stream ? table->stream : stdout;
	char buf[CELL_LEN + 2];
	unsigned int used = 0;

	for (unsigned int i = 0; i < table->nr; i++) {
		const enum column column = table->shown[i];

		write_cell(buf, table, line, column);
		if (!put_cell(table, stream, &used, colour_of(table, line, column),
			      width_of_column(table, column), buf))
			break;
	}
	putc('\n', stream);
}

static void print_titles(void *data)
{
	const struct packet_table *table = data;
	FILE *stream = table->stream ? table->stream : stdout;
	unsigned int used = 0;

	for (unsigned int i = 0; i < table->nr; i++) {
		if (!put_cell(table, stream, &used, "", width_of_column(table, table->shown[i]),
			      columns[table->shown[i]].title))
			break;
	}
	putc('\n', stream);
}

static void print_packet(void *data, const struct packet *packet)
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

const struct output packet_table_output = { .begin = print_titles, .packet = print_packet };
