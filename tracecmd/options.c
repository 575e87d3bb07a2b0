// SPDX-License-Identifier: GPL-2.0
/* The command line of the user: a table of options, which the usage is printed from, too. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "option-table.h"
#include "options.h"
#include "real-trace-cmd.h"

static bool is_passed(const struct option_row *row)
{
	return option_is_real(row) && !row->help && !row->refuse;
}

/**
 * struct words - the command line while it is read
 * @argc, @argv: of main()
 * @at: the word that is looked at
 */
struct words {
	int argc;
	char **argv;
	int at;
};

/* @option as it is read, in the @word as it was written. */
static int unknown(const char *option, const char *word, struct err *err)
{
	char *near = option_nearest(word);

	if (near)
		err_set(err, "unknown option '%s': did you mean %s?", option, near);
	else
		err_set(err, "unknown option '%s'; see trace-cmd record-skb --help", option);
	free(near);
	return -1;
}

/* "-rx" is the option -r with the value "x"; who wrote that may have meant another. */
static int not_a_number(const char *word, const char *option, const char *value, struct err *err)
{
	char *near = word[0] == '-' && word[1] != '-' && word[2] ? option_nearest(word) : NULL;

	err_set(err, "'%s' is not a number for %s%s%s%s", value, option, near ? ": did you mean " : "",
		near ? near : "", near ? "?" : "");
	free(near);
	return -1;
}

/* @option is as it was given, without its value: "-b" or "--subbuf-size". */
static int take(struct options *o, const struct option_row *row, const char *option, const char *value,
		const char *word, struct err *err)
{
	unsigned long number;

	if (row->refuse)
		return err_set(err, "%s is not for record-skb: %s", option, row->refuse);
	if (row->number && !number_read(value, INT_MAX, &number))
		return not_a_number(word, option, value, err);
	if (row->set)
		return row->set(o, value, err);
	if (value && option[1] == '-') {
		strings_addf(&o->pass, "%s=%s", option, value);
		return 0;
	}
	strings_add(&o->pass, option);
	if (value)
		strings_add(&o->pass, value);
	return 0;
}

/* The next word, as the value of an option that needs one. */
static const char *next_value(struct words *words, const char *option, struct err *err)
{
	if (words->at + 1 >= words->argc || !strcmp(words->argv[words->at + 1], "--")) {
		err_set(err, "%s needs a value", option);
		return NULL;
	}
	return words->argv[++words->at];
}

static int take_name(struct options *o, struct words *words, struct err *err)
{
	const char *word = words->argv[words->at], *value;
	const size_t n = strcspn(word, "=");
	const struct option_row *row = NULL;
	char *option;
	int ret;

	for (size_t i = 0; i < nr_option_rows && !row; i++)
		if (option_rows[i].name && strlen(option_rows[i].name) == n - 2 &&
		    !strncmp(option_rows[i].name, word + 2, n - 2))
			row = &option_rows[i];
	option = xasprintf("%.*s", (int)n, word);
	value = word[n] ? word + n + 1 : NULL;
	if (!row)
		ret = unknown(option, option, err);
	else if (!row->arg && value)
		ret = err_set(err, "%s takes no value", option);
	else if (row->arg && row->arg[0] != '[' && !value &&
		 !(value = next_value(words, option, err)))
		ret = -1;
	else
		ret = take(o, row, option, value, word, err);
	free(option);
	return ret;
}

/* "-a", "-ab" for "-a -b", "-bVALUE" or "-b VALUE". */
static int take_letters(struct options *o, struct words *words, struct err *err)
{
	const char *word = words->argv[words->at];

	for (const char *letter = word + 1; *letter; letter++) {
		const char option[] = { '-', *letter, '\0' };
		const struct option_row *row = NULL;
		const char *value = NULL;

		for (size_t i = 0; i < nr_option_rows && !row; i++)
			if (option_rows[i].letter == *letter)
				row = &option_rows[i];
		if (!row)
			return unknown(option, word, err);
		if (row->arg && !row->refuse) {
			value = letter[1] ? letter + 1 : next_value(words, option, err);
			if (!value)
				return -1;
		}
		if (take(o, row, option, value, word, err))
			return -1;
		if (value)
			return 0;
	}
	return 0;
}

static void add_to_expression(struct options *o, const char *word)
{
	char *all;

	all = o->expression ? xasprintf("%s %s", o->expression, word) : xstrdup(word);
	free(o->expression);
	o->expression = all;
}

