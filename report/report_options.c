// SPDX-License-Identifier: GPL-2.0
/* report_options.c - parse the command line of trace-cmd report-skb */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escape.h"
#include "nearest.h"
#include "option_checks.h"
#include "report_options.h"
#include "input/source_lines.h"
#include "model/packet_text.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

/* Upper limit of --slowest. It limits the use of memory. */
#define MAX_SLOWEST 100000

static const char usage_text[] =
	"usage: trace-cmd report-skb [[HOST=]FILE...] [OPTIONS] [EXPRESSION]\n"
	"\n"
	"Show a recording of trace-cmd record-skb: a summary, and a list of the packets if there are few.\n"
	"Recordings of several hosts are joined: a packet that several of them have is shown once.\n"
	"EXPRESSION selects the packets to show, in tcpdump's language.\n"
	"\n"
	"  -i, --input FILE   the recording (trace.dat)\n"
	"      --summary      the summary, which is the default\n"
	"      --list         a line for each packet: its path, where its time went, and its verdict\n"
	"      --packet N     the complete path of packet N, as a call graph\n"
	"      --whole        with --packet: also the calls and graphs in which the packet is nested\n"
	"      --flow         a line for each flow\n"
	"      --servers      a line for each server, with the times of its answers\n"
	"      --json         a line for each packet and each loss; or the content of --summary, --servers,\n"
	"                     --flow, --latency, --why, --bytes or --requests as objects\n"
	"      --pcap FILE    write the recorded headers as a capture file (pcapng, for Wireshark)\n"
	"      --perfetto FILE  write a timeline of flows, tasks and CPUs for ui.perfetto.dev or speedscope\n"
	"      --kernelshark FILE  write a session of kernelshark with the joined recordings\n"
	"      --html FILE    write one page for a bug report, with the call graphs of the packets\n"
	"      --assert ASSERTION  exit with 4 if it is not true, such as 'dropped == 0'; can be repeated\n"
	"      --latency      where the time went: from stage to stage, and what packets waited for\n"
	"      --bytes[=N]    for each write to TCP or UDP (of flow N): when it was sent, received and read\n"
	"      --requests     for each request over TCP or UDP: its total time, and where that time went\n"
	"      --slowest N    the N packets that took longest, with the function or gap that slowed them;\n"
	"                     with --requests: the N requests that took longest\n"
	"      --why[=N]      why packets (or packet N) were dropped and calls failed, and how to check it\n"
	"      --diff FILE    which steps, functions and gaps are slower or faster in FILE\n"
	"      --diff-flow N  compare with packets of flow N, of this recording or of --diff FILE\n"
	"      --diff-from TIME, --diff-to TIME  compare with packets that existed at that time\n"
	"      --folded       stacks for flame graphs: self time in nanoseconds\n"
	"\n"
	"      --flow=N       only packets of flow N\n"
	"      --dropped      only packets that were dropped, or that have a dropped copy\n"
	"      --verdict V    only packets with this verdict, as --json names them; several with commas\n"
	"      --netns NETNS  only packets that were in this network namespace: its name, its inode number,\n"
	"                     or NAMESPACE/NAME of a pod; can be repeated\n"
	"      --from TIME    only packets that existed at this time or later; see the column TIME\n"
	"      --to TIME      only packets that existed at this time or earlier\n"
	"\n"
	"      --sort KEY     sort --servers, --flow, --latency, --requests or --why, as by max or time\n"
	"      --top N        only the first N rows of --servers, --flow, --latency, --requests or --why\n"
	"      --per-server, --per-flow  rows of --latency for each server, or for each flow and direction\n"
	"      --wide         all columns of the list, even if they do not fit into the terminal\n"
	"      --columns LIST these columns, with commas: packet, time, flow, flags, seq, ack, len, path,\n"
	"                     stack, waiting, gap, slowest, calls, verdict\n"
	"      --vmlinux FILE  debug information of the recorded kernel, for the source lines of drops\n"
	"      --offset HOST=SECONDS  recordings of several hosts: add SECONDS to the times of HOST\n"
	"      --strict       exit with 3 if entries or function calls were lost\n"
	"      --version      show the version\n"
	"  -h, --help         show this help\n";

static int parse_number(uint32_t *number, const char *text, const char *what, struct err *err)
{
	const char *digits = *text == '#' ? text + 1 : text;
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(digits, &end, 10);
	if (*end || *digits < '0' || *digits > '9' || errno || !value || value > UINT32_MAX)
		return err_set(err, "'%s' is not the number of a %s; numbers begin at 1", text,
			       what);
	*number = value;
	return 0;
}

