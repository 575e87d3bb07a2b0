/* SPDX-License-Identifier: GPL-2.0 */
/* text.h - allocated strings, lists of strings, texts that are safe in messages, and numbers in texts */
#ifndef _RECORD_SKB_TEXT_H
#define _RECORD_SKB_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct strings - a list of strings in the format of execv(3)
 * @v: array of the strings, followed by NULL; owned. NULL while the list is empty
 * @n: number of strings
 *
 * libtracefs has similar lists, but without a count and without functions like printf(3). The dispatcher must
 * not depend on libtracefs, either.
 */
struct strings {
	char **v;
	size_t n;
};

/* Append a copy of a string, or a formatted string. If no memory is available, the program ends. */
void strings_add(struct strings *list, const char *s);
void strings_addf(struct strings *list, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strings_free(struct strings *list);

/* Sort the list in the order of strcmp(3), and remove duplicates. */
void strings_sort(struct strings *list);

/* Variants of strdup(3), realloc(3) and asprintf(3) that end the program if no memory is available. */
char *xstrdup(const char *s);
void *xrealloc(void *p, size_t size);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * safe_text - copy a text, and replace control characters and invalid bytes, so that a terminal can show it
 * @text: any bytes
 *
 * Return: a string to be freed.
 */
char *safe_text(const char *text);

/**
 * safe_word - make a shell word from a name, for a command in a message that the user may paste into a shell
 * @name: any bytes
 *
 * Return: a string to be freed. If no short shell word means exactly @name, the string is the placeholder
 * "NAME".
 */
char *safe_word(const char *name);

/*
 * Parse @text as a decimal number from 0 to @max. Only digits are allowed. Return true if the text is valid.
 */
bool number_read(const char *text, unsigned long max, unsigned long *number);

/*
 * Parse the digits at the beginning of *@text as number_read() does, and set *@text to the first character
 * after them. Return true if the number is valid.
 */
bool number_read_at(const char **text, unsigned long max, unsigned long *number);

struct unit {
	const char *name;
	unsigned long factor;
};

/*
 * Parse a number that is followed by the name of one of @units, and convert it to the smallest unit. An empty
 * element ends @units. Return true if the text is valid and the converted value is at most @max.
 */
bool unit_read(const char *text, const struct unit *units, unsigned long max, unsigned long *value);

/* Parse a time such as "5ms", in us, ms or s, up to @max_ns nanoseconds. Return true if the text is valid. */
bool time_read(const char *text, unsigned long max_ns, unsigned long *ns);

#endif /* _RECORD_SKB_TEXT_H */
