// SPDX-License-Identifier: GPL-2.0
/* trace-cmd report-skb: a recording of trace-cmd record-skb, packet by packet. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "choice.h"
#include "diff.h"
#include "flows.h"
#include "folded.h"
#include "journey.h"
#include "json.h"
#include "latency.h"
#include "lines.h"
#include "live-lines.h"
#include "live.h"
#include "options.h"
#include "pcapng.h"
#include "screen.h"
#include "selection.h"
#include "slowest.h"
#include "why.h"
#include "words.h"

/* What --strict makes of a recording with losses. */
#define EXIT_INCOMPLETE 3
#define EXIT_NO_PACKET	1

static int fail(const struct err *err)
{
	fprintf(stderr, "trace-cmd report-skb: %s\n", err->text);
	return err->status;
}

static void ignore_packet(void *data, const struct packet *packet)
{
	(void)data;
	(void)packet;
}

static const struct output no_output = { .packet = ignore_packet };

/* Before the packets, for it is what the recording was waiting for. */
static void say_ring_end(const struct ring_end *end, const char *file)
{
	static const char *const did[] = {
		[RECORD_SKB_BY_DROP] = "was dropped",
		[RECORD_SKB_BY_SLOW] = "was there for too long",
		[RECORD_SKB_BY_MATCH] = "is what was waited for",
		[RECORD_SKB_BY_UNANSWERED] = "had no answer in time",
	};

	if (!end->is || !end->by || end->by >= sizeof(did) / sizeof(did[0]))
		return;
	fprintf(stderr, "the ring ended by #%u", end->pkt);
	if (end->copy && end->copy != RECORD_SKB_COPY_UNKNOWN)
		fprintf(stderr, ".%u", end->copy);
	fprintf(stderr, ", which %s: trace-cmd report-skb -i %s --packet %u\n", did[end->by], file,
		end->pkt);
}

static void say_loss(const struct loss *loss)
{
	char from[TIME_LEN], to[TIME_LEN];

	if (loss->cpu < 0) {
		fprintf(stderr,
			"lost before %s: entries that somebody else has read, not counted\n",
			words_time(to, loss->to));
		return;
	}
	fprintf(stderr, "lost on CPU %d ", loss->cpu);
	/* There may be no row before. */
	if (loss->from)
		fprintf(stderr, "between %s and ", words_time(from, loss->from));
	else
		fprintf(stderr, "before ");
	fprintf(stderr, "%s: ", words_time(to, loss->to));
	if (loss->count)
		fprintf(stderr, "%llu entries\n", (unsigned long long)loss->count);
	else
		fprintf(stderr, "entries, not counted\n");
}

/* What is written over is not lost: the newest was to be kept. Returns how many of the losses that is. */
static size_t say_written_over(const struct losses *losses, const struct ring_end *end)
{
	unsigned long long entries = 0;
	char from[TIME_LEN];
	uint64_t whole = 0;
	size_t n = 0;

	for (size_t i = 0; end->is && i < losses->n; i++) {
		if (losses->v[i].from)
			continue;
		n++;
		entries += losses->v[i].count;
		if (losses->v[i].to > whole)
			whole = losses->v[i].to;
	}
	if (n)
		fprintf(stderr,
			"a ring: it holds all from %s on, the last %.3f s; of what was before, %llu entries "
			"are written over\n",
			words_time(from, whole), end->ts > whole ? (end->ts - whole) / 1e9 : 0,
			entries);
	return n;
}

/* Returns whether there were any. */
static bool say_losses(const struct packets *packets, const struct ring_end *end, bool begins)
{
	const struct losses *losses = packets_losses(packets);
	const size_t written_over = say_written_over(losses, end);
	const unsigned long long incomplete = packets_incomplete(packets);

	for (size_t i = 0; i < losses->n; i++)
		if (!end->is || losses->v[i].from)
			say_loss(&losses->v[i]);
	/* A ring says itself from when on it holds all; a loss is said anyway. */
	if (!begins && !end->is && !losses->n) {
		fprintf(stderr,
			"incomplete: the beginning is not there, and what was written over is not "
			"known; the first packets may have begun before\n");
		return true;
	}
	if (losses->n == written_over)
		fprintf(stderr, "complete: no entries lost\n");
	if (end->is && losses->n == written_over && incomplete)
		fprintf(stderr, "%llu packet%s began before (marked with !)\n", incomplete,
			incomplete == 1 ? "" : "s");
	else if (losses->n > written_over)
		fprintf(stderr, "incomplete: %llu packets were there when entries were lost%s\n",
			incomplete, incomplete ? " (marked with !)" : "");
	if (losses->n > written_over && !end->is && packets_missing(packets))
		fprintf(stderr,
			"missing: %llu packets that matched are not in the file at all, or more\n",
			(unsigned long long)packets_missing(packets));
	return losses->n > written_over;
}

