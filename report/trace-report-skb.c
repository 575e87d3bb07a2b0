// SPDX-License-Identifier: GPL-2.0
/* trace-report-skb.c - trace-cmd report-skb: show a recording of trace-cmd record-skb, packet by packet */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "escape.h"
#include "output/diff.h"
#include "output/kernelshark_session.h"
#include "output/hosts_section.h"
#include "input/joined_reader.h"
#include "live_lines.h"
#include "early_output.h"
#include "output/live.h"
#include "loss_messages.h"
#include "report_output.h"
#include "model/packet_text.h"

/* Exit status with --strict if rows were lost. */
#define EXIT_INCOMPLETE 3
#define EXIT_NO_PACKET	1
/* Exit status if an assertion failed. */
#define EXIT_ASSERTION 4

static int print_error(const struct err *err)
{
	char text[ESCAPED_LEN(sizeof(err->text))];

	fprintf(stderr, "trace-cmd report-skb: %s\n", escape_text(text, sizeof(text), err->text));
	return err->status;
}

static int report_no_packet(const struct options *options, uint32_t number, struct err *err)
{
	err_set(err, "'%s' has no packet #%u; --list shows its packets", options->input, number);
	err->status = EXIT_NO_PACKET;
	return -1;
}

static int finish_output(struct report_output *shown, const struct options *options,
			 struct err *err)
{
	int ret = 0;

	packets_end(shown->packets);
	if (streams_output_end(&shown->streams, err))
		ret = -1;
	packet_filter_output.end(shown->filter);
	if (streams_output_print(&shown->streams, options, err))
		ret = -1;
	if (shown->flamegraph)
		flamegraph_print(shown->flamegraph);
	if (shown->whole && !whole_graph_end(shown->whole))
		ret = report_no_packet(options, options->packet, err);
	if (shown->graph && !packet_graph_end(shown->graph))
		ret = report_no_packet(options, options->packet, err);
	if (options->show == SHOW_PACKET && !ret)
		packet_graph_print_reset(resets_find(shown->resets, options->packet));
	if (options->why && !why_found(shown->why))
		ret = report_no_packet(options, options->why, err);
	if (exports_finish(&shown->exports, options, err))
		ret = -1;
	if (shown->pcapng && pcapng_close(shown->pcapng, err))
		ret = -1;
	shown->pcapng = NULL;
	if (!ret && (fflush(stdout) || ferror(stdout)))
		ret = err_set(err, "cannot write: %s", strerror(errno));
	return ret;
}

/*
 * Return: true if the output needs nothing but the packets, in the order of their numbers. To print a packet,
 * all other outputs also need packets or calls that come later in the file.
 */
static bool takes_packets_early(enum show show)
{
	return show == SHOW_TABLE || show == SHOW_JSON || show == SHOW_PACKET ||
	       show == SHOW_FLOWS || show == SHOW_LATENCY || show == SHOW_SLOWEST ||
	       show == SHOW_FLAMEGRAPH || show == SHOW_SUMMARY || show == SHOW_SERVERS ||
	       show == SHOW_WHY || show == SHOW_BYTES || show == SHOW_REQUESTS;
}

/*
 * Return: true if the output needs the rows after the last selected packet, because an answer after that
 * packet decides if a request was answered.
 */
static bool needs_all_rows(enum show show)
{
	return show == SHOW_SUMMARY || show == SHOW_SERVERS || show == SHOW_LATENCY ||
	       show == SHOW_BYTES || show == SHOW_REQUESTS;
}

/* Prepare to pass packets to the output while the file is read, and to show the progress. */
static int prepare_reading(struct report_output *shown, const struct options *options,
			   struct reader *reader, struct err *err)
{
	const bool shows_rows = options->show == SHOW_TABLE || options->show == SHOW_JSON ||
				options->show == SHOW_PACKET;

	shown->early = (struct early_output){
		.packets = shown->packets,
		.progress = &shown->progress,
		.wants_order = takes_packets_early(options->show),
		.packet = options->show == SHOW_PACKET ? options->packet : 0,
		.to = needs_all_rows(options->show) ? UINT64_MAX : options->chosen.to,
	};
	if (shows_rows && shown->terminal->is_terminal)
		progress_disable(&shown->progress);
	return early_output_begin(&shown->early, reader, err);
}

static int read_all(struct report_output *shown, struct reader *reader,
		    const struct options *options, struct err *err)
{
	if (report_output_prepare(shown, options, reader, err) ||
	    prepare_reading(shown, options, reader, err))
		return -1;
	if (shown->explanations)
		explanations_set_names(shown->explanations, reader_names(reader));
	if (shown->resets)
		resets_set_names(shown->resets, reader_names(reader));
	/* A capture file or an export is not text, so do not start the pager. */
	if (options->show != SHOW_PCAP && !exports_are_files(options))
		terminal_start_pager(shown->terminal);
	report_output_add_observers(shown, reader);
	packet_filter_output.begin(shown->filter);
	fflush(stdout);
	reader_run(reader);
	packets_set_module_losses(shown->packets, reader_module_losses(reader));
	progress_clear(&shown->progress);
	shown->exports.has_beginning = reader_has_beginning(reader);
	shown->exports.ring_end = reader_ring_end(reader);
	/* The summary already names the packet that ended the ring. */
	if (options->show != SHOW_SUMMARY)
		ring_end_print(reader_ring_end(reader), options);
	return finish_output(shown, options, err);
}