static int parse_packet(struct options *options, const char *text, struct err *err)
{
	if (options_choose_output(options, SHOW_PACKET, err))
		return -1;
	return parse_number(&options->packet, text, "packet", err);
}

static int parse_slowest(struct options *options, const char *text, struct err *err)
{
	if (options_choose_output(options, SHOW_SLOWEST, err))
		return -1;
	if (parse_number(&options->slowest, text, "packet", err) || options->slowest > MAX_SLOWEST)
		return err_set(err, "--slowest takes a number from 1 to %d", MAX_SLOWEST);
	return 0;
}

static int parse_top(struct options *options, const char *text, struct err *err)
{
	if (parse_number(&options->top, text, "row", err))
		return err_set(err, "--top takes a number of rows");
	return 0;
}

static int parse_why(struct options *options, const char *text, struct err *err)
{
	if (options_choose_output(options, SHOW_WHY, err))
		return -1;
	return text ? parse_number(&options->why, text, "packet", err) : 0;
}

static int parse_bytes(struct options *options, const char *text, struct err *err)
{
	if (options_choose_output(options, SHOW_BYTES, err))
		return -1;
	return text ? parse_number(&options->bytes_flow, text, "flow", err) : 0;
}

static int parse_flow(struct chosen *chosen, const char *text, struct err *err)
{
	chosen->by_flow = true;
	return parse_number(&chosen->flow, text, "flow", err);
}

/* Parse a time in seconds with at most six decimals, and set @us to microseconds. */
static int parse_time(uint64_t *us, const char *text, struct err *err)
{
	unsigned long long seconds, part = 0;
	char *end;
	int len = 0;

	errno = 0;
	seconds = strtoull(text, &end, 10);
	if (*end == '.' && sscanf(end, ".%6llu%n", &part, &len) == 1)
		end += len;
	if (*text < '0' || *text > '9' || *end || errno || seconds > UINT64_MAX / 2000000 ||
	    (len && strspn(end - len + 1, "0123456789") != (size_t)len - 1))
		return err_set(err, "'%s' is not a time in seconds as in the column TIME", text);
	for (; len && len < 7; len++)
		part *= 10;
	*us = seconds * 1000000 + part;
	return 0;
}

static int unknown_verdict(const char *name, size_t len, struct err *err)
{
	char known[256] = "";

	for (enum verdict verdict = 0; verdict < VERDICTS; verdict++) {
		strcat(known, " ");
		strcat(known, words_verdict_name(verdict));
	}
	return err_set(err, "'%.*s' is not a verdict; there are%s", (int)len, name, known);
}

static int parse_netns(struct chosen *chosen, const char *text, struct err *err)
{
	if (!*text)
		return err_set(err, "--netns needs the name or the inode number of a namespace");
	if (chosen->nr_netns == CHOSEN_NETNS_MAX)
		return err_set(err, "--netns can be given %d times at most", CHOSEN_NETNS_MAX);
	chosen->netns[chosen->nr_netns++] = text;
	return 0;
}

static int parse_verdicts(struct options *options, const char *text, struct err *err)
{
	enum verdict verdict;
	const char *name;
	size_t len;

	for (;; text += len + 1) {
		len = strcspn(text, ",");
		for (verdict = 0; verdict < VERDICTS; verdict++) {
			name = words_verdict_name(verdict);
			if (strlen(name) == len && !strncmp(name, text, len))
				break;
		}
		if (verdict == VERDICTS)
			return unknown_verdict(text, len, err);
		options->chosen.verdicts |= 1u << verdict;
		if (!text[len])
			return 0;
	}
}

/* Parse HOST=SECONDS. The function writes a null byte into @text, after the name. */
static int parse_offset(struct options *options, char *text, struct err *err)
{
	struct host_offset *offset = &options->offsets[options->nr_offsets];
	char *equals = strrchr(text, '='), *end;
	double seconds;

	if (options->nr_offsets == MAX_HOSTS)
		return err_set(err, "too many --offset options");
	if (!equals || equals == text || !equals[1])
		return err_set(err, "'%s' is not a value of --offset: give HOST=SECONDS", text);
	errno = 0;
	seconds = strtod(equals + 1, &end);
	if (*end || errno || !(seconds > -9e9 && seconds < 9e9))
		return err_set(err, "'%s' is not a number of seconds for --offset", equals + 1);
	*equals = '\0';
	*offset = (struct host_offset){ .name = text, .ns = (int64_t)llround(seconds * 1e9) };
	options->nr_offsets++;
	return 0;
}

