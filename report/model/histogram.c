// SPDX-License-Identifier: GPL-2.0
/* histogram.c - percentiles of times, with limited memory */
#include <stdlib.h>

#include "model/histogram.h"

/* Maximum number of times that are stored exactly. */
#ifndef MAX_EXACT
#define MAX_EXACT 1024
#endif

/* Each power of two is divided into FINE classes. */
#define FINE	   256
#define FINE_BITS  8
#define NR_CLASSES (FINE * (64 - FINE_BITS + 1))

unsigned int time_class(uint64_t ns, unsigned int fine)
{
	unsigned int power = 0;

	while (ns >> power >= 2 * fine)
		power++;
	return power * fine + (ns >> power);
}

uint64_t time_class_middle(unsigned int class, unsigned int fine)
{
	unsigned int power = class < 2 * fine ? 0 : class / fine - 1;

	return ((uint64_t)(class - power * fine) << power) + ((1ull << power) >> 1);
}

/* Switch from exact times to classes. */
static bool use_classes(struct histogram *histogram)
{
	histogram->classes = calloc(NR_CLASSES, sizeof(*histogram->classes));
	if (!histogram->classes)
		return false;
	for (uint64_t i = 0; i < histogram->nr; i++)
		histogram->classes[time_class(histogram->exact[i], FINE)]++;
	free(histogram->exact);
	histogram->exact = NULL;
	return true;
}

static bool grow_samples(struct histogram *histogram)
{
	const uint32_t capacity = histogram->capacity ? histogram->capacity * 2 : 4;
	uint64_t *exact = realloc(histogram->exact, capacity * sizeof(*exact));

	if (!exact)
		return false;
	histogram->exact = exact;
	histogram->capacity = capacity;
	return true;
}

static bool count_class(struct histogram *histogram, uint64_t ns)
{
	if (!histogram->classes && histogram->nr == MAX_EXACT && !use_classes(histogram))
		return false;
	if (histogram->classes) {
		histogram->classes[time_class(ns, FINE)]++;
		return true;
	}
	if (histogram->nr == histogram->capacity && !grow_samples(histogram))
		return false;
	histogram->exact[histogram->nr] = ns;
	histogram->sorted = false;
	return true;
}

bool histogram_add(struct histogram *histogram, uint64_t ns, uint32_t packet)
{
	if (!count_class(histogram, ns))
		return false;
	if (!histogram->nr || ns > histogram->max) {
		histogram->max = ns;
		histogram->packet = packet;
	}
	histogram->nr++;
	histogram->sum += ns;
	return true;
}

static int by_time(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

uint64_t histogram_percentile(struct histogram *histogram, unsigned int percent)
{
	const uint64_t rank = (histogram->nr * percent + 99) / 100;
	unsigned int i = 0;
	uint64_t below = 0, ns;

	if (!rank)
		return 0;
	if (rank >= histogram->nr)
		return histogram->max;
	if (histogram->classes) {
		while ((below += histogram->classes[i]) < rank)
			i++;
		ns = time_class_middle(i, FINE);
		return ns < histogram->max ? ns : histogram->max;
	}
	if (!histogram->sorted)
		qsort(histogram->exact, histogram->nr, sizeof(*histogram->exact), by_time);
	histogram->sorted = true;
	return histogram->exact[rank - 1];
}

void histogram_free(struct histogram *histogram)
{
	free(histogram->exact);
	free(histogram->classes);
	*histogram = (struct histogram){ 0 };
}
