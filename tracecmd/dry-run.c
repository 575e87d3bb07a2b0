// SPDX-License-Identifier: GPL-2.0
/* --dry-run: what a recording would be made of. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dry-run.h"
#include "list-points.h"
#include "real-trace-cmd.h"
#include "recorder-command.h"

static void print_word(FILE *out, const char *word)
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

static void print_program(FILE *out, const char *title, const struct program *program)
{
	fprintf(out, "%s\n", title);
	if (program_matches_nothing(program))
		fputs("(none: the expression matches none of these)\n", out);
	else
		packet_filter_print(out, program);
}

static void print_points(FILE *out, const struct plan *plan)
{
	const struct options *o = plan->options;
	const struct functions *functions = &plan->kernel.functions;

	fputs("# probe points\n", out);
	list_points_table(out, functions->n ? functions : NULL);
	list_points_extra(out, &plan->extra);
	for (size_t i = 0; i < o->functions.n && !plan->extra.n; i++)
		fprintf(out, "%-32s (what of this kernel that is, only root can see)\n",
			o->functions.v[i]);
	if (plan->graph_functions.n)
		fprintf(out, "# %zu functions are recorded beside these\n",
			plan->graph_functions.n);
}

static void print_command(FILE *out, const struct plan *plan)
{
	struct strings command = {};
	char self[PATH_MAX] = "trace-cmd-record-skb";
	char *trace_cmd = real_trace_cmd();
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n > 0)
		self[n] = '\0';
	fputs("# command line\n", out);
	recorder_command(plan->options, plan->options->shared, trace_cmd ? trace_cmd : "trace-cmd",
			 self, "SOCKET", &command);
	for (size_t i = 0; i < command.n; i++)
		print_word(out, command.v[i]);
	fputc('\n', out);
	strings_free(&command);
	free(trace_cmd);
}

void dry_run_print(FILE *out, const struct plan *plan)
{
	fprintf(out, "# expression\n%s\n",
		plan->expression ? plan->expression : "(none: all of the command's)");
	if (plan->expression) {
		print_program(out, "# program, from the network header on", &plan->filter.raw);
		print_program(out, "# program, from the Ethernet header on", &plan->filter.ll);
	}
	print_points(out, plan);
	print_command(out, plan);
}
