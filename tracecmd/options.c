// SPDX-License-Identifier: GPL-2.0
/* The command line of the user: a table of options, which the usage is printed from, too. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "record_skb.h"

/**
 * struct row - one option, or a heading of the usage if there is neither letter nor name
 * @letter, @name: -x and --name; 0 and NULL if it has none
 * @arg: what its value is called; NULL if it takes none, in [] if it may go without (only with --)
 * @help: one line of the usage, NULL to leave it out
 * @set: takes it; NULL for one that is trace-cmd record's own and goes there as it is
 * @refuse: why this option of trace-cmd record cannot be had here
 */
struct row {
	char letter;
	const char *name;
	const char *arg;
	const char *help;
	int (*set)(struct options *options, const char *value, struct err *err);
	const char *refuse;
};

#define LIST_SETTER(field)									\
static int add_##field(struct options *o, const char *value, struct err *err)			\
{												\
	(void)err;										\
	strings_add(&o->field, value);								\
	return 0;										\
}

#define FLAG_SETTER(field)									\
static int set_##field(struct options *o, const char *value, struct err *err)			\
{												\
	(void)value;										\
	(void)err;										\
	o->field = true;									\
	return 0;										\
}

#define BIT_SETTER(what, field, bit)								\
static int set_##what(struct options *o, const char *value, struct err *err)			\
{												\
	(void)value;										\
	(void)err;										\
	o->field |= (bit);									\
	return 0;										\
}

#define ONCE_SETTER(field, option)								\
static int set_##field(struct options *o, const char *value, struct err *err)			\
{												\
	if (o->field && strcmp(o->field, value))						\
		return err_set(err, option " is given twice: '%s' and '%s'", o->field, value);	\
	o->field = value;									\
	return 0;										\
}

LIST_SETTER(ports)
LIST_SETTER(sports)
LIST_SETTER(dports)
LIST_SETTER(hosts)
LIST_SETTER(srcs)
LIST_SETTER(dsts)
LIST_SETTER(protos)
LIST_SETTER(pids)
LIST_SETTER(functions)
LIST_SETTER(modules)
LIST_SETTER(interfaces)
LIST_SETTER(netnses)
FLAG_SETTER(dry_run)
FLAG_SETTER(retval)
FLAG_SETTER(args)
FLAG_SETTER(help)
FLAG_SETTER(version)
FLAG_SETTER(quiet)
BIT_SETTER(rx, dirs, 1U << RECORD_SKB_DIR_RX)
BIT_SETTER(tx, dirs, 1U << RECORD_SKB_DIR_TX)
BIT_SETTER(no_children, module_flags, RECORD_SKB_OPT_NO_CHILDREN)
BIT_SETTER(no_track, module_flags, RECORD_SKB_OPT_NO_TRACK)
BIT_SETTER(no_icmp_errors, module_flags, RECORD_SKB_OPT_NO_ICMP_ERRORS)
ONCE_SETTER(user, "--user")
ONCE_SETTER(cpus, "--cpu")
ONCE_SETTER(output, "-o")

static int set_mark(struct options *o, const char *value, struct err *err)
{
	unsigned long mark, mask = UINT_MAX;
	char *end;

	errno = 0;
	mark = strtoul(value, &end, 0);
	if (end != value && *end == '/' && end[1]) {
		value = end + 1;
		mask = strtoul(value, &end, 0);
	}
	if (end == value || *end || *value == '-' || errno || mark > UINT_MAX || mask > UINT_MAX)
		return err_set(err, "'%s' is not a mark: give a number, or VALUE/MASK", value);
	if (!mask || mark & ~mask)
		return err_set(err, "--mark %#lx/%#lx matches %s packet", mark, mask,
			       mask ? "no" : "every");
	if (o->nr_marks == RECORD_SKB_MAX_MARKS)
		return err_set(err, "more than %d --mark: take a mask", RECORD_SKB_MAX_MARKS);
	o->marks[o->nr_marks++] = (struct record_skb_mark){ .value = mark, .mask = mask };
	return 0;
}

