// SPDX-License-Identifier: GPL-2.0
/* clocks_test.c - test that the estimate of a clock is right within its error, and that the error is small */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "clocks_test.h"
#include "hosts/clocks.h"

#define SECOND 1000000000ll

static unsigned int seed;

static int64_t random_below(int64_t limit)
{
	return (int64_t)((double)rand_r(&seed) / RAND_MAX * (double)limit);
}

/*
 * The second clock is 37 s ahead and @ppm parts per million too fast. Return: the time of the second clock
 * at the moment when the first clock shows @ts.
 */
static uint64_t second_clock(uint64_t ts, double ppm)
{
	return ts + 37 * SECOND + (int64_t)((double)(ts - 100 * SECOND) * ppm / 1e6);
}

struct packets {
	struct bounds least, most;
	uint64_t begin, end;
};

/*
 * Send @n packets within a minute, in one direction or in both. The way back takes longer, and some packets
 * wait in queues. The second clock is @ppm too fast in the first half of the minute, and @later_ppm in the
 * second half.
 */
static void exchange(struct packets *packets, int n, double ppm, double later_ppm, bool both)
{
	for (int i = 0; i < n; i++) {
		const uint64_t sent = 100 * SECOND + i * (60 * SECOND / n);
		const uint64_t half = 130 * SECOND;
		const int64_t delay = 50000 + random_below(400000) * (i % 7 == 0 ? 100 : 1);
		const uint64_t base = sent > half ? half : sent;
		const int64_t more =
			sent > half ? (int64_t)((double)(sent - half) * later_ppm / 1e6) : 0;
		const uint64_t there = second_clock(base, ppm) + (sent - base) + more;

		if (i % 2)
			bounds_add(&packets->least, there + delay, (int64_t)(sent - there - delay));
		else if (both)
			bounds_add(&packets->most, there, (int64_t)(sent + 2 * delay - there));
	}
	packets->begin = second_clock(100 * SECOND, ppm);
	packets->end = second_clock(160 * SECOND, ppm);
}

static void free_packets(struct packets *packets)
{
	free(packets->least.v);
	free(packets->most.v);
	*packets = (struct packets){ 0 };
}

static int64_t error_at(const struct clock_line *line, uint64_t ts, double ppm)
{
	return llabs((int64_t)(clock_convert(line, second_clock(ts, ppm)) - ts));
}

void clock_offset_and_drift(void **state)
{
	static const double drifts[] = { 0, 200, -200, 500 };
	struct packets packets = { 0 };
	struct clock_line line;

	(void)state;
	for (seed = 1; seed < 41; seed++) {
		const double ppm = drifts[seed % 4];

		exchange(&packets, 400, ppm, ppm, true);
		assert_true(clock_estimate(&packets.least, &packets.most, packets.begin,
					   packets.end, &line));
		for (uint64_t ts = 100 * SECOND; ts <= 160 * SECOND; ts += SECOND)
			assert_true(error_at(&line, ts, ppm) <= (int64_t)line.error);
		/*
		 * The shortest round trip takes 150 us. The error must be at least half of this, and should
		 * not be much more.
		 */
		assert_in_range(line.error, 75000, 400000);
		assert_true(line.drift * 1e6 + ppm < 20 && line.drift * 1e6 + ppm > -20);
		free_packets(&packets);
	}
}

/*
 * The clock changes its rate, so its offsets are not on a straight line. The reported error must become
 * larger.
 */
void clock_with_changing_drift(void **state)
{
	struct packets packets = { 0 };
	struct clock_line line;

	(void)state;
	seed = 1;
	exchange(&packets, 400, 0, 300, true);
	assert_true(
		clock_estimate(&packets.least, &packets.most, packets.begin, packets.end, &line));
	for (uint64_t ts = 100 * SECOND; ts <= 130 * SECOND; ts += SECOND)
		assert_true(error_at(&line, ts, 0) <= (int64_t)line.error);
	assert_true(line.error > 1000000);
	free_packets(&packets);
}

void clock_of_one_direction(void **state)
{
	struct packets packets = { 0 };
	struct clock_line line;

	(void)state;
	exchange(&packets, 400, 0, 0, false);
	assert_false(
		clock_estimate(&packets.least, &packets.most, packets.begin, packets.end, &line));
	free_packets(&packets);
}

void clocks_combine(void **state)
{
	const struct clock_line inner = {
		.from = 1000 * SECOND, .ns = -37 * SECOND, .drift = 1e-4, .error = 5
	};
	const struct clock_line outer = {
		.from = 900 * SECOND, .ns = 1700000000 * SECOND, .drift = -2e-4, .error = 7
	};
	const struct clock_line both = clock_combine(&inner, &outer);
	const uint64_t ts = 1060 * SECOND;
	const int64_t off = (int64_t)(clock_convert(&both, ts) -
				      clock_convert(&outer, clock_convert(&inner, ts)));

	(void)state;
	assert_true(llabs(off) < 5);
	assert_int_equal(both.error, 12);
}
