// SPDX-License-Identifier: GPL-2.0
/* summary_head.c - the head of the summary, and functions that print lines in the width of the screen */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "escape.h"
#include "hosts/hosts.h"
#include "model/packet_text.h"
#include "output/completeness.h"
#include "output/hosts_section.h"
#include "output/summary_head.h"

void line_append(struct line *line, const char *format, ...)
{
	const size_t space = sizeof(line->text) - line->len;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line->text + line->len, space, format, args);
	va_end(args);
	if (n > 0)
		line->len += (size_t)n < space ? (size_t)n : space - 1;
}

void line_print(const struct line *line)
{
	char text[SUMMARY_WIDTH + 2];

	escape_text(text, sizeof(text), line->text);
	if (strlen(text) > SUMMARY_WIDTH)
		printf("%s...\n", escape_text(text, SUMMARY_WIDTH - 2, line->text));
	else
		puts(text);
}

unsigned int line_print_wrapped(const char *text, unsigned int most)
{
	struct line line = { "" };
	unsigned int nr = 1;
	size_t len, fits;

	for (; (len = strlen(text)) > SUMMARY_WIDTH && nr < most; nr++) {
		for (fits = SUMMARY_WIDTH; fits && text[fits] != ' '; fits--)
			;
		if (!fits)
			break;
		line.len = 0;
		line_append(&line, "%.*s", (int)fits, text);
		line_print(&line);
		text += fits + 1;
	}
	line.len = 0;
	line_append(&line, "%s", text);
	line_print(&line);
	return nr;
}

static void add_start(struct line *line, const struct head *head)
{
	const struct recorded *recorded = head->recorded;
	const uint64_t first = overview_first(head->overview);
	char text[64];
	time_t seconds;
	struct tm tm;

	if (!recorded->wall || words_are_in_ticks())
		return;
	/*
	 * @wall_ts may be earlier or later than the first packet. The unsigned difference gives the right
	 * result in both cases.
	 */
	seconds = (recorded->wall + first - recorded->wall_ts) / 1000000000;
	if (localtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm))
		line_append(line, " from %s", text);
}

static void print_packets(const struct head *head)
{
	const struct overview *overview = head->overview;
	const uint64_t packets = overview_packets(overview), flows = overview_flows(overview);
	const uint64_t first = overview_first(overview),
		       last = summary_last(overview, head->recorded);
	const char *slash = strrchr(head->recorded->file, '/');
	char ns[DURATION_LEN], file[33];
	struct line line = { "" };

	/*
	 * Use escape_text() to cut the name, because a precision of printf() could cut inside a character.
	 */
	escape_text(file, sizeof(file), slash ? slash + 1 : head->recorded->file);
	if (hosts_count())
		line_append(&line, "%u hosts: %llu packet%s, %llu flow%s", hosts_count(),
			    (unsigned long long)packets, plural_of(packets),
			    (unsigned long long)flows, plural_of(flows));
	else
		line_append(&line, "%s: %llu packet%s, %llu flow%s", file,
			    (unsigned long long)packets, plural_of(packets),
			    (unsigned long long)flows, plural_of(flows));
	if (packets) {
		line_append(&line, ", %s", words_duration(ns, last > first ? last - first : 0));
		add_start(&line, head);
	}
	line_print(&line);
}

/* Print the machine: "Linux 6.1.0, host vm, 2 CPUs". */
static void print_machine(const struct head *head)
{
	const struct recorded *recorded = head->recorded;
	char system[65], host[65], release[65];
	struct line line = { "" };

	if (recorded->machine &&
	    sscanf(recorded->machine, "%64s %64s %64s", system, host, release) == 3)
		line_append(&line, "%s %s, host %s, ", system, release, host);
	line_append(&line, "%d CPU%s", recorded->cpus, plural_of(recorded->cpus));
	line_print(&line);
	if (recorded->sample > 1)
		printf("sampled: one of %u flows was recorded\n", recorded->sample);
}

/*
 * Return: the length of "-o FILE " at the beginning of @arguments; 0 if there is none, or if FILE has quotes.
 */