static int set_detail(struct options *o, const char *value, struct err *err)
{
	static const char * const names[] = {
		[DETAIL_FULL] = "full", [DETAIL_NET] = "net", [DETAIL_PATH] = "path",
	};
	enum detail detail = DETAIL_PATH;

	while (detail && strcmp(names[detail], value))
		detail--;
	if (!detail)
		return err_set(err, "'%s' is not a detail: take full, net or path", value);
	if (o->detail && o->detail != detail)
		return err_set(err, "--detail is given twice: '%s' and '%s'", names[o->detail],
			       value);
	o->detail = detail;
	return 0;
}

static int set_list_points(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->list_points = true;
	o->list_glob = value;
	return 0;
}

static int set_graph_depth(struct options *o, const char *value, struct err *err)
{
	unsigned long depth;
	char *end;

	errno = 0;
	depth = strtoul(value, &end, 10);
	if (end == value || *end || *value == '-' || errno || depth >= INT_MAX)
		return err_set(err, "'%s' is not a depth for --max-graph-depth", value);
	o->graph_depth = depth;
	return 0;
}

/* trace-cmd record's own, of which we need to know that they were given. */
static int note_buffer_size(struct options *o, const char *value, struct err *err)
{
	(void)err;
	strings_add(&o->pass, "-b");
	strings_add(&o->pass, value);
	o->has_buffer_size = true;
	return 0;
}

static int note_trace_option(struct options *o, const char *value, struct err *err)
{
	(void)err;
	strings_add(&o->pass, "-O");
	strings_add(&o->pass, value);
	if (!strcmp(value, "funcgraph-irqs") || !strcmp(value, "nofuncgraph-irqs"))
		o->has_irqs = true;
	return 0;
}

static int note_network(struct options *o, const char *value, struct err *err)
{
	(void)err;
	strings_add(&o->pass, "-N");
	strings_add(&o->pass, value);
	o->remote = true;
	return 0;
}

static int note_vsock(struct options *o, const char *value, struct err *err)
{
	(void)err;
	strings_add(&o->pass, "-V");
	strings_add(&o->pass, value);
	o->remote = true;
	return 0;
}

#define LEAVES_AS_FOUND	"record-skb leaves tracing as it found it"
#define FOLLOWS_ITSELF	"record-skb follows the command and its children by itself"

