// SPDX-License-Identifier: GPL-2.0
/* option_table.c - the table of all options, and --help, which is printed from it */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "modes/until.h"
#include "nearest.h"
#include "text.h"
#include "option_table.h"

#define MAX_LINGER_NS (600UL * 1000000000)

#define LIST_SETTER(field)                                                            \
	static int add_##field(struct options *o, const char *value, struct err *err) \
	{                                                                             \
		(void)err;                                                            \
		strings_add(&o->field, value);                                        \
		return 0;                                                             \
	}

#define FLAG_SETTER(field)                                                            \
	static int set_##field(struct options *o, const char *value, struct err *err) \
	{                                                                             \
		(void)value;                                                          \
		(void)err;                                                            \
		o->field = true;                                                      \
		return 0;                                                             \
	}

#define BIT_SETTER(what, field, bit)                                                 \
	static int set_##what(struct options *o, const char *value, struct err *err) \
	{                                                                            \
		(void)value;                                                         \
		(void)err;                                                           \
		o->field |= (bit);                                                   \
		return 0;                                                            \
	}

#define ONCE_SETTER(field, option)                                                             \
	static int set_##field(struct options *o, const char *value, struct err *err)          \
	{                                                                                      \
		if (o->field && strcmp(o->field, value))                                       \
			return err_set(err, option " is given twice: '%s' and '%s'", o->field, \
				       value);                                                 \
		o->field = value;                                                              \
		return 0;                                                                      \
	}

LIST_SETTER(ports)
LIST_SETTER(sports)
LIST_SETTER(dports)
LIST_SETTER(hosts)
LIST_SETTER(srcs)
LIST_SETTER(dsts)
LIST_SETTER(protos)
LIST_SETTER(functions)
LIST_SETTER(modules)
LIST_SETTER(interfaces)
LIST_SETTER(netnses)
LIST_SETTER(on)
FLAG_SETTER(dry_run)
FLAG_SETTER(retval)
FLAG_SETTER(args)
FLAG_SETTER(help)
FLAG_SETTER(version)
FLAG_SETTER(quiet)
FLAG_SETTER(live)
FLAG_SETTER(force)
FLAG_SETTER(no_bpf)
FLAG_SETTER(shared)
FLAG_SETTER(check)
BIT_SETTER(no_children, module_flags, RECORD_SKB_OPT_NO_CHILDREN)
BIT_SETTER(no_icmp_errors, module_flags, RECORD_SKB_OPT_NO_ICMP_ERRORS)
BIT_SETTER(why, module_flags, RECORD_SKB_OPT_RULES)
BIT_SETTER(sched, module_flags, RECORD_SKB_OPT_SCHED)
ONCE_SETTER(user, "--user")
ONCE_SETTER(cpus, "--cpu")
ONCE_SETTER(output, "-o")
ONCE_SETTER(persistent, "--persistent")
ONCE_SETTER(recover, "--recover")
ONCE_SETTER(where, "--where")
ONCE_SETTER(inner, "--inner")

#define MAX_SAMPLE 1000000000

/*
 * Parse a number of 32 bits in any notation of C. Set *@end to the text after the number. Return true if the
 * number is valid.
 */
static bool read_u32(const char *text, char **end, unsigned long *number)
{
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoul(text, end, 0);
	return !errno && *number <= UINT_MAX;
}

static int set_mark(struct options *o, const char *value, struct err *err)
{
	unsigned long mark, mask = UINT_MAX;
	char *end;

	if (!read_u32(value, &end, &mark) || (*end && *end != '/'))
		return err_set(err, "'%s' is not a mark: give a number, or VALUE/MASK", value);
	if (*end && (!read_u32(end + 1, &end, &mask) || *end))
		return err_set(err, "'%s' is not a mark: the text after its \"/\" is not a mask",
			       value);
	if (!mask || mark & ~mask)
		return err_set(err, "--mark %#lx/%#lx matches %s", mark, mask,
			       mask ? "no packet: it has bits outside the mask" :
				      "every packet: leave it out");
	if (o->nr_marks == RECORD_SKB_MAX_MARKS)
		return err_set(err, "more than %d --mark: use a mask", RECORD_SKB_MAX_MARKS);
	o->marks[o->nr_marks++] = (struct record_skb_mark){ .value = mark, .mask = mask };
	return 0;
}