static void say_cost(const struct graph_cost *cost)
{
	fprintf(stderr,
		"no overhead: of each function %llu ns are taken off, and %llu ns for each that it called\n",
		(unsigned long long)cost->inside, (unsigned long long)cost->outside);
}

/* Everything that one way of showing needs; what it does not need is NULL. */
struct shown {
	struct packets *packets;
	struct selection *selection;
	struct choice *choice;
	struct stations *stations;
	struct latency *latency;
	struct slowest *slowest;
	struct why *why;
	struct lines *lines;
	struct flows *flows;
	struct folded *folded;
	struct journey *journey;
	struct pcapng *pcapng;
	struct frames *frames;
	struct graph_cost cost;
	struct screen *screen;
	const struct output *output;
	void *output_data;
};

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int prepare_latency(struct shown *shown, const struct output *output, struct err *err)
{
	if (!shown->stations)
		shown->stations = stations_new();
	if (shown->stations)
		shown->latency =
			latency_new(shown->stations, &shown->packets, output, shown->lines);
	if (!shown->latency)
		return err_set(err, "out of memory");
	shown->output = &latency_output;
	shown->output_data = shown->latency;
	return 0;
}

/* The last line is about the time between packets. */
static int prepare_lines(struct shown *shown, const struct options *options, struct err *err)
{
	shown->stations = stations_new();
	if (!shown->stations)
		return err_set(err, "out of memory");
	shown->lines =
		lines_new(options->columns, shown->screen, &shown->packets, shown->stations, err);
	return shown->lines ? prepare_latency(shown, &lines_output, err) : -1;
}

static int prepare_slowest(struct shown *shown, uint32_t n, struct err *err)
{
	shown->stations = stations_new();
	if (shown->stations)
		shown->slowest = slowest_new(n, shown->stations, &shown->packets);
	if (!shown->slowest)
		return err_set(err, "out of memory");
	shown->output = &slowest_output;
	shown->output_data = shown->slowest;
	return 0;
}

static int prepare_why(struct shown *shown, const struct options *options, struct err *err)
{
	shown->why = why_new(options->why, &options->chosen, &shown->packets);
	if (!shown->why)
		return err_set(err, "out of memory");
	shown->output = &why_output;
	shown->output_data = shown->why;
	return 0;
}

static int prepare_folded(struct shown *shown, const struct options *options, struct err *err)
{
	shown->choice = choice_read(options->input, &options->chosen, err);
	if (!shown->choice)
		return -1;
	shown->folded = folded_new(shown->choice);
	return shown->folded ? 0 : err_set(err, "out of memory");
}

static int prepare_output(struct shown *shown, const struct options *options, struct err *err)
{
	shown->output = &no_output;
	switch (options->show) {
	case SHOW_LINES:
		return prepare_lines(shown, options, err);
	case SHOW_SLOWEST:
		return prepare_slowest(shown, options->slowest, err);
	case SHOW_WHY:
		return prepare_why(shown, options, err);
	case SHOW_DIFF: /* compare() does it */
		break;
	case SHOW_LATENCY:
		return prepare_latency(shown, NULL, err);
	case SHOW_JSON:
		shown->output = &json_output;
		shown->output_data = &shown->packets;
		break;
	case SHOW_FLOWS:
		shown->output = &flows_output;
		shown->output_data = shown->flows = flows_new();
		if (!shown->flows)
			return err_set(err, "out of memory");
		break;
	case SHOW_FOLDED:
		return prepare_folded(shown, options, err);
	case SHOW_PACKET:
		shown->journey = journey_new(options->packet);
		if (!shown->journey)
			return err_set(err, "out of memory");
		break;
	case SHOW_PCAP:
		if (same_file(options->input, options->pcap))
			return err_set(err, "'%s' is the recording: --pcap would write over it",
				       options->pcap);
		shown->frames = frames_new(err);
		if (!shown->frames)
			return -1;
		shown->pcapng = pcapng_new(options->pcap, &shown->packets, shown->frames, err);
		if (!shown->pcapng)
			return -1;
		shown->output = &pcapng_output;
		shown->output_data = shown->pcapng;
		break;
	}
	return 0;
}

static int prepare(struct shown *shown, const struct options *options, struct err *err)
{
	if (prepare_output(shown, options, err))
		return -1;
	shown->packets = packets_new(&selection_output, shown->selection, shown->frames);
	if (!shown->packets)
		return err_set(err, "out of memory");
	selection_set_output(shown->selection, shown->output, shown->output_data, shown->packets);
	if (shown->stations)
		stations_set_packets(shown->stations, shown->packets);
	return 0;
}

static int no_packet(const struct options *options, uint32_t number, struct err *err)
{
	err_set(err, "'%s' has no packet #%u", options->input, number);
	err->status = EXIT_NO_PACKET;
	return -1;
}

