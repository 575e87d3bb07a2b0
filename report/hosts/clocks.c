// SPDX-License-Identifier: GPL-2.0
/* clocks.c - estimate the difference between the clocks of two hosts from packets that both have recorded */
#include <math.h>
#include <stdlib.h>

#include "hosts/clocks.h"

/*
 * Maximum number of bounds on the convex hull. If there are more, some are removed, because the time to find
 * all possible lines grows with the third power of this number.
 */
#define MAX_HULL 96

/* Number of nanoseconds by which rounding may shift a bound. */
#define ROUNDING 1.0

bool bounds_add(struct bounds *bounds, uint64_t ts, int64_t ns)
{
	const size_t capacity = bounds->capacity ? bounds->capacity * 2 : 256;
	struct bound *more;

	if (bounds->n == bounds->capacity) {
		more = realloc(bounds->v, capacity * sizeof(*more));
		if (!more)
			return false;
		bounds->v = more;
		bounds->capacity = capacity;
	}
	bounds->v[bounds->n++] = (struct bound){ ts, ns };
	return true;
}

uint64_t clock_convert(const struct clock_line *line, uint64_t ts)
{
	const double since = ts >= line->from ? (double)(ts - line->from) :
						-(double)(line->from - ts);
	const int64_t add = line->ns + llround(line->drift * since);

	return add < 0 && (uint64_t)-add > ts ? 0 : ts + add;
}

struct clock_line clock_combine(const struct clock_line *inner, const struct clock_line *outer)
{
	const uint64_t at = inner->from + inner->ns;

	return (struct clock_line){
		.from = inner->from,
		.ns = inner->ns + (int64_t)(clock_convert(outer, at) - at),
		.drift = (1 + inner->drift) * (1 + outer->drift) - 1,
		.error = inner->error + outer->error,
	};
}

/*
 * A bound in relative coordinates: @x is the time since the beginning of the recording, and @y is the
 * difference to the first lower bound. @sign is 1 for a lower bound and -1 for an upper bound.
 */
struct point {
	double x, y;
	int sign;
};

struct points {
	struct point v[2 * MAX_HULL];
	size_t n;
};

static int by_time(const void *a, const void *b)
{
	const struct bound *x = a, *y = b;

	return (x->ts > y->ts) - (x->ts < y->ts);
}

/*
 * Return: a positive number if @c is a stricter bound than the line from @a to @b. Stricter means above the
 * line for lower bounds (@sign is 1), and below it for upper bounds (@sign is -1).
 */
static double outside(const struct bound *a, const struct bound *b, const struct bound *c, int sign)
{
	const double x1 = (double)(int64_t)(b->ts - a->ts), y1 = (double)(b->ns - a->ns);
	const double x2 = (double)(int64_t)(c->ts - a->ts), y2 = (double)(c->ns - a->ns);

	return sign * (x1 * y2 - x2 * y1);
}

/*
 * Keep only the bounds on the convex hull: a line that contradicts a removed bound also contradicts a kept
 * bound. Move the kept bounds to the beginning of the array. Return: their number.
 */
static size_t keep_hull(struct bounds *bounds, int sign)
{
	struct bound *v = bounds->v;
	size_t n = 0;

	qsort(v, bounds->n, sizeof(*v), by_time);
	for (size_t i = 0; i < bounds->n; i++) {
		if (n && v[n - 1].ts == v[i].ts) {
			if (sign * (v[i].ns - v[n - 1].ns) <= 0)
				continue;
			n--;
		}
		while (n > 1 && outside(&v[n - 2], &v[n - 1], &v[i], sign) >= 0)
			n--;
		v[n++] = v[i];
	}
	return bounds->n = n;
}

static void take_points(struct points *points, const struct bounds *bounds, int sign, uint64_t x0,
			int64_t y0)
{
	const size_t n = bounds->n < MAX_HULL ? bounds->n : MAX_HULL;

	for (size_t i = 0; i < n; i++) {
		const struct bound *bound = &bounds->v[i * (bounds->n - 1) / (n > 1 ? n - 1 : 1)];

		points->v[points->n++] = (struct point){
			.x = (double)(int64_t)(bound->ts - x0),
			.y = (double)(bound->ns - y0),
			.sign = sign,
		};
	}
}

