// SPDX-License-Identifier: GPL-2.0
/* option_checks.c - the options of report-skb that cannot be combined, and the keys of --sort */
#include <stdio.h>
#include <string.h>

#include "option_checks.h"

int options_choose_output(struct options *options, enum show show, struct err *err)
{
	/* Allow --requests together with --slowest: this combination prints the slowest requests. */
	if (options->is_chosen && ((options->show == SHOW_REQUESTS && show == SHOW_SLOWEST) ||
				   (options->show == SHOW_SLOWEST && show == SHOW_REQUESTS))) {
		options->show = SHOW_REQUESTS;
		return 0;
	}
	if (options->is_chosen)
		return err_set(err,
			       "give only one of --summary, --list, --packet, --flow, --servers, "
			       "--pcap, --perfetto, --html, --kernelshark, --folded, --latency, "
			       "--bytes, --requests, --slowest, --why, --diff and --assert");
	options->show = show;
	options->is_chosen = true;
	return 0;
}

int options_choose_json(struct options *options, struct err *err)
{
	switch (options->show) {
	case SHOW_SUMMARY:
		if (!options->is_chosen)
			options->show = SHOW_JSON;
		break;
	case SHOW_TABLE:
		options->show = SHOW_JSON;
		break;
	case SHOW_SERVERS:
	case SHOW_FLOWS:
	case SHOW_LATENCY:
	case SHOW_WHY:
	case SHOW_BYTES:
	case SHOW_REQUESTS:
		break;
	default:
		return err_set(err,
			       "--json can only be combined with --summary, --list, --servers, "
			       "--flow, --bytes, --requests, --latency and --why");
	}
	return 0;
}

/* The keys of --sort for each output, in the order of the output's enum. The first key is the default. */
static const struct {
	enum show show;
	const char *name, *keys[9];
} orders[] = {
	{ SHOW_SERVERS,
	  "--servers",
	  { "packets", "bytes", "dropped", "median", "p99", "max", "time" } },
	{ SHOW_FLOWS, "--flow", { "number", "packets", "bytes", "dropped", "lasted" } },
	{ SHOW_LATENCY, "--latency", { "stage", "count", "total", "median", "p99", "max" } },
	{ SHOW_WHY, "--why", { "count", "time" } },
	{ SHOW_REQUESTS, "--requests", { "time", "total" } },
};

#define NR_ORDERS (sizeof(orders) / sizeof(orders[0]))

/* Return: the index in @orders of the selected output; NR_ORDERS if the output cannot be sorted. */
static size_t orders_of(const struct options *options)
{
	size_t i = 0;

	while (i < NR_ORDERS && orders[i].show != options->show)
		i++;
	return i;
}

int options_order(const struct options *options)
{
	const size_t output = orders_of(options);

	if (!options->sort)
		return 0;
	for (int i = 0; output < NR_ORDERS && orders[output].keys[i]; i++) {
		if (!strcmp(orders[output].keys[i], options->sort))
			return i;
	}
	return -1;
}

static int check_order(const struct options *options, struct err *err)
{
	const size_t output = orders_of(options);
	char keys[128] = "";

	if (output == NR_ORDERS)
		return options->sort || options->top ?
			       err_set(err, "--sort and --top need --servers, --flow, --requests, "
					    "--latency or --why") :
			       0;
	if (options_order(options) >= 0)
		return 0;
	for (int i = 0; orders[output].keys[i]; i++) {
		strcat(keys, i ? ", " : "");
		strcat(keys, orders[output].keys[i]);
	}
	return err_set(err, "'%s' is not a key of --sort for %s: give %s", options->sort,
		       orders[output].name, keys);
}

int options_check(const struct options *options, struct err *err)
{
	if (options->chosen.from > options->chosen.to)
		return err_set(err, "--from is later than --to");
	if (options->other_chosen.from > options->other_chosen.to)
		return err_set(err, "--diff-from is later than --diff-to");
	if (chosen_any(&options->other_chosen) && options->show != SHOW_DIFF)
		return err_set(err, "--diff-flow, --diff-from and --diff-to can only be "
				    "combined with --diff");
	if (options->columns && options->show != SHOW_TABLE)
		return err_set(err, "--columns needs the list of packets: add --list");
	if (options->is_wide && options->show != SHOW_TABLE && options->show != SHOW_SUMMARY)
		return err_set(err, "--wide needs the list of packets: add --list");
	if (options->nr_offsets && !options->nr_files)
		return err_set(err, "--offset needs the recordings of several hosts");
	if (!options->nr_files && options->show == SHOW_KERNELSHARK)
		return err_set(
			err,
			"--kernelshark needs the recordings of several hosts; open a single one "
			"with: kernelshark FILE");
	if (options->nr_files && options->show == SHOW_DIFF)
		return err_set(
			err,
			"--diff cannot join the recordings of several hosts: give one recording");
	if (options->is_whole && options->show != SHOW_PACKET)
		return err_set(err, "--whole needs --packet N");
	if (options->latency_group && options->show != SHOW_LATENCY)
		return err_set(err, "--per-server and --per-flow need --latency");
	if (check_order(options, err))
		return -1;
	if (!chosen_any(&options->chosen))
		return 0;
	if (options->show == SHOW_PACKET)
		return err_set(err, "--packet shows a single packet: leave out the other options "
				    "that select packets");
	if ((options->show == SHOW_BYTES || options->show == SHOW_REQUESTS) &&
	    (options->chosen.expression || options->chosen.verdicts || options->chosen.nr_netns))
		return err_set(err, "--bytes and --requests show calls, which do not belong to a "
				    "packet: select them with --flow=N or --bytes=N");
	if (options->show == SHOW_BYTES &&
	    (options->chosen.from || options->chosen.to != UINT64_MAX))
		return err_set(err, "--from and --to cannot be combined with --bytes");
	if (options->why)
		return err_set(err, "--why=N explains a single packet: leave out the other "
				    "options that select packets");
	return 0;
}

void options_choose_others(struct options *options)
{
	const struct chosen *chosen = &options->chosen;
	struct chosen *others = &options->other_chosen;

	if (!options->other)
		options->other = options->input;
	others->expression = chosen->expression;
	others->verdicts = chosen->verdicts;
	memcpy(others->netns, chosen->netns, sizeof(others->netns));
	others->nr_netns = chosen->nr_netns;
	if (!others->by_flow) {
		others->by_flow = chosen->by_flow;
		others->flow = chosen->flow;
	}
	if (!others->from && others->to == UINT64_MAX) {
		others->from = chosen->from;
		others->to = chosen->to;
	}
}
