// SPDX-License-Identifier: GPL-2.0
/* diff.c - compare two recordings, or two selections of packets of one recording */
#include <stdio.h>
#include <string.h>

#include "early_output.h"
#include "escape.h"
#include "model/changes.h"
#include "output/diff.h"
#include "output/diff_table.h"

/* Space for the release of a kernel: the kernel allows at most 64 characters. */
#define RELEASE_LEN 100

/* The packets of one side of the comparison. */
struct side {
	struct packet_filter *filter;
	struct profile profile;
	struct recording *recording;
};

/* A file to read. If both sides of the comparison are from the same file, the file is read only once. */
struct recording {
	struct reader *reader;
	struct packets *packets;
	struct stages *stages;
	struct packet_times *times;
	struct call_tree *tree;
	struct early_output early;
	struct side *sides;
	int nr_sides;
};

static void diff_handle_entry(void *data, const struct moment *at, const struct function *function)
{
	struct recording *recording = data;

	call_tree_enter(recording->tree, at, function);
}

static void diff_handle_exit(void *data, const struct moment *at, const struct function *function)
{
	struct recording *recording = data;
	const uint32_t node = call_tree_leave(recording->tree, at, function);

	if (node)
		packet_times_add(recording->times, function->pkt, node, at->ts - function->total,
				 function->self);
}

static void diff_handle_abandoned(void *data, const struct moment *at,
				  const struct function *function)
{
	struct recording *recording = data;

	call_tree_leave(recording->tree, at, function);
}

static const struct observer functions_observer = { .entered = diff_handle_entry,
						    .left = diff_handle_exit,
						    .abandoned = diff_handle_abandoned };

static void add_selected(void *data, const struct packet *packet)
{
	struct side *side = data;

	profile_add(&side->profile, packet, side->recording->times);
}

static const struct output side_output = { .packet = add_selected };

static void add_packet(void *data, const struct packet *packet)
{
	struct recording *recording = data;

	for (int i = 0; i < recording->nr_sides; i++)
		packet_filter_output.packet(recording->sides[i].filter, packet);
	packet_times_forget(recording->times, packet->number);
	stages_forget(recording->stages, packet->number);
}

static const struct output recording_output = { .packet = add_packet };

static int prepare_side(struct recording *recording, struct side *side,
			const struct diff_side *chosen, struct err *err)
{
	side->recording = recording;
	side->filter = packet_filter_new(chosen->chosen, err);
	if (!side->filter)
		return -1;
	if (profile_init(&side->profile, recording->tree, recording->stages))
		return err_set(err, "out of memory");
	packet_filter_set_output(side->filter, &side_output, side, recording->packets);
	reader_add_observer(recording->reader, &packet_filter_observer, side->filter);
	return 0;
}

