// SPDX-License-Identifier: GPL-2.0
/*
 * early_output.c - pass packets to the output while the file is read, and stop when no more packets can
 * match
 */
#include <stdio.h>
#include <time.h>

#include "early_output.h"

/*
 * Minimum time between two flushes of standard output. Each flush lets the reader of the output see the rows
 * up to now.
 */
#define FLUSH_MSEC 100

static void flush_rows(struct early_output *early)
{
	struct timespec now;
	uint64_t msec;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	msec = now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
	if (msec < early->flushed + FLUSH_MSEC)
		return;
	early->flushed = msec;
	fflush(stdout);
}

/*
 * Return: true if reading has to go on: a selected packet can still change, or a later row may begin a
 * selected packet.
 */
static bool may_match(const struct early_output *early, const struct read_state *state)
{
	/*
	 * The filter rounds the time of a packet to microseconds before it compares the time with @to, which
	 * is in microseconds. So the time can be up to 499 ns later than @to.
	 */
	const uint64_t to = early->to > UINT64_MAX / 1000 - 1 ? UINT64_MAX : early->to * 1000 + 499;

	if (early->packet && packets_is_final(early->packets, early->packet, state))
		return false;
	return state->now <= to || packets_has_before(early->packets, to);
}

static bool make_step(void *data, const struct read_state *state)
{
	struct early_output *early = data;
	const uint64_t end = reader_file_end(early->reader);

	if (!early->begun)
		early->begun = state->now;
	progress_show(early->progress, state->now - early->begun,
		      end > early->begun ? end - early->begun : 0);
	if (!early->in_order)
		return true;
	packets_pass_final(early->packets, state);
	flush_rows(early);
	return may_match(early, state);
}

int early_output_begin(struct early_output *early, struct reader *reader, struct err *err)
{
	early->reader = reader;
	reader_set_step(reader, make_step, early);
	early->in_order = early->wants_order && reader_can_stream(reader);
	if (early->in_order && !packets_come_in_order(early->packets))
		return err_set(err, "out of memory");
	return 0;
}