static int finish(struct shown *shown, const struct options *options, struct err *err)
{
	int ret = 0;

	packets_end(shown->packets);
	selection_output.end(shown->selection);
	if (shown->folded)
		folded_print(shown->folded);
	if (shown->journey && !journey_end(shown->journey))
		ret = no_packet(options, options->packet, err);
	if (options->why && !why_found(shown->why))
		ret = no_packet(options, options->why, err);
	if (shown->pcapng && pcapng_close(shown->pcapng, err))
		ret = -1;
	shown->pcapng = NULL;
	if (!ret && (fflush(stdout) || ferror(stdout)))
		ret = err_set(err, "cannot write: %s", strerror(errno));
	return ret;
}

static void add_sinks(const struct shown *shown, struct reader *reader)
{
	if (shown->stations)
		reader_add_sink(reader, &stations_before_sink, shown->stations);
	reader_add_sink(reader, &packets_sink, shown->packets);
	reader_add_sink(reader, &selection_sink, shown->selection);
	if (shown->stations)
		reader_add_sink(reader, &stations_behind_sink, shown->stations);
	if (shown->why)
		reader_add_sink(reader, &why_sink, shown->why);
	if (shown->slowest)
		reader_add_sink(reader, &slowest_sink, shown->slowest);
	if (shown->folded)
		reader_add_sink(reader, &folded_sink, shown->folded);
	if (shown->journey)
		reader_add_sink(reader, &journey_sink, shown->journey);
	if (shown->pcapng)
		reader_add_sink(reader, &pcapng_sink, shown->pcapng);
}

static int read_all(struct shown *shown, struct reader *reader, const struct options *options,
		    struct err *err)
{
	if (options->no_overhead) {
		if (graph_cost_learn(&shown->cost, options->input, err))
			return -1;
		reader_take_off(reader, &shown->cost);
	}
	if (prepare(shown, options, err))
		return -1;
	if (shown->why)
		why_set_names(shown->why, reader_names(reader));
	/* A frame is nothing to read. */
	if (options->show != SHOW_PCAP)
		screen_page(shown->screen);
	add_sinks(shown, reader);
	selection_output.begin(shown->selection);
	reader_run(reader);
	say_ring_end(reader_ring_end(reader), options->input);
	return finish(shown, options, err);
}

static int report(const struct options *options, struct screen *screen, struct err *err)
{
	bool lost;
	struct shown shown = { .screen = screen };
	struct reader *reader;
	int ret;

	/* First, for what is no expression may have been meant as the name of a file. */
	shown.selection = selection_new(&options->chosen, err);
	if (!shown.selection)
		return fail(err);
	reader = reader_open(options->input, err);
	if (!reader) {
		selection_free(shown.selection);
		return fail(err);
	}
	ret = read_all(&shown, reader, options, err);
	if (ret) {
		ret = fail(err);
	} else {
		if (shown.latency)
			latency_say(shown.latency);
		selection_say(shown.selection);
		lost = say_losses(shown.packets, reader_ring_end(reader),
				  reader_has_beginning(reader));
		if (options->no_overhead)
			say_cost(&shown.cost);
		if (options->strict && lost)
			ret = EXIT_INCOMPLETE;
	}
	flows_free(shown.flows);
	folded_free(shown.folded);
	choice_free(shown.choice);
	journey_free(shown.journey);
	packets_free(shown.packets);
	selection_free(shown.selection);
	frames_free(shown.frames);
	latency_free(shown.latency);
	slowest_free(shown.slowest);
	why_free(shown.why);
	lines_free(shown.lines);
	stations_free(shown.stations);
	reader_close(reader);
	return ret;
}

static int compare(const struct options *options, struct screen *screen, struct err *err)
{
	const struct diff_side before = { options->input, &options->chosen };
	const struct diff_side after = { options->other, &options->other_chosen };
	int lost;

	screen_page(screen);
	lost = diff_print(&before, &after, options->no_overhead, err);

	if (!lost && (fflush(stdout) || ferror(stdout)))
		lost = err_set(err, "cannot write: %s", strerror(errno));
	if (lost < 0)
		return fail(err);
	fputs(lost ? "incomplete: entries were lost\n" : "complete: no entries lost\n", stderr);
	return lost && options->strict ? EXIT_INCOMPLETE : 0;
}

int main(int argc, char **argv)
{
	struct options options;
	struct screen screen = screen_look();
	struct err err;
	int ret;

	if (argc > 1 && !strcmp(argv[1], LIVE_ARG))
		return live_main(argc, argv);
	ret = options_parse(&options, argc, argv, &err);
	if (ret < 0)
		ret = fail(&err);
	else if (ret > 0)
		ret = 0;
	else
		ret = options.show == SHOW_DIFF ? compare(&options, &screen, &err) :
						  report(&options, &screen, &err);
	options_free(&options);
	screen_end(&screen);
	return ret;
}
