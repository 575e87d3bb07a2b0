/* SPDX-License-Identifier: GPL-2.0 */
/*
 * clocks.h - estimate the difference between the clocks of two hosts from packets that both have recorded
 *
 * A packet arrives after it left. So each packet to the other host bounds the difference from one side, and
 * each packet back bounds it from the other side. The difference changes linearly with time, because a clock
 * runs too fast or too slow. All lines that no packet contradicts are possible; the centre of these lines is
 * the estimate, and the lines at the border are its error.
 */
#ifndef _RECORD_SKB_CLOCKS_H
#define _RECORD_SKB_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct bound - a bound for the difference of two clocks
 * @ts: time of the second clock
 * @ns: bound for what has to be added to the second clock at this time, to get the first clock
 */
struct bound {
	uint64_t ts;
	int64_t ns;
};

/**
 * struct bounds - bounds of one kind, sorted by time
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
 * @from: time of the clock for which @ns is valid
 * @ns: what has to be added at @from
 * @drift: how much more has to be added for each nanosecond after @from
 * @error: the true value differs at most by this number of nanoseconds, if the drift of both clocks is
 *	constant
 * and the drift between them is below CLOCK_MAX_DRIFT
 */
struct clock_line {
	uint64_t from;
	int64_t ns;
	double drift;
	uint64_t error;
};

/* The kernel changes the rate of a clock by at most 500 ppm; the crystals of two hosts differ by less. */
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
 * Return: false if the bounds do not limit the difference, because one of them is missing, or without memory.
 */
bool clock_estimate(struct bounds *least, struct bounds *most, uint64_t begin, uint64_t end,
		    struct clock_line *line);

/* Return: a line that converts first by @inner and then by @outer. */
struct clock_line clock_combine(const struct clock_line *inner, const struct clock_line *outer);

#endif
