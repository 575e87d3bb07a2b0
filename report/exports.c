// SPDX-License-Identifier: GPL-2.0
/* exports.c - outputs for other programs: --perfetto, --html and --assert */
#include "exports.h"
#include "model/packet_text.h"
#include "output/assertions.h"
#include "output/html.h"
#include "output/output_file.h"
#include "output/perfetto.h"

bool exports_are_files(const struct options *options)
{
	return options->show == SHOW_PERFETTO || options->show == SHOW_HTML;
}

static int prepare_perfetto(struct exports *exports, const struct options *options,
			    struct stages *stages, struct packets **packets, struct err *err)
{
	if (words_are_in_ticks())
		return err_set(err,
			       "--perfetto cannot show '%s': its trace clock does not count "
			       "nanoseconds",
			       options->input);
	exports->file = output_file_open(options->file, options->input, "--perfetto", err);
	if (!exports->file)
		return -1;
	exports->perfetto = perfetto_new(exports->file, exports->selected, stages,
					 exports->explanations, packets);
	if (!exports->perfetto)
		return err_set(err, "out of memory");
	exports->output = &perfetto_output;
	exports->observer = &perfetto_observer;
	exports->data = exports->observer_data = exports->perfetto;
	return 0;
}

static int prepare_html(struct exports *exports, const struct options *options,
			struct packets **packets, struct err *err)
{
	exports->file = output_file_open(options->file, options->input, "--html", err);
	if (!exports->file)
		return -1;
	exports->html = html_new(exports->selected, exports->explanations, packets);
	if (!exports->html)
		return err_set(err, "out of memory");
	exports->output = &html_output;
	exports->observer = &packet_graphs_observer;
	exports->observer_data = html_graphs(exports->html);
	exports->data = exports->html;
	return 0;
}

int exports_prepare(struct exports *exports, const struct options *options, struct stages *stages,
		    const struct socket_reads *reads, struct packets **packets, struct err *err)
{
	exports->selected = selected_numbers_read(options->input, &options->chosen, err);
	if (!exports->selected)
		return -1;
	if (options->show == SHOW_PERFETTO)
		return prepare_perfetto(exports, options, stages, packets, err);
	if (options->show == SHOW_HTML)
		return prepare_html(exports, options, packets, err);
	if (words_are_in_ticks() && assertions_have_times(options->assertions))
		return err_set(err,
			       "--assert cannot check '%s': its trace clock does not count "
			       "nanoseconds",
			       options->input);
	if (assertions_begin(options->assertions, &options->chosen, exports->selected, stages,
			     reads, exports->explanations, packets))
		return err_set(err, "out of memory");
	exports->output = &assertions_output;
	exports->observer = &assertions_observer;
	exports->data = exports->observer_data = options->assertions;
	return 0;
}

int exports_finish(struct exports *exports, const struct options *options, struct err *err)
{
	const struct html_about about = {
		.recording = options->input,
		.chosen = &options->chosen,
		.summary = options->summary,
		.has_beginning = exports->has_beginning,
		.ring_end = exports->ring_end,
	};

	if (exports->perfetto)
		perfetto_end(exports->perfetto, exports->ring_end, exports->has_beginning);
	if (exports->html)
		html_write(exports->html, exports->file, &about);
	return exports->file ? output_file_close(exports->file, options->file, err) : 0;
}

void exports_free(struct exports *exports)
{
	perfetto_free(exports->perfetto);
	html_free(exports->html);
	selected_numbers_free(exports->selected);
}