static int set_sample(struct options *o, const char *value, struct err *err)
{
	unsigned long rate;

	if (strncmp(value, "1/", 2) || !number_read(value + 2, MAX_SAMPLE, &rate) || !rate)
		return err_set(err, "'%s' is not a rate for --sample: give 1/N, as in 1/100",
			       value);
	o->sample = rate;
	return 0;
}

static int add_pid(struct options *o, const char *value, struct err *err)
{
	unsigned long pid;

	if (!number_read(value, INT_MAX, &pid) || !pid)
		return err_set(err, "'%s' is not a PID: give a number, as pidof prints it", value);
	o->pids = xrealloc(o->pids, (o->nr_pids + 1) * sizeof(*o->pids));
	o->pids[o->nr_pids++] = pid;
	return 0;
}

static int set_detail(struct options *o, const char *value, struct err *err)
{
	static const char *const names[] = {
		[DETAIL_FULL] = "full",
		[DETAIL_NET] = "net",
		[DETAIL_PATH] = "path",
	};
	enum detail detail = DETAIL_PATH;

	while (detail && strcmp(names[detail], value))
		detail--;
	if (!detail)
		return err_set(err, "'%s' is not a value of --detail: give full, net or path",
			       value);
	if (o->detail && o->detail != detail)
		return err_set(err, "--detail is given twice: '%s' and '%s'", names[o->detail],
			       value);
	o->detail = detail;
	return 0;
}

static int add_direction(struct options *o, const char *value, struct err *err)
{
	if (!strcmp(value, "rx"))
		o->dirs |= 1U << RECORD_SKB_DIR_RX;
	else if (!strcmp(value, "tx"))
		o->dirs |= 1U << RECORD_SKB_DIR_TX;
	else
		return err_set(err, "'%s' is not a value of --direction: give rx or tx", value);
	return 0;
}

static int set_linger(struct options *o, const char *value, struct err *err)
{
	unsigned long ns = 0;

	if (strcmp(value, "0") && !time_read(value, MAX_LINGER_NS, &ns))
		return err_set(err,
			       "'%s' is not a time for --linger: give 0, or up to 600s with us, ms "
			       "or s, as in 200ms",
			       value);
	o->has_linger = true;
	o->linger_msec = (ns + 999999) / 1000000;
	return 0;
}

#define RING_SETTER(name, function)                                            \
	static int name(struct options *o, const char *value, struct err *err) \
	{                                                                      \
		return function(&o->ring, value, err);                         \
	}

RING_SETTER(set_ring, ring_set_size)
RING_SETTER(set_keep, ring_set_keep)

static int add_until(struct options *o, const char *value, struct err *err)
{
	return until_add(&o->limits, &o->ring, value, err);
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

	if (!number_read(value, INT_MAX - 1, &depth))
		return err_set(
			err,
			"'%s' is not a depth for --max-graph-depth: give a number; 0 means any depth",
			value);
	o->graph_depth = depth;
	return 0;
}

/*
 * The functions below store options that record-skb needs to know, and that are also passed on to trace-cmd
 * record.
 */
static int note_buffer_size(struct options *o, const char *value, struct err *err)
{
	unsigned long kb;

	/* trace-cmd would silently ignore 0, and a text that is not a number, so check the value here. */
	if (!number_read(value, INT_MAX, &kb) || !kb)
		return err_set(err, "'%s' is not a size for -b: give KB, for each CPU's buffer",
			       value);
	strings_add(&o->pass, "-b");
	strings_add(&o->pass, value);
	o->has_buffer_size = true;
	return 0;
}

static int note_instance(struct options *o, const char *value, struct err *err)
{
	(void)err;
	strings_add(&o->pass, "-B");
	strings_add(&o->pass, value);
	strings_add(&o->instances, value);
	return 0;
}

/*
 * Return true if @value, a value of -O, is an option of function_graph. Before Linux 6.18, all tracing
 * instances share these options.
 */
static bool is_graph_option(const char *value)
{
	if (!strncmp(value, "no", 2))
		value += 2;
	return !strncmp(value, "funcgraph-", strlen("funcgraph-")) ||
	       !strcmp(value, "graph-time") || !strcmp(value, "sleep-time");
}

