// SPDX-License-Identifier: GPL-2.0
/*
 * report_output.c - create the objects of the output that the options select, connect them with the reader,
 * and free them
 */
#include "model/packet_text.h"
#include "option_checks.h"
#include "output/json.h"
#include "report_output.h"

static void ignore_packet(void *data, const struct packet *packet)
{
	(void)data;
	(void)packet;
}

static const struct output no_output = { .packet = ignore_packet };

static int prepare_latency(struct report_output *shown, const struct options *options,
			   const struct output *output, const struct reader *reader,
			   struct err *err)
{
	shown->reads = socket_reads_create();
	if (!shown->reads)
		return err_set(err, "out of memory");
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
 * Prepare the table of packets. A line about the longest delay follows the table, so the table also needs a
 * struct latency.
 */
static int prepare_table(struct report_output *shown, const struct options *options,
			 const struct reader *reader, struct err *err)
{
	shown->stages = stages_new();
	if (!shown->stages)
		return err_set(err, "out of memory");
	shown->table = packet_table_new(options->columns, options->is_wide, shown->terminal,
					&shown->packets, shown->stages, err);
	return shown->table ? prepare_latency(shown, options, &packet_table_output, reader, err) :
			      -1;
}

static int prepare_slowest(struct report_output *shown, uint32_t n, struct err *err)
{
	shown->stages = stages_new();
	shown->reads = socket_reads_create();
	if (shown->stages && shown->reads)
		shown->slowest = slowest_new(n, shown->stages, shown->reads, &shown->packets);
	if (!shown->slowest)
		return err_set(err, "out of memory");
	shown->output = &slowest_output;
	shown->output_data = shown->slowest;
	return 0;
}

/* Prepare to collect the causes of drops. Return: false if there is not enough memory. */
static bool prepare_explanations(struct report_output *shown)
{
	shown->explanations = explanations_create(&shown->packets);
	shown->evidence = drop_evidence_create();
	if (!shown->explanations)
		return false;
	explanations_set_evidence(shown->explanations, shown->evidence);
	return true;
}

static int prepare_why(struct report_output *shown, const struct options *options, struct err *err)
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

static int prepare_summary(struct report_output *shown, const struct options *options,
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

static int prepare_flamegraph(struct report_output *shown, const struct options *options,
			      struct err *err)
{
	shown->flamegraph = flamegraph_new(chosen_any(&options->chosen));
	if (!shown->flamegraph)
		return err_set(err, "out of memory");
	shown->output = &flamegraph_output;
	shown->output_data = shown->flamegraph;
	return 0;
}

static int prepare_exports(struct report_output *shown, const struct options *options,
			   struct err *err)
{
	/*
	 * --html does not show stages. Do not collect stages for it, because they need memory for each
	 * packet.
	 */
	if (options->show != SHOW_HTML)
		shown->stages = stages_new();
	shown->reads = socket_reads_create();
	if (!shown->reads || (!shown->stages && options->show != SHOW_HTML))
		return err_set(err, "out of memory");
	if (!prepare_explanations(shown))
		return err_set(err, "out of memory");
	shown->exports.explanations = shown->explanations;
	if (exports_prepare(&shown->exports, options, shown->stages, shown->reads, &shown->packets,
			    err))
		return -1;
	shown->output = shown->exports.output;
	shown->output_data = shown->exports.data;
	return 0;
}

static int prepare_output(struct report_output *shown, const struct options *options,
			  struct reader *reader, struct err *err)
{
	shown->output = &no_output;
	if (streams_output_prepare(&shown->streams, options, reader, err))
		return -1;
	switch (options->show) {
	case SHOW_SUMMARY:
	case SHOW_SERVERS:
		return prepare_summary(shown, options, reader, err);
	case SHOW_TABLE:
		return prepare_table(shown, options, reader, err);
	case SHOW_SLOWEST:
		return prepare_slowest(shown, options->slowest, err);
	case SHOW_WHY:
		return prepare_why(shown, options, err);
	case SHOW_KERNELSHARK: /* main() handles this output */
	case SHOW_DIFF:	       /* compare_recordings() handles this output */
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
				       "'%s' has no wall clock times, which --pcap needs: its "
				       "trace clock does not count nanoseconds",
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

int report_output_prepare(struct report_output *shown, const struct options *options,
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
	if (shown->resets)
		resets_set_packets(shown->resets, shown->packets);
	if (shown->streams.streams)
		byte_streams_set_packets(shown->streams.streams, shown->packets);
	return 0;
}

void report_output_add_observers(const struct report_output *shown, struct reader *reader)
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

void report_output_free(struct report_output *shown)
{
	flows_free(shown->flows);
	streams_output_free(&shown->streams);
	flamegraph_free(shown->flamegraph);
	packet_graph_free(shown->graph);
	whole_graph_free(shown->whole);
	packets_free(shown->packets);
	packet_filter_free(shown->filter);
	captured_frames_free(shown->frames);
	exports_free(&shown->exports);
	latency_free(shown->latency);
	summary_free(shown->summary);
	overview_free(shown->overview);
	socket_reads_free(shown->reads);
	slowest_free(shown->slowest);
	why_free(shown->why);
	explanations_free(shown->explanations);
	resets_free(shown->resets);
	drop_evidence_free(shown->evidence);
	packet_table_free(shown->table);
	stages_free(shown->stages);
}
