// SPDX-License-Identifier: GPL-2.0
/* summary.c - print what a recording shows on one screen */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "model/arguments.h"
#include "model/packet_text.h"
#include "output/packet_table.h"
#include "output/see_line.h"
#include "output/summary.h"
#include "output/summary_head.h"

/* Height of the summary: a screen has 24 lines, and one line is for the prompt of the shell. */
#define HEIGHT 23
/* Minimum number of lines for all sections together, even if the screen is too small for them. */
#define MIN_LINES 9
/* Maximum number of packets that are listed after the summary. */
#define MAX_LISTED 40

/* The sections, in the order in which they are printed. */
enum section { HAPPENED, TIMES, REQUESTS, SERVERS, OPEN, SECTIONS };

/*
 * State of the summary. @shown is the number of rows to print in each section. @table writes the list of
 * packets to @list. If there are more packets than MAX_LISTED, the list is discarded.
 */
struct summary {
	const struct summary_options *options;
	struct packets **packets;
	struct overview *overview;
	struct packet_table *table;
	FILE *list;
	char *text;
	size_t len;
	uint64_t listed;
	const struct reader *reader;
	struct recorded recorded;
	size_t shown[SECTIONS];
	struct requests_table *requests; /* unused (NULL) if packets are selected */
};

/*
 * Each of the following functions prints a section: at most @shown rows, and the number of rows that were
 * left out.
 */

static void print_more(size_t more, const char *what, const char *option)
{
	if (more)
		printf("%17s  %zu more %s%s: %s\n", "", more, what, plural_of(more), option);
}

/* Format the number of a packet: "#23"; "-" for none. */
static const char *example_number(char *buf, uint32_t packet)
{
	if (packet)
		snprintf(buf, NUMBER_LEN, "#%u", packet);
	else
		strcpy(buf, "-");
	return buf;
}

/* Return: true if this kind of end is not a problem for a packet. */
static bool is_normal(enum happened_rank rank)
{
	return rank >= HAPPENED_DELIVERED;
}

/*
 * Print the last row of the section WHAT HAPPENED: how many packets had each normal end, such as "delivered
 * 5, consumed 16".
 */
static void print_normal(struct happened *const *rows, size_t n)
{
	static const char *const names[HAPPENED_RANKS] = {
		[HAPPENED_DELIVERED] = "delivered",
		[HAPPENED_CONSUMED] = "consumed",
		[HAPPENED_FORWARDED] = "forwarded",
		[HAPPENED_SENT] = "sent",
		[HAPPENED_COPIED] = "copied",
		[HAPPENED_TAPPED] = "tapped",
		[HAPPENED_FREED] = "freed, no reason given",
	};
	const char *before = "";
	struct line ends = { "" }, line = { "" };
	char number[NUMBER_LEN];
	uint32_t first = 0;
	uint64_t nr = 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_normal(rows[i]->rank))
			continue;
		nr += rows[i]->nr;
		if (!first || rows[i]->example < first)
			first = rows[i]->example;
		line_append(&ends, "%s%llu %s", before, (unsigned long long)rows[i]->nr,
			    names[rows[i]->rank]);
		before = ", ";
	}
	if (!nr)
		return;
	line_append(&line, "%8llu %8s  %s", (unsigned long long)nr, example_number(number, first),
		    ends.text);
	line_print(&line);
}

/* Return: the number of rows about problems. Rows about normal ends come after the rows about problems. */
static size_t count_problems(struct happened *const *rows, size_t n)
{
	size_t problems = 0;

	while (problems < n && !is_normal(rows[problems]->rank))
		problems++;
	return problems;
}

static void print_happened(const struct summary *summary, size_t shown)
{
	char number[NUMBER_LEN], unread[UNREAD_LEN];
	struct happened *const *rows;
	size_t n, problems;

	rows = overview_happened(summary->overview, &n);
	problems = count_problems(rows, n);
	/*
	 * Reserve one row for the normal ends. If not all problems fit, reserve one row for the number of
	 * rows that are left out.
	 */
	shown -= n > problems;
	if (shown < problems)
		shown--;
	printf("%8s %8s  %s\n", "PACKETS", "EXAMPLE", "WHAT HAPPENED");
	for (size_t i = 0; i < shown; i++) {
		struct line line = { "" };

		line_append(&line, "%8llu %8s  %s%s", (unsigned long long)rows[i]->nr,
			    example_number(number, rows[i]->example), rows[i]->text,
			    summary_unread(unread, rows[i]));
		line_print(&line);
	}
	print_more(problems - shown, "row", "--why");
	print_normal(rows, n);
}

