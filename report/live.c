// SPDX-License-Identifier: GPL-2.0
/*
 * live.c - a line for each packet of a recording under way, when it has ended
 *
 * The same readers as for a file, fed row by row. Nothing here can keep the recording waiting: what is
 * not read in time is written over in the kernel's buffer (or lies in trace-cmd's parts), and what is printed
 * goes into an outlet.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lines.h"
#include "live-input.h"
#include "live-lines.h"
#include "live.h"
#include "outlet.h"
#include "packets.h"
#include "reader.h"
#include "stations.h"

#define ROUND_MSEC 100

struct live {
	int control; /* its end is that of the recording */
	struct live_input *input;
	struct reader *reader;
	struct packets *packets;
	struct stations *stations;
	struct lines *lines;
	struct outlet *outlet;
};

static void begin(void *data)
{
	struct live *live = data;

	lines_output.begin(live->lines);
}

static void one_packet(void *data, const struct packet *packet)
{
	struct live *live = data;

	lines_output.packet(live->lines, packet);
	stations_forget(live->stations, packet->number);
}

static const struct output live_output = { .begin = begin, .packet = one_packet };

static int prepare(struct live *live, const char *tracing, const char *file, struct err *err)
{
	const struct screen screen = screen_look();

	live->input = live_input_open(tracing, file, err);
	if (!live->input)
		return -1;
	if (write(live->control, "", 1) != 1)
		return err_set(err, "who records is gone");
	if (live_input_learn(live->input, tracing, err))
		return -1;
	live->reader = reader_begin(live_input_tep(live->input), live_input_cpus(live->input), err);
	if (!live->reader)
		return -1;
	live->stations = stations_new();
	live->packets = packets_new(&live_output, live, NULL);
	if (!live->stations || !live->packets || !packets_come_live(live->packets))
		return err_set(err, "out of memory");
	stations_set_packets(live->stations, live->packets);
	live->lines = lines_new(NULL, &screen, &live->packets, live->stations, err);
	if (!live->lines)
		return -1;
	reader_add_sink(live->reader, &stations_before_sink, live->stations);
	reader_add_sink(live->reader, &packets_sink, live->packets);
	reader_add_sink(live->reader, &stations_behind_sink, live->stations);
	live->outlet = outlet_open(err);
	return live->outlet ? 0 : -1;
}

static void clean_up(struct live *live)
{
	outlet_close(live->outlet);
	lines_free(live->lines);
	packets_free(live->packets);
	stations_free(live->stations);
	reader_close(live->reader);
	live_input_close(live->input);
}

/* Returns whether there is more to read at once. */
static bool take_rows(struct live *live, bool all)
{
	const bool more = live_input_read(live->input, all);
	const struct tep_record *row;

	while ((row = live_input_next(live->input)))
		reader_row(live->reader, row);
	packets_hand_on(live->packets, live_input_now(live->input));
	return more;
}

static int msec_until(const struct timespec *when)
{
	struct timespec now;
	long long msec;

	clock_gettime(CLOCK_MONOTONIC, &now);
	msec = (when->tv_sec - now.tv_sec) * 1000LL + (when->tv_nsec - now.tv_nsec) / 1000000;
	return msec > 0 ? msec : 0;
}

/*
 * Lines are written as they are taken. Returns false if it is over: the recording has ended, or nobody
 * reads. Of a reader that is gone poll(2) tells unasked.
 */
static bool await_round(struct live *live)
{
	struct timespec next;
	int msec;

	clock_gettime(CLOCK_MONOTONIC, &next);
	next.tv_nsec += ROUND_MSEC * 1000000;
	next.tv_sec += next.tv_nsec / 1000000000;
	next.tv_nsec %= 1000000000;
	while ((msec = msec_until(&next)) > 0) {
		struct pollfd fds[] = {
			{ .fd = live->control, .events = POLLIN },
			{ .fd = STDOUT_FILENO,
			  .events = outlet_has_lines(live->outlet) ? POLLOUT : 0 },
		};

		if (poll(fds, 2, msec) < 0)
			continue;
		if (fds[1].revents)
			outlet_write(live->outlet);
		if (fds[0].revents || outlet_is_closed(live->outlet))
			return false;
	}
	return true;
}

static int run(struct live *live)
{
	begin(live);
	while (await_round(live))
		take_rows(live, false);
	if (outlet_is_closed(live->outlet))
		return LIVE_UNREAD;
	while (take_rows(live, true))
		outlet_write(live->outlet);
	reader_end(live->reader);
	packets_end(live->packets);
	outlet_finish(live->outlet);
	return 0;
}

static void say_losses(const struct live *live)
{
	const struct losses *losses = packets_losses(live->packets);
	const uint64_t left_out = outlet_left_out(live->outlet);

	if (left_out)
		fprintf(stderr, "--live: %llu lines were not read in time and are left out\n",
			(unsigned long long)left_out);
	if (losses->total || losses->uncounted)
		fprintf(stderr,
			"--live: entries were lost; %llu packets were there then (marked with !)\n",
			(unsigned long long)packets_incomplete(live->packets));
}

/* What ends the recording is not for us: there is something left to read then. */
static void ignore_signals(void)
{
	static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		signal(numbers[i], SIG_IGN);
}

int live_main(int argc, char **argv)
{
	struct live live = {};
	struct err err;
	int ret;

	if (argc < 4)
		return EXIT_OURS;
	ignore_signals();
	live.control = atoi(argv[2]);
	if (prepare(&live, argv[3], argc > 4 ? argv[4] : NULL, &err)) {
		fprintf(stderr, "trace-cmd record-skb: --live: %s\n", err.text);
		ret = EXIT_OURS;
	} else {
		ret = run(&live);
		say_losses(&live);
	}
	clean_up(&live);
	return ret;
}
