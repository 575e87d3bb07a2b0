// SPDX-License-Identifier: GPL-2.0
/* options.c - the command line */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nearest.h"
#include "options.h"
#include "words.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

/* What anybody would read. */
#define MAX_SLOWEST 100000

static const char usage_text[] =
	"usage: trace-cmd report-skb [FILE] [OPTIONS] [EXPRESSION]\n"
	"\n"
	"Show a recording of trace-cmd record-skb: a line for each packet, with its way, where its time\n"
	"went, and what became of it. Of the packets that EXPRESSION matches, in tcpdump's language.\n"
	"\n"
	"  -i, --input FILE   the recording (trace.dat)\n"
	"      --packet N     the whole way of packet N, as a graph\n"
	"      --flow         a line for each flow\n"
	"      --json         an object a line for each packet and each loss\n"
	"      --pcap FILE    write the recorded headers as a capture file (pcapng, for Wireshark)\n"
	"      --latency      where the time went: from station to station, and who kept others waiting\n"
	"      --slowest N    the N packets that took longest, with the function or gap that made them slow\n"
	"      --why[=N]      why packets (or packet N) were dropped and calls refused, and what shows it\n"
	"      --diff FILE    which functions and gaps take more or less time of a packet in this recording\n"
	"      --diff-flow N  compare with packets of flow N, of this recording or of --diff's\n"
	"      --diff-from TIME, --diff-to TIME  likewise, with packets that were there then\n"
	"      --folded       stacks for flame graphs: self time in nanoseconds\n"
	"\n"
	"      --flow=N       only packets of flow N\n"
	"      --dropped      only packets that were dropped, or a copy of them\n"
	"      --verdict V    only packets with this verdict, as --json names them; several with commas\n"
	"      --from TIME    only packets that were there at this time or later, as TIME has it\n"
	"      --to TIME      likewise, or earlier\n"
	"\n"
	"      --columns LIST these columns, with commas: packet, time, flow, flags, seq, ack, len, path,\n"
	"                     stack, waiting, gap, slowest, calls, verdict\n"
	"      --no-overhead  durations of functions without what function_graph itself took to record them\n"
	"      --strict       exit with 3 if entries were lost\n"
	"      --version      show the version\n"
	"  -h, --help         show this\n";

static int choose(struct options *options, enum show show, struct err *err)
{
	if (options->show != SHOW_LINES)
		return err_set(
			err,
			"--packet, --flow, --json, --pcap, --folded, --latency, --slowest, --why and "
			"--diff do not go together");
	options->show = show;
	return 0;
}

static int parse_number(uint32_t *number, const char *text, const char *what, struct err *err)
{
	const char *digits = *text == '#' ? text + 1 : text;
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(digits, &end, 10);
	if (*end || *digits < '0' || *digits > '9' || errno || !value || value > UINT32_MAX)
		return err_set(err, "'%s' is not the number of a %s", text, what);
	*number = value;
	return 0;
}

static int parse_packet(struct options *options, const char *text, struct err *err)
{
	if (choose(options, SHOW_PACKET, err))
		return -1;
	return parse_number(&options->packet, text, "packet", err);
}

static int parse_slowest(struct options *options, const char *text, struct err *err)
{
	if (choose(options, SHOW_SLOWEST, err))
		return -1;
	if (parse_number(&options->slowest, text, "packet", err) || options->slowest > MAX_SLOWEST)
		return err_set(err, "--slowest takes a number from 1 to %d", MAX_SLOWEST);
	return 0;
}

static int parse_why(struct options *options, const char *text, struct err *err)
{
	if (choose(options, SHOW_WHY, err))
		return -1;
	return text ? parse_number(&options->why, text, "packet", err) : 0;
}

static int parse_flow(struct chosen *chosen, const char *text, struct err *err)
{
	chosen->by_flow = true;
	return parse_number(&chosen->flow, text, "flow", err);
}

/* Seconds with at most six decimals. */
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
		return err_set(err, "'%s' is not a time in seconds as the column TIME has it",
			       text);
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

/* clang-format off */
enum {
	PACKET = 256, FLOW, JSON, PCAP, FOLDED, LATENCY, SLOWEST, WHY, DIFF, DIFF_FLOW, DIFF_FROM,
	DIFF_TO, DROPPED, VERDICT, FROM, TO, COLUMNS, NO_OVERHEAD, STRICT, SHOW_VERSION,
};

