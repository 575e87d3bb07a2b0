// SPDX-License-Identifier: GPL-2.0
/* trace-report-skb.c - trace-cmd report-skb: show a recording of trace-cmd record-skb, packet by packet */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "escape.h"
#include "output/diff.h"
#include "output/flows.h"
#include "output/flamegraph.h"
#include "output/packet_graph.h"
#include "output/json.h"
#include "output/kernelshark_session.h"
#include "output/hosts_section.h"
#include "output/latency.h"
#include "output/packet_table.h"
#include "input/joined_reader.h"
#include "live_lines.h"
#include "early_output.h"
#include "exports.h"
#include "output/live.h"
#include "loss_messages.h"
#include "option_checks.h"
#include "report_options.h"
#include "streams_output.h"
#include "output/pcapng.h"
#include "output/terminal.h"
#include "model/packet_filter.h"
#include "output/slowest.h"
#include "output/summary.h"
#include "output/why.h"
#include "output/whole_graph.h"
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

static void ignore_packet(void *data, const struct packet *packet)
{
	(void)data;
	(void)packet;
}

static const struct output no_output = { .packet = ignore_packet };

/*
 * All objects that the outputs of the report use. An object that the selected output does not need is NULL.
 */
struct shown {
	struct packets *packets;
	struct packet_filter *filter;
	struct stages *stages;
	struct latency_options latency_options;
	struct flows_options flows_options;
	struct latency *latency;
	struct overview *overview;
	struct socket_reads *reads;
	struct explanations *explanations;
	struct drop_evidence *evidence;
	struct resets *resets;
	struct summary_options summary_options;
	struct summary *summary;
	struct why_options why_options;
	struct slowest *slowest;
	struct why *why;
	struct packet_table *table;
	struct flows *flows;
	struct streams_output streams;
	struct flamegraph *flamegraph;
	struct packet_graph *graph;
	struct whole_graph *whole;
	struct pcapng *pcapng;
	struct exports exports;
	struct captured_frames *frames;
	struct terminal *terminal;
	struct progress progress;
	struct early_output early;
	const struct output *output;
	void *output_data;
};

static int prepare_latency(struct shown *shown, const struct options *options,
			   const struct output *output, const struct reader *reader,
			   struct err *err)
{
	if (!output) {
		shown->reads = socket_reads_create();
		if (!shown->reads)
			return err_set(err, "out of memory");
	}
	shown->latency_options = (struct latency_options){
		.group = options->latency_group,
		.order = options->show == SHOW_LATENCY ? options_order(options) : 0,
		.top = options->top,
		.json = options->is_json,
		.reads = shown->reads,
		.reader = reader,
	};
	if (!shown->stages)
		shown->stages = stages_new();
	if (shown->stages)
		shown->latency = latency_new(&shown->latency_options, shown->stages,
					     &shown->packets, output, shown->table);
	if (!shown->latency)
		return err_set(err, "out of memory");
	shown->output = &latency_output;
	shown->output_data = shown->latency;
	latency_set_requests(shown->latency, shown->streams.table);
	return 0;
}

/*
 * Prepare the table of packets. A line about the longest delay follows the table, so a struct latency is
 * needed, too.
 */
static int prepare_table(struct shown *shown, const struct options *options, struct err *err)
{
	shown->stages = stages_new();
	if (!shown->stages)
		return err_set(err, "out of memory");
	shown->table = packet_table_new(options->columns, options->is_wide, shown->terminal,
					&shown->packets, shown->stages, err);
	return shown->table ? prepare_latency(shown, options, &packet_table_output, NULL, err) : -1;
}

static int prepare_slowest(struct shown *shown, uint32_t n, struct err *err)
{
	shown->stages = stages_new();
	if (shown->stages)
		shown->slowest = slowest_new(n, shown->stages, &shown->packets);
	if (!shown->slowest)
		return err_set(err, "out of memory");
	shown->output = &slowest_output;
	shown->output_data = shown->slowest;
	return 0;
}

