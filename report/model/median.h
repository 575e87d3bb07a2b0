/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_MEDIAN_H
#define _RECORD_SKB_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct median - median of a sample with its 95% confidence interval
 * @value: the median
 * @low: lower end of the interval
 * @high: upper end of the interval; less than @low if the sample is too small for an interval
 */
struct median {
	double value, low, high;
};

/*
 * Find the median, and sort the values. Both ends of the interval are values of the sample, so the method
 * makes no assumption about their distribution (see "order statistics" in W. J. Conover, Practical
 * Nonparametric Statistics, 3.2).
 */
struct median median_of(uint64_t *values, size_t nr);

/* Return: the error of the difference of two medians, negative if it is not known. */
double median_difference_error(const struct median *before, const struct median *after);

#endif
