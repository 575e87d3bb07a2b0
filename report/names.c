// SPDX-License-Identifier: GPL-2.0
/* names.c - functions of the traced kernel: asked for at each row, so looked up once */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "names.h"
#include "record_skb.h"

struct names {
	struct tep_handle *tep;
	struct name **slots; /* open addressing by address */
	size_t nr_slots, nr;
};

struct names *names_new(struct tep_handle *tep)
{
	struct names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->tep = tep;
	names->nr_slots = 1024;
	names->slots = calloc(names->nr_slots, sizeof(*names->slots));
	if (!names->slots) {
		free(names);
		return NULL;
	}
	return names;
}

void names_free(struct names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->nr_slots; i++)
		free(names->slots[i]);
	free(names->slots);
	free(names);
}

void names_set_tep(struct names *names, struct tep_handle *tep)
{
	names->tep = tep;
}

static struct name **find_slot(struct name **slots, size_t nr, uint64_t address)
{
	size_t i = (address * 0x9e3779b97f4a7c15ull >> 32) & (nr - 1);

	while (slots[i] && slots[i]->func != address)
		i = (i + 1) & (nr - 1);
	return &slots[i];
}

static int grow(struct names *names)
{
	size_t nr = names->nr_slots * 2;
	struct name **slots = calloc(nr, sizeof(*slots));

	if (!slots)
		return -1;
	for (size_t i = 0; i < names->nr_slots; i++) {
		if (names->slots[i])
			*find_slot(slots, nr, names->slots[i]->func) = names->slots[i];
	}
	free(names->slots);
	names->slots = slots;
	names->nr_slots = nr;
	return 0;
}

static struct name *add_name(struct names *names, uint64_t address)
{
	const char *known = tep_find_function(names->tep, address);
	struct name *name = calloc(1, sizeof(*name) + (known ? strlen(known) + 1 : 20));
	char *text;

	if (!name)
		return NULL;
	text = (char *)(name + 1);
	if (known)
		strcpy(text, known);
	else
		snprintf(text, 20, "%llx", (unsigned long long)address);
	name->func = address;
	name->text = text;
	name->known = known;
	name->gate = !strcmp(text, RECORD_SKB_GATE);
	name->facts = function_facts(text);
	*find_slot(names->slots, names->nr_slots, address) = name;
	names->nr++;
	return name;
}

const struct name *names_of(struct names *names, uint64_t address)
{
	struct name *name = *find_slot(names->slots, names->nr_slots, address);

	if (name)
		return name;
	if (names->nr * 2 >= names->nr_slots && grow(names))
		return NULL;
	return add_name(names, address);
}