/* Prepare to collect the causes of drops. Return: false if there is not enough memory. */
static bool prepare_explanations(struct shown *shown)
{
	shown->explanations = explanations_create(&shown->packets);
	shown->evidence = drop_evidence_create();
	if (!shown->explanations)
		return false;
	explanations_set_evidence(shown->explanations, shown->evidence);
	return true;
}

static int prepare_why(struct shown *shown, const struct options *options, struct err *err)
{
	shown->resets = resets_create();
	shown->why_options = (struct why_options){
		.number = options->why,
		.chosen = &options->chosen,
		.json = options->is_json,
		.by_time = options_order(options),
		.top = options->top,
	};
	if (prepare_explanations(shown) && shown->resets)
		shown->why = why_new(&shown->why_options, shown->explanations, shown->resets,
				     &shown->packets);
	if (!shown->why)
		return err_set(err, "out of memory");
	shown->output = &why_output;
	shown->output_data = shown->why;
	return 0;
}

/* Return: the kind of summary that the options select. */
static enum summary_kind summary_kind(const struct options *options)
{
	if (options->show == SHOW_SERVERS)
		return options->is_json ? SUMMARY_SERVERS_JSON : SUMMARY_SERVERS;
	if (options->is_finding)
		return SUMMARY_FINDING;
	return options->is_json ? SUMMARY_JSON : SUMMARY_TEXT;
}

static int prepare_summary(struct shown *shown, const struct options *options,
			   const struct reader *reader, struct err *err)
{
	shown->stages = stages_new();
	shown->reads = socket_reads_create();
	shown->resets = resets_create();
	if (prepare_explanations(shown) && shown->stages && shown->reads && shown->resets)
		shown->overview = overview_create(shown->stages, &shown->packets, shown->reads,
						  shown->explanations, shown->resets);
	if (!shown->overview)
		return err_set(err, "out of memory");
	shown->summary_options = (struct summary_options){
		.kind = summary_kind(options),
		.file = options->input,
		.words = options->words,
		.chosen = &options->chosen,
		.is_wide = options->is_wide,
		.order = (enum server_order)options_order(options),
		.top = options->top,
	};
	shown->summary = summary_new(&shown->summary_options, shown->overview, &shown->packets,
				     shown->stages, reader, shown->terminal, err);
	if (!shown->summary)
		return -1;
	shown->output = &summary_output;
	shown->output_data = shown->summary;
	summary_set_requests(shown->summary, shown->streams.table);
	return 0;
}

static int prepare_flamegraph(struct shown *shown, const struct options *options, struct err *err)
{
	shown->flamegraph = flamegraph_new(chosen_any(&options->chosen));
	if (!shown->flamegraph)
		return err_set(err, "out of memory");
	shown->output = &flamegraph_output;
	shown->output_data = shown->flamegraph;
	return 0;
}

static int prepare_exports(struct shown *shown, const struct options *options, struct err *err)
{
	/*
	 * The HTML page does not show stages. Do not collect them, because they need memory for each packet.
	 */
	if (options->show != SHOW_HTML)
		shown->stages = stages_new();
	shown->reads = socket_reads_create();
	if (!shown->reads || (!shown->stages && options->show != SHOW_HTML))
		return err_set(err, "out of memory");
	if (options->show != SHOW_ASSERT && !prepare_explanations(shown))
		return err_set(err, "out of memory");
	shown->exports.explanations = shown->explanations;
	if (exports_prepare(&shown->exports, options, shown->stages, shown->reads, &shown->packets,
			    err))
		return -1;
	shown->output = shown->exports.output;
	shown->output_data = shown->exports.data;
	return 0;
}

