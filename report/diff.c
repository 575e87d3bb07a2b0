// SPDX-License-Identifier: GPL-2.0
/* diff.c - how much time functions and gaps take of one recording's packets and of another's */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "diff.h"
#include "gaps.h"
#include "table.h"
#include "words.h"

/* A function or a kind of gap in one recording. */
struct item {
	const char *name;
	bool gap;
	uint64_t times, ns;
};

/* What there is of a recording. */
struct profile {
	struct choice *choice;
	struct reader *reader;
	struct packets *packets;
	struct stations *stations;
	struct gaps *gaps;
	struct table functions; /* struct item by address of the struct name */
	struct item gap_items[GAPS];
	struct item **items; /* by name */
	size_t nr;
	uint64_t nr_packets;
};

/* Of both. */
struct change {
	const char *name;
	bool gap;
	double times[2], ns[2]; /* of a packet */
};

static void left(void *data, const struct moment *at, const struct function *function)
{
	struct profile *profile = data;
	const struct table_key key = { .number = (uintptr_t)function->name };
	struct item *item;

	(void)at;
	if (!function->pkt || function->name->gate || !choice_has(profile->choice, function->pkt))
		return;
	item = table_find(&profile->functions, key);
	if (!item)
		item = table_add(&profile->functions, key, calloc(1, sizeof(*item)));
	if (!item)
		return;
	item->name = function->name->text;
	item->times++;
	item->ns += function->self;
}

static const struct sink functions_sink = { .left = left };

static void add_gap(void *data, const struct gap *gap, uint32_t flow, unsigned int dir)
{
	struct profile *profile = data;
	struct item *item = &profile->gap_items[gap->kind];

	(void)flow;
	(void)dir;
	item->name = gap_name(gap->kind);
	item->gap = true;
	item->times++;
	item->ns += gap->ns;
}

static void one_packet(void *data, const struct packet *packet)
{
	struct profile *profile = data;

	if (choice_has(profile->choice, packet->number)) {
		profile->nr_packets++;
		gaps_packet(profile->gaps, packet);
	}
	stations_forget(profile->stations, packet->number);
}

static const struct output profile_output = { .packet = one_packet };

static int by_name(const void *a, const void *b)
{
	const struct item *const *x = a, *const *y = b;

	if ((*x)->gap != (*y)->gap)
		return (*x)->gap - (*y)->gap;
	return strcmp((*x)->name, (*y)->name);
}

static int sort_items(struct profile *profile, struct err *err)
{
	struct item *item;
	size_t i = 0;

	profile->items = calloc(profile->functions.nr + GAPS, sizeof(*profile->items));
	if (!profile->items)
		return err_set(err, "out of memory");
	while ((item = table_next(&profile->functions, &i)))
		profile->items[profile->nr++] = item;
	for (i = 0; i < GAPS; i++) {
		if (profile->gap_items[i].name)
			profile->items[profile->nr++] = &profile->gap_items[i];
	}
	qsort(profile->items, profile->nr, sizeof(*profile->items), by_name);
	return 0;
}

static int read_profile(struct profile *profile, const struct diff_side *side, bool no_overhead,
			struct err *err)
{
	struct graph_cost cost;

	profile->choice = choice_read(side->path, side->chosen, err);
	if (!profile->choice)
		return -1;
	profile->reader = reader_open(side->path, err);
	if (!profile->reader)
		return -1;
	if (no_overhead) {
		if (graph_cost_learn(&cost, side->path, err))
			return -1;
		reader_take_off(profile->reader, &cost);
	}
	profile->packets = packets_new(&profile_output, profile, NULL);
	profile->stations = stations_new();
	if (profile->stations)
		profile->gaps = gaps_new(profile->stations, add_gap, profile);
	if (!profile->packets || !profile->gaps)
		return err_set(err, "out of memory");
	stations_set_packets(profile->stations, profile->packets);
	reader_add_sink(profile->reader, &stations_before_sink, profile->stations);
	reader_add_sink(profile->reader, &packets_sink, profile->packets);
	reader_add_sink(profile->reader, &stations_behind_sink, profile->stations);
	reader_add_sink(profile->reader, &functions_sink, profile);
	reader_run(profile->reader);
	packets_end(profile->packets);
	if (!profile->nr_packets)
		return err_set(err, "'%s' has no %spackets to compare", side->path,
			       chosen_any(side->chosen) ? "such " : "");
	return sort_items(profile, err);
}

