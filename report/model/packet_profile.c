// SPDX-License-Identifier: GPL-2.0
/* packet_profile.c - the times of the functions, steps and delays of packets */
#include <stdlib.h>
#include <string.h>

#include "model/packet_profile.h"

static void add_part(struct profiled_packet *packet, struct part part)
{
	struct part *parts = packet->parts;

	if (packet->nr == packet->capacity) {
		const uint32_t capacity = packet->capacity ? 2 * packet->capacity : 64;

		parts = realloc(parts, capacity * sizeof(*parts));
		if (!parts)
			return;
		packet->parts = parts;
		packet->capacity = capacity;
	}
	parts[packet->nr++] = part;
}

static void add_delay(void *data, const struct delay *delay, uint32_t flow, unsigned int dir)
{
	struct profile *profile = data;

	(void)flow;
	(void)dir;
	add_part(&profile->current, (struct part){ PART_DELAY, 0, delay->kind, delay->ns });
}

int profile_init(struct profile *profile, const struct call_tree *tree, struct stages *stages)
{
	profile->tree = tree;
	profile->stages = stages;
	profile->delays = delays_new(stages, add_delay, profile);
	profile->packets = calloc(PROFILE_PACKETS, sizeof(*profile->packets));
	return profile->delays && profile->packets ? 0 : -1;
}

void profile_free(struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr; i++)
		free(profile->packets[i].parts);
	free(profile->packets);
	free(profile->current.parts);
	if (profile->delays)
		delays_free(profile->delays);
}

/* Return: the number of the step in which the packet was at this time. */
static uint16_t step_at(const struct way *way, uint64_t ts)
{
	for (unsigned int i = 0; way && i < way->nr_steps; i++) {
		const struct step *step = &way->steps[i];

		if (step->at - step->ns <= ts && ts < step->at)
			return step_number(step->from, step->to);
	}
	return 0;
}

/* The argument of add_function(): the packet that is being added to the profile. */
struct addition {
	struct profiled_packet *packet;
	const struct way *way;
};

static void add_function(void *data, const struct packet_time *time)
{
	const struct addition *addition = data;

	add_part(addition->packet,
		 (struct part){ PART_FUNCTION, step_at(addition->way, time->entered), time->what,
				time->self });
}

/* Return: the place in which to store the current packet; NULL if the packet is not to be stored. */
static struct profiled_packet *place_of(struct profile *profile)
{
	uint64_t place;

	if (profile->nr < PROFILE_PACKETS)
		return &profile->packets[profile->nr++];
	/*
	 * A linear congruential generator (Knuth, MMIX). Its seed is fixed, so the same file always gives the
	 * same output.
	 */
	profile->seed = profile->seed * 6364136223846793005 + 1442695040888963407;
	place = (profile->seed >> 33) % profile->selected;
	return place < PROFILE_PACKETS ? &profile->packets[place] : NULL;
}

void profile_add(struct profile *profile, const struct packet *packet,
		 const struct packet_times *times)
{
	struct addition addition = { &profile->current,
				     stages_way(profile->stages, packet->number) };
	struct profiled_packet *kept;

	profile->selected++;
	profile->current.nr = 0;
	delays_packet(profile->delays, packet);
	packet_times_each(times, packet->number, add_function, &addition);
	for (unsigned int i = 0; addition.way && i < addition.way->nr_steps; i++) {
		const struct step *step = &addition.way->steps[i];

		add_part(&profile->current,
			 (struct part){ PART_STEP, step_number(step->from, step->to), 0,
					step->ns });
	}
	kept = place_of(profile);
	if (!kept)
		return;
	free(kept->parts);
	*kept = profile->current;
	profile->current = (struct profiled_packet){ NULL };
}
