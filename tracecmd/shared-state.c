// SPDX-License-Identifier: GPL-2.0
/* What recordings at the same time have changed together: the first notes it, the last puts it back. */
#include <errno.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

#include "files.h"
#include "record_skb.h"
#include "shared-state.h"
#include "strlist.h"

#define STATE "/run/record-skb-shared"
/* In it, before what tells this loading of the module from another. */
#define MODULE "module"

/* Options of function_graph; a name that ends with "-" begins several. */
static const char *const options[] = { "funcgraph-", "graph-time", "sleep-time" };

/* What else is the kernel's, and with what nothing is hidden; NULL if a recording may choose. */
static const struct {
	const char *file, *neutral;
} settings[] = {
	{ "max_graph_depth", "0" },
	{ "tracing_thresh", "0" },
	{ "saved_cmdlines_size", NULL },
	{ "/proc/sys/kernel/ftrace_enabled", NULL },
};
#define NR_SETTINGS (sizeof(settings) / sizeof(settings[0]))

/* Another number each time that it is loaded; 0 if it is not. */
static unsigned long long module_number(void)
{
	struct stat st;

	return stat("/sys/module/" RECORD_SKB_MODULE, &st) ? 0 : st.st_ino;
}

static bool is_graph_option(const char *name)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const size_t n = strlen(options[i]);

		if (!strncmp(name, options[i], n) && (!name[n] || name[n - 1] == '-'))
			return true;
	}
	return false;
}

static void note(FILE *out, const char *file)
{
	char *value = file_read(file);

	if (value)
		fprintf(out, "%s %s\n", file, value);
	free(value);
}

static void note_options(FILE *out)
{
	char *path = tracefs_get_tracing_file("options");
	DIR *stream = path ? opendir(path) : NULL;
	struct dirent *entry;

	tracefs_put_tracing_file(path);
	while (stream && (entry = readdir(stream))) {
		char *file = xasprintf("options/%s", entry->d_name);

		if (is_graph_option(entry->d_name))
			note(out, file);
		free(file);
	}
	if (stream)
		closedir(stream);
}

/* Written whole, or not at all. */
static int write_state(bool module_loaded, struct err *err)
{
	char new[] = STATE ".XXXXXX";
	const int fd = mkstemp(new);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool bad;

	if (!out)
		return err_set(err, "cannot write " STATE ": %s", strerror(errno));
	if (module_loaded)
		fprintf(out, MODULE " %llu\n", module_number());
	note_options(out);
	for (size_t i = 0; i < NR_SETTINGS; i++)
		note(out, settings[i].file);
	bad = ferror(out);
	if (!fclose(out) && !bad && !rename(new, STATE))
		return 0;
	err_set(err, "cannot write " STATE ": %s", strerror(errno));
	unlink(new);
	return -1;
}

static void set(const char *file, const char *value)
{
	char *is = file_read(file);

	if (is && strcmp(is, value))
		file_write(file, value);
	free(is);
}

int shared_state_begin(bool module_loaded, struct err *err)
{
	if (write_state(module_loaded, err))
		return -1;
	for (size_t i = 0; i < NR_SETTINGS; i++)
		if (settings[i].neutral)
			set(settings[i].file, settings[i].neutral);
	return 0;
}

bool shared_state_end(void)
{
	char *text = file_read(STATE), *rest = text, *line, *value;
	bool ours = false;

	while (rest && (line = strsep(&rest, "\n"))) {
		value = strchr(line, ' ');
		if (!value)
			continue;
		*value++ = '\0';
		if (!strcmp(line, MODULE))
			ours = module_number() && strtoull(value, NULL, 10) == module_number();
		else
			set(line, value);
	}
	unlink(STATE);
	free(text);
	return ours;
}
