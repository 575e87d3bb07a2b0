/* SPDX-License-Identifier: GPL-2.0 */
/*
 * clocks.h - estimate the difference between the clocks of two hosts from packets that both have recorded
 *
 * A packet arrives after it left. So a packet from the first host to the second one is a lower bound of the
 * difference, and a packet in the opposite direction is an upper bound. The difference changes linearly with
 * time, because a clock runs too fast or too slow. All lines that no packet contradicts are possible. The
 * centre of these lines is the estimate, and its distance from the outermost lines is the error.
 */
#ifndef _RECORD_SKB_CLOCKS_H
#define _RECORD_SKB_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct bound - a bound for the difference of two clocks
 * @ts: time of a packet by the second clock
 * @ns: bound for the number of nanoseconds to add to @ts, to get the time of the first clock
 */
struct bound {
	uint64_t ts;
	int64_t ns;
};

/**
 * struct bounds - all lower bounds or all upper bounds, sorted by time
 * @v: the bounds
 * @n: number of bounds
 */
struct bounds {
	struct bound *v;
	size_t n, capacity;
};

/* Add a bound. Return: false if memory is short. */
bool bounds_add(struct bounds *bounds, uint64_t ts, int64_t ns);

/**
 * struct clock_line - converts times of one clock to another one
 * @from: a time of the clock to convert
 * @ns: number of nanoseconds to add to the time @from
 * @drift: number of further nanoseconds to add for each nanosecond after @from
 * @error: maximum error of a converted time in nanoseconds, if the drift of both clocks is constant and the
 *	drift between them is below CLOCK_MAX_DRIFT
 */
struct clock_line {
	uint64_t from;
	int64_t ns;
	double drift;
	uint64_t error;
};

/*
 * Maximum drift between two clocks. The kernel changes the rate of a clock by at most 500 ppm, and the
 * crystals of two hosts differ by less.
 */
#define CLOCK_MAX_DRIFT 0.0012

/* Return: the time @ts of the clock, converted by @line. */
uint64_t clock_convert(const struct clock_line *line, uint64_t ts);

/**
 * clock_estimate - estimate the difference of two clocks
 * @least: lower bounds: packets from the first host to the second one
 * @most: upper bounds: packets from the second host to the first one
 * @begin: time of the second clock when its recording began
 * @end: time of the second clock when its recording ended
 * @line: the estimate, which is best between @begin and @end
 *
 * The bounds may be reordered.
 *
 * Return: false if there are no lower bounds, no upper bounds or no memory, or if @end is not after @begin.
 */
bool clock_estimate(struct bounds *least, struct bounds *most, uint64_t begin, uint64_t end,
		    struct clock_line *line);

/* Return: one line that has the effect of two conversions: first by @inner and then by @outer. */
struct clock_line clock_combine(const struct clock_line *inner, const struct clock_line *outer);

#endif