static size_t output_option(const char *arguments)
{
	size_t len;

	if (strncmp(arguments, "-o ", 3))
		return 0;
	len = 3 + strcspn(arguments + 3, " '\"");
	return arguments[len] == ' ' ? len + 1 : 0;
}

/*
 * Print the command that made the recording: "trace-cmd record-skb -p 9000 -- ping host". The name of the
 * file is left out at the beginning, because the first line has it, and a long one would hide the filter.
 */
static void print_arguments(const struct head *head)
{
	const char *arguments = head->recorded->arguments;
	struct line line = { "" };

	line_append(&line, "trace-cmd record-skb %s", arguments + output_option(arguments));
	line_print(&line);
}

static void add_ring(struct line *line, const struct head *head)
{
	static const char *const did[] = {
		[RECORD_SKB_BY_DROP] = "was dropped",
		[RECORD_SKB_BY_SLOW] = "was there for too long",
		[RECORD_SKB_BY_MATCH] = "matched --until",
		[RECORD_SKB_BY_UNANSWERED] = "had no answer in time",
	};
	const struct ring_end *end = head->recorded->end;

	line_append(line, "a ring");
	if (end->by && end->by < sizeof(did) / sizeof(did[0]))
		line_append(line, ", ended by #%u, which %s", end->pkt, did[end->by]);
	line_append(line, "; ");
}

/*
 * Add a part to the line about completeness. Example of a line: "INCOMPLETE: 5 entries lost, 2 packets
 * affected".
 */
static void __attribute__((format(printf, 2, 3)))
add_part(struct line *line, const char *format, ...)
{
	char text[MODULE_LOSSES_LEN];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	line_append(line, "%s%s", line->len ? ", " : "INCOMPLETE: ", text);
}

/*
 * Describe the missing entries. Entries that are missing at the beginning of a ring were overwritten; they do
 * not count.
 */
static void add_missing(struct line *line, const struct head *head)
{
	const struct lost_events *losses = packets_losses(head->packets);
	const uint64_t incomplete = packets_incomplete(head->packets);
	const uint64_t missing = packets_missing(head->packets);
	const bool is_ring = head->recorded->end->is;
	uint64_t places = 0, entries = 0;
	char text[MODULE_LOSSES_LEN];
	bool counted = true;

	for (size_t i = 0; i < losses->n; i++) {
		if (is_ring && !losses->v[i].from)
			continue;
		places++;
		entries += losses->v[i].count;
		counted &= losses->v[i].count != 0;
	}
	if (places)
		add_part(line, "%llu%s %s lost in %llu place%s", (unsigned long long)entries,
			 counted ? "" : "+", counted && entries == 1 ? "entry" : "entries",
			 (unsigned long long)places, plural_of(places));
	if (losses->calls)
		add_part(line, "%llu function call%s not recorded",
			 (unsigned long long)losses->calls, plural_of(losses->calls));
	if (module_losses_any(&losses->module))
		add_part(line, "%s", words_module_losses(text, &losses->module));
	if (!head->recorded->has_beginning && !is_ring && !places)
		add_part(line, "the beginning is missing");
	if (line->len && incomplete)
		add_part(line, "%llu packet%s affected", (unsigned long long)incomplete,
			 plural_of(incomplete));
	if (places && missing && !is_ring)
		add_part(line, "%llu+ missing", (unsigned long long)missing);
}

static unsigned int print_complete(const struct head *head)
{
	struct line missing = { "" }, line = { "" };

	if (head->recorded->end->is)
		add_ring(&line, head);
	add_missing(&missing, head);
	line_append(&line, "%s", missing.len ? missing.text : "complete: no entries lost");
	return line_print_wrapped(line.text, 2);
}

unsigned int summary_head_print(const struct head *head)
{
	unsigned int lines = 2;

	print_packets(head);
	if (!hosts_count())
		print_machine(head);
	if (!hosts_count() && head->recorded->arguments) {
		print_arguments(head);
		lines++;
	}
	lines += hosts_section_print(stdout, head->reader);
	return lines + print_complete(head);
}
