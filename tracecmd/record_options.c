// SPDX-License-Identifier: GPL-2.0
/* record_options.c - the options of trace-cmd record-skb, and the pairs that cannot be combined */
#include <arpa/inet.h>
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch/real_trace_cmd.h"
#include "filter/compile_filter.h"
#include "text.h"
#include "option_table.h"
#include "record_options.h"

#define LINGER_MSEC 1000

/**
 * struct words - the state of parsing the command line
 * @argc, @argv: arguments of main()
 * @at: index in @argv of the word that is parsed now
 */
struct words {
	int argc;
	char **argv;
	int at;
};

/*
 * Report the unknown option @option. @word is the word of the command line that contains the option. Returns
 * -1.
 */
static int report_unknown(const char *option, const char *word, struct err *err)
{
	char *near = option_nearest(word);

	if (near)
		err_set(err, "unknown option '%s': did you mean %s?", option, near);
	else
		err_set(err, "unknown option '%s'; see trace-cmd record-skb --help", option);
	free(near);
	return -1;
}

/*
 * Report a value that is not a number. "-rx" is the option -r with the value "x", but the user may have meant
 * a long option with a similar name, such as --rx. If so, suggest it. Returns -1.
 */
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
 * Return true if the user probably meant -n, -l or -e as an option of tcpdump, where it has no value: "-n
 * port 80", "-nn", "-ni lo". In trace-cmd, these options take the name of a function or an event. No function
 * has a name like the words below, but there are event systems named net and tcp.
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

/*
 * Store an option and its value in @o. @option is the option alone, such as "-b" or "--subbuf-size". @word is
 * the whole word of the command line, such as "-b100", for messages. Returns 0 or -1.
 */
static int take_option(struct options *o, const struct option_row *row, const char *option,
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

/*
 * Return the next word of the command line as the value of @option. If there is no next word, return NULL
 * with @err.
 */
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
		ret = report_unknown(option, option, err);
	else if (!row->arg && value)
		ret = err_set(err, "%s takes no value", option);
	else if (row->arg && row->arg[0] != '[' && !value &&
		 !(value = next_value(words, option, row->arg, err)))
		ret = -1;
	else
		ret = take_option(o, row, option, value, word, err);
	free(option);
	return ret;
}

/* Parse short options: "-a", "-ab" for "-a -b", "-bVALUE" or "-b VALUE". Returns 0 or -1. */
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
			return report_unknown(option, word, err);
		if (row->arg && !row->refuse) {
			value = letter[1] ? letter + 1 : next_value(words, option, row->arg, err);
			if (!value)
				return -1;
		}
		if (take_option(o, row, option, value, word, err))
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
	if (o->no_file)
		return NULL;
	return o->output ? o->output : "trace.dat";
}

static bool is_blank(const char *s)
{
	return !s[strspn(s, " \t\n")];
}

/*
 * Check that the clock of -C counts nanoseconds: the programs that read the file expect that. Returns 0 or
 * -1.
 */
static int check_clock(const struct options *o, struct err *err)
{
	static const char *const others[] = { "counter", "uptime", "x86-tsc", "ppc-tb" };

	for (size_t i = 0; o->clock && i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(o->clock, others[i]))
			return err_set(
				err,
				"-C %s does not count nanoseconds, so times would be wrong: give "
				"local, global, mono, mono_raw, boot, tai or perf",
				o->clock);
	return 0;
}

/*
 * Refuse an option that has an effect only together with another option, if that option is missing. Returns 0
 * or -1.
 */
static int check_needs(const struct options *o, struct err *err)
{
	if (ring_options_check(&o->ring, err))
		return -1;
	if (o->no_file && !o->live)
		return err_set(err,
			       "-o /dev/null needs --live: otherwise the recording has no output");
	if (o->ring.by_status && !o->command)
		return err_set(err, "--until exit=STATUS needs a command to run, after --");
	if (o->has_linger && !o->command && !o->nr_pids && !ring_has_trigger(&o->ring))
		return err_set(
			err, "--linger needs a command after --, --pid, or a packet that stops the "
			     "ring (--until)");
	if (o->ring.until.after_ns > RECORD_SKB_MAX_AFTER_NS)
		return err_set(err, "--linger after a packet of --until is 60s at most");
	if (o->user && !o->command)
		return err_set(err, "--user %s needs a command to run, after --", o->user);
	if (o->cpus && !o->command)
		return err_set(err, "--cpu %s needs a command to run, after --", o->cpus);
	return 0;
}

/*
 * Check that each -f and -R of the user comes after an -e of the user. trace-cmd applies -f (filter) and -R
 * (trigger) to the last event before them. Without an -e of the user, that would be the event of the
 * recording itself, which must not be filtered. Returns 0 or -1.
 */