static const struct option longs[] = {
	{ "input", required_argument, NULL, 'i' },
	{ "packet", required_argument, NULL, PACKET },
	{ "flow", optional_argument, NULL, FLOW },
	{ "json", no_argument, NULL, JSON },
	{ "pcap", required_argument, NULL, PCAP },
	{ "folded", no_argument, NULL, FOLDED },
	{ "latency", no_argument, NULL, LATENCY },
	{ "slowest", required_argument, NULL, SLOWEST },
	{ "why", optional_argument, NULL, WHY },
	{ "diff", required_argument, NULL, DIFF },
	{ "diff-flow", required_argument, NULL, DIFF_FLOW },
	{ "diff-from", required_argument, NULL, DIFF_FROM },
	{ "diff-to", required_argument, NULL, DIFF_TO },
	{ "dropped", no_argument, NULL, DROPPED },
	{ "verdict", required_argument, NULL, VERDICT },
	{ "from", required_argument, NULL, FROM },
	{ "to", required_argument, NULL, TO },
	{ "columns", required_argument, NULL, COLUMNS },
	{ "no-overhead", no_argument, NULL, NO_OVERHEAD },
	{ "strict", no_argument, NULL, STRICT },
	{ "version", no_argument, NULL, SHOW_VERSION },
	{ "help", no_argument, NULL, 'h' },
	{ NULL },
};
/* clang-format on */

/* The first of those that are nearest to what was written. */
static int unknown_option(const char *word, struct err *err)
{
	const size_t dashes = strspn(word, "-");
	unsigned int distance, least = NEAREST_MAX + 1;
	const char *near = NULL;
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + dashes, "="), word + dashes);
	for (const struct option *option = longs; option->name; option++) {
		distance = nearest_distance(name, option->name);
		if (distance < least) {
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
				choose(options, SHOW_FLOWS, err);
	case JSON:
		return choose(options, SHOW_JSON, err);
	case PCAP:
		options->pcap = optarg;
		return choose(options, SHOW_PCAP, err);
	case FOLDED:
		return choose(options, SHOW_FOLDED, err);
	case LATENCY:
		return choose(options, SHOW_LATENCY, err);
	case SLOWEST:
		return parse_slowest(options, optarg, err);
	case WHY:
		return parse_why(options, optarg, err);
	case DIFF:
		options->other = optarg;
		return choose(options, SHOW_DIFF, err);
	case DIFF_FLOW:
		return parse_flow(&options->other_chosen, optarg, err);
	case DIFF_FROM:
		return parse_time(&options->other_chosen.from, optarg, err);
	case DIFF_TO:
		return parse_time(&options->other_chosen.to, optarg, err);
	case DROPPED:
		options->chosen.verdicts |= 1u << VERDICT_DROPPED;
		return 0;
	case VERDICT:
		return parse_verdicts(options, optarg, err);
	case FROM:
		return parse_time(&options->chosen.from, optarg, err);
	case TO:
		return parse_time(&options->chosen.to, optarg, err);
	case COLUMNS:
		options->columns = optarg;
		return 0;
	case NO_OVERHEAD:
		options->no_overhead = true;
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

/* A word of an expression is no file's name, as a rule. */
static bool is_file(const char *word)
{
	size_t len = strlen(word);

	return !access(word, F_OK) || (len > 4 && !strcmp(word + len - 4, ".dat"));
}

static int take_words(struct options *options, char **words, int n, struct err *err)
{
	size_t len = 0;

	if (!options->input && n && is_file(*words)) {
		options->input = *words++;
		n--;
	}
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

static bool shows_functions(enum show show)
{
	return show != SHOW_FLOWS && show != SHOW_PCAP && show != SHOW_LATENCY && show != SHOW_WHY;
}

static int check(const struct options *options, struct err *err)
{
	if (options->chosen.from > options->chosen.to)
		return err_set(err, "--from is later than --to");
	if (options->other_chosen.from > options->other_chosen.to)
		return err_set(err, "--diff-from is later than --diff-to");
	if (chosen_any(&options->other_chosen) && options->show != SHOW_DIFF)
		return err_set(err, "--diff-flow, --diff-from and --diff-to are for --diff");
	if (options->columns && options->show != SHOW_LINES)
		return err_set(err, "--columns is for the table of packets");
	if (options->no_overhead && !shows_functions(options->show))
		return err_set(
			err, "--no-overhead is for what shows durations of functions: the table of "
			     "packets, --packet, --json, --slowest, --diff and --folded");
	if (!chosen_any(&options->chosen))
		return 0;
	if (options->show == SHOW_PACKET)
		return err_set(err, "--packet shows one packet: nothing else can be chosen");
	if (options->why)
		return err_set(err, "--why=N is about one packet: nothing else can be chosen");
	return 0;
}

/* What nothing else is asked of is as on this side. */
static void choose_others(struct options *options)
{
	const struct chosen *chosen = &options->chosen;
	struct chosen *others = &options->other_chosen;

	if (!options->other)
		options->other = options->input;
	others->expression = chosen->expression;
	others->verdicts = chosen->verdicts;
	if (!others->by_flow) {
		others->by_flow = chosen->by_flow;
		others->flow = chosen->flow;
	}
	if (!others->from && others->to == UINT64_MAX) {
		others->from = chosen->from;
		others->to = chosen->to;
	}
}

/* getopt_long() takes the beginning of a name, too: another option may begin so in the next version. */
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
	if (!ret && options->show == SHOW_LINES && chosen_any(&options->other_chosen))
		options->show = SHOW_DIFF;
	if (!ret)
		ret = check(options, err);
	if (!ret)
		choose_others(options);
	return ret;
}

void options_free(struct options *options)
{
	free(options->chosen.expression);
}