static int note_trace_option(struct options *o, const char *value, struct err *err)
{
	if (!strcmp(value, "nooverwrite"))
		return err_set(err, "-O nooverwrite is refused, because the trace would not show "
				    "where entries were lost; use --ring and --until to keep the "
				    "packets that you search for");
	strings_add(&o->pass, "-O");
	strings_add(&o->pass, value);
	if (is_graph_option(value))
		o->has_graph_option = true;
	if (!strcmp(value, "funcgraph-irqs") || !strcmp(value, "nofuncgraph-irqs"))
		o->has_irqs = true;
	return 0;
}

static int note_verbose(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->verbose = true;
	if (value)
		strings_addf(&o->pass, "--verbose=%s", value);
	else
		strings_add(&o->pass, "--verbose");
	return 0;
}

static int note_clock(struct options *o, const char *value, struct err *err)
{
	(void)err;
	strings_add(&o->pass, "-C");
	strings_add(&o->pass, value);
	o->clock = value;
	return 0;
}

/*
 * Store a function name or glob of -l or -n. Before the first -B, it selects functions for this recording;
 * all names are looked up together later. After a -B, it is for that tracing instance and is passed on to
 * trace-cmd.
 */
static int note_functions(struct options *o, char letter, struct strings *ours, const char *value,
			  struct err *err)
{
	if (o->instances.n) {
		strings_addf(&o->pass, "-%c", letter);
		strings_add(&o->pass, value);
		return 0;
	}
	if (strchr(value, ':') || strspn(value, "0123456789") == strlen(value))
		return err_set(err, "-%c %s: give the name of a function, or a glob", letter,
			       value);
	strings_add(ours, value);
	return 0;
}

static int add_listed(struct options *o, const char *value, struct err *err)
{
	return note_functions(o, 'l', &o->listed, value, err);
}

static int add_excluded(struct options *o, const char *value, struct err *err)
{
	return note_functions(o, 'n', &o->excluded, value, err);
}

#define LEAVES_AS_FOUND "record-skb restores all tracing settings at its end"
#define SENT_IN_THE_CLEAR \
	"trace-cmd sends the trace and its packets unencrypted: copy the file instead"
#define FOLLOWS_ITSELF "record-skb always follows the command and its children"