static int prepare_output(struct shown *shown, const struct options *options, struct reader *reader,
			  struct err *err)
{
	shown->output = &no_output;
	if (streams_output_prepare(&shown->streams, options, reader, err))
		return -1;
	switch (options->show) {
	case SHOW_SUMMARY:
	case SHOW_SERVERS:
		return prepare_summary(shown, options, reader, err);
	case SHOW_TABLE:
		return prepare_table(shown, options, err);
	case SHOW_SLOWEST:
		return prepare_slowest(shown, options->slowest, err);
	case SHOW_WHY:
		return prepare_why(shown, options, err);
	case SHOW_KERNELSHARK: /* handled by main() */
	case SHOW_DIFF:	       /* handled by compare_recordings() */
		break;
	case SHOW_LATENCY:
		return prepare_latency(shown, options, NULL, reader, err);
	case SHOW_JSON:
		shown->output = &json_output;
		shown->output_data = &shown->packets;
		break;
	case SHOW_FLOWS:
		shown->output = &flows_output;
		shown->flows_options = (struct flows_options){
			.order = options_order(options),
			.top = options->top,
			.json = options->is_json,
		};
		shown->output_data = shown->flows = flows_new(&shown->flows_options);
		if (!shown->flows)
			return err_set(err, "out of memory");
		break;
	case SHOW_BYTES:
	case SHOW_REQUESTS:
		break;
	case SHOW_FLAMEGRAPH:
		return prepare_flamegraph(shown, options, err);
	case SHOW_PACKET:
		if (options->is_whole)
			shown->whole = whole_graph_new(options->packet, stdout);
		else
			shown->graph = packet_graph_new(options->packet, stdout, "");
		shown->resets = resets_create();
		if (!shown->resets || (!shown->graph && !shown->whole))
			return err_set(err, "out of memory");
		if (shown->graph)
			packet_graph_set_packets(shown->graph, &shown->packets);
		break;
	case SHOW_PERFETTO:
	case SHOW_HTML:
	case SHOW_ASSERT:
		return prepare_exports(shown, options, err);
	case SHOW_PCAP:
		if (words_are_in_ticks())
			return err_set(err,
				       "'%s' has no times of the day, which --pcap needs: "
				       "its clock does not count nanoseconds",
				       options->input);
		shown->frames = captured_frames_new(err);
		if (!shown->frames)
			return -1;
		shown->stages = stages_new();
		if (!shown->stages)
			return err_set(err, "out of memory");
		shown->pcapng = pcapng_new(options->pcap, options->input, &shown->packets,
					   shown->frames, err);
		if (!shown->pcapng)
			return -1;
		pcapng_set_models(shown->pcapng, shown->stages, shown->streams.times);
		shown->output = &pcapng_output;
		shown->output_data = shown->pcapng;
		break;
	}
	return 0;
}

static int prepare_packets(struct shown *shown, const struct options *options,
			   struct reader *reader, struct err *err)
{
	if (prepare_output(shown, options, reader, err))
		return -1;
	shown->packets = packets_new(&packet_filter_output, shown->filter, shown->frames);
	if (!shown->packets)
		return err_set(err, "out of memory");
	packets_set_netns_names(shown->packets, reader_netns_names(reader));
	packet_filter_set_output(shown->filter, shown->output, shown->output_data, shown->packets);
	if (shown->stages)
		stages_set_packets(shown->stages, shown->packets);
	return 0;
}

static int report_no_packet(const struct options *options, uint32_t number, struct err *err)
{
	err_set(err, "'%s' has no packet #%u", options->input, number);
	err->status = EXIT_NO_PACKET;
	return -1;
}

static int finish_output(struct shown *shown, const struct options *options, struct err *err)
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

