// SPDX-License-Identifier: GPL-2.0
/*
 * function_names.c - cache the function names of the traced kernel, because a name is needed for each row
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "functions.h"
#include "input/function_names.h"
#include "hash_table.h"

struct names {
	struct tep_handle *tep;
	struct table by_address;
};

struct names *names_new(struct tep_handle *tep)
{
	struct names *names = calloc(1, sizeof(*names));

	if (names)
		names->tep = tep;
	return names;
}

void names_free(struct names *names)
{
	if (!names)
		return;
	table_free(&names->by_address);
	free(names);
}

static struct name *name_new(const struct names *names, uint64_t address)
{
	const char *known = tep_find_function(names->tep, address);
	const size_t size = known ? ESCAPED_LEN(strlen(known)) : 20;
	struct name *name = calloc(1, sizeof(*name) + size);
	char *text;

	if (!name)
		return NULL;
	text = (char *)(name + 1);
	/* The name comes from the file, which can be damaged or forged: escape control characters. */
	if (known)
		escape_text(text, size, known);
	else
		snprintf(text, size, "%llx", (unsigned long long)address);
	name->func = address;
	name->text = text;
	name->known = known;
	name->gate = function_is_gate(text);
	name->facts = function_facts(text);
	return name;
}

const struct name *names_of(struct names *names, uint64_t address)
{
	const struct table_key key = { .number = address };
	const struct name *name = table_find(&names->by_address, key);

	return name ? name : table_add(&names->by_address, key, name_new(names, address));
}
