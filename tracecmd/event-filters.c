// SPDX-License-Identifier: GPL-2.0
/* The filters that events have in tracefs. */
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

#include "event-filters.h"
#include "files.h"

void event_filters_read(struct event_filters *filters)
{
	const char *dir = tracefs_tracing_dir();
	char *pattern = xasprintf("%s/events/*/*/filter", dir);
	glob_t found = {};
	char *text;

	/* Thousands of files; their order does not matter. */
	if (!glob(pattern, GLOB_NOSORT, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			text = file_read(found.gl_pathv[i]);
			if (text && strcmp(text, "none")) {
				strings_add(&filters->files, found.gl_pathv[i] + strlen(dir) + 1);
				strings_add(&filters->texts, text);
			}
			free(text);
		}
	}
	globfree(&found);
	free(pattern);
}

static const char *text_of(const struct event_filters *filters, const char *file)
{
	for (size_t i = 0; i < filters->files.n; i++)
		if (!strcmp(filters->files.v[i], file))
			return filters->texts.v[i];
	return NULL;
}

int event_filters_restore(const struct event_filters *was, const char **failed)
{
	struct event_filters now = {};
	int error = 0, one;

	event_filters_read(&now);
	for (size_t i = 0; i < now.files.n; i++) {
		/* "0" takes a filter away. The event's module may have gone meanwhile. */
		if (!text_of(was, now.files.v[i]))
			file_append(now.files.v[i], "0");
	}
	for (size_t i = 0; i < was->files.n; i++) {
		const char *is = text_of(&now, was->files.v[i]);

		if (is && !strcmp(is, was->texts.v[i]))
			continue;
		one = file_append(was->files.v[i], was->texts.v[i]);
		if (one && one != -ENOENT) {
			error = one;
			*failed = was->files.v[i];
		}
	}
	event_filters_free(&now);
	return error;
}

void event_filters_free(struct event_filters *filters)
{
	strings_free(&filters->files);
	strings_free(&filters->texts);
}