static void add_observers(const struct shown *shown, struct reader *reader)
{
	if (shown->stages)
		reader_add_observer(reader, &stages_before_observer, shown->stages);
	reader_add_observer(reader, &packets_observer, shown->packets);
	reader_add_observer(reader, &packet_filter_observer, shown->filter);
	if (shown->stages)
		reader_add_observer(reader, &stages_after_observer, shown->stages);
	if (shown->explanations)
		reader_add_observer(reader, &explanations_observer, shown->explanations);
	if (shown->evidence)
		reader_add_observer(reader, &drop_evidence_observer, shown->evidence);
	if (shown->resets)
		reader_add_observer(reader, &resets_observer, shown->resets);
	if (shown->summary)
		reader_add_observer(reader, &summary_observer, shown->summary);
	if (shown->reads)
		reader_add_observer(reader, &socket_reads_observer, shown->reads);
	if (shown->slowest)
		reader_add_observer(reader, &slowest_observer, shown->slowest);
	if (shown->streams.streams)
		reader_add_observer(reader, &byte_streams_observer, shown->streams.streams);
	if (shown->flamegraph)
		reader_add_observer(reader, &flamegraph_observer, shown->flamegraph);
	if (shown->graph)
		reader_add_observer(reader, &packet_graph_observer, shown->graph);
	if (shown->whole)
		reader_add_observer(reader, &whole_graph_observer, shown->whole);
	if (shown->exports.observer)
		reader_add_observer(reader, shown->exports.observer, shown->exports.observer_data);
	if (shown->pcapng) {
		reader_add_observer(reader, &pcapng_observer, shown->pcapng);
		reader_add_observer(reader, &packet_graphs_observer, pcapng_graphs(shown->pcapng));
	}
}

/*
 * Return: true if the output needs packets only in the order of their numbers. When any other output prints
 * a packet, it also uses later packets or calls.
 */
static bool takes_packets_early(enum show show)
{
	return show == SHOW_TABLE || show == SHOW_JSON || show == SHOW_PACKET ||
	       show == SHOW_FLOWS || show == SHOW_LATENCY || show == SHOW_SLOWEST ||
	       show == SHOW_FLAMEGRAPH;
}

/* Prepare to pass packets to the output while the file is read, and to show the progress. */
static int prepare_reading(struct shown *shown, const struct options *options,
			   struct reader *reader, struct err *err)
{
	const bool shows_rows = options->show == SHOW_TABLE || options->show == SHOW_JSON ||
				options->show == SHOW_PACKET;

	shown->early = (struct early_output){
		.packets = shown->packets,
		.progress = &shown->progress,
		.wants_order = takes_packets_early(options->show),
		.packet = options->show == SHOW_PACKET ? options->packet : 0,
		.to = options->chosen.to,
	};
	if (shows_rows && shown->terminal->is_terminal)
		progress_disable(&shown->progress);
	return early_output_begin(&shown->early, reader, err);
}

static int read_all(struct shown *shown, struct reader *reader, const struct options *options,
		    struct err *err)
{
	if (prepare_packets(shown, options, reader, err) ||
	    prepare_reading(shown, options, reader, err))
		return -1;
	if (shown->explanations)
		explanations_set_names(shown->explanations, reader_names(reader));
	if (shown->resets)
		resets_set_names(shown->resets, reader_names(reader));
	/* A capture file or an export is not text, so do not start the pager. */
	if (options->show != SHOW_PCAP && !exports_are_files(options))
		terminal_start_pager(shown->terminal);
	add_observers(shown, reader);
	packet_filter_output.begin(shown->filter);
	fflush(stdout);
	reader_run(reader);
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
	struct shown shown = { .terminal = terminal };
	struct reader *reader;
	int ret;

	/*
	 * Check the expression before the file is opened: a wrong expression may be a mistyped file name,
	 * and the message about it helps more.
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
	flows_free(shown.flows);
	streams_output_free(&shown.streams);
	flamegraph_free(shown.flamegraph);
	packet_graph_free(shown.graph);
	whole_graph_free(shown.whole);
	packets_free(shown.packets);
	packet_filter_free(shown.filter);
	captured_frames_free(shown.frames);
	exports_free(&shown.exports);
	latency_free(shown.latency);
	summary_free(shown.summary);
	overview_free(shown.overview);
	socket_reads_free(shown.reads);
	slowest_free(shown.slowest);
	why_free(shown.why);
	explanations_free(shown.explanations);
	resets_free(shown.resets);
	drop_evidence_free(shown.evidence);
	packet_table_free(shown.table);
	stages_free(shown.stages);
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
 * Return: the text of the summary, for --html; NULL if it cannot be read. A child process writes it, because
 * the summary and the page need different objects and read the recording on their own.
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
