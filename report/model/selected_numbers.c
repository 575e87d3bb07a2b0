// SPDX-License-Identifier: GPL-2.0
/*
 * selected_numbers.c - find the numbers of the selected packets before the output is made
 *
 * Only at the end of a packet is it known if the packet is selected. By then, the rows of its functions have
 * already been read. So an output that prints functions reads the recording twice: first to find the selected
 * packets, then to print them.
 */
#include <stdlib.h>

#include "model/selected_numbers.h"
#include "hash_table.h"

struct selected_numbers {
	struct packet_filter *filter;
	struct table numbers; /* table with an element for each selected packet */
	bool all, failed;
};

static void add_number(void *data, const struct packet *packet)
{
	struct selected_numbers *selected = data;
	const struct table_key key = { .number = packet->number };

	if (!table_find(&selected->numbers, key) &&
	    !table_add(&selected->numbers, key, calloc(1, 1)))
		selected->failed = true;
}

static const struct output selected_numbers_output = { .packet = add_number };

static int read_numbers(struct selected_numbers *selected, struct reader *reader, struct err *err)
{
	struct packets *packets = packets_new(&packet_filter_output, selected->filter, NULL);

	if (!packets)
		return err_set(err, "out of memory");
	packets_set_netns_names(packets, reader_netns_names(reader));
	packet_filter_set_output(selected->filter, &selected_numbers_output, selected, packets);
	reader_add_observer(reader, &packets_observer, packets);
	reader_add_observer(reader, &packet_filter_observer, selected->filter);
	reader_run(reader);
	packets_end(packets);
	packets_free(packets);
	return selected->failed ? err_set(err, "out of memory") : 0;
}

static int fill_numbers(struct selected_numbers *selected, const char *path,
			const struct chosen *chosen, struct err *err)
{
	struct reader *reader;
	int ret;

	selected->all = !chosen_any(chosen);
	selected->filter = packet_filter_new(chosen, err);
	if (!selected->filter)
		return -1;
	if (selected->all)
		return 0;
	reader = reader_open(path, err);
	if (!reader)
		return -1;
	ret = read_numbers(selected, reader, err);
	reader_close(reader);
	return ret;
}

struct selected_numbers *selected_numbers_read(const char *path, const struct chosen *chosen,
					       struct err *err)
{
	struct selected_numbers *selected = calloc(1, sizeof(*selected));

	if (!selected) {
		err_set(err, "out of memory");
		return NULL;
	}
	if (fill_numbers(selected, path, chosen, err)) {
		selected_numbers_free(selected);
		return NULL;
	}
	return selected;
}

void selected_numbers_free(struct selected_numbers *selected)
{
	if (!selected)
		return;
	table_free(&selected->numbers);
	packet_filter_free(selected->filter);
	free(selected);
}

bool selected_numbers_has(const struct selected_numbers *selected, uint32_t number)
{
	return selected->all ||
	       table_find(&selected->numbers, (struct table_key){ .number = number });
}