static void print_times(const struct summary *summary, size_t shown)
{
	char median[DURATION_LEN], p99[DURATION_LEN], max[DURATION_LEN], number[NUMBER_LEN];
	char error[CLOCK_ERROR_LEN];
	struct stage_time *const *rows;
	size_t n;

	rows = overview_times(summary->overview, &n);
	printf("%8s %8s %8s %8s %8s  %s\n", "COUNT", "MEDIAN", "P99", "MAX", "EXAMPLE",
	       "WHERE THE TIME WENT");
	for (size_t i = 0; i < shown; i++) {
		struct histogram *times = &rows[i]->times;
		struct line line = { "" };

		line_append(&line, "%8llu %8s %8s %8s %8s  %s%s", (unsigned long long)times->nr,
			    words_duration(median, histogram_percentile(times, 50)),
			    words_duration(p99, histogram_percentile(times, 99)),
			    words_duration(max, times->max), example_number(number, times->packet),
			    rows[i]->name, words_clock_error(error, times->clock_error));
		line_print(&line);
	}
}

static void print_requests(const struct summary *summary, size_t shown)
{
	requests_section_print(summary->requests, shown);
}

static void print_servers(const struct summary *summary, size_t shown)
{
	char median[DURATION_LEN], max[DURATION_LEN], text[FLOW_TEXT_LEN];
	struct server *const *rows;
	size_t n;

	rows = overview_servers(summary->overview, &n);
	printf("%8s %8s %8s %8s %8s  %s\n", "PACKETS", "FLOWS", "DROPPED", "1ST DATA", "SLOWEST",
	       "SERVER");
	if (shown < n)
		shown--;
	for (size_t i = 0; i < shown; i++) {
		struct histogram *times = &rows[i]->answers;
		struct line line = { "" };

		line_append(
			&line, "%8llu %8llu %8llu %8s %8s  %s",
			(unsigned long long)(rows[i]->packets[0] + rows[i]->packets[1]),
			(unsigned long long)rows[i]->flows, (unsigned long long)rows[i]->dropped,
			times->nr ? words_duration(median, histogram_percentile(times, 50)) : "-",
			times->nr ? words_duration(max, times->max) : "-",
			words_server(text, rows[i]));
		line_print(&line);
	}
	print_more(n - shown, "server", "--servers");
}

static void print_open(const struct summary *summary, size_t shown)
{
	const uint64_t end = overview_last(summary->overview);
	char ns[DURATION_LEN], number[NUMBER_LEN], wait[OPEN_WAIT_LEN];
	struct open_wait *const *rows;
	size_t n;

	rows = overview_open(summary->overview, &n);
	printf("%8s %8s %8s  %s\n", "COUNT", "AT LEAST", "EXAMPLE", "STILL WAITING AT THE END");
	/* Reserve one row for the number of rows that are left out. */
	if (shown < n)
		shown--;
	for (size_t i = 0; i < shown; i++) {
		struct line line = { "" };

		line_append(&line, "%8llu %8s %8s  %s", (unsigned long long)rows[i]->nr,
			    words_duration(ns, end > rows[i]->since ? end - rows[i]->since : 0),
			    example_number(number, rows[i]->packet),
			    words_open_wait(wait, rows[i]));
		line_print(&line);
	}
	print_more(n - shown, "row", "--summary --json");
}

