// SPDX-License-Identifier: GPL-2.0
/* The command line of the user. */
#include <arpa/inet.h>
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "option-table.h"
#include "options.h"
#include "packet-filter.h"
#include "real-trace-cmd.h"

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

	err_set(err, "'%s' is not a number for %s%s%s%s", value, option,
		near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
	free(near);
	return -1;
}

static bool is_one_of(const char *word, const char *const *list)
{
	while (*list && strcmp(*list, word))
		list++;
	return *list;
}

/*
 * -n, -l and -e stand alone for who knows tcpdump: "-n port 80", "-nn", "-ni lo". No function is named like
 * that; of events there are net's and tcp's.
 */
static bool is_of_tcpdump(const struct option_row *row, const char *value)
{
	static const char *const words[] = { "arp", "dst",  "ether", "host",	  "ip", "ip6",
					     "not", "port", "src",   "portrange", NULL };
	static const char *const protocols[] = { "icmp", "icmp6", "net", "tcp", "udp", NULL };

	if (row->letter == 'e')
		return is_one_of(value, words);
	if (row->letter != 'n' && row->letter != 'l')
		return false;
	return is_one_of(value, words) || is_one_of(value, protocols) || value[0] == '-' ||
	       (isalpha((unsigned char)value[0]) && !value[1]);
}

