// SPDX-License-Identifier: GPL-2.0
/* The table of options: what the command line is read by and the usage printed from. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "numbers.h"
#include "option-table.h"

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
FLAG_SETTER(dry_run)
FLAG_SETTER(retval)
FLAG_SETTER(args)
FLAG_SETTER(help)
FLAG_SETTER(version)
FLAG_SETTER(quiet)
FLAG_SETTER(live)
FLAG_SETTER(no_file)
FLAG_SETTER(force)
FLAG_SETTER(shared)
FLAG_SETTER(check)
BIT_SETTER(rx, dirs, 1U << RECORD_SKB_DIR_RX)
BIT_SETTER(tx, dirs, 1U << RECORD_SKB_DIR_TX)
BIT_SETTER(no_children, module_flags, RECORD_SKB_OPT_NO_CHILDREN)
BIT_SETTER(no_track, module_flags, RECORD_SKB_OPT_NO_TRACK)
BIT_SETTER(no_icmp_errors, module_flags, RECORD_SKB_OPT_NO_ICMP_ERRORS)
BIT_SETTER(why, module_flags, RECORD_SKB_OPT_RULES)
BIT_SETTER(sched, module_flags, RECORD_SKB_OPT_SCHED)
BIT_SETTER(calibrate, module_flags, RECORD_SKB_OPT_CALIBRATE)
ONCE_SETTER(user, "--user")
ONCE_SETTER(cpus, "--cpu")
ONCE_SETTER(output, "-o")
ONCE_SETTER(persistent, "--persistent")
ONCE_SETTER(recover, "--recover")

/* In any base that C has; @end is set behind it. */
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
		return err_set(err, "'%s' is not a mark: what is behind its \"/\" is not a mask",
			       value);
	if (!mask || mark & ~mask)
		return err_set(err, "--mark %#lx/%#lx matches %s packet", mark, mask,
			       mask ? "no" : "every");
	if (o->nr_marks == RECORD_SKB_MAX_MARKS)
		return err_set(err, "more than %d --mark: take a mask", RECORD_SKB_MAX_MARKS);
	o->marks[o->nr_marks++] = (struct record_skb_mark){ .value = mark, .mask = mask };
	return 0;
}

static int add_pid(struct options *o, const char *value, struct err *err)
{
	unsigned long pid;

	if (!number_read(value, INT_MAX, &pid) || !pid)
		return err_set(err, "'%s' is not a PID", value);
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
		return err_set(err, "'%s' is not a detail: take full, net or path", value);
	if (o->detail && o->detail != detail)
		return err_set(err, "--detail is given twice: '%s' and '%s'", names[o->detail],
			       value);
	o->detail = detail;
	return 0;
}

#define LIMIT_SETTER(field, option, unit)                                                   \
	static int set_##field(struct options *o, const char *value, struct err *err)       \
	{                                                                                   \
		if (number_read(value, INT_MAX, &o->field) && o->field)                     \
			return 0;                                                           \
		return err_set(err, "'%s' is not a number of " unit " for " option, value); \
	}

LIMIT_SETTER(count, "--count", "packets")
LIMIT_SETTER(duration, "--duration", "seconds")
LIMIT_SETTER(max_size, "--max-size", "MB")

#define RING_SETTER(name, function)                                            \
	static int name(struct options *o, const char *value, struct err *err) \
	{                                                                      \
		return function(&o->ring, value, err);                         \
	}

RING_SETTER(set_ring, ring_set_size)
RING_SETTER(add_until, ring_add_until)
RING_SETTER(set_match, ring_set_match)
RING_SETTER(set_exit, ring_set_exit)
RING_SETTER(set_after, ring_set_after)
RING_SETTER(set_keep, ring_set_keep)

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
		return err_set(err, "'%s' is not a depth for --max-graph-depth", value);
	o->graph_depth = depth;
	return 0;
}