/*
 * struct border - the extreme lines of all possible lines. An extreme line touches two bounds, or it touches
 * one bound and has the maximum drift
 * @x: beginning and end of the recording
 * @min: smallest value of an extreme line at each @x
 * @max: largest value of an extreme line at each @x
 * @sum: sum of the values of all extreme lines at each @x
 * @n: number of extreme lines
 */
struct border {
	double x[2], min[2], max[2];
	double sum[2];
	unsigned int n;
};

static void add_line(struct border *border, double at_0, double slope)
{
	for (int i = 0; i < 2; i++) {
		const double y = at_0 + slope * border->x[i];

		if (!border->n || y < border->min[i])
			border->min[i] = y;
		if (!border->n || y > border->max[i])
			border->max[i] = y;
		border->sum[i] += y;
	}
	border->n++;
}

/* Return: true if the line violates no bound by more than @slack nanoseconds. */
static bool is_possible(const struct points *points, double at_0, double slope, double slack)
{
	for (size_t i = 0; i < points->n; i++) {
		const struct point *point = &points->v[i];

		if (point->sign * (at_0 + slope * point->x - point->y) < -slack - ROUNDING / 2)
			return false;
	}
	return true;
}

static double shifted(const struct point *point, double slack)
{
	return point->y - point->sign * slack;
}

/*
 * Find the extreme lines (struct border) among all possible lines, after all bounds were loosened by @slack.
 */
static void find_border(const struct points *points, double slack, struct border *border)
{
	border->n = 0;
	border->sum[0] = border->sum[1] = 0;
	for (size_t i = 0; i < points->n; i++) {
		const struct point *a = &points->v[i];

		for (int sign = -1; sign <= 1; sign += 2) {
			const double slope = sign * CLOCK_MAX_DRIFT;
			const double at_0 = shifted(a, slack) - slope * a->x;

			if (is_possible(points, at_0, slope, slack))
				add_line(border, at_0, slope);
		}
		for (size_t j = i + 1; j < points->n; j++) {
			const struct point *b = &points->v[j];
			const double slope =
				(shifted(b, slack) - shifted(a, slack)) / (b->x - a->x);

			if (b->x == a->x || fabs(slope) > CLOCK_MAX_DRIFT)
				continue;
			if (is_possible(points, shifted(a, slack) - slope * a->x, slope, slack))
				add_line(border, shifted(a, slack) - slope * a->x, slope);
		}
	}
}

/*
 * Find the extreme lines. If no line satisfies all bounds, the drift of a clock has changed. In this case,
 * loosen all bounds by the same number of nanoseconds until a line satisfies them. Return: that number.
 */
static double loosen(const struct points *points, struct border *border)
{
	double low = 0, high = 1000;

	find_border(points, 0, border);
	if (border->n)
		return 0;
	while (find_border(points, high, border), !border->n && high < 1e18) {
		low = high;
		high *= 4;
	}
	for (int i = 0; i < 20; i++) {
		const double middle = (low + high) / 2;

		find_border(points, middle, border);
		*(border->n ? &high : &low) = middle;
	}
	find_border(points, high, border);
	return high;
}

bool clock_estimate(struct bounds *least, struct bounds *most, uint64_t begin, uint64_t end,
		    struct clock_line *line)
{
	struct points *points;
	struct border border;
	double y[2], error = 0, slack;
	int64_t y0;

	if (!least->n || !most->n || end <= begin)
		return false;
	points = calloc(1, sizeof(*points));
	if (!points)
		return false;
	keep_hull(least, 1);
	keep_hull(most, -1);
	y0 = least->v[0].ns;
	take_points(points, least, 1, begin, y0);
	take_points(points, most, -1, begin, y0);
	border = (struct border){ .x = { 0, (double)(end - begin) } };
	slack = loosen(points, &border);
	free(points);
	if (!border.n)
		return false;
	for (int i = 0; i < 2; i++) {
		y[i] = border.sum[i] / border.n;
		error = fmax(error, fmax(border.max[i] - y[i], y[i] - border.min[i]));
	}
	*line = (struct clock_line){
		.from = begin,
		.ns = y0 + llround(y[0]),
		.drift = (y[1] - y[0]) / border.x[1],
		/*
		 * Double the slack as a reserve. If the drift has changed and all packets were slow, the true
		 * value can be outside of the loosened bounds.
		 */
		.error = (uint64_t)ceil(error + 2 * slack + ROUNDING),
	};
	return true;
}
