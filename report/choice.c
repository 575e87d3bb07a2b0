// SPDX-License-Identifier: GPL-2.0
/*
 * choice.c - the numbers of the packets that are chosen, for who asks before a packet has ended
 *
 * Whether a packet is chosen is known at its end, when its functions have gone by. So the recording is read
 * for that alone before.
 */
#include <stdlib.h>

#include "choice.h"
#include "table.h"

struct choice {
	struct selection *selection;
	struct table numbers; /* a byte for each that is chosen */
	bool all, failed;
};

static void one_packet(void *data, const struct packet *packet)
{
	struct choice *choice = data;
	const struct table_key key = { .number = packet->number };

	if (!table_find(&choice->numbers, key) && !table_add(&choice->numbers, key, calloc(1, 1)))
		choice->failed = true;
}

static const struct output choice_output = { .packet = one_packet };

static int read_numbers(struct choice *choice, struct reader *reader, struct err *err)
{
	struct packets *packets = packets_new(&selection_output, choice->selection, NULL);

	if (!packets)
		return err_set(err, "out of memory");
	selection_set_output(choice->selection, &choice_output, choice, packets);
	reader_add_sink(reader, &packets_sink, packets);
	reader_add_sink(reader, &selection_sink, choice->selection);
	reader_run(reader);
	packets_end(packets);
	packets_free(packets);
	return choice->failed ? err_set(err, "out of memory") : 0;
}

static int fill(struct choice *choice, const char *path, const struct chosen *chosen,
		struct err *err)
{
	struct reader *reader;
	int ret;

	choice->all = !chosen_any(chosen);
	choice->selection = selection_new(chosen, err);
	if (!choice->selection)
		return -1;
	if (choice->all)
		return 0;
	reader = reader_open(path, err);
	if (!reader)
		return -1;
	ret = read_numbers(choice, reader, err);
	reader_close(reader);
	return ret;
}

struct choice *choice_read(const char *path, const struct chosen *chosen, struct err *err)
{
	struct choice *choice = calloc(1, sizeof(*choice));

	if (!choice) {
		err_set(err, "out of memory");
		return NULL;
	}
	if (fill(choice, path, chosen, err)) {
		choice_free(choice);
		return NULL;
	}
	return choice;
}

void choice_free(struct choice *choice)
{
	if (!choice)
		return;
	table_free(&choice->numbers);
	selection_free(choice->selection);
	free(choice);
}

bool choice_has(const struct choice *choice, uint32_t number)
{
	return choice->all || table_find(&choice->numbers, (struct table_key){ .number = number });
}

void choice_say(const struct choice *choice)
{
	selection_say(choice->selection);
}