/* trace-cmd record's own, of which we need to know that they were given. */
static int note_buffer_size(struct options *o, const char *value, struct err *err)
{
	unsigned long kb;

	/* trace-cmd would take 0, and anything that is no number, for nothing said. */
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

/* One for all instances until Linux 6.18. */
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
		return err_set(err,
			       "-O nooverwrite does not tell where entries were lost, so packets "
			       "could not be judged; --ring and --until keep what is sought");
	strings_add(&o->pass, "-O");
	strings_add(&o->pass, value);
	if (is_graph_option(value))
		o->has_graph_option = true;
	if (!strcmp(value, "funcgraph-irqs") || !strcmp(value, "nofuncgraph-irqs"))
		o->has_irqs = true;
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

static int note_tsc2nsec(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	strings_add(&o->pass, "--tsc2nsec");
	o->tsc2nsec = true;
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

#define LEAVES_AS_FOUND "record-skb leaves tracing as it found it"
#define FOLLOWS_ITSELF	"record-skb follows the command and its children by itself"

/* clang-format off */
const struct option_row option_rows[] = {
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
	{ 'P', NULL, "PID", "a running process and its children", add_pid },
	{ 0, "no-children", NULL, "do not follow what the command forks", set_no_children },
	{ 0, "user", "NAME", "run the command as this user", set_user },
	{ 0, "cpu", "LIST", "run the command on these CPUs, as in 0-3,6", set_cpus },
	{ .help = "What to record:" },
	{ 'o', NULL, "FILE", "write to this file (trace.dat)", set_output },
	{ 'g', NULL, "FUNC", "match packets at this function too; a name or a glob", add_functions },
	{ 0, "detail", "full|net|path", "all functions, those of networking (the default), or the points",
	  set_detail },
	{ 0, "module", "NAME", "this module's functions, beside net's or the points", add_modules },
	{ 0, "why", NULL, "which rule of nftables decided, for report-skb --why", set_why },
	{ 0, "sched", NULL, "when tasks that have to do with them sleep, or wait for a CPU", set_sched },
	{ 0, "calibrate", NULL, "begin with what recording a call costs here",
	  set_calibrate },
	{ 0, "args", NULL, "what functions are given, where the kernel can", set_args },
	{ 0, "retval", NULL, "what functions return, where the kernel can", set_retval },
	{ 0, "max-graph-depth", "N", "this deep below a probe point", set_graph_depth },
	{ 0, "count", "N", "end after N packets", set_count },
	{ 0, "duration", "SECONDS", "end after this time", set_duration },
	{ 0, "max-size", "MB", "end when this much is recorded", set_max_size },
	{ 0, "ring", "SIZE", "write nothing: keep the newest SIZE (64M), and write it at the end", set_ring },
	{ 0, "until", "WHAT", "end a ring by drop[=REASON,..], slower=5ms or unanswered=1s", add_until },
	{ 0, "until-match", "EXPRESSION", "end a ring by a packet that matches this as well", set_match },
	{ 0, "until-exit", "STATUS", "write the ring if the command exits so; failed: any but 0", set_exit },
	{ 0, "after", "TIME", "with what comes in this time (200ms) after such a packet", set_after },
	{ 0, "keep", "N", "go on after such a packet; keep the last N rings as files", set_keep },
	{ 0, "live", NULL, "print each packet when it has ended, and what became of it", set_live },
	{ 0, "no-file", NULL, "with --live: write no file", set_no_file },
	{ 0, "persistent", "INSTANCE", "also into this instance of tracing, which survives a crash",
	  set_persistent },
	{ 0, "shared", NULL, "others may record at the same time, if they say so too", set_shared },
	{ 0, "force", NULL, "even if function_graph, or probes, of others miss something", set_force },
	{ 'q', "quiet", NULL, "no live line and no summary", set_quiet },
	{ .help = "Instead of recording:" },
	{ 0, "recover", "INSTANCE", "after a crash: make the file of what --persistent kept", set_recover },
	{ 0, "check", NULL, "show what this machine has and lacks for it", set_check },
	{ 0, "dry-run", NULL, "show expression, programs, points and command line", set_dry_run },
	{ 0, "list-points", "[GLOB]", "show the probe points, or what -g GLOB would be", set_list_points },
	{ 'h', "help", NULL, "show this", set_help },
	{ 0, "version", NULL, "show the version", set_version },

	/* From here on trace-cmd record's. */
	{ 'a', NULL, NULL, NULL },
	{ 'b', NULL, "KB", NULL, note_buffer_size },
	{ 'B', NULL, "BUFFER", NULL, note_instance },
	{ 'C', NULL, "CLOCK", NULL, note_clock },
	{ 'e', NULL, "EVENT", NULL },
	{ 'f', NULL, "FILTER", NULL },
	{ 'H', NULL, "HOOK", NULL },
	{ 'l', NULL, "FUNC", NULL },
	{ 'm', NULL, "KB", .number = true },
	{ 'M', NULL, "MASK", NULL },
	{ 'n', NULL, "FUNC", NULL },
	{ 'N', NULL, "HOST:PORT", NULL, note_network },
	{ 'O', NULL, "OPTION", NULL, note_trace_option },
	{ 'r', NULL, "PRIORITY", .number = true },
	{ 'R', NULL, "TRIGGER", NULL },
	{ 's', NULL, "USEC", .number = true },
	{ 'S', NULL, NULL, NULL },
	{ 't', NULL, NULL, NULL },
	{ 'T', NULL, NULL, NULL },
	{ 'v', NULL, NULL, NULL },
	{ 'V', NULL, "CID:PORT", NULL, note_vsock },
	{ 0, "cmdlines-size", "N", .number = true },
	{ 0, "compression", "NAME", NULL },
	{ 0, "date", NULL, NULL },
	{ 0, "debug", NULL, NULL },
	{ 0, "file-version", "N", .number = true },
	{ 0, "func-stack", NULL, NULL },
	{ 0, "no-filter", NULL, NULL },
	{ 0, "nofifos", NULL, NULL },
	{ 0, "nosplice", NULL, NULL },
	{ 0, "notimeout", NULL, NULL },
	{ 0, "poll", NULL, NULL },
	{ 0, "proc-map", NULL, NULL },
	{ 0, "subbuf-size", "KB", .number = true },
	{ 0, "temp", "DIR", NULL },
	{ 0, "ts-offset", "OFFSET", NULL },
	{ 0, "tsc2nsec", NULL, NULL, note_tsc2nsec },
	{ 0, "tsync-interval", "MSEC", .number = true },
	{ 0, "verbose", "[LEVEL]", NULL },
	{ 'A', NULL, "GUEST", .refuse = "record-skb records this machine only" },
	{ 'c', NULL, NULL, .refuse = FOLLOWS_ITSELF "; to end after N packets: --count N" },
	{ 'd', NULL, NULL, .refuse = "record-skb is nothing without the function tracer" },
	{ 'D', NULL, NULL, .refuse = "record-skb is nothing without the function tracer" },
	{ 'F', NULL, NULL, .refuse = FOLLOWS_ITSELF },
	{ 'G', NULL, NULL, .refuse = "it goes with --profile, which writes no file" },
	{ 'k', NULL, NULL, .refuse = LEAVES_AS_FOUND },
	{ 'K', NULL, NULL, .refuse = LEAVES_AS_FOUND },
	{ 'w', NULL, NULL, .refuse = "-o FILE names it; report-skb --pcap makes a capture" },
	{ 0, "by-comm", NULL, .refuse = "it goes with --profile, which writes no file" },
	{ 0, "daemonize", NULL, .refuse = "record-skb stays until the recording ends" },
	{ 0, "fork", NULL, .refuse = "record-skb stays until the recording ends" },
	{ 0, "name", "NAME", .refuse = "record-skb records this machine only" },
	{ 0, "profile", NULL, .refuse = "it writes no file" },
	{ 0, "proxy", "VSOCK", .refuse = "record-skb records this machine only" },
	{ 0, "stderr", NULL, .refuse = "it goes with --profile, which writes no file" },
};
/* clang-format on */

const size_t nr_option_rows = sizeof(option_rows) / sizeof(option_rows[0]);

bool option_is_real(const struct option_row *row)
{
	return row->letter || row->name;
}

char *option_nearest(const char *written)
{
	unsigned int least = NEAREST_MAX, distance;
	char *all = NULL, *longer;

	written += strspn(written, "-");
	for (size_t i = 0; i < nr_option_rows; i++) {
		const struct option_row *row = &option_rows[i];

		if (!row->name || row->refuse)
			continue;
		distance = nearest_distance(written, row->name);
		/* Of a short word too little would be left. */
		if (distance > least || distance >= strlen(written))
			continue;
		longer = all && distance == least ? xasprintf("%s or --%s", all, row->name) :
						    xasprintf("--%s", row->name);
		free(all);
		all = longer;
		least = distance;
	}
	return all;
}
