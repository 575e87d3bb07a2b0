/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of strings, and memory that is there or ends the program. */
#ifndef _RECORD_SKB_STRLIST_H
#define _RECORD_SKB_STRLIST_H

#include <stddef.h>

/**
 * struct strings - a growing list of strings, as execv(3) wants it
 * @v: the strings, which the list owns, and NULL after the last; NULL while empty
 * @n: how many
 *
 * Like libtracefs's lists, but with printf(3), a count that need not be looked for, and in a dispatcher that
 * does without that library.
 */
struct strings {
	char **v;
	size_t n;
};

/* Append a copy, or what printf(3) makes. Running out of memory ends the program. */
void strings_add(struct strings *list, const char *s);
void strings_addf(struct strings *list, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strings_free(struct strings *list);

/* Sort by strcmp(3), and leave one of those that are equal. */
void strings_sort(struct strings *list);

/* strdup(3), realloc(3) and asprintf(3) that end the program when memory runs out. */
char *xstrdup(const char *s);
void *xrealloc(void *p, size_t size);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