/* clang-format off */
enum {
	PACKET = 256, BYTES, REQUESTS, SUMMARY, LIST, SERVERS, SORT, TOP, WIDE, WHOLE, PER_SERVER,
	PER_FLOW, FLOW, JSON, PCAP, PERFETTO, HTML, KERNELSHARK, ASSERT,
	FOLDED, LATENCY, SLOWEST, WHY, DIFF, DIFF_FLOW, DIFF_FROM,
	DIFF_TO, OFFSET, VMLINUX, DROPPED, VERDICT, NETNS, FROM, TO, COLUMNS, STRICT, SHOW_VERSION,
};

static const struct option longs[] = {
	{ "input", required_argument, NULL, 'i' },
	{ "summary", no_argument, NULL, SUMMARY },
	{ "list", no_argument, NULL, LIST },
	{ "servers", no_argument, NULL, SERVERS },
	{ "sort", required_argument, NULL, SORT },
	{ "top", required_argument, NULL, TOP },
	{ "wide", no_argument, NULL, WIDE },
	{ "whole", no_argument, NULL, WHOLE },
	{ "per-server", no_argument, NULL, PER_SERVER },
	{ "per-flow", no_argument, NULL, PER_FLOW },
	{ "packet", required_argument, NULL, PACKET },
	{ "flow", optional_argument, NULL, FLOW },
	{ "bytes", optional_argument, NULL, BYTES },
	{ "requests", no_argument, NULL, REQUESTS },
	{ "json", no_argument, NULL, JSON },
	{ "pcap", required_argument, NULL, PCAP },
	{ "perfetto", required_argument, NULL, PERFETTO },
	{ "html", required_argument, NULL, HTML },
	{ "kernelshark", required_argument, NULL, KERNELSHARK },
	{ "assert", required_argument, NULL, ASSERT },
	{ "folded", no_argument, NULL, FOLDED },
	{ "latency", no_argument, NULL, LATENCY },
	{ "slowest", required_argument, NULL, SLOWEST },
	{ "why", optional_argument, NULL, WHY },
	{ "diff", required_argument, NULL, DIFF },
	{ "diff-flow", required_argument, NULL, DIFF_FLOW },
	{ "diff-from", required_argument, NULL, DIFF_FROM },
	{ "diff-to", required_argument, NULL, DIFF_TO },
	{ "vmlinux", required_argument, NULL, VMLINUX },
	{ "offset", required_argument, NULL, OFFSET },
	{ "dropped", no_argument, NULL, DROPPED },
	{ "verdict", required_argument, NULL, VERDICT },
	{ "netns", required_argument, NULL, NETNS },
	{ "from", required_argument, NULL, FROM },
	{ "to", required_argument, NULL, TO },
	{ "columns", required_argument, NULL, COLUMNS },
	{ "strict", no_argument, NULL, STRICT },
	{ "version", no_argument, NULL, SHOW_VERSION },
	{ "help", no_argument, NULL, 'h' },
	{ NULL },
};
/* clang-format on */

/* Report an unknown option, and suggest the option with the most similar name. */
static int unknown_option(const char *word, struct err *err)
{
	const size_t dashes = strspn(word, "-");
	unsigned int distance, least = NEAREST_MAX + 1;
	const char *near = NULL;
	char name[32];

	if (!strncmp(word, "-r", 2))
		return err_set(err,
			       "'-r' is not an option: name the recording without an option, as "
			       "in report-skb FILE");
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + dashes, "="), word + dashes);
	for (const struct option *option = longs; option->name; option++) {
		distance = nearest_distance(name, option->name);
		/* As in record-skb, at least two of three letters must be right. */
		if (distance < least && distance * 3 <= strlen(name)) {
			least = distance;
			near = option->name;
		}
	}
	if (near && dashes == 2)
		return err_set(err, "'%s' is not an option: did you mean --%s?", word, near);
	return err_set(err, "'%s' is not an option; see --help", word);
}

