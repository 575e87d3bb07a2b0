// SPDX-License-Identifier: GPL-2.0
/* tap_losses.c - for --why: print how many packets a packet socket did not get, and the causes */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/packet_text.h"
#include "output/json_line.h"
#include "output/tap_losses.h"

/* Maximum number of packets that are listed. */
#define LISTED 8

/*
 * struct tap_loss - the packets that one packet socket did not get for one cause; @text has the socket and
 * the cause
 */
struct tap_loss {
	char text[DECISION_TEXT_LEN];
	uint64_t nr, ts;
	uint32_t newest;
	uint32_t packets[LISTED];
	struct tap_loss *next;
};

/* Return: the key of a text: its hash (FNV-1a). */
static struct table_key text_key(const char *text)
{
	uint64_t hash = 14695981039346656037u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return (struct table_key){ .number = hash };
}

static struct tap_loss *find_or_add(struct tap_losses *losses, const char *text)
{
	struct table_key key = text_key(text);
	struct tap_loss *loss;

	/* If another text has the same key, try the next keys. */
	for (; (loss = table_find(&losses->by_text, key)); key.number++) {
		if (!strcmp(loss->text, text))
			return loss;
	}
	loss = table_add(&losses->by_text, key, calloc(1, sizeof(*loss)));
	if (!loss) {
		losses->no_memory = true;
		return NULL;
	}
	snprintf(loss->text, sizeof(loss->text), "%s", text);
	if (losses->last)
		losses->last->next = loss;
	else
		losses->first = loss;
	losses->last = loss;
	return loss;
}

static void add_loss(struct tap_losses *losses, const struct decision *decision, uint32_t number)
{
	char text[DECISION_TEXT_LEN];
	struct tap_loss *loss = find_or_add(losses, words_decision(text, decision));

	if (!loss || loss->newest == number)
		return;
	loss->newest = number;
	if (loss->nr < LISTED)
		loss->packets[loss->nr] = number;
	if (!loss->nr++)
		loss->ts = decision->at;
}

void tap_losses_add(struct tap_losses *losses, const struct packet *packet)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct decisions *decisions = &packet->copies[i]->path.decisions;

		for (unsigned int k = 0; k < decisions->n; k++) {
			if (decision_is_tap_loss(&decisions->v[k].facts))
				add_loss(losses, &decisions->v[k], packet->number);
		}
	}
}

static void print_json(const struct tap_loss *loss)
{
	struct json_object *object = json_new_object("cause");
	struct json_object *packets = json_object_new_array();

	json_add_text(object, "what", "not in packet socket");
	json_add_text(object, "end", loss->text);
	json_add_text(object, "cause", loss->text);
	json_add_number(object, "count", loss->nr);
	json_add_time(object, "time", loss->ts);
	for (uint64_t i = 0; i < loss->nr && i < LISTED; i++)
		json_object_array_add(packets, json_object_new_int64(loss->packets[i]));
	json_add(object, "packets", packets);
	json_print_object(object);
}

void tap_losses_print(const struct tap_losses *losses, bool json)
{
	const struct tap_loss *loss;

	for (loss = losses->first; loss; loss = loss->next) {
		if (json) {
			print_json(loss);
			continue;
		}
		printf("%llu packet%s %s\n   ", (unsigned long long)loss->nr, plural_of(loss->nr),
		       loss->text);
		for (uint64_t k = 0; k < loss->nr && k < LISTED; k++)
			printf(" #%u", loss->packets[k]);
		printf("%s\n", loss->nr > LISTED ? " ..." : "");
	}
	if (losses->no_memory)
		fputs("not all packet sockets are in it: out of memory\n", stderr);
}

void tap_losses_free(struct tap_losses *losses)
{
	table_free(&losses->by_text);
	losses->first = losses->last = NULL;
}