/* @option is as it was given, without its value: "-b" or "--subbuf-size". */
static int take(struct options *o, const struct option_row *row, const char *option,
		const char *value, const char *word, struct err *err)
{
	unsigned long number;

	if (row->refuse)
		return err_set(err, "%s is not for record-skb: %s", option, row->refuse);
	if (value && is_of_tcpdump(row, value))
		return err_set(
			err,
			"%s takes %s, as for trace-cmd record, not '%s': leave it out if you "
			"meant tcpdump's %s",
			option, row->arg, value, option);
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
static const char *next_value(struct words *words, const char *option, const char *arg,
			      struct err *err)
{
	if (words->at + 1 >= words->argc || !strcmp(words->argv[words->at + 1], "--")) {
		err_set(err, "%s needs a value: %s", option, arg);
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
		 !(value = next_value(words, option, row->arg, err)))
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
			value = letter[1] ? letter + 1 : next_value(words, option, row->arg, err);
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

bool options_pass(const struct options *o, const char *option)
{
	for (size_t i = 0; i < o->pass.n; i++)
		if (!strcmp(o->pass.v[i], option))
			return true;
	return false;
}

bool options_is_for_kernel(const char *function)
{
	return strchr(function, ':') || strspn(function, "0123456789") == strlen(function);
}

bool options_choose_functions(const struct options *o)
{
	bool any = false;

	for (size_t i = 0; i + 1 < o->pass.n; i++) {
		if (strcmp(o->pass.v[i], "-l"))
			continue;
		if (options_is_for_kernel(o->pass.v[i + 1]))
			return false;
		any = true;
	}
	return any && !options_pass(o, "-B");
}

bool options_leave_functions(const struct options *o)
{
	return options_pass(o, "-l") && !options_choose_functions(o);
}

bool options_have_shorthand(const struct options *o)
{
	return o->ports.n || o->sports.n || o->dports.n || o->hosts.n || o->srcs.n || o->dsts.n ||
	       o->protos.n;
}

bool options_by_start(const struct options *o)
{
	return o->ring.kb || o->no_file;
}

const char *options_output(const struct options *o)
{
	if (o->remote || o->no_file)
		return NULL;
	return o->output ? o->output : "trace.dat";
}

/* What a long option of trace-cmd's was given; NULL if it was not. */
static const char *passed_value(const struct options *o, const char *option)
{
	const size_t n = strlen(option);

	for (size_t i = 0; i < o->pass.n; i++)
		if (!strncmp(o->pass.v[i], option, n) && o->pass.v[i][n] == '=')
			return o->pass.v[i] + n + 1;
	return NULL;
}

const char *options_temp(const struct options *o)
{
	return passed_value(o, "--temp");
}

static bool is_blank(const char *s)
{
	return !s[strspn(s, " \t\n")];
}

/* What reads a recording takes times for nanoseconds. */
static int check_clock(const struct options *o, struct err *err)
{
	static const char *const others[] = { "counter", "uptime", "x86-tsc", "ppc-tb" };

	for (size_t i = 0; o->clock && i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(o->clock, others[i]) && !(o->tsc2nsec && !strcmp(o->clock, "x86-tsc")))
			return err_set(
				err,
				"-C %s does not count nanoseconds, so times would be wrong: take "
				"local, global, mono, mono_raw, boot, tai or perf%s",
				o->clock, strcmp(o->clock, "x86-tsc") ? "" : "; or add --tsc2nsec");
	return 0;
}

/* Answers are not recorded. */
static bool goes_one_way(const struct options *o)
{
	const unsigned int both = 1U << RECORD_SKB_DIR_RX | 1U << RECORD_SKB_DIR_TX;

	return o->sports.n || o->dports.n || o->srcs.n || o->dsts.n ||
	       (o->dirs && (o->dirs & both) != both);
}

/* A ring is the top buffer, which trace-cmd extract reads when all is over. */
static int check_ring(const struct options *o, struct err *err)
{
	static const char *const others[] = { "-m",    "-N", "-V", "-B", "-b", "--file-version",
					      "--temp" };

	if (ring_options_check(&o->ring, err))
		return -1;
	for (size_t i = 0; o->ring.kb && i < sizeof(others) / sizeof(others[0]); i++)
		if (options_pass(o, others[i]) || passed_value(o, others[i]))
			return err_set(err, "--ring does not go with %s", others[i]);
	if (o->ring.kb && o->max_size)
		return err_set(err,
			       "--ring does not go with --max-size: SIZE is the most it can be");
	if (ring_has_trigger(&o->ring) && o->module_flags & RECORD_SKB_OPT_NO_TRACK)
		return err_set(
			err,
			"--until needs to know a packet again: it does not go with --no-track");
	if (o->ring.until.on & 1U << RECORD_SKB_BY_UNANSWERED && goes_one_way(o))
		return err_set(err, "--until unanswered=TIME has to see both directions: not with "
				    "--sport, --dport, --src, --dst, --rx or --tx");
	if (o->ring.by_status && !o->command)
		return err_set(err, "--until-exit needs a command to run, after --");
	return 0;
}

/* Lines are made of the top buffer, or of the parts that trace-cmd writes beside its file. */
static int check_live(const struct options *o, struct err *err)
{
	static const char *const others[] = { "-m", "-B" };

	if (!o->live && o->no_file)
		return err_set(err, "--no-file needs --live: else nothing would come of it");
	if (o->no_file && o->output)
		return err_set(err, "-o names a file and --no-file wants none: take one");
	if (o->no_file && o->max_size)
		return err_set(err, "--no-file does not go with --max-size: nothing is written");
	for (size_t i = 0; o->no_file && i < sizeof(others) / sizeof(others[0]); i++)
		if (options_pass(o, others[i]))
			return err_set(err, "--no-file does not go with %s", others[i]);
	if (o->live && options_pass(o, "-m"))
		return err_set(err, "--live does not go with -m, which takes away what is written");
	if (o->live && o->ring.kb)
		return err_set(err,
			       "--live does not go with --ring, which nobody reads until its end");
	if (o->live && o->remote)
		return err_set(err,
			       "--live does not go with -N or -V: the trace is read elsewhere");
	if (o->live && (o->tsc2nsec || options_temp(o)))
		return err_set(err, "--live does not go with %s",
			       o->tsc2nsec ? "--tsc2nsec" : "--temp");
	return 0;
}

/* Its head says nothing of a clock, and it is given the filter of functions alone. */
static int check_persistent(const struct options *o, struct err *err)
{
	static const char *const others[] = { "-C", "-n", "-N", "-V", "-B" };

	if (o->persistent && o->no_file)
		return err_set(err, "--persistent does not go with --no-file");
	for (size_t i = 0; o->persistent && i < sizeof(others) / sizeof(others[0]); i++)
		if (options_pass(o, others[i]))
			return err_set(err, "--persistent does not go with %s", others[i]);
	return 0;
}

/* What the module has for one recording at a time, and what is one for the whole kernel. */
static const char *not_shared(const struct options *o)
{
	if (o->ring.kb)
		return "--ring";
	if (o->persistent)
		return "--persistent";
	if (o->recover)
		return "--recover";
	if (o->module_flags & RECORD_SKB_OPT_RULES)
		return "--why";
	if (o->module_flags & RECORD_SKB_OPT_SCHED)
		return "--sched";
	if (o->module_flags & RECORD_SKB_OPT_CALIBRATE)
		return "--calibrate";
	if (o->graph_depth)
		return "--max-graph-depth";
	if (options_pass(o, "-B"))
		return "-B";
	if (options_pass(o, "-n"))
		return "-n";
	if (o->has_graph_option)
		return "-O funcgraph-…, which may be one for all";
	if (options_leave_functions(o))
		return "a -l that is a number or a command";
	return NULL;
}

static int check_shared(const struct options *o, struct err *err)
{
	const char *option = o->shared ? not_shared(o) : NULL;

	return option ? err_set(err, "--shared does not go with %s", option) : 0;
}

/* Before them trace-cmd is given our own events, which nothing may filter. */
static int check_events(const struct options *o, struct err *err)
{
	for (size_t i = 0; i < o->pass.n && strcmp(o->pass.v[i], "-e"); i++)
		if (!strcmp(o->pass.v[i], "-f") || !strcmp(o->pass.v[i], "-R"))
			return err_set(err, "%s is about the event before it: give it after an -e",
				       o->pass.v[i]);
	return 0;
}

/* What can be seen from the command line alone. */
static int check(struct options *o, struct err *err)
{
	const bool filter = o->expression || options_have_shorthand(o) || o->interfaces.n ||
			    o->netnses.n || o->nr_marks;

	/* The glob, which may stand apart, has come as a word. */
	if (o->list_points && !o->list_glob)
		o->list_glob = o->expression;
	if (o->help || o->version || o->check || o->list_points)
		return 0;
	if (check_shared(o, err))
		return -1;
	if (o->recover &&
	    (filter || o->command || o->nr_pids || o->persistent || o->dry_run || o->ring.kb ||
	     o->live || o->count || o->duration || o->max_size || o->user || o->cpus || o->remote))
		return err_set(err, "--recover makes a file of what was recorded: it goes with -o "
				    "FILE alone");
	if (o->recover)
		return 0;
	if (o->expression && is_blank(o->expression))
		return err_set(err, "the expression is empty; leave it out to follow the command");
	if (check_clock(o, err) || check_ring(o, err) || check_live(o, err) ||
	    check_persistent(o, err))
		return -1;
	if (o->remote && o->max_size)
		return err_set(err, "--max-size does not go with -N or -V: the file is elsewhere");
	if (o->remote && o->output)
		return err_set(err,
			       "-o is a file here and -N or -V sends the trace away: take one");
	if (o->user && !o->command)
		return err_set(err, "--user %s needs a command to run, after --", o->user);
	if (o->cpus && !o->command)
		return err_set(err, "--cpu %s needs a command to run there, after --", o->cpus);
	if (o->detail == DETAIL_FULL && o->modules.n)
		return err_set(
			err,
			"--detail full records every module's functions: --module %s goes with "
			"net or path",
			o->modules.v[0]);
	if (check_events(o, err))
		return -1;
	if (!filter && !o->command && !o->nr_pids)
		return err_set(err,
			       "nothing to record: give a filter (-p 9000), a command (-- ping "
			       "host) or both; see trace-cmd record-skb --help");
	return 0;
}

/* A bare one is no filter in tcpdump's language. */
static bool is_address(const char *word)
{
	unsigned char address[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, word, address) == 1 || inet_pton(AF_INET6, word, address) == 1;
}

/* May @word, where an expression was to begin, be the command to run? */
static bool may_be_command(const struct options *o, const char *word, bool no_filter)
{
	int error;
	char *program = find_program(word, &error);
	const bool is_program = program;

	free(program);
	if (o->command)
		return is_program && no_filter;
	return is_program || (no_filter && !isdigit((unsigned char)*word));
}

void options_hint(const struct options *o, bool no_filter, struct err *err)
{
	const struct err why = *err;
	char *word;

	if (!o->expression)
		return;
	word = xasprintf("%.*s", (int)strcspn(o->expression, " \t\n"), o->expression);
	if (is_address(word))
		err_set(err, "%.500s; an address is given by --host %s", why.text, word);
	else if (!word[strspn(word, "0123456789")])
		err_set(err, "%.500s; a port is given by -p %s", why.text, word);
	else if (may_be_command(o, word, no_filter))
		err_set(err, "%.500s; if '%s' is the command to run, put -- before it", why.text,
			word);
	free(word);
}

/* As far as the words go that were read before the mistake. */
static bool begins_no_filter(const struct options *o)
{
	struct err ignored;
	bool is_none = false;

	return o->expression && packet_filter_check(o->expression, &is_none, &ignored) && is_none;
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
	options_hint(o, begins_no_filter(o), err);
	return ret;
}

void options_free(struct options *o)
{
	struct strings *lists[] = { &o->ports,	  &o->sports,	  &o->dports,  &o->hosts,
				    &o->srcs,	  &o->dsts,	  &o->protos,  &o->functions,
				    &o->modules,  &o->interfaces, &o->netnses, &o->pass,
				    &o->instances };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		strings_free(lists[i]);
	free(o->pids);
	o->pids = NULL;
	free(o->expression);
	o->expression = NULL;
}