static void free_profile(struct profile *profile)
{
	free(profile->items);
	table_free(&profile->functions);
	gaps_free(profile->gaps);
	stations_free(profile->stations);
	packets_free(profile->packets);
	reader_close(profile->reader);
	choice_free(profile->choice);
}

static void add_to(struct change *change, const struct profile *profile, const struct item *item,
		   int which)
{
	change->name = item->name;
	change->gap = item->gap;
	change->times[which] += (double)item->times / profile->nr_packets;
	change->ns[which] += (double)item->ns / profile->nr_packets;
}

static double growth(const struct change *change)
{
	return change->ns[1] - change->ns[0];
}

static int by_growth(const void *a, const void *b)
{
	double x = growth(a), y = growth(b);

	x = x < 0 ? -x : x;
	y = y < 0 ? -y : y;
	return (x < y) - (x > y);
}

/* Two sorted lists become one. Several functions may have one name. */
static size_t merge(struct change *changes, const struct profile profiles[2])
{
	size_t at[2] = { 0, 0 }, n = 0;

	while (at[0] < profiles[0].nr || at[1] < profiles[1].nr) {
		struct change change = { NULL };
		struct item first = { NULL };
		const struct item *least = NULL, *items[2], *key = &first;

		for (int i = 0; i < 2; i++) {
			items[i] = at[i] < profiles[i].nr ? profiles[i].items[at[i]] : NULL;
			if (items[i] && (!least || by_name(&items[i], &least) < 0))
				least = items[i];
		}
		first = *least;
		for (int i = 0; i < 2; i++) {
			while (at[i] < profiles[i].nr && !by_name(&profiles[i].items[at[i]], &key))
				add_to(&change, &profiles[i], profiles[i].items[at[i]++], i);
		}
		changes[n++] = change;
	}
	return n;
}

static void print_changes(const struct change *changes, size_t n)
{
	char before[DURATION_LEN], after[DURATION_LEN], by[DURATION_LEN];

	puts("OF A PACKET, ON THE AVERAGE");
	printf("%8s %8s  %8s %8s %9s  %s\n", "TIMES", "AFTER", "TOOK", "AFTER", "CHANGE",
	       "FUNCTION OR GAP");
	for (size_t i = 0; i < n; i++) {
		const double grew = growth(&changes[i]);

		printf("%8.2f %8.2f  %8s %8s %c%8s  %s%s%s\n", changes[i].times[0],
		       changes[i].times[1], words_duration(before, changes[i].ns[0]),
		       words_duration(after, changes[i].ns[1]), grew <= -1 ? '-' : '+',
		       words_duration(by, grew < 0 ? -grew : grew), changes[i].gap ? "(" : "",
		       changes[i].name, changes[i].gap ? ")" : "");
	}
}

static int print_both(const struct profile profiles[2], struct err *err)
{
	struct change *changes = calloc(profiles[0].nr + profiles[1].nr + 1, sizeof(*changes));
	size_t n;

	if (!changes)
		return err_set(err, "out of memory");
	n = merge(changes, profiles);
	qsort(changes, n, sizeof(*changes), by_growth);
	print_changes(changes, n);
	free(changes);
	choice_say(profiles[0].choice);
	choice_say(profiles[1].choice);
	return packets_losses(profiles[0].packets)->n || packets_losses(profiles[1].packets)->n;
}

int diff_print(const struct diff_side *before, const struct diff_side *after, bool no_overhead,
	       struct err *err)
{
	struct profile profiles[2] = { { NULL }, { NULL } };
	int ret = read_profile(&profiles[0], before, no_overhead, err);

	if (!ret)
		ret = read_profile(&profiles[1], after, no_overhead, err);
	if (!ret)
		ret = print_both(profiles, err);
	free_profile(&profiles[0]);
	free_profile(&profiles[1]);
	return ret;
}
