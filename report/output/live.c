// SPDX-License-Identifier: GPL-2.0
/*
 * live.c - print a line for each packet of a running recording, when the packet has ended
 *
 * The rows of a running recording are passed one by one to the code that also handles the rows of files. The
 * recording never waits for this process. If this process is too slow, the kernel overwrites rows that were
 * not read yet, or the rows wait in the per-CPU files of trace-cmd. Lines are written to a struct
 * nonblocking_stdout, which never blocks.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "escape.h"
#include "output/packet_table.h"
#include "input/live_rows.h"
#include "live_lines.h"
#include "output/live.h"
#include "model/packet_text.h"
#include "output/nonblocking_stdout.h"
#include "model/packets.h"
#include "input/reader.h"
#include "model/stages.h"

#define ROUND_MSEC 100

struct live {
	int control; /* file descriptor that becomes readable when the recording ends */
	struct live_input *input;
	struct reader *reader;
	struct packets *packets;
	struct stages *stages;
	struct packet_table *table;
	struct nonblocking_stdout *out;
};

static void begin_table(void *data)
{
	struct live *live = data;

	packet_table_output.begin(live->table);
}

static void print_packet(void *data, const struct packet *packet)
{
	struct live *live = data;

	packet_table_output.packet(live->table, packet);
	stages_forget(live->stages, packet->number);
}

static const struct output live_output = { .begin = begin_table, .packet = print_packet };

static int prepare_live(struct live *live, const char *tracing, const char *file, struct err *err)
{
	const struct terminal terminal = terminal_examine();

	live->input = live_input_open(tracing, file, err);
	if (!live->input)
		return -1;
	if (write(live->control, "", 1) != 1)
		return err_set(err, "the recorder has exited");
	if (live_input_learn(live->input, tracing, err))
		return -1;
	live->reader = reader_begin(live_input_tep(live->input), live_input_cpus(live->input), err);
	if (!live->reader)
		return -1;
	live->stages = stages_new();
	live->packets = packets_new(&live_output, live, NULL);
	if (!live->stages || !live->packets || !packets_come_live(live->packets))
		return err_set(err, "out of memory");
	packets_set_netns_names(live->packets, reader_netns_names(live->reader));
	stages_set_packets(live->stages, live->packets);
	live->table = packet_table_new(NULL, false, &terminal, &live->packets, live->stages, err);
	if (!live->table)
		return -1;
	reader_add_observer(live->reader, &stages_before_observer, live->stages);
	reader_add_observer(live->reader, &packets_observer, live->packets);
	reader_add_observer(live->reader, &stages_after_observer, live->stages);
	live->out = nonblocking_stdout_open(err);
	return live->out ? 0 : -1;
}

static void clean_up(struct live *live)
{
	nonblocking_stdout_close(live->out);
	packet_table_free(live->table);
	packets_free(live->packets);
	stages_free(live->stages);
	reader_close(live->reader);
	live_input_close(live->input);
}

/* Process the rows that were recorded up to now. Return: true if more rows may be available immediately. */
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
 * Wait for the next round. In the meantime, write lines if standard output accepts them. poll(2) reports a
 * closed pipe even if POLLOUT is not requested.
 *
 * Return: false if the recording has ended, or if the process that reads the lines has closed the pipe.
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
			  .events = nonblocking_stdout_has_lines(live->out) ? POLLOUT : 0 },
		};

		if (poll(fds, 2, msec) < 0)
			continue;
		if (fds[1].revents)
			nonblocking_stdout_write(live->out);
		if (fds[0].revents || nonblocking_stdout_is_closed(live->out))
			return false;
	}
	return true;
}

static int run_live(struct live *live)
{
	begin_table(live);
	while (await_round(live))
		take_rows(live, false);
	if (nonblocking_stdout_is_closed(live->out))
		return LIVE_UNREAD;
	while (take_rows(live, true))
		nonblocking_stdout_write(live->out);
	reader_end(live->reader);
	packets_end(live->packets);
	nonblocking_stdout_finish(live->out);
	return 0;
}

static void print_losses(const struct live *live)
{
	const struct lost_events *losses = packets_losses(live->packets);
	const uint64_t left_out = nonblocking_stdout_left_out(live->out);
	const uint64_t incomplete = packets_incomplete(live->packets);

	if (left_out)
		fprintf(stderr, "--live: %llu line%s not read in time and %s left out\n",
			(unsigned long long)left_out, left_out == 1 ? " was" : "s were",
			verb_of(left_out));
	if (losses->calls)
		fprintf(stderr,
			"--live: %llu function call%s %s not recorded: the return stack of "
			"function_graph was full\n",
			(unsigned long long)losses->calls, plural_of(losses->calls),
			verb_of(losses->calls));
	if (losses->total || losses->uncounted)
		fprintf(stderr,
			"--live: entries were lost; %llu packet%s there then (marked with !)\n",
			(unsigned long long)incomplete, incomplete == 1 ? " was" : "s were");
}

/*
 * Ignore the signals that end the recording, because this process has to read the remaining rows before it
 * exits.
 */
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
	char text[ESCAPED_LEN(sizeof(err.text))];
	int ret;

	if (argc < 4)
		return EXIT_OURS;
	ignore_signals();
	live.control = atoi(argv[2]);
	if (prepare_live(&live, argv[3], argc > 4 ? argv[4] : NULL, &err)) {
		fprintf(stderr, "trace-cmd record-skb: --live: %s\n",
			escape_text(text, sizeof(text), err.text));
		ret = EXIT_OURS;
	} else {
		ret = run_live(&live);
		print_losses(&live);
	}
	clean_up(&live);
	return ret;
}