static int parse_option(struct options *options, int option, const char *word, struct err *err)
{
	switch (option) {
	case 'i':
		options->input = optarg;
		return 0;
	case PACKET:
		return parse_packet(options, optarg, err);
	case FLOW:
		return optarg ? parse_flow(&options->chosen, optarg, err) :
				options_choose_output(options, SHOW_FLOWS, err);
	case REQUESTS:
		return options_choose_output(options, SHOW_REQUESTS, err);
	case BYTES:
		return parse_bytes(options, optarg, err);
	case SUMMARY:
		return options_choose_output(options, SHOW_SUMMARY, err);
	case LIST:
		return options_choose_output(options, SHOW_TABLE, err);
	case SERVERS:
		return options_choose_output(options, SHOW_SERVERS, err);
	case SORT:
		options->sort = optarg;
		return 0;
	case TOP:
		return parse_top(options, optarg, err);
	case PER_SERVER:
		options->latency_group = LATENCY_OF_SERVERS;
		return 0;
	case PER_FLOW:
		options->latency_group = LATENCY_OF_FLOWS;
		return 0;
	case WIDE:
		options->is_wide = true;
		return 0;
	case WHOLE:
		options->is_whole = true;
		return 0;
	case JSON:
		options->is_json = true;
		return 0;
	case PCAP:
		options->pcap = optarg;
		return options_choose_output(options, SHOW_PCAP, err);
	case PERFETTO:
		options->file = optarg;
		return options_choose_output(options, SHOW_PERFETTO, err);
	case HTML:
		options->file = optarg;
		return options_choose_output(options, SHOW_HTML, err);
	case KERNELSHARK:
		options->file = optarg;
		return options_choose_output(options, SHOW_KERNELSHARK, err);
	case ASSERT:
		if (options->show != SHOW_ASSERT &&
		    options_choose_output(options, SHOW_ASSERT, err))
			return -1;
		return assertions_add(&options->assertions, optarg, err);
	case FOLDED:
		return options_choose_output(options, SHOW_FLAMEGRAPH, err);
	case LATENCY:
		return options_choose_output(options, SHOW_LATENCY, err);
	case SLOWEST:
		return parse_slowest(options, optarg, err);
	case WHY:
		return parse_why(options, optarg, err);
	case DIFF:
		options->other = optarg;
		return options_choose_output(options, SHOW_DIFF, err);
	case DIFF_FLOW:
		return parse_flow(&options->other_chosen, optarg, err);
	case DIFF_FROM:
		return parse_time(&options->other_chosen.from, optarg, err);
	case DIFF_TO:
		return parse_time(&options->other_chosen.to, optarg, err);
	case OFFSET:
		return parse_offset(options, optarg, err);
	case VMLINUX:
		return source_lines_set_vmlinux(optarg, err);
	case DROPPED:
		options->chosen.verdicts |= 1u << VERDICT_DROPPED;
		return 0;
	case VERDICT:
		return parse_verdicts(options, optarg, err);
	case NETNS:
		return parse_netns(&options->chosen, optarg, err);
	case FROM:
		return parse_time(&options->chosen.from, optarg, err);
	case TO:
		return parse_time(&options->chosen.to, optarg, err);
	case COLUMNS:
		options->columns = optarg;
		return 0;
	case STRICT:
		options->strict = true;
		return 0;
	case SHOW_VERSION:
		puts("trace-cmd report-skb " VERSION);
		return 1;
	case 'h':
		fputs(usage_text, stdout);
		return 1;
	case ':':
		return err_set(err, "%s needs a value; see --help", word);
	default:
		return unknown_option(word, err);
	}
}

static bool ends_in_dat(const char *word)
{
	const size_t len = strlen(word);

	return len > 4 && !strcmp(word + len - 4, ".dat");
}

/*
 * Return: true if the first argument is the name of a recording, and not the first word of an
 * expression.
 */
static bool is_file(const char *word)
{
	return !access(word, F_OK) || ends_in_dat(word);
}

/* Return: the file in a word of the form HOST=FILE, NULL if it has another form. */
static char *named_file(char *word)
{
	char *equals = strchr(word, '=');

	if (!equals || equals == word || !access(word, F_OK))
		return NULL;
	return is_file(equals + 1) ? equals + 1 : NULL;
}

/*
 * Read a word as the name of a recording: FILE, or HOST=FILE. The first word may name any existing file.
 * Later words must end in ".dat" or have the form HOST=FILE, because a word of an expression can also be the
 * name of a file.
 *
 * Return: false if the word is not the name of a recording, so that the expression begins with it.
 */