/* clang-format off */
const struct option_row option_rows[] = {
	{ .help = "Packets to record (different options are combined with AND, a repeated one with OR):" },
	{ 'p', "port", "PORT[,..]", "source or destination port: a number, a name or LO-HI", add_ports },
	{ 0, "sport", "PORT[,..]", "source port", add_sports },
	{ 0, "dport", "PORT[,..]", "destination port", add_dports },
	{ 0, "host", "HOST", "source or destination: an address, ADDRESS/BITS or a name", add_hosts },
	{ 0, "src", "HOST", "source address", add_srcs },
	{ 0, "dst", "HOST", "destination address", add_dsts },
	{ 0, "proto", "PROTO", "protocol: tcp, udp, icmp (IPv4 and IPv6), or a number", add_protos },
	{ 'i', "interface", "NAME", "interface where packets arrive or leave; any for all", add_interfaces },
	{ 0, "netns", "NETNS", "network namespace: a name, a PID or an inode number", add_netnses },
	{ 0, "mark", "VALUE[/MASK]", "skb mark", set_mark },
	{ 0, "inner", "EXPRESSION", "packets in VXLAN, Geneve, GRE, IPIP and SIT that match, as in tcpdump",
	  set_inner },
	{ 0, "where", "CONDITION", "fields of struct sk_buff, as in 'priority >= 6 && mark & 0xff'",
	  set_where },
	{ 0, "sample", "1/N", "one of N flows", set_sample },
	{ 0, "direction", "rx|tx", "received (rx) or sent (tx) packets only", add_direction },
	{ 0, "no-icmp-errors", NULL, "leave out ICMP errors that quote such a packet",
	  set_no_icmp_errors },
	{ .help = "Processes to follow:" },
	{ 'P', "pid", "PID", "follow a running process and its children", add_pid },
	{ 0, "no-children", NULL, "do not follow child processes of the command", set_no_children },
	{ 0, "user", "NAME", "run the command as this user", set_user },
	{ 0, "cpu", "LIST", "run the command on these CPUs, as in 0-3,6", set_cpus },
	{ .help = "Content of the recording:" },
	{ 'o', NULL, "FILE", "write this file (default trace.dat); /dev/null: no file", set_output },
	{ 'g', NULL, "FUNC", "also match packets at this function; a name or a glob", add_functions },
	{ 0, "detail", "full|net|path", "all functions, those of networking (default), or probes only",
	  set_detail },
	{ 0, "module", "NAME", "also record this module's functions", add_modules },
	{ 0, "why", NULL, "record the nftables rule behind each verdict", set_why },
	{ 0, "sched", NULL, "record when the involved tasks sleep or wait for a CPU", set_sched },
	{ 0, "args", NULL, "record arguments of functions, if the kernel can", set_args },
	{ 0, "retval", NULL, "record return values of functions, if the kernel can", set_retval },
	{ 0, "until", "WHAT", "stop at count=N, time=10s or size=100M; a ring at exit=STATUS, drop,\n"
	  "                              drop=REASON, slower=5ms, unanswered=1s or match=EXPRESSION",
	  add_until },
	{ 0, "linger", "TIME", "continue after the command (1s) or after --until (0)",
	  set_linger },
	{ 0, "ring", "SIZE", "keep the newest SIZE in memory, and write it at the end", set_ring },
	{ 0, "keep", "N", "restart the ring after each stop; keep the last N files", set_keep },
	{ 0, "live", NULL, "print each packet and its fate when it has ended", set_live },
	{ 0, "persistent", "INSTANCE", "also record into this instance, which survives a crash",
	  set_persistent },
	{ 0, "shared", NULL, "allow other recordings with --shared at the same time", set_shared },
	{ 0, "on", "HOST[,..]", "record on these hosts through ssh, and fetch their files", add_on },
	{ 0, "force", NULL, "start even if other tracers miss something", set_force },
	{ 0, "no-bpf", NULL, "do not attach to BPF programs", set_no_bpf },
	{ 'q', "quiet", NULL, "print no status line and no summary", set_quiet },
	{ .help = "Instead of recording:" },
	{ 0, "recover", "INSTANCE", "after a crash: write the file from this instance", set_recover },
	{ 0, "check", NULL, "show what this machine lacks for a recording", set_check },
	{ 0, "dry-run", NULL, "show the filter, the probe points and the recorder", set_dry_run },
	{ 0, "list-points", "[GLOB]", "show the probe points, or those that -g GLOB would add",
	  set_list_points },
	{ 'h', "help", NULL, "show this help", set_help },
	{ 0, "version", NULL, "show the version", set_version },

	/* Options of trace-cmd record, which are passed on or refused. */
	{ 'a', NULL, NULL, NULL },
	{ 'b', NULL, "KB", NULL, note_buffer_size },
	{ 'B', NULL, "BUFFER", NULL, note_instance },
	{ 'C', NULL, "CLOCK", NULL, note_clock },
	{ 'e', NULL, "EVENT", NULL },
	{ 'f', NULL, "FILTER", NULL },
	{ 'H', NULL, "HOOK", NULL },
	{ 'l', NULL, "FUNC", NULL, add_listed },
	{ 'M', NULL, "MASK", NULL },
	{ 'n', NULL, "FUNC", NULL, add_excluded },
	{ 'O', NULL, "OPTION", NULL, note_trace_option },
	{ 'r', NULL, "PRIORITY", .number = true },
	{ 'R', NULL, "TRIGGER", NULL },
	{ 's', NULL, "USEC", .number = true },
	{ 'S', NULL, NULL, NULL },
	{ 't', NULL, NULL, NULL },
	{ 'T', NULL, NULL, NULL },
	{ 'v', NULL, NULL, NULL },
	{ 0, "cmdlines-size", "N", .number = true },
	{ 0, "compression", "NAME", NULL },
	{ 0, "date", NULL, NULL },
	{ 0, "debug", NULL, NULL },
	{ 0, "func-stack", NULL, NULL },
	{ 0, "max-graph-depth", "N", NULL, set_graph_depth },
	{ 0, "no-filter", NULL, NULL },
	{ 0, "nofifos", NULL, NULL },
	{ 0, "nosplice", NULL, NULL },
	{ 0, "notimeout", NULL, NULL },
	{ 0, "poll", NULL, NULL },
	{ 0, "proc-map", NULL, NULL },
	{ 0, "subbuf-size", "KB", .number = true },
	{ 0, "ts-offset", "OFFSET", NULL },
	{ 0, "tsync-interval", "MSEC", .number = true },
	{ 0, "verbose", "[LEVEL]", NULL, note_verbose },
	{ 'A', NULL, "GUEST", .refuse = "record-skb records this machine only" },
	{ 'c', NULL, NULL, .refuse = FOLLOWS_ITSELF "; to end after N packets: --until count=N" },
	{ 'd', NULL, NULL, .refuse = "record-skb needs the function tracer" },
	{ 'D', NULL, NULL, .refuse = "record-skb needs the function tracer" },
	{ 'F', NULL, NULL, .refuse = FOLLOWS_ITSELF },
	{ 'G', NULL, NULL, .refuse = "it belongs to --profile, which writes no file" },
	{ 'k', NULL, NULL, .refuse = LEAVES_AS_FOUND },
	{ 'K', NULL, NULL, .refuse = LEAVES_AS_FOUND },
	{ 'm', NULL, NULL, .refuse = "--ring SIZE keeps the newest part of a recording" },
	{ 'N', NULL, NULL, .refuse = SENT_IN_THE_CLEAR },
	{ 'V', NULL, NULL, .refuse = SENT_IN_THE_CLEAR },
	{ 'w', NULL, NULL, .refuse = "use -o FILE; report-skb --pcap writes a capture file" },
	{ 0, "by-comm", NULL, .refuse = "it belongs to --profile, which writes no file" },
	{ 0, "daemonize", NULL, .refuse = "record-skb runs until the recording ends" },
	{ 0, "file-version", "N", .refuse = "trace-cmd convert writes a file of another version" },
	{ 0, "fork", NULL, .refuse = "record-skb runs until the recording ends" },
	{ 0, "name", "NAME", .refuse = "record-skb records this machine only" },
	{ 0, "profile", NULL, .refuse = "it writes no file" },
	{ 0, "proxy", "VSOCK", .refuse = "record-skb records this machine only" },
	{ 0, "temp", "DIR", .refuse = "the parts of the file are in its directory: use -o DIR/FILE" },
	{ 0, "tsc2nsec", NULL, .refuse = "use a clock that counts nanoseconds, such as -C mono" },
	{ 0, "stderr", NULL, .refuse = "it belongs to --profile, which writes no file" },
};
/* clang-format on */

