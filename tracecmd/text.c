// SPDX-License-Identifier: GPL-2.0
/* text.c - allocated strings, lists of strings, texts that are safe in messages, and numbers in texts */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "escape.h"
#include "text.h"

/*
 * End the program if no memory was available. Without memory, the program could neither report the error nor
 * restore the settings. When the program exits, its session is closed, and the module restores the settings.
 * Only this function and main() end the program.
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

static void add_string(struct strings *list, char *s)
{
	list->v = xrealloc(list->v, (list->n + 2) * sizeof(*list->v));
	list->v[list->n++] = s;
	list->v[list->n] = NULL;
}

void strings_add(struct strings *list, const char *s)
{
	add_string(list, xstrdup(s));
}

void strings_addf(struct strings *list, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_string(list, xvasprintf(fmt, ap));
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

char *safe_text(const char *text)
{
	const size_t size = ESCAPED_LEN(strlen(text));

	return escape_text(xrealloc(NULL, size), size, text);
}

char *safe_word(const char *name)
{
	const size_t size = SHELL_WORD_LEN(strlen(name));
	char *word = xrealloc(NULL, size);

	if (!escape_shell(word, size, name))
		strcpy(word, "NAME");
	return word;
}

bool number_read_at(const char **text, unsigned long max, unsigned long *number)
{
	const char *p = *text;

	for (*number = 0; isdigit((unsigned char)*p); p++) {
		const unsigned long digit = *p - '0';

		if (*number > max / 10 || *number * 10 > max - digit)
			return false;
		*number = *number * 10 + digit;
	}
	if (p == *text)
		return false;
	*text = p;
	return true;
}

bool unit_read(const char *text, const struct unit *units, unsigned long max, unsigned long *value)
{
	if (!number_read_at(&text, max, value))
		return false;
	for (; units->name; units++)
		if (!strcmp(text, units->name) && *value <= max / units->factor) {
			*value *= units->factor;
			return true;
		}
	return false;
}

bool time_read(const char *text, unsigned long max_ns, unsigned long *ns)
{
	static const struct unit times[] = {
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "s", 1000000000 },
		{},
	};

	return unit_read(text, times, max_ns, ns);
}

bool number_read(const char *text, unsigned long max, unsigned long *number)
{
	return number_read_at(&text, max, number) && !*text;
}