static const struct row rows[] = {
	{ .help = "Which packets (all combine; given twice, either may hold):" },
	{ 'p', "port", "PORT[,..]", "from or to a port, a name or LO-HI, of any protocol", add_ports },
	{ 0, "sport", "PORT[,..]", "from a port", add_sports },
	{ 0, "dport", "PORT[,..]", "to a port", add_dports },
	{ 0, "host", "HOST", "from or to an address, ADDRESS/BITS or a name", add_hosts },
	{ 0, "src", "HOST", "from an address", add_srcs },
	{ 0, "dst", "HOST", "to an address", add_dsts },
	{ 0, "proto", "PROTO", "of a protocol: tcp, udp, icmp (v4 and v6), a number", add_protos },
	{ 'i', "interface", "NAME", "arriving or leaving on an interface; any for all", add_interfaces },
	{ 0, "netns", "NETNS", "in a network namespace: its name, a PID or its inode", add_netnses },
	{ 0, "mark", "VALUE[/MASK]", "with this skb mark", set_mark },
	{ 0, "rx", NULL, "where they are received", set_rx },
	{ 0, "tx", NULL, "where they are sent", set_tx },
	{ 0, "no-track", NULL, "do not remember a packet that matched once", set_no_track },
	{ 0, "no-icmp-errors", NULL, "not the ICMP errors about such packets", set_no_icmp_errors },
	{ .help = "Whom to follow:" },
	{ 'P', NULL, "PID", "a running process and its children", add_pids },
	{ 0, "no-children", NULL, "do not follow what the command forks", set_no_children },
	{ 0, "user", "NAME", "run the command as this user", set_user },
	{ 0, "cpu", "LIST", "run the command on these CPUs, as in 0-3,6", set_cpus },
	{ .help = "What to record:" },
	{ 'o', NULL, "FILE", "write to this file (trace.dat)", set_output },
	{ 'g', NULL, "FUNC", "match packets at this function too; a name or a glob", add_functions },
	{ 0, "detail", "full|net|path", "all functions, those of networking, or the points", set_detail },
	{ 0, "module", "NAME", "this module's functions, beside net's or the points", add_modules },
	{ 0, "args", NULL, "what functions are given, where the kernel can", set_args },
	{ 0, "retval", NULL, "what functions return, where the kernel can", set_retval },
	{ 0, "max-graph-depth", "N", "this deep below a probe point", set_graph_depth },
	{ 'q', "quiet", NULL, "no live line and no summary", set_quiet },
	{ .help = "Instead of recording:" },
	{ 0, "dry-run", NULL, "show expression, programs, points and command line", set_dry_run },
	{ 0, "list-points", "[GLOB]", "show the probe points, or what -g GLOB would be", set_list_points },
	{ 'h', "help", NULL, "show this", set_help },
	{ 0, "version", NULL, "show the version", set_version },

	/* From here on trace-cmd record's. */
	{ 'a', NULL, NULL, NULL },
	{ 'b', NULL, "KB", NULL, note_buffer_size },
	{ 'B', NULL, "BUFFER", NULL },
	{ 'C', NULL, "CLOCK", NULL },
	{ 'e', NULL, "EVENT", NULL },
	{ 'f', NULL, "FILTER", NULL },
	{ 'H', NULL, "HOOK", NULL },
	{ 'l', NULL, "FUNC", NULL },
	{ 'm', NULL, "KB", NULL },
	{ 'M', NULL, "MASK", NULL },
	{ 'n', NULL, "FUNC", NULL },
	{ 'N', NULL, "HOST:PORT", NULL, note_network },
	{ 'O', NULL, "OPTION", NULL, note_trace_option },
	{ 'r', NULL, "PRIORITY", NULL },
	{ 'R', NULL, "TRIGGER", NULL },
	{ 's', NULL, "USEC", NULL },
	{ 'S', NULL, NULL, NULL },
	{ 't', NULL, NULL, NULL },
	{ 'T', NULL, NULL, NULL },
	{ 'v', NULL, NULL, NULL },
	{ 'V', NULL, "CID:PORT", NULL, note_vsock },
	{ 0, "cmdlines-size", "N", NULL },
	{ 0, "compression", "NAME", NULL },
	{ 0, "date", NULL, NULL },
	{ 0, "debug", NULL, NULL },
	{ 0, "file-version", "N", NULL },
	{ 0, "func-stack", NULL, NULL },
	{ 0, "no-filter", NULL, NULL },
	{ 0, "nofifos", NULL, NULL },
	{ 0, "nosplice", NULL, NULL },
	{ 0, "notimeout", NULL, NULL },
	{ 0, "poll", NULL, NULL },
	{ 0, "proc-map", NULL, NULL },
	{ 0, "subbuf-size", "KB", NULL },
	{ 0, "temp", "DIR", NULL },
	{ 0, "ts-offset", "OFFSET", NULL },
	{ 0, "tsc2nsec", NULL, NULL },
	{ 0, "tsync-interval", "MSEC", NULL },
	{ 0, "verbose", "[LEVEL]", NULL },
	{ 'A', NULL, "GUEST", .refuse = "record-skb records this machine only" },
	{ 'c', NULL, NULL, .refuse = FOLLOWS_ITSELF },
	{ 'd', NULL, NULL, .refuse = "record-skb is nothing without the function tracer" },
	{ 'D', NULL, NULL, .refuse = "record-skb is nothing without the function tracer" },
	{ 'F', NULL, NULL, .refuse = FOLLOWS_ITSELF },
	{ 'G', NULL, NULL, .refuse = "it goes with --profile, which writes no file" },
	{ 'k', NULL, NULL, .refuse = LEAVES_AS_FOUND },
	{ 'K', NULL, NULL, .refuse = LEAVES_AS_FOUND },
	{ 0, "by-comm", NULL, .refuse = "it goes with --profile, which writes no file" },
	{ 0, "daemonize", NULL, .refuse = "record-skb stays until the recording ends" },
	{ 0, "fork", NULL, .refuse = "record-skb stays until the recording ends" },
	{ 0, "name", "NAME", .refuse = "record-skb records this machine only" },
	{ 0, "profile", NULL, .refuse = "it writes no file" },
	{ 0, "proxy", "VSOCK", .refuse = "record-skb records this machine only" },
	{ 0, "stderr", NULL, .refuse = "it goes with --profile, which writes no file" },
};

#define NR_ROWS		(sizeof(rows) / sizeof(rows[0]))
#define FIRST_LONG	256	/* what getopt_long() returns for a long option: this and its row */

static bool is_option(const struct row *row)
{
	return row->letter || row->name;
}

