// SPDX-License-Identifier: GPL-2.0
/* requests_section.c - print the section about requests in the summary */
#include <stdio.h>

#include "model/packet_text.h"
#include "output/requests_table.h"

size_t requests_section_rows(struct requests_table *table)
{
	size_t n = 0;

	for (enum request_part part = 0; table && part <= REQUEST_PARTS; part++)
		n += requests_table_times(table, part)->nr != 0;
	return n;
}

/*
 * Return: the part of requests with the longest time, without the parts in the bit mask @printed;
 * REQUEST_PARTS if no part is left.
 */
static enum request_part longest_part(struct requests_table *table, unsigned int printed)
{
	enum request_part longest = REQUEST_PARTS;

	for (enum request_part part = 0; part < REQUEST_PARTS; part++) {
		const struct histogram *times = requests_table_times(table, part);

		if (times->nr && !(printed & 1u << part) &&
		    (longest == REQUEST_PARTS ||
		     times->max > requests_table_times(table, longest)->max))
			longest = part;
	}
	return longest;
}

static void print_row(struct requests_table *table, enum request_part part)
{
	struct histogram *times = requests_table_times(table, part);
	char median[DURATION_LEN], p99[DURATION_LEN], max[DURATION_LEN], number[16] = "-";

	if (times->packet)
		snprintf(number, sizeof(number), "#%u", times->packet);
	printf("%8llu %8s %8s %8s %8s  %s\n", (unsigned long long)times->nr,
	       words_duration(median, histogram_percentile(times, 50)),
	       words_duration(p99, histogram_percentile(times, 99)),
	       words_duration(max, times->max), number,
	       part == REQUEST_PARTS ? "total" : request_part_name(part));
}

void requests_section_print(struct requests_table *table, size_t shown)
{
	enum request_part part = REQUEST_PARTS;
	unsigned int printed = 0;

	printf("%8s %8s %8s %8s %8s  %s\n", "COUNT", "MEDIAN", "P99", "MAX", "EXAMPLE", "REQUESTS");
	for (size_t i = 0; i < shown; i++) {
		print_row(table, part);
		part = longest_part(table, printed);
		printed |= 1u << part;
	}
}