/* Divide the lines of the screen among the sections. Return: true if at least one line is left. */
static bool share_lines(struct summary *summary, size_t lines)
{
	/* Minimum number of rows of each section, unless the section has fewer rows. */
	static const size_t least[SECTIONS] = {
		[HAPPENED] = 4, [TIMES] = 3, [REQUESTS] = 2, [SERVERS] = 2, [OPEN] = 2,
	};
	struct happened *const *happened;
	size_t rows[SECTIONS], used = 0, n;
	bool more = true;

	happened = overview_happened(summary->overview, &n);
	rows[HAPPENED] = count_problems(happened, n);
	rows[HAPPENED] += n > rows[HAPPENED];
	overview_times(summary->overview, &rows[TIMES]);
	rows[REQUESTS] = requests_section_rows(summary->requests);
	overview_servers(summary->overview, &rows[SERVERS]);
	overview_open(summary->overview, &rows[OPEN]);
	for (enum section section = 0; section < SECTIONS; section++) {
		summary->shown[section] = rows[section] < least[section] ? rows[section] :
									   least[section];
		used += summary->shown[section] + !!summary->shown[section];
	}
	while (more && used < lines) {
		more = false;
		for (enum section section = 0; section < SECTIONS && used < lines; section++) {
			if (summary->shown[section] == rows[section])
				continue;
			summary->shown[section]++;
			used++;
			more = true;
		}
	}
	return used < lines;
}

static void print_finding(const struct summary *summary, const struct found *found,
			  unsigned int lines)
{
	const struct see see = {
		.command = found->see,
		.netns = found->netns,
		.devices = packets_devices(*summary->packets),
	};

	/*
	 * If no packet matched, print nothing. The recorder has started this program, and reports that
	 * itself.
	 */
	if (summary->options->kind == SUMMARY_FINDING && !*found->command)
		return;
	line_print_wrapped(found->text, lines);
	/*
	 * Do not cut the command to the width of the screen, because a cut command would do something else.
	 */
	if (*found->command)
		printf("next: %s\n", found->command);
	see_print(" ", &see);
}

static void print_slowest(const struct summary *summary)
{
	char slowest[SLOWEST_LEN], text[SLOWEST_LEN + 32];
	struct line line = { "" };

	if (!requests_section_rows(summary->requests))
		return;
	requests_table_slowest(slowest, summary->requests);
	if (hosts_count()) {
		snprintf(text, sizeof(text), "slowest request: %s", slowest);
		line_print_wrapped(text, 3);
		return;
	}
	line_append(&line, "slowest request: %s", slowest);
	line_print(&line);
}

static void print_summary(struct summary *summary, const struct found *found)
{
	static void (*const print_section[SECTIONS])(const struct summary *, size_t) = {
		[HAPPENED] = print_happened, [TIMES] = print_times, [REQUESTS] = print_requests,
		[SERVERS] = print_servers,   [OPEN] = print_open,
	};
	const unsigned int head =
		summary_head_print(&(struct head){ &summary->recorded, summary->overview,
						   *summary->packets, summary->reader }) +
		!!requests_section_rows(summary->requests) + !!*found->see;

	/*
	 * Reserve two lines for the finding and one line for the next command. With many hosts, the summary
	 * is longer than a screen.
	 */
	const bool has_room =
		share_lines(summary, head + 3 + MIN_LINES < HEIGHT ? HEIGHT - head - 3 : MIN_LINES);

	for (enum section section = 0; section < SECTIONS; section++) {
		if (summary->shown[section])
			print_section[section](summary, summary->shown[section]);
	}
	print_slowest(summary);
	print_finding(summary, found, has_room ? 3 : 2);
}

/* The list of packets that follows the summary of a small recording */

/* Discard the list of packets: there are too many packets for it. */
static void drop_list(struct summary *summary)
{
	if (summary->list)
		fclose(summary->list);
	free(summary->text);
	summary->list = NULL;
	summary->text = NULL;
}

static int begin_list(struct summary *summary, const struct terminal *terminal,
		      const struct stages *stages, struct err *err)
{
	/* Use the width of the summary for the list, too, even if standard output is not a terminal. */
	const struct terminal narrow = {
		.is_terminal = true,
		.colour = terminal->colour,
		.width = terminal->is_terminal ? terminal->width : SUMMARY_WIDTH,
	};

	summary->table = packet_table_new(NULL, summary->options->is_wide, &narrow,
					  summary->packets, stages, err);
	if (!summary->table)
		return -1;
	summary->list = open_memstream(&summary->text, &summary->len);
	if (!summary->list)
		return err_set(err, "out of memory");
	packet_table_set_stream(summary->table, summary->list);
	packet_table_output.begin(summary->table);
	return 0;
}