static int prepare_recording(struct recording *recording, const struct diff_side *chosen,
			     struct progress *progress, struct err *err)
{
	recording->reader = reader_open(chosen->path, err);
	if (!recording->reader)
		return -1;
	recording->packets = packets_new(&recording_output, recording, NULL);
	recording->stages = stages_new();
	recording->times = packet_times_new();
	recording->tree = call_tree_new();
	if (!recording->packets || !recording->stages || !recording->times || !recording->tree)
		return err_set(err, "out of memory");
	packets_set_netns_names(recording->packets, reader_netns_names(recording->reader));
	stages_set_packets(recording->stages, recording->packets);
	reader_add_observer(recording->reader, &stages_before_observer, recording->stages);
	reader_add_observer(recording->reader, &packets_observer, recording->packets);
	for (int i = 0; i < recording->nr_sides; i++) {
		if (prepare_side(recording, &recording->sides[i], &chosen[i], err))
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

/* Read a file, for the one or two sides of the comparison that use it. */
static int read_recording(struct recording *recording, const struct diff_side *chosen,
			  struct progress *progress, struct err *err)
{
	if (prepare_recording(recording, chosen, progress, err))
		return -1;
	reader_run(recording->reader);
	packets_set_module_losses(recording->packets, reader_module_losses(recording->reader));
	progress_clear(progress);
	packets_end(recording->packets);
	for (int i = 0; i < recording->nr_sides; i++) {
		if (!recording->sides[i].profile.selected)
			return err_set(err, "'%s' has no %spackets to compare", chosen[i].path,
				       chosen_any(chosen[i].chosen) ? "such " : "");
	}
	return 0;
}

static void free_recording(struct recording *recording)
{
	call_tree_free(recording->tree);
	packet_times_free(recording->times);
	stages_free(recording->stages);
	packets_free(recording->packets);
	reader_close(recording->reader);
}

static bool has_losses(const struct side *side)
{
	const struct lost_events *losses = packets_losses(side->recording->packets);

	return losses->n || losses->calls || module_losses_any(&losses->module);
}

/*
 * Set @release to the kernel's release, which is the third word of the machine's description. Return: its
 * length.
 */
static int release_of(const struct side *side, const char **release)
{
	const char *machine = reader_machine(side->recording->reader);

	for (int i = 0; machine && i < 2; i++) {
		machine = strchr(machine, ' ');
		machine = machine ? machine + 1 : NULL;
	}
	*release = machine ? machine : "?";
	return strcspn(*release, " ");
}

static bool have_other_kernels(const struct side sides[2])
{
	const char *before, *after;
	const int before_len = release_of(&sides[0], &before),
		  after_len = release_of(&sides[1], &after);

	return before_len != after_len || strncmp(before, after, before_len);
}

/* Print the kernel release and the number of packets of one side. */
static void print_side(const char *name, const struct side *side)
{
	const struct profile *profile = &side->profile;
	char escaped[ESCAPED_LEN(RELEASE_LEN)], copy[RELEASE_LEN + 1];
	const char *release;
	const int len = release_of(side, &release);

	snprintf(copy, sizeof(copy), "%.*s", len, release);
	escape_text(escaped, sizeof(escaped), copy);
	printf("%-6s  Linux %s, %llu packet%s", name, escaped,
	       (unsigned long long)profile->selected, profile->selected == 1 ? "" : "s");
	if (profile->nr < profile->selected)
		printf(" (%u of them compared)", profile->nr);
	putchar('\n');
}

static int print_both(const struct side sides[2], struct err *err)
{
	const struct profile profiles[2] = { sides[0].profile, sides[1].profile };
	struct changes changes;
	int ret = -1;

	if (changes_find(&changes, profiles, have_other_kernels(sides))) {
		err_set(err, "out of memory");
		goto free;
	}
	diff_print_finding(&changes);
	print_side("BEFORE", &sides[0]);
	print_side("AFTER", &sides[1]);
	diff_print_changes(&changes);
	if (changes.is_other_kernel)
		diff_print_lone_functions(&changes);
	packet_filter_print_count(sides[0].filter, false);
	packet_filter_print_count(sides[1].filter, false);
	ret = has_losses(&sides[0]) || has_losses(&sides[1]);
free:
	changes_free(&changes);
	return ret;
}

int diff_print(const struct diff_side chosen[2], struct progress *progress, struct err *err)
{
	struct side sides[2] = { { NULL }, { NULL } };
	struct recording recordings[2] = { { .sides = sides }, { .sides = &sides[1] } };
	const bool is_one = !strcmp(chosen[0].path, chosen[1].path);
	int ret;

	recordings[0].nr_sides = is_one ? 2 : 1;
	recordings[1].nr_sides = 1;
	ret = read_recording(&recordings[0], chosen, progress, err);
	if (!ret && !is_one)
		ret = read_recording(&recordings[1], &chosen[1], progress, err);
	if (!ret)
		ret = print_both(sides, err);
	for (int i = 0; i < 2; i++) {
		profile_free(&sides[i].profile);
		packet_filter_free(sides[i].filter);
		free_recording(&recordings[i]);
	}
	return ret;
}
