// SPDX-License-Identifier: GPL-2.0
/* The gates of recordings at the same time in set_graph_function, which is one for the whole kernel. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "graph-gates.h"
#include "record_skb.h"
#include "share.h"
#include "strlist.h"

static const struct {
	const char *file, *what, *harm;
} files[] = {
	{ "set_graph_function", RECORD_SKB_GATE, "its graphs would be in this recording, too" },
	{ "set_graph_notrace", RECORD_SKB_HIDE, "what is below it would be missing" },
};
#define NR_FILES (sizeof(files) / sizeof(files[0]))

/* The first that is no recording's, to be freed; NULL if there is none. */
static char *find_others(const char *file)
{
	char *text = file_read(file), *rest = text, *line, *found = NULL;

	while (!found && rest && (line = strsep(&rest, "\n"))) {
		line[strcspn(line, " ")] = '\0';
		if (*line && *line != '#' && !share_is_others(line, 0))
			found = xstrdup(line);
	}
	free(text);
	return found;
}

static int check(size_t i, struct err *err)
{
	char *other = find_others(files[i].file);

	if (!other)
		return 0;
	err_set(err, "%s has '%s', and %s: empty it first (trace-cmd reset)", files[i].file, other,
		files[i].harm);
	free(other);
	return -1;
}

static bool is_there(const char *file, const char *name)
{
	char *text = file_read(file), *rest = text, *line;
	bool found = false;

	while (!found && rest && (line = strsep(&rest, "\n"))) {
		line[strcspn(line, " ")] = '\0';
		found = !strcmp(line, name);
	}
	free(text);
	return found;
}

/* Until it is so: see FILE_TRIES. @line: what to write for @name to be @there. */
static int write_until(const char *file, const char *line, const char *name, bool there)
{
	int ret;

	for (int i = 0; i < FILE_TRIES; i++) {
		if (i)
			usleep(FILE_TRY_MSEC * 1000);
		ret = file_append(file, line);
		if (ret || is_there(file, name) == there)
			return ret;
	}
	return -ENOMEM;
}

static int add(size_t i, unsigned int recording, struct err *err)
{
	char *name = share_name(files[i].what, recording), *line = xasprintf("%s\n", name);
	const int ret = write_until(files[i].file, line, name, true);

	free(line);
	free(name);
	return ret ? err_set(err, "cannot write to %s: %s", files[i].file, strerror(-ret)) : 0;
}

int graph_gates_add(unsigned int recording, struct err *err)
{
	for (size_t i = 0; i < NR_FILES; i++)
		if (check(i, err))
			return -1;
	/* What one who was killed has left is not an error twice. */
	graph_gates_remove(recording);
	for (size_t i = 0; i < NR_FILES; i++)
		if (add(i, recording, err))
			return -1;
	return 0;
}

void graph_gates_remove(unsigned int recording)
{
	for (size_t i = 0; i < NR_FILES; i++) {
		char *name = share_name(files[i].what, recording);
		char *line = xasprintf("!%s\n", name);

		if (is_there(files[i].file, name))
			write_until(files[i].file, line, name, false);
		free(line);
		free(name);
	}
}