static bool is_passed(const struct row *row)
{
	return is_option(row) && !row->help && !row->refuse;
}

static int arg_kind(const struct row *row)
{
	if (!row->arg)
		return no_argument;
	return row->arg[0] == '[' ? optional_argument : required_argument;
}

/* "-": words come in their place, as option 1, for the expression ends at "--"; ":": we complain. */
static void make_getopt_tables(char *letters, struct option *names)
{
	*letters++ = '-';
	*letters++ = ':';
	for (size_t i = 0; i < NR_ROWS; i++) {
		if (rows[i].letter) {
			*letters++ = rows[i].letter;
			if (rows[i].arg)
				*letters++ = ':';
		}
		if (rows[i].name) {
			names->name = rows[i].name;
			names->has_arg = arg_kind(&rows[i]);
			names->flag = NULL;
			names->val = FIRST_LONG + i;
			names++;
		}
	}
	*letters = '\0';
	memset(names, 0, sizeof(*names));
}

static const struct row *find_row(int c)
{
	if (c >= FIRST_LONG)
		return &rows[c - FIRST_LONG];
	for (size_t i = 0; i < NR_ROWS; i++)
		if (rows[i].letter == c)
			return &rows[i];
	return NULL;
}

static int take(struct options *o, const struct row *row, bool by_name, const char *value,
		struct err *err)
{
	const char dash_letter[] = { '-', row->letter, '\0' };

	if (row->refuse)
		return err_set(err, "%s%s is not for record-skb: %s", by_name ? "--" : "",
			       by_name ? row->name : dash_letter, row->refuse);
	if (row->set)
		return row->set(o, value, err);
	if (!by_name) {
		strings_add(&o->pass, dash_letter);
		if (value)
			strings_add(&o->pass, value);
	} else if (value) {
		strings_addf(&o->pass, "--%s=%s", row->name, value);
	} else {
		strings_addf(&o->pass, "--%s", row->name);
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
	if (!filter && !o->command && !o->pids.n)
		return err_set(err, "nothing to record: give a filter (-p 9000), a command (-- ping "
			       "host) or both; see trace-cmd record-skb --help");
	return 0;
}

int options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	char letters[2 + 2 * NR_ROWS + 1];
	struct option names[NR_ROWS + 1];
	bool by_name;
	int c, at;

	memset(o, 0, sizeof(*o));
	make_getopt_tables(letters, names);
	optind = 0;	/* start afresh, also in a test that parses many */
	opterr = 0;

	for (;;) {
		/* getopt() moves on within "-abc" without moving optind. */
		at = optind ? optind : 1;
		c = getopt_long(argc, argv, letters, names, NULL);
		if (c == -1)
			break;
		by_name = c >= FIRST_LONG;
		switch (c) {
		case 1:
			add_to_expression(o, optarg);
			break;
		case ':':
			return err_set(err, "%s needs a value", argv[optind - 1]);
		case '?':
			if (optopt && optopt < FIRST_LONG)
				return err_set(err, "unknown option '-%c'; see trace-cmd record-skb "
					       "--help", optopt);
			if (optopt)
				return err_set(err, "%s takes no value", argv[optind - 1]);
			return err_set(err, "unknown option '%s'; see trace-cmd record-skb --help",
				       argv[at < argc ? at : argc - 1]);
		default:
			if (take(o, find_row(c), by_name, optarg, err))
				return -1;
		}
	}
	if (optind < argc)
		o->command = argv + optind;
	return check(o, err);
}

void options_free(struct options *o)
{
	struct strings *lists[] = { &o->ports, &o->sports, &o->dports, &o->hosts, &o->srcs, &o->dsts,
				    &o->protos, &o->pids, &o->functions, &o->modules, &o->interfaces,
				    &o->netnses, &o->pass };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		strings_free(lists[i]);
	free(o->expression);
	o->expression = NULL;
}

static void print_row(FILE *out, const struct row *row)
{
	char left[64];
	int n = 0;

	if (!is_option(row)) {
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
	for (size_t i = 0; i < NR_ROWS; i++) {
		const struct row *row = &rows[i];
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
		if (i + 1 < NR_ROWS && is_passed(&rows[i + 1]))
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
	for (size_t i = 0; i < NR_ROWS && rows[i].help; i++)
		print_row(out, &rows[i]);
	print_passed(out);
}