const size_t nr_option_rows = sizeof(option_rows) / sizeof(option_rows[0]);

bool option_is_real(const struct option_row *row)
{
	return row->letter || row->name;
}

char *option_nearest(const char *written)
{
	/* Names that similar programs use, and what is meant. */
	static const char *const others[][2] = {
		{ "output", "-o FILE" },	{ "duration", "--until time=TIME" },
		{ "count", "--until count=N" }, { "rx", "--direction rx" },
		{ "tx", "--direction tx" },	{ "size", "--until size=SIZE" },
	};
	unsigned int least = NEAREST_MAX, distance;
	const size_t len = strcspn(written + strspn(written, "-"), "=");
	char *all = NULL, *longer;

	written += strspn(written, "-");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strlen(others[i][0]) == len && !strncmp(written, others[i][0], len))
			return xstrdup(others[i][1]);
	}
	for (size_t i = 0; i < nr_option_rows; i++) {
		const struct option_row *row = &option_rows[i];

		if (!row->name || row->refuse)
			continue;
		distance = nearest_distance(written, row->name);
		/*
		 * At least two of three letters must be right. Otherwise, any name is similar to a short
		 * word.
		 */
		if (distance > least || distance * 3 > strlen(written))
			continue;
		longer = all && distance == least ? xasprintf("%s or --%s", all, row->name) :
						    xasprintf("--%s", row->name);
		free(all);
		all = longer;
		least = distance;
	}
	return all;
}

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

	fputs("\nOptions of trace-cmd record, which are passed on:\n ", out);
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
	      "With a COMMAND alone, all packets of that command are recorded. If options such as -p are\n"
	      "given, too, the packets of all processes that match them are recorded, and packets of the\n"
	      "command that have no ports (ping). With an EXPRESSION, as in tcpdump, only packets that\n"
	      "match it are recorded.\n"
	      "Without a COMMAND, the recording lasts until Ctrl-C.\n",
	      out);
	for (size_t i = 0; i < nr_option_rows && option_rows[i].help; i++)
		print_row(out, &option_rows[i]);
	print_passed(out);
}