static bool take_file(struct options *options, char *word)
{
	char *file = named_file(word);

	if (!file && !(options->nr_files ? ends_in_dat(word) : is_file(word)))
		return false;
	if (options->nr_files < MAX_HOSTS)
		options->files[options->nr_files] =
			(struct host_file){ .path = file ? file : word,
					    .name = file ? word : NULL };
	if (file)
		file[-1] = '\0';
	options->nr_files++;
	return true;
}

/* Set options->words to the recordings and their offsets, as words of a command. */
static int set_words(struct options *options, struct err *err)
{
	char name[SHELL_WORD_LEN(HOST_NAME_LEN)], path[SHELL_WORD_LEN(PATH_MAX)];
	size_t len;
	FILE *out = open_memstream(&options->words, &len);

	if (!out)
		return err_set(err, "out of memory");
	for (unsigned int i = 0; i < options->nr_files; i++) {
		const struct host_file *file = &options->files[i];

		if (!escape_shell(path, sizeof(path), file->path))
			strcpy(path, "...");
		if (file->name && !escape_shell(name, sizeof(name), file->name))
			strcpy(name, "...");
		fprintf(out, "%s%s%s%s", i ? " " : "", file->name ? name : "",
			file->name ? "=" : "", path);
	}
	for (unsigned int i = 0; i < options->nr_offsets; i++) {
		if (escape_shell(name, sizeof(name), options->offsets[i].name))
			fprintf(out, " --offset %s=%.9f", name,
				(double)options->offsets[i].ns / 1e9);
	}
	return fclose(out) ? err_set(err, "out of memory") : 0;
}

static int take_words(struct options *options, char **words, int n, struct err *err)
{
	size_t len = 0;

	if (options->input)
		options->files[options->nr_files++].path = options->input;
	while (n && take_file(options, *words)) {
		words++;
		n--;
	}
	if (options->nr_files > MAX_HOSTS) {
		options->nr_files = MAX_HOSTS;
		return err_set(err, "at most %d recordings can be joined", MAX_HOSTS);
	}
	if (options->nr_files)
		options->input = options->files[0].path;
	if (options->nr_files == 1 && !options->files[0].name)
		options->nr_files = 0;
	if (options->nr_files && set_words(options, err))
		return -1;
	if (!options->input)
		options->input = "trace.dat";
	if (!n)
		return 0;
	for (int i = 0; i < n; i++)
		len += strlen(words[i]) + 1;
	options->chosen.expression = calloc(len, 1);
	if (!options->chosen.expression)
		return err_set(err, "out of memory");
	for (int i = 0; i < n; i++) {
		strcat(options->chosen.expression, words[i]);
		if (i < n - 1)
			strcat(options->chosen.expression, " ");
	}
	return 0;
}

/*
 * Return: true if the option name is abbreviated. getopt_long() accepts abbreviations, but report-skb rejects
 * them. Otherwise, a new option of a later version could make an abbreviation ambiguous.
 */
static bool is_abbreviated(const char *word, const char *name)
{
	return strcspn(word + 2, "=") != strlen(name);
}

int options_parse(struct options *options, int argc, char **argv, struct err *err)
{
	int option, index, ret = 0;

	*options = (struct options){ .chosen.to = UINT64_MAX, .other_chosen.to = UINT64_MAX };
	opterr = 0;
	while (!ret &&
	       (index = -1, option = getopt_long(argc, argv, ":i:h", longs, &index)) != -1) {
		const char *word = argv[optind - (optarg && optarg == argv[optind - 1] ? 2 : 1)];

		if (index >= 0 && is_abbreviated(word, longs[index].name))
			ret = unknown_option(word, err);
		else
			ret = parse_option(options, option, word, err);
	}
	if (!ret)
		ret = take_words(options, argv + optind, argc - optind, err);
	if (!ret && !options->is_chosen && chosen_any(&options->other_chosen))
		options->show = SHOW_DIFF;
	/* --columns selects columns of the table of packets. So it selects the table as the output, too. */
	if (!ret && !options->is_chosen && options->columns)
		options->show = SHOW_TABLE;
	if (!ret && options->is_json)
		ret = options_choose_json(options, err);
	if (!ret)
		ret = options_check(options, err);
	if (!ret)
		options_choose_others(options);
	return ret;
}

struct options options_for_finding(const char *input)
{
	return (struct options){
		.input = input,
		.is_finding = true,
		.chosen.to = UINT64_MAX,
		.other_chosen.to = UINT64_MAX,
	};
}

void options_free(struct options *options)
{
	free(options->chosen.expression);
	free(options->words);
	free(options->summary);
	assertions_free(options->assertions);
}