enum detail options_detail(const struct options *o)
{
	if (o->detail)
		return o->detail;
	return o->modules.n ? DETAIL_PATH : DETAIL_FULL;
}

bool options_have_shorthand(const struct options *o)
{
	return o->ports.n || o->sports.n || o->dports.n || o->hosts.n || o->srcs.n || o->dsts.n ||
	       o->protos.n;
}

const char *options_output(const struct options *o)
{
	if (o->remote)
		return NULL;
	return o->output ? o->output : "trace.dat";
}

static bool is_blank(const char *s)
{
	return !s[strspn(s, " \t\n")];
}

/* What can be seen from the command line alone. */
static int check(struct options *o, struct err *err)
{
	const bool filter = o->expression || options_have_shorthand(o) || o->interfaces.n ||
			    o->netnses.n || o->nr_marks;

	/* The glob, which may stand apart, has come as a word. */
	if (o->list_points && !o->list_glob)
		o->list_glob = o->expression;
	if (o->help || o->version || o->list_points)
		return 0;
	if (o->expression && is_blank(o->expression))
		return err_set(err, "the expression is empty; leave it out to follow the command");
	if (o->remote && o->output)
		return err_set(err, "-o is a file here and -N or -V sends the trace away: take one");
	if (o->user && !o->command)
		return err_set(err, "--user %s needs a command to run, after --", o->user);
	if (o->cpus && !o->command)
		return err_set(err, "--cpu %s needs a command to run there, after --", o->cpus);
	if (o->detail == DETAIL_FULL && o->modules.n)
		return err_set(err, "--detail full records every module's functions: --module %s goes with "
			       "net or path", o->modules.v[0]);
	if (!filter && !o->command && !o->nr_pids)
		return err_set(err, "nothing to record: give a filter (-p 9000), a command (-- ping "
			       "host) or both; see trace-cmd record-skb --help");
	return 0;
}

void options_hint_command(const struct options *o, bool certain, struct err *err)
{
	const struct err why = *err;
	char *program = NULL, *word;
	int error;

	if (!o->expression || o->command)
		return;
	word = xasprintf("%.*s", (int)strcspn(o->expression, " \t\n"), o->expression);
	program = find_program(word, &error);
	if (program || certain)
		err_set(err, "%.500s; if '%s' is the command to run, put -- before it", why.text, word);
	free(program);
	free(word);
}

/* Not by getopt_long(), which takes the beginning of an option's name for the option. */
int options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	struct words words = { .argc = argc, .argv = argv };
	int ret = 0;

	memset(o, 0, sizeof(*o));
	while (!ret && ++words.at < argc) {
		char *word = argv[words.at];

		if (!strcmp(word, "--")) {
			o->command = words.at + 1 < argc ? argv + words.at + 1 : NULL;
			break;
		}
		if (word[0] != '-' || !word[1])
			add_to_expression(o, word);
		else if (word[1] == '-')
			ret = take_name(o, &words, err);
		else
			ret = take_letters(o, &words, err);
	}
	if (!ret)
		return check(o, err);
	options_hint_command(o, false, err);
	return ret;
}

void options_free(struct options *o)
{
	struct strings *lists[] = { &o->ports, &o->sports, &o->dports, &o->hosts, &o->srcs, &o->dsts,
				    &o->protos, &o->functions, &o->modules, &o->interfaces,
				    &o->netnses, &o->pass };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		strings_free(lists[i]);
	free(o->pids);
	o->pids = NULL;
	free(o->expression);
	o->expression = NULL;
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

void options_usage(FILE *out)
{
	fputs("usage: trace-cmd record-skb [OPTIONS] [EXPRESSION] [-- COMMAND [ARG..]]\n"
	      "\n"
	      "Record the call graph of the packets that match, and of no others, into trace.dat.\n"
	      "\n"
	      "With a COMMAND its own packets are recorded, narrowed by the options below: flows that\n"
	      "have no ports (ping) stay. An EXPRESSION in tcpdump's language is strict: it alone decides.\n"
	      "Without a COMMAND the recording lasts until Ctrl-C.\n", out);
	for (size_t i = 0; i < nr_option_rows && option_rows[i].help; i++)
		print_row(out, &option_rows[i]);
	print_passed(out);
}
