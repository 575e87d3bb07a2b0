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

/*
 * Maximum size of a function. An address at a larger distance from the nearest function before it belongs to
 * a function without a name, for example of a module that was unloaded before the names were read.
 */
#define MAX_SIZE 0x10000

struct names {
	struct tep_handle *tep;
	struct table by_address;
	struct table by_text; /* table of struct same_hash, by hash; for joined recordings */
	uint64_t made_up;     /* the last address that names_intern() has made up */
};

/* A list of the names with equal hashes. */
struct same_hash {
	struct same_hash *next;
	struct name *name;
};

struct names *names_new(struct tep_handle *tep)
{
	struct names *names = calloc(1, sizeof(*names));

	if (names)
		names->tep = tep;
	return names;
}

static void free_texts(struct names *names)
{
	struct same_hash *same, *next;
	size_t i = 0;

	while ((same = table_next(&names->by_text, &i))) {
		/* The first element of each list is freed by table_free(). */
		for (same = same->next; same; same = next) {
			next = same->next;
			free(same);
		}
	}
	table_free(&names->by_text);
}

void names_free(struct names *names)
{
	if (!names)
		return;
	table_free(&names->by_address);
	free_texts(names);
	free(names);
}

/* Return: the distance of an address from the start of its function; 0 if it is not known. */
static uint32_t offset_of(const struct names *names, uint64_t address)
{
	const uint64_t start = names->tep ? tep_find_function_address(names->tep, address) : 0;

	return start && address > start && address - start < MAX_SIZE ? address - start : 0;
}

static struct name *name_new(const struct names *names, uint64_t address)
{
	const char *known = names->tep ? tep_find_function(names->tep, address) : NULL;
	const size_t size = known ? ESCAPED_LEN(strlen(known)) : 20;
	struct name *name = calloc(1, sizeof(*name) + size);
	char *text;

	if (!name)
		return NULL;
	text = (char *)(name + 1);
	/* Escape control characters in the name, because the file can be damaged or forged. */
	if (known)
		escape_text(text, size, known);
	else
		snprintf(text, size, "%llx", (unsigned long long)address);
	name->func = address;
	name->text = text;
	name->known = known;
	name->offset = known ? offset_of(names, address) : 0;
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

static struct table_key text_key(const char *text)
{
	uint64_t hash = 14695981039346656037u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return (struct table_key){ .number = hash };
}

static struct name *copy_name(struct names *names, const struct name *name)
{
	struct name *copy = calloc(1, sizeof(*copy) + strlen(name->text) + 1);

	if (!copy)
		return NULL;
	*copy = *name;
	copy->func = ++names->made_up;
	copy->common = NULL;
	copy->offset = 0;
	copy->text = strcpy((char *)(copy + 1), name->text);
	return table_add(&names->by_address, (struct table_key){ .number = copy->func }, copy);
}

const struct name *names_intern(struct names *names, const struct name *name)
{
	struct same_hash *first, *same;

	if (!name || name->common)
		return name ? name->common : NULL;
	first = table_find(&names->by_text, text_key(name->text));
	for (same = first; same && strcmp(same->name->text, name->text);)
		same = same->next;
	if (!same) {
		same = calloc(1, sizeof(*same));
		if (same)
			same->name = copy_name(names, name);
		if (!same || !same->name) {
			free(same);
			return NULL;
		}
		if (first) {
			same->next = first->next;
			first->next = same;
		} else if (!table_add(&names->by_text, text_key(name->text), same)) {
			return NULL;
		}
	}
	((struct name *)name)->common = same->name;
	return same->name;
}
