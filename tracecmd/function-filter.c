// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "function-filter.h"
#include "tracefs-files.h"

#define FILTER		"set_ftrace_filter"
#define ALL_ENABLED	"#### all functions enabled ####"

static int compare(const void *a, const void *b)
{
	return strcmp(*(char * const *)a, *(char * const *)b);
}

/* Returns 0 or a negative errno. */
static int write_number(int fd, unsigned long number)
{
	char *text = xasprintf("%lu\n", number);
	int ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;

	free(text);
	return ret;
}

/*
 * The kernel looks at every function it has for each name it is given. It also takes a function's line
 * number in available_filter_functions, and finds that at once.
 */
static int write_numbers(int fd, char *functions, const struct strings *sorted)
{
	unsigned long number = 0;
	char *line;
	int ret = 0;

	while (!ret && (line = strsep(&functions, "\n"))) {
		number++;
		line[strcspn(line, " \t")] = '\0';
		if (bsearch(&line, sorted->v, sorted->n, sizeof(*sorted->v), compare))
			ret = write_number(fd, number);
	}
	return ret;
}

static int append(const char *dir, const struct strings *sorted)
{
	char *path = xasprintf("%s/" FILTER, dir);
	char *functions = tracefs_read(dir, "available_filter_functions");
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret;

	free(path);
	if (fd < 0 || !functions) {
		ret = -errno;
	} else {
		ret = write_numbers(fd, functions, sorted);
		/* It takes effect, and fails, on closing. */
		if (close(fd) && !ret)
			ret = -errno;
	}
	free(functions);
	return ret;
}

int function_filter_add(const char *dir, const struct strings *names, struct err *err)
{
	char *now = tracefs_read(dir, FILTER);
	const bool all = !now || !strncmp(now, ALL_ENABLED, strlen(ALL_ENABLED));
	struct strings sorted = {};
	int ret;

	free(now);
	if (all || !names->n)
		return 0;
	for (size_t i = 0; i < names->n; i++)
		strings_add(&sorted, names->v[i]);
	qsort(sorted.v, sorted.n, sizeof(*sorted.v), compare);
	ret = append(dir, &sorted);
	strings_free(&sorted);
	return ret ? err_set(err, "cannot add the probe points to the functions of -l: %s",
			     strerror(-ret)) : 0;
}