static int report_recording(const struct options *options, struct terminal *terminal,
			    struct err *err)
{
	bool lost;
	struct report_output shown = { .terminal = terminal };
	struct reader *reader;
	int ret;

	/*
	 * Check the expression before the file is opened. If the user mistyped the name of a file, it was
	 * taken as an expression. The message about a wrong expression then helps more than a message about
	 * the file.
	 */
	shown.filter = packet_filter_new(&options->chosen, err);
	if (!shown.filter)
		return print_error(err);
	reader = options->nr_files ? joined_open(options->files, options->nr_files,
						 options->offsets, options->nr_offsets, err) :
				     reader_open(options->input, err);
	if (!reader) {
		packet_filter_free(shown.filter);
		return print_error(err);
	}
	if (words_are_in_ticks())
		fprintf(stderr,
			"the clock of this recording does not count nanoseconds: times are in its ticks\n");
	progress_begin(&shown.progress);
	ret = read_all(&shown, reader, options, err);
	progress_end(&shown.progress);
	if (ret) {
		ret = print_error(err);
	} else {
		if (shown.latency)
			latency_print_longest(shown.latency);
		packet_filter_print_count(shown.filter, reader_was_stopped(reader));
		lost = options->show == SHOW_SUMMARY ? summary_lacks(shown.summary) :
						       losses_print(shown.packets, reader);
		if (reader_ended_early(reader))
			fputs("not read to its end: libtracecmd could not read all data of a CPU. Its limit "
			      "is 2 GB for one CPU without compression; record less with --until size=SIZE\n",
			      stderr);
		if (shown.why ? why_shows_places(shown.why) : options->show == SHOW_PACKET)
			reader_print_source_files(stderr, reader);
		if (options->show != SHOW_SUMMARY)
			hosts_section_print_left(stderr, reader);
		if (options->strict && lost)
			ret = EXIT_INCOMPLETE;
		if (options->show == SHOW_ASSERT &&
		    assertions_print(options->assertions, reader_has_beginning(reader)))
			ret = EXIT_ASSERTION;
	}
	report_output_free(&shown);
	reader_close(reader);
	return ret;
}

static int compare_recordings(const struct options *options, struct terminal *terminal,
			      struct err *err)
{
	const struct diff_side sides[] = {
		{ options->input, &options->chosen },
		{ options->other, &options->other_chosen },
	};
	struct progress progress;
	int lost;

	progress_begin(&progress);
	terminal_start_pager(terminal);
	lost = diff_print(sides, &progress, err);
	progress_end(&progress);
	if (!lost && (fflush(stdout) || ferror(stdout)))
		lost = err_set(err, "cannot write: %s", strerror(errno));
	if (lost < 0)
		return print_error(err);
	fputs(lost ? "incomplete: entries were lost\n" : "complete: no entries lost\n", stderr);
	return lost && options->strict ? EXIT_INCOMPLETE : 0;
}

/*
 * For --html: run the summary in a child process and read its output. The summary and the page need different
 * objects, and each reads the recording on its own.
 *
 * Return: the text of the summary; NULL if it cannot be read.
 */
static char *read_summary(const struct options *options)
{
	struct options own = *options;
	struct terminal terminal = { 0 };
	FILE *file = tmpfile();
	char *text = NULL;
	struct err err;
	long len;
	pid_t pid;

	if (!file)
		return NULL;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		own.show = SHOW_SUMMARY;
		own.is_wide = true;
		if (dup2(fileno(file), STDOUT_FILENO) >= 0 && freopen("/dev/null", "w", stderr))
			report_recording(&own, &terminal, &err);
		fflush(stdout);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
	len = pid > 0 && !fseek(file, 0, SEEK_END) ? ftell(file) : 0;
	rewind(file);
	text = len > 0 ? calloc(1, len + 1) : NULL;
	if (text && fread(text, 1, len, file) != (size_t)len)
		*text = '\0';
	fclose(file);
	return text;
}

int main(int argc, char **argv)
{
	struct options options;
	struct terminal terminal = terminal_examine();
	struct err err;
	int ret;

	if (argc > 1 && !strcmp(argv[1], LIVE_ARG))
		return live_main(argc, argv);
	if (argc == 3 && !strcmp(argv[1], FINDING_ARG)) {
		options = options_for_finding(argv[2]);
		ret = 0;
	} else {
		ret = options_parse(&options, argc, argv, &err);
	}
	if (!ret && options.show == SHOW_HTML)
		options.summary = read_summary(&options);
	if (ret < 0)
		ret = print_error(&err);
	else if (ret > 0)
		ret = 0;
	else if (options.show == SHOW_KERNELSHARK)
		ret = kernelshark_session_write(&options, &err) ? print_error(&err) : 0;
	else
		ret = options.show == SHOW_DIFF ? compare_recordings(&options, &terminal, &err) :
						  report_recording(&options, &terminal, &err);
	options_free(&options);
	terminal_wait_for_pager(&terminal);
	return ret;
}
