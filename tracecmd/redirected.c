// SPDX-License-Identifier: GPL-2.0
/* Functions whose calls a live patch, or another user of ftrace, leads elsewhere. */
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "redirected.h"

/*
 * "name [module] (count) R I D\ttramp: ...": I is for IPMODIFY, D for a call of BPF's own; what belongs to a
 * line is indented.
 */
static bool has_flag(const char *line, char flag)
{
	const char *flags = strstr(line, " (");
	const char *end;

	if (*line == '\t' || !flags)
		return false;
	flags = strchr(flags, ')');
	for (end = flags; end && *end && *end != '\t'; end++)
		if (end[0] == ' ' && end[1] == flag && (!end[2] || strchr(" \t", end[2])))
			return true;
	return false;
}

void redirected_read(struct strings *redirected)
{
	char *text = file_read("enabled_functions");
	char *rest = text, *line;

	while (rest && (line = strsep(&rest, "\n"))) {
		if (!has_flag(line, 'I'))
			continue;
		line[strcspn(line, " ")] = '\0';
		strings_add(redirected, line);
	}
	free(text);
}

/* A live patch has a directory for each object, and in it one for each function: "name,number". */
static char *live_patch(const char *function)
{
	char *pattern = xasprintf("/sys/kernel/livepatch/*/*/%s,*", function);
	char *found, *name = NULL;
	glob_t paths;

	if (!glob(pattern, 0, NULL, &paths)) {
		found = paths.gl_pathv[0] + strlen("/sys/kernel/livepatch/");
		name = xasprintf("the live patch %.*s", (int)strcspn(found, "/"), found);
		globfree(&paths);
	}
	free(pattern);
	return name;
}

char *redirected_by(const struct strings *redirected, const char *function)
{
	char *name;

	for (size_t i = 0; i < redirected->n; i++) {
		if (strcmp(redirected->v[i], function))
			continue;
		name = live_patch(function);
		return name ? name : xstrdup("another user of ftrace (see enabled_functions)");
	}
	return NULL;
}

void redirected_keep_patched(struct strings *redirected)
{
	struct strings patched = {};
	char *name;

	for (size_t i = 0; i < redirected->n; i++) {
		name = live_patch(redirected->v[i]);
		if (name)
			strings_add(&patched, redirected->v[i]);
		free(name);
	}
	strings_free(redirected);
	*redirected = patched;
}

char *called_directly(const struct strings *functions)
{
	char *text = file_read("enabled_functions");
	char *rest = text, *line, *found = NULL;

	while (!found && rest && (line = strsep(&rest, "\n"))) {
		if (!has_flag(line, 'D') || has_flag(line, 'I'))
			continue;
		line[strcspn(line, " ")] = '\0';
		for (size_t i = 0; !found && i < functions->n; i++)
			if (!strcmp(functions->v[i], line))
				found = xstrdup(line);
	}
	free(text);
	return found;
}
