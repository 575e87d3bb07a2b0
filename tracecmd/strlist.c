// SPDX-License-Identifier: GPL-2.0
/* Lists of strings, and memory that is there or ends the program. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "strlist.h"

/*
 * The one exit that is not at the program's top: nothing could be said or undone without memory,
 * and the kernel disarms by itself when the session's file closes.
 */
static void *or_die(void *p)
{
	if (!p) {
		fputs("trace-cmd record-skb: out of memory\n", stderr);
		exit(EXIT_OURS);
	}
	return p;
}

char *xstrdup(const char *s)
{
	return or_die(strdup(s));
}

void *xrealloc(void *p, size_t size)
{
	return or_die(realloc(p, size));
}

static char *xvasprintf(const char *fmt, va_list ap)
{
	char *s = NULL;

	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	return or_die(s);
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}

static void add(struct strings *list, char *s)
{
	list->v = xrealloc(list->v, (list->n + 2) * sizeof(*list->v));
	list->v[list->n++] = s;
	list->v[list->n] = NULL;
}

void strings_add(struct strings *list, const char *s)
{
	add(list, xstrdup(s));
}

void strings_addf(struct strings *list, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(list, xvasprintf(fmt, ap));
	va_end(ap);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strings_sort(struct strings *list)
{
	size_t n = 0;

	if (!list->n)
		return;
	qsort(list->v, list->n, sizeof(*list->v), by_text);
	for (size_t i = 1; i < list->n; i++) {
		if (strcmp(list->v[i], list->v[n]))
			list->v[++n] = list->v[i];
		else
			free(list->v[i]);
	}
	list->n = n + 1;
	list->v[list->n] = NULL;
}

void strings_free(struct strings *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i]);
	free(list->v);
	list->v = NULL;
	list->n = 0;
}
