/* SPDX-License-Identifier: GPL-2.0 */
/* exports.h - outputs for other programs: --perfetto, --html and --assert */
#ifndef _RECORD_SKB_EXPORTS_H
#define _RECORD_SKB_EXPORTS_H

#include <stdio.h>

#include "model/explanations.h"
#include "model/selected_numbers.h"
#include "model/stages.h"
#include "report_options.h"

/**
 * struct exports - an output for other programs
 * @output: receives the packets
 * @observer: receives the events of the recording
 * @data: passed to the functions of @output
 * @observer_data: passed to the functions of @observer
 * @explanations: the causes of drops; set before exports_prepare()
 * @has_beginning: the beginning of the recording is not missing; set before exports_finish()
 * @ring_end: the event that ended a ring; set before exports_finish()
 *
 * The other members are used internally.
 */
struct exports {
	const struct output *output;
	const struct observer *observer;
	void *data, *observer_data;
	struct explanations *explanations;
	bool has_beginning;
	const struct ring_end *ring_end;
	struct selected_numbers *selected;
	struct perfetto *perfetto;
	struct html *html;
	FILE *file;
};

/* Return: true if the selected output is a file for another program, and not text for a terminal. */
bool exports_are_files(const struct options *options);

/**
 * exports_prepare - open the output, after the recording was opened
 * @exports: filled in; all members must be 0
 * @options: the command line
 * @stages: stages of the packets; NULL for --html
 * @reads: the calls that read sockets, for --assert
 * @packets: address of a pointer to the packets; the pointer must be set before the first event
 * @err: set on failure
 *
 * Return: 0; -1 on failure.
 */
int exports_prepare(struct exports *exports, const struct options *options, struct stages *stages,
		    const struct socket_reads *reads, struct packets **packets, struct err *err);

/* Complete the output after the recording was read. Return: 0; -1 if it cannot be written. */
int exports_finish(struct exports *exports, const struct options *options, struct err *err);
void exports_free(struct exports *exports);

#endif