static int check_events(const struct options *o, struct err *err)
{
	for (size_t i = 0; i < o->pass.n && strcmp(o->pass.v[i], "-e"); i++)
		if (!strcmp(o->pass.v[i], "-f") || !strcmp(o->pass.v[i], "-R"))
			return err_set(err,
				       "%s applies to the event before it: give it after an "
				       "-e",
				       o->pass.v[i]);
	return 0;
}

/*
 * Check that a recording with --on has a filter, and add --linger to the words for the hosts if they need it.
 * Returns 0 or -1.
 */
static int check_on(struct options *o, bool filter, struct err *err)
{
	if (!filter)
		return err_set(err, "--on needs a filter, as in -p 443: the hosts cannot follow a "
				    "command that runs here");
	if (o->has_linger && ring_has_trigger(&o->ring))
		strings_addf(&o->remote, "--linger=%lums", o->linger_msec);
	return 0;
}

/* Check the options, as far as this is possible without looking at the system. Returns 0 or -1. */
static int check_options(struct options *o, struct err *err)
{
	const bool filter = o->expression || options_have_shorthand(o) || o->interfaces.n ||
			    o->netnses.n || o->nr_marks || o->where || o->sample || o->inner;

	if (o->output && !strcmp(o->output, "/dev/null")) {
		o->no_file = true;
		o->output = NULL;
	}
	/*
	 * For a ring, --linger also sets how long the ring goes on after the packet of --until. The default
	 * is 0.
	 */
	if (o->has_linger && ring_has_trigger(&o->ring))
		o->ring.until.after_ns = o->linger_msec * 1000000;
	/*
	 * In "--list-points GLOB", the glob is a word of its own, which was parsed as the filter expression.
	 */
	if (o->list_points && !o->list_glob)
		o->list_glob = o->expression;
	if (o->on.n && !o->help && !o->version &&
	    (o->check || o->list_points || o->dry_run || o->recover))
		return err_set(err, "--on can only record; run the other command on each host, "
				    "as in ssh HOST trace-cmd record-skb --check");
	if (o->help || o->version || o->check || o->list_points)
		return 0;
	if (o->recover &&
	    (filter || o->command || o->nr_pids || o->persistent || o->dry_run || o->ring.kb ||
	     o->live || limits_any(&o->limits) || o->user || o->cpus || o->shared || o->no_file))
		return err_set(err,
			       "--recover writes the file of an earlier recording, and can only "
			       "be combined with -o FILE");
	if (o->recover)
		return 0;
	if (o->on.n && check_on(o, filter, err))
		return -1;
	if (o->expression && is_blank(o->expression))
		return err_set(err, "the expression is empty; leave it out to follow the command");
	if (check_clock(o, err) || check_needs(o, err) || exclusions_check(o, err))
		return -1;
	if (check_events(o, err))
		return -1;
	if (!filter && !o->command && !o->nr_pids)
		return err_set(err,
			       "nothing to record: give a filter (-p 9000), a command (-- ping "
			       "host) or both; see trace-cmd record-skb --help");
	return 0;
}

/*
 * Return true if @word is an IP address. Tcpdump's language does not allow an address without "host" before
 * it.
 */
static bool is_address(const char *word)
{
	unsigned char address[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, word, address) == 1 || inet_pton(AF_INET6, word, address) == 1;
}

/*
 * Return true if the user may have forgotten "--" before a command: @word, the first word of the expression,
 * could be that command.
 */
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
	char *word, *safe;

	if (!o->expression)
		return;
	word = xasprintf("%.*s", (int)strcspn(o->expression, " \t\n"), o->expression);
	safe = safe_word(word);
	if (is_address(word))
		err_set(err, "%.500s; give an address with --host %s", why.text, safe);
	else if (!word[strspn(word, "0123456789")])
		err_set(err, "%.500s; give a port with -p %s", why.text, word);
	else if (may_be_command(o, word, no_filter))
		err_set(err, "%.500s; if '%s' is the command to run, put -- before it", why.text,
			word);
	free(word);
	free(safe);
}

/* Return true if the words before an invalid option cannot be the beginning of a filter expression. */
static bool begins_no_filter(const struct options *o)
{
	struct err ignored;
	bool is_none = false;

	return o->expression && packet_filter_check(o->expression, &is_none, &ignored) && is_none;
}

/* Return true if @word is the long option @name, alone or with "=VALUE". */
static bool is_option(const char *word, const char *name)
{
	const size_t n = strlen(name);

	return !strncmp(word, name, n) && (!word[n] || word[n] == '=');
}

/*
 * For --on, add the words from @first to the current one to the words for the hosts. Leave out --on itself,
 * and --linger: waiting after the command is the task of this program, which runs the command.
 */
static void add_remote(struct options *o, const struct words *words, int first)
{
	if (is_option(words->argv[first], "--on") || is_option(words->argv[first], "--linger"))
		return;
	for (int i = first; i <= words->at; i++)
		strings_add(&o->remote, words->argv[i]);
}

