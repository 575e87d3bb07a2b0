// SPDX-License-Identifier: GPL-2.0
/* diff.c - compare the times of functions and delays in two recordings */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "early_output.h"
#include "model/packet_times.h"
#include "output/diff.h"
#include "model/conversation_delays.h"
#include "hash_table.h"
#include "model/packet_text.h"

/* A function or a kind of delay in one recording. */
struct item {
	const char *name;
	bool delay;
	uint64_t times, ns;
};

/* All functions and delays of the selected packets of one side. */
struct profile {
	struct packet_filter *filter;
	struct delays *delays;
	struct table functions; /* struct item, with the address of the struct name as key */
	struct item delay_items[DELAYS];
	struct item **items; /* sorted by name */
	size_t nr;
	uint64_t nr_packets;
	struct recording *recording;
};

/* A file that is read once, for one or both sides. */
struct recording {
	struct reader *reader;
	struct packets *packets;
	struct stages *stages;
	struct packet_times *times; /* with the address of the struct name for each function */
	struct early_output early;
	struct profile *profiles;
	int nr_profiles;
};

/* A function or a kind of delay in both recordings. */
struct change {
	const char *name;
	bool delay;
	double times[2], ns[2]; /* average per packet */
};

static void diff_handle_exit(void *data, const struct moment *at, const struct function *function)
{
	struct recording *recording = data;

	(void)at;
	if (function->pkt && !function->name->gate)
		packet_times_add(recording->times, function->pkt, (uintptr_t)function->name,
				 function->self);
}

static const struct observer functions_observer = { .left = diff_handle_exit };

static void add_delay(void *data, const struct delay *delay, uint32_t flow, unsigned int dir)
{
	struct profile *profile = data;
	struct item *item = &profile->delay_items[delay->kind];

	(void)flow;
	(void)dir;
	item->name = delay_name(delay->kind);
	item->delay = true;
	item->times++;
	item->ns += delay->ns;
}

static void add_function(void *data, uintptr_t name, uint64_t ns)
{
	struct profile *profile = data;
	const struct table_key key = { .number = name };
	struct item *item = table_find(&profile->functions, key);

	if (!item)
		item = table_add(&profile->functions, key, calloc(1, sizeof(*item)));
	if (!item)
		return;
	item->name = ((const struct name *)name)->text;
	item->times++;
	item->ns += ns;
}

static void add_selected(void *data, const struct packet *packet)
{
	struct profile *profile = data;

	profile->nr_packets++;
	delays_packet(profile->delays, packet);
	packet_times_each(profile->recording->times, packet->number, add_function, profile);
}

static const struct output profile_output = { .packet = add_selected };

static void add_packet(void *data, const struct packet *packet)
{
	struct recording *recording = data;

	for (int i = 0; i < recording->nr_profiles; i++)
		packet_filter_output.packet(recording->profiles[i].filter, packet);
	packet_times_forget(recording->times, packet->number);
	stages_forget(recording->stages, packet->number);
}

static const struct output recording_output = { .packet = add_packet };

static int by_name(const void *a, const void *b)
{
	const struct item *const *x = a, *const *y = b;

	if ((*x)->delay != (*y)->delay)
		return (*x)->delay - (*y)->delay;
	return strcmp((*x)->name, (*y)->name);
}

static int sort_items(struct profile *profile, struct err *err)
{
	struct item *item;
	size_t i = 0;

	profile->items = calloc(profile->functions.nr + DELAYS, sizeof(*profile->items));
	if (!profile->items)
		return err_set(err, "out of memory");
	while ((item = table_next(&profile->functions, &i)))
		profile->items[profile->nr++] = item;
	for (i = 0; i < DELAYS; i++) {
		if (profile->delay_items[i].name)
			profile->items[profile->nr++] = &profile->delay_items[i];
	}
	qsort(profile->items, profile->nr, sizeof(*profile->items), by_name);
	return 0;
}

static int prepare_profile(struct recording *recording, struct profile *profile,
			   const struct diff_side *side, struct err *err)
{
	profile->recording = recording;
	profile->filter = packet_filter_new(side->chosen, err);
	if (!profile->filter)
		return -1;
	profile->delays = delays_new(recording->stages, add_delay, profile);
	if (!profile->delays)
		return err_set(err, "out of memory");
	packet_filter_set_output(profile->filter, &profile_output, profile, recording->packets);
	reader_add_observer(recording->reader, &packet_filter_observer, profile->filter);
	return 0;
}

