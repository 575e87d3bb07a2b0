// SPDX-License-Identifier: GPL-2.0
/* --help, from the table of options. */
#include <string.h>

#include "option-table.h"
#include "usage.h"

static bool is_passed(const struct option_row *row)
{
	return option_is_real(row) && !row->help && !row->refuse;
}

static void print_row(FILE *out, const struct option_row *row)
{
	char left[64];
	int n = 0;

	if (!option_is_real(row)) {
		fprintf(out, "\n%s\n", row->help);
		return;
	}
	if (row->letter)
		n = snprintf(left, sizeof(left), "-%c%s", row->letter, row->name ? ", " : "");
	else
		n = snprintf(left, sizeof(left), "    ");
	if (row->name)
		n += snprintf(left + n, sizeof(left) - n, "--%s", row->name);
	if (row->arg)
		snprintf(left + n, sizeof(left) - n, " %s", row->arg);
	fprintf(out, "  %-27s %s\n", left, row->help);
}

static void print_passed(FILE *out)
{
	char word[64];
	int column = 1;

	fputs("\nAs trace-cmd record has them:\n ", out);
	for (size_t i = 0; i < nr_option_rows; i++) {
		const struct option_row *row = &option_rows[i];
		const char *arg = row->arg;

		if (!is_passed(row))
			continue;
		if (row->name && arg && arg[0] == '[')
			snprintf(word, sizeof(word), "--%s[=%s", row->name, arg + 1);
		else if (row->name)
			snprintf(word, sizeof(word), "--%s%s%s", row->name, arg ? "=" : "",
				 arg ? arg : "");
		else
			snprintf(word, sizeof(word), "-%c%s%s", row->letter, arg ? " " : "",
				 arg ? arg : "");
		if (column + strlen(word) + 2 > 79) {
			fputs("\n ", out);
			column = 1;
		}
		column += fprintf(out, " %s", word);
		if (i + 1 < nr_option_rows && is_passed(&option_rows[i + 1]))
			column += fprintf(out, ",");
	}
	fputc('\n', out);
}

void usage_print(FILE *out)
{
	fputs("usage: trace-cmd record-skb [OPTIONS] [EXPRESSION] [-- COMMAND [ARG..]]\n"
	      "\n"
	      "Record the call graph of the packets that match, and of no others, into trace.dat.\n"
	      "\n"
	      "With a COMMAND its own packets are recorded. With options such as -p besides, it is all\n"
	      "packets that they describe, anybody's, and what the command sends without ports (ping).\n"
	      "An EXPRESSION in tcpdump's language is strict: it alone decides.\n"
	      "Without a COMMAND the recording lasts until Ctrl-C.\n",
	      out);
	for (size_t i = 0; i < nr_option_rows && option_rows[i].help; i++)
		print_row(out, &option_rows[i]);
	print_passed(out);
}