/* Do not use getopt_long(): it would accept abbreviated names of options. */
int options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	struct words words = { .argc = argc, .argv = argv };
	int ret = 0;

	memset(o, 0, sizeof(*o));
	o->arguments = argv + 1;
	o->linger_msec = LINGER_MSEC;
	while (!ret && ++words.at < argc) {
		const int first = words.at;
		char *word = argv[first];

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
		if (!ret)
			add_remote(o, &words, first);
	}
	if (!ret)
		return check_options(o, err);
	options_hint(o, begins_no_filter(o), err);
	return ret;
}

void options_free(struct options *o)
{
	struct strings *lists[] = { &o->ports,	   &o->sports,	   &o->dports,	 &o->hosts,
				    &o->srcs,	   &o->dsts,	   &o->protos,	 &o->functions,
				    &o->modules,   &o->interfaces, &o->netnses,	 &o->pass,
				    &o->instances, &o->listed,	   &o->excluded, &o->on,
				    &o->remote };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		strings_free(lists[i]);
	free(o->pids);
	o->pids = NULL;
	free(o->expression);
	o->expression = NULL;
}

static bool has_ring(const struct options *o)
{
	return o->ring.kb;
}

static bool has_live(const struct options *o)
{
	return o->live;
}

static bool has_on(const struct options *o)
{
	return o->on.n;
}

static bool has_other_output(const struct options *o)
{
	return o->live || o->no_file || o->persistent || o->ring.keep || o->ring.by_status;
}

static bool has_processes(const struct options *o)
{
	return o->nr_pids || o->user || o->cpus || o->module_flags & RECORD_SKB_OPT_NO_CHILDREN;
}

static bool has_shared(const struct options *o)
{
	return o->shared;
}

static bool has_persistent(const struct options *o)
{
	return o->persistent;
}

static bool has_why(const struct options *o)
{
	return o->module_flags & RECORD_SKB_OPT_RULES;
}

static bool has_sched(const struct options *o)
{
	return o->module_flags & RECORD_SKB_OPT_SCHED;
}

static bool has_instance(const struct options *o)
{
	return o->instances.n;
}

static bool has_graph_options(const struct options *o)
{
	return o->has_graph_option || o->graph_depth;
}

static bool has_unanswered(const struct options *o)
{
	return o->ring.until.on & 1U << RECORD_SKB_BY_UNANSWERED;
}

static bool has_one_direction(const struct options *o)
{
	const unsigned int both = 1U << RECORD_SKB_DIR_RX | 1U << RECORD_SKB_DIR_TX;

	return o->sports.n || o->dports.n || o->srcs.n || o->dsts.n ||
	       (o->dirs && (o->dirs & both) != both);
}

/* Pairs of options that exclude each other. tests/lint compares this table with the one in the man page. */
/* clang-format off */
static const struct exclusion {
	bool (*has)(const struct options *o);
	const char *name;
	bool (*has_other)(const struct options *o);
	const char *other, *reason;
} exclusions[] = {
	{ has_ring, "--ring", has_live, "--live",
	  "a ring is read when it has ended" },
	{ has_shared, "--shared", has_ring, "--ring",
	  "the packet that stops a ring would also stop the recordings of others" },
	{ has_shared, "--shared", has_persistent, "--persistent",
	  "the memory that survives a crash holds one recording" },
	{ has_shared, "--shared", has_why, "--why",
	  "nf_tables reports its verdicts once, not for each recording" },
	{ has_shared, "--shared", has_sched, "--sched",
	  "the scheduler reports a switch once, not for each recording" },
	{ has_shared, "--shared", has_instance, "-B",
	  "each recording already has a tracing instance of its own" },
	{ has_shared, "--shared", has_graph_options,
	  "-O funcgraph-..., -O graph-time, -O sleep-time, --max-graph-depth",
	  "all recordings share these options" },
	{ has_unanswered, "--until unanswered", has_one_direction,
	  "--sport, --dport, --src, --dst, --direction",
	  "the answers have to be recorded, too" },
	{ has_on, "--on", has_other_output,
	  "--live, --keep, --persistent, --until exit, -o /dev/null",
	  "each host records one file, which is fetched" },
	{ has_on, "--on", has_processes, "--pid, --user, --cpu, --no-children",
	  "the hosts record what the filter selects, and follow no process" },
};
/* clang-format on */

int exclusions_check(const struct options *o, struct err *err)
{
	for (size_t i = 0; i < sizeof(exclusions) / sizeof(exclusions[0]); i++) {
		const struct exclusion *e = &exclusions[i];

		if (e->has(o) && e->has_other(o))
			return err_set(err, "%s cannot be combined with %s: %s", e->name, e->other,
				       e->reason);
	}
	return 0;
}
