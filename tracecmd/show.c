// SPDX-License-Identifier: GPL-2.0
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "points.h"
#include "real-trace-cmd.h"
#include "record.h"
#include "show.h"
#include "tracefs-files.h"

/* A line of available_filter_functions is "name" or "name [module]". */
static bool has_function(const char *functions, const char *name)
{
	const size_t n = strlen(name);

	for (const char *p = functions; (p = strstr(p, name)); p += n)
		if ((p == functions || p[-1] == '\n') && (!p[n] || strchr(" \t\n", p[n])))
			return true;
	return false;
}

void show_points(FILE *out)
{
	const char *dir;
	char *functions;
	struct err err;

	dir = geteuid() ? NULL : tracefs_find(&err);
	functions = dir ? tracefs_read(dir, "available_filter_functions") : NULL;
	if (!functions)
		fputs("# which of them this kernel has, only root can see\n", out);
	for (size_t i = 0; i < nr_places; i++) {
		const struct place *place = &places[i];

		for (const char * const *name = place->names; *name; name++) {
			bool missing = functions && !has_function(functions, *name);

			fprintf(out, "%-32s %s  %-6s of argument %u%s%s\n", *name,
				point_dir_name(place->dir), point_kind_name(place->kind), place->arg,
				place->follow ? "  (with a command or -P)" : "",
				!missing ? "" : place->in_module ? "  (its module is not loaded)" :
				"  (not in this kernel)");
		}
	}
	free(functions);
}

static void show_word(FILE *out, const char *word)
{
	if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_-+=:,./@%")]) {
		fprintf(out, " %s", word);
		return;
	}
	fputs(" '", out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

static void show_program(FILE *out, const char *title, const struct program *program)
{
	fprintf(out, "%s\n", title);
	if (program_matches_nothing(program))
		fputs("(none: the expression matches none of these)\n", out);
	else
		filter_print(out, program);
}

static void show_chosen(FILE *out, const struct options *options, const struct chosen *chosen)
{
	for (size_t i = 0; i < chosen->wanted.n; i++)
		wanted_show_point(out, &chosen->wanted.v[i], "");
	for (size_t i = 0; i < options->functions.n && !chosen->wanted.n; i++)
		fprintf(out, "%-32s (what of this kernel that is, only root can see)\n",
			options->functions.v[i]);
	if (chosen->functions.n)
		fprintf(out, "# %zu functions are recorded beside these\n", chosen->functions.n);
}

void show_plan(FILE *out, const struct options *options, const char *expression,
	       const struct filter *filter, const struct chosen *chosen)
{
	struct strings line = {};
	char self[PATH_MAX] = "trace-cmd-record-skb";
	char *trace_cmd = real_trace_cmd();
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n > 0)
		self[n] = '\0';
	fprintf(out, "# expression\n%s\n", expression ? expression : "(none: all of the command's)");
	if (expression) {
		show_program(out, "# program, from the network header on", &filter->raw);
		show_program(out, "# program, from the Ethernet header on", &filter->ll);
	}
	fputs("# probe points\n", out);
	show_points(out);
	show_chosen(out, options, chosen);
	fputs("# command line\n", out);
	record_command_line(options, trace_cmd ? trace_cmd : "trace-cmd", self, "SOCKET", &line);
	for (size_t i = 0; i < line.n; i++)
		show_word(out, line.v[i]);
	fputc('\n', out);
	strings_free(&line);
	free(trace_cmd);
}