static int prepare_recording(struct recording *recording, const struct diff_side *sides,
			     struct progress *progress, struct err *err)
{
	recording->reader = reader_open(sides->path, err);
	if (!recording->reader)
		return -1;
	recording->packets = packets_new(&recording_output, recording, NULL);
	recording->stages = stages_new();
	recording->times = packet_times_new();
	if (!recording->packets || !recording->stages || !recording->times)
		return err_set(err, "out of memory");
	stages_set_packets(recording->stages, recording->packets);
	reader_add_observer(recording->reader, &stages_before_observer, recording->stages);
	reader_add_observer(recording->reader, &packets_observer, recording->packets);
	for (int i = 0; i < recording->nr_profiles; i++) {
		if (prepare_profile(recording, &recording->profiles[i], &sides[i], err))
			return -1;
	}
	reader_add_observer(recording->reader, &stages_after_observer, recording->stages);
	reader_add_observer(recording->reader, &functions_observer, recording);
	recording->early = (struct early_output){
		.packets = recording->packets,
		.progress = progress,
		.wants_order = true,
		.to = UINT64_MAX,
	};
	return early_output_begin(&recording->early, recording->reader, err);
}

/* Read a file once, for the sides that @recording has. */
static int read_recording(struct recording *recording, const struct diff_side *sides,
			  struct progress *progress, struct err *err)
{
	if (prepare_recording(recording, sides, progress, err))
		return -1;
	reader_run(recording->reader);
	progress_clear(progress);
	packets_end(recording->packets);
	for (int i = 0; i < recording->nr_profiles; i++) {
		struct profile *profile = &recording->profiles[i];

		if (!profile->nr_packets)
			return err_set(err, "'%s' has no %spackets to compare", sides[i].path,
				       chosen_any(sides[i].chosen) ? "such " : "");
		if (sort_items(profile, err))
			return -1;
	}
	return 0;
}

static void free_profile(struct profile *profile)
{
	free(profile->items);
	table_free(&profile->functions);
	if (profile->delays)
		delays_free(profile->delays);
	packet_filter_free(profile->filter);
}

static void free_recording(struct recording *recording)
{
	packet_times_free(recording->times);
	stages_free(recording->stages);
	packets_free(recording->packets);
	reader_close(recording->reader);
}

static void add_to(struct change *change, const struct profile *profile, const struct item *item,
		   int which)
{
	change->name = item->name;
	change->delay = item->delay;
	change->times[which] += (double)item->times / profile->nr_packets;
	change->ns[which] += (double)item->ns / profile->nr_packets;
}

static double growth_of(const struct change *change)
{
	return change->ns[1] - change->ns[0];
}

static int by_growth(const void *a, const void *b)
{
	double x = growth_of(a), y = growth_of(b);

	x = x < 0 ? -x : x;
	y = y < 0 ? -y : y;
	return (x < y) - (x > y);
}

/* Merge the two sorted lists. Several functions can have the same name. Return: the number of changes. */
static size_t merge_profiles(struct change *changes, const struct profile profiles[2])
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
		const double grew = growth_of(&changes[i]);

		printf("%8.2f %8.2f  %8s %8s %c%8s  %s%s%s\n", changes[i].times[0],
		       changes[i].times[1], words_duration(before, changes[i].ns[0]),
		       words_duration(after, changes[i].ns[1]), grew <= -1 ? '-' : '+',
		       words_duration(by, grew < 0 ? -grew : grew), changes[i].delay ? "(" : "",
		       changes[i].name, changes[i].delay ? ")" : "");
	}
}

static bool has_losses(const struct lost_events *losses)
{
	return losses->n || losses->calls;
}

static int print_both(const struct profile profiles[2], struct err *err)
{
	struct change *changes = calloc(profiles[0].nr + profiles[1].nr + 1, sizeof(*changes));
	size_t n;

	if (!changes)
		return err_set(err, "out of memory");
	n = merge_profiles(changes, profiles);
	qsort(changes, n, sizeof(*changes), by_growth);
	print_changes(changes, n);
	free(changes);
	packet_filter_print_count(profiles[0].filter, false);
	packet_filter_print_count(profiles[1].filter, false);
	return has_losses(packets_losses(profiles[0].recording->packets)) ||
	       has_losses(packets_losses(profiles[1].recording->packets));
}

int diff_print(const struct diff_side sides[2], struct progress *progress, struct err *err)
{
	struct profile profiles[2] = { { NULL }, { NULL } };
	struct recording recordings[2] = { { .profiles = profiles }, { .profiles = &profiles[1] } };
	const bool is_one = !strcmp(sides[0].path, sides[1].path);
	int ret;

	recordings[0].nr_profiles = is_one ? 2 : 1;
	recordings[1].nr_profiles = 1;
	ret = read_recording(&recordings[0], sides, progress, err);
	if (!ret && !is_one)
		ret = read_recording(&recordings[1], &sides[1], progress, err);
	if (!ret)
		ret = print_both(profiles, err);
	for (int i = 0; i < 2; i++) {
		free_profile(&profiles[i]);
		free_recording(&recordings[i]);
	}
	return ret;
}