static void print_list(struct summary *summary)
{
	if (!summary->list || !summary->listed)
		return;
	fflush(summary->list);
	printf("\n%s", summary->text);
}

/* The output */

struct summary *summary_new(const struct summary_options *options, struct overview *overview,
			    struct packets **packets, const struct stages *stages,
			    const struct reader *reader, const struct terminal *terminal,
			    struct err *err)
{
	struct summary *summary = calloc(1, sizeof(*summary));

	if (!summary) {
		err_set(err, "out of memory");
		return NULL;
	}
	summary->options = options;
	summary->overview = overview;
	summary->packets = packets;
	summary->reader = reader;
	summary->recorded.file = options->file;
	summary->recorded.words = options->words;
	summary->recorded.chosen = options->chosen;
	if (options->kind == SUMMARY_TEXT && begin_list(summary, terminal, stages, err)) {
		summary_free(summary);
		return NULL;
	}
	return summary;
}

void summary_set_requests(struct summary *summary, struct requests_table *requests)
{
	summary->requests = requests;
}

void summary_free(struct summary *summary)
{
	if (!summary)
		return;
	drop_list(summary);
	packet_table_free(summary->table);
	free(summary);
}

bool summary_lacks(const struct summary *summary)
{
	return !summary_is_complete(&summary->recorded, *summary->packets);
}

static void summary_handle_wall_clock(void *data, const struct moment *at, uint64_t real)
{
	struct summary *summary = data;

	summary->recorded.wall = real;
	summary->recorded.wall_ts = at->ts;
}

const struct observer summary_observer = { .wall_clock = summary_handle_wall_clock };

static void add_packet(void *data, const struct packet *packet)
{
	struct summary *summary = data;

	if (summary->listed++ == MAX_LISTED)
		drop_list(summary);
	if (summary->list)
		packet_table_output.packet(summary->table, packet);
	overview_add(summary->overview, packet);
}

static void add_other(void *data, const struct packet *packet)
{
	overview_add_other(((struct summary *)data)->overview, packet);
}

static void finish_summary(void *data)
{
	struct summary *summary = data;
	struct found found;

	summary->recorded.machine = reader_machine(summary->reader);
	summary->recorded.arguments = reader_arguments(summary->reader);
	summary->recorded.cpus = reader_cpus(summary->reader);
	summary->recorded.sample = reader_sample(summary->reader);
	summary->recorded.end = reader_ring_end(summary->reader);
	summary->recorded.has_beginning = reader_has_beginning(summary->reader);
	if (arguments_match_answers(summary->recorded.arguments))
		overview_expect_answers(summary->overview);
	else if (summary->recorded.arguments)
		overview_doubt_answers(summary->overview);
	if (reader_module_losses(summary->reader).flows)
		overview_lose_flows(summary->overview);
	overview_finish(summary->overview, reader_last(summary->reader),
			!chosen_any(summary->options->chosen));
	if (overview_lacks_memory(summary->overview))
		fputs("not everything is in it: out of memory\n", stderr);
	summary_finding(summary->overview, &summary->recorded, *summary->packets, &found);
	switch (summary->options->kind) {
	case SUMMARY_TEXT:
		print_summary(summary, &found);
		print_list(summary);
		break;
	case SUMMARY_FINDING:
		print_finding(summary, &found, 3);
		break;
	case SUMMARY_JSON:
		summary_print_json(summary->overview, &summary->recorded, *summary->packets,
				   summary->requests, summary->reader);
		break;
	case SUMMARY_SERVERS:
		servers_print(summary->overview, summary->options);
		break;
	case SUMMARY_SERVERS_JSON:
		servers_print_json(summary->overview, summary->options);
		break;
	}
}

const struct output summary_output = { .packet = add_packet,
				       .other = add_other,
				       .end = finish_summary };
