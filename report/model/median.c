// SPDX-License-Identifier: GPL-2.0
/* median.c - median of a sample with its confidence interval */
#include <math.h>
#include <stdlib.h>

#include "model/median.h"

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

struct median median_of(uint64_t *values, size_t nr)
{
	/*
	 * The number of values below the median has a binomial distribution with the standard deviation
	 * sqrt(nr / 4). The 95% interval extends to 1.96 standard deviations.
	 */
	const double reach = 0.98 * sqrt(nr);
	const double low = floor(nr / 2.0 - reach), high = ceil(nr / 2.0 + 1 + reach);
	struct median median = { .high = -1 };

	if (!nr)
		return median;
	qsort(values, nr, sizeof(*values), by_value);
	median.value = (values[(nr - 1) / 2] + values[nr / 2]) / 2.0;
	if (low >= 1 && high <= nr) {
		median.low = values[(size_t)low - 1];
		median.high = values[(size_t)high - 1];
	}
	return median;
}

double median_difference_error(const struct median *before, const struct median *after)
{
	const struct median *both[] = { before, after };
	double sum = 0;

	for (int i = 0; i < 2; i++) {
		if (both[i]->high < both[i]->low)
			return -1;
		const double reach =
			fmax(both[i]->value - both[i]->low, both[i]->high - both[i]->value);

		sum += reach * reach;
	}
	return sqrt(sum);
}
