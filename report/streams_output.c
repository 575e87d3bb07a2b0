// SPDX-License-Identifier: GPL-2.0
/*
 * streams_output.c - print byte streams (--bytes) and requests (--requests, and the section of other
 * outputs)
 */
#include "model/arguments.h"
#include "option_checks.h"
#include "streams_output.h"

static int prepare_bytes(struct streams_output *output, const struct options *options,
			 struct reader *reader, struct err *err)
{
	const struct bytes_options bytes_options = {
		.flow = options->bytes_flow ? options->bytes_flow : options->chosen.flow,
		.json = options->is_json,
	};

	output->bytes = bytes_new(&bytes_options, reader_names(reader));
	if (output->bytes)
		output->streams = byte_streams_create(bytes_print_piece, output->bytes);
	return output->streams ? 0 : err_set(err, "out of memory");
}

/* Create the streams from which the requests are found. */
static int prepare_streams(struct streams_output *output, struct err *err)
{
	if (output->requests)
		output->streams = byte_streams_create(requests_handle_piece, output->requests);
	if (!output->streams)
		return err_set(err, "out of memory");
	requests_set_losses(output->requests, byte_streams_losses(output->streams));
	return 0;
}

static int prepare_requests(struct streams_output *output, const struct options *options,
			    struct err *err)
{
	const bool is_table = options->show == SHOW_REQUESTS;

	output->requests_options = (struct requests_options){
		.by_total = options->slowest || (is_table && options_order(options)),
		.top = options->slowest ? options->slowest : options->top,
		.json = options->is_json,
		.no_rows = !is_table,
		.chosen = &options->chosen,
	};
	output->table = requests_table_new(&output->requests_options);
	if (output->table)
		output->requests = requests_create(requests_table_add, output->table);
	return prepare_streams(output, err);
}

static int prepare_request_times(struct streams_output *output, struct err *err)
{
	output->times = request_times_new();
	if (output->times)
		output->requests = requests_create(request_times_add, output->times);
	return prepare_streams(output, err);
}

/*
 * Return: true if the output shows the requests in addition to the packets. No output does if packets are
 * selected, because requests do not belong to a packet.
 */
static bool adds_requests(const struct options *options)
{
	return (options->show == SHOW_SUMMARY || options->show == SHOW_LATENCY) &&
	       !options->is_finding && !chosen_any(&options->chosen);
}

int streams_output_prepare(struct streams_output *output, const struct options *options,
			   struct reader *reader, struct err *err)
{
	output->reader = reader;
	if (options->show == SHOW_BYTES)
		return prepare_bytes(output, options, reader, err);
	if (options->show == SHOW_REQUESTS || adds_requests(options))
		return prepare_requests(output, options, err);
	if (options->show == SHOW_PCAP)
		return prepare_request_times(output, err);
	return 0;
}

/* The arguments of record-skb tell if an answer that is not recorded was not sent. */
static void expect_answers(struct streams_output *output)
{
	if (!arguments_match_answers(reader_arguments(output->reader)))
		return;
	if (output->bytes)
		bytes_expect_packets(output->bytes);
	if (output->requests)
		requests_expect_answers(output->requests);
}

int streams_output_end(struct streams_output *output, struct err *err)
{
	bool failed;

	if (!output->streams)
		return 0;
	expect_answers(output);
	byte_streams_end(output->streams);
	failed = byte_streams_failed(output->streams);
	if (output->requests) {
		requests_end(output->requests);
		if (output->table)
			requests_table_set_counts(output->table, output->requests);
		failed |= output->times && request_times_failed(output->times);
		failed |= requests_failed(output->requests);
	}
	return failed ? err_set(err, "out of memory") : 0;
}

int streams_output_print(struct streams_output *output, const struct options *options,
			 struct err *err)
{
	if (output->bytes)
		bytes_end(output->bytes);
	if (options->show == SHOW_REQUESTS && !requests_table_print(output->table))
		return err_set(err, "out of memory");
	return 0;
}

void streams_output_free(struct streams_output *output)
{
	byte_streams_free(output->streams);
	bytes_free(output->bytes);
	requests_free(output->requests);
	requests_table_free(output->table);
	request_times_free(output->times);
}
