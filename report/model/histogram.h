/* SPDX-License-Identifier: GPL-2.0 */
/*
 * histogram.h - percentiles of times, with limited memory
 *
 * Up to MAX_EXACT times are stored exactly. With more times, only the number of times in each class is
 * stored, so a percentile can be wrong by at most 0.2%. The maximum is always exact.
 */
#ifndef _RECORD_SKB_HISTOGRAM_H
#define _RECORD_SKB_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct histogram - a set of times
 * @nr: number of times
 * @sum: sum of all times, in ns
 * @max: longest time, in ns
 * @packet: number of the packet with the longest time
 * @clock_error: largest error of the times, if they are between two hosts; the user of the histogram sets it
 *
 * A zeroed histogram is empty.
 */
struct histogram {
	uint64_t nr, sum, max, clock_error;
	uint32_t packet;
	uint64_t *exact;
	uint32_t capacity;
	bool sorted;
	uint32_t *classes;
};

/* Return: the class of a time, if each power of two is divided into @fine classes. */
unsigned int time_class(uint64_t ns, unsigned int fine);
/* Return: the time in the middle of a class. All times in the class are treated as this time. */
uint64_t time_class_middle(unsigned int class, unsigned int fine);

/*
 * Add a time of a packet. Return: false if there is not enough memory; in this case, the time does not count.
 */
bool histogram_add(struct histogram *histogram, uint64_t ns, uint32_t packet);

/*
 * Return: the nearest-rank percentile, which is the smallest time such that at least @percent% of all times
 * are equal or smaller. 0 for an empty histogram.
 */
uint64_t histogram_percentile(struct histogram *histogram, unsigned int percent);

void histogram_free(struct histogram *histogram);

#endif
