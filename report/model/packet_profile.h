/* SPDX-License-Identifier: GPL-2.0 */
/*
 * packet_profile.h - the times of the functions, steps and delays of packets, for comparisons
 *
 * At most PROFILE_PACKETS packets are stored, so that the memory in use does not grow with the recording. If
 * more packets are selected, each one has the same chance to be stored.
 */
#ifndef _RECORD_SKB_PACKET_PROFILE_H
#define _RECORD_SKB_PACKET_PROFILE_H

#include "model/call_tree.h"
#include "model/conversation_delays.h"
#include "model/packet_times.h"

#define PROFILE_PACKETS 10000

enum part_kind {
	PART_FUNCTION,
	PART_STEP,
	PART_DELAY,
};

/* Return: the number of the step from one stage to another. The number 0 means no step. */
static inline uint16_t step_number(unsigned int from, unsigned int to)
{
	return from * STAGES + to;
}

/**
 * struct part - a part of the time of a packet
 * @kind: enum part_kind
 * @step: the step, or the step in which a function was entered; 0 for none
 * @what: for functions, the node in the call tree; for delays, enum delay_kind
 * @ns: duration; for functions, without the time of nested functions
 */
struct part {
	uint8_t kind;
	uint16_t step;
	uint32_t what;
	uint64_t ns;
};

struct profiled_packet {
	struct part *parts;
	uint32_t nr, capacity;
};

/**
 * struct profile - the profile of the selected packets of a recording
 * @tree: the tree with the nodes of functions, which the caller owns
 * @stages: stages of the packets, which the caller owns
 * @delays: delays of the conversations
 * @packets: the packets that are stored
 * @nr: number of stored packets
 * @selected: number of selected packets
 * @seed: state of the random number generator
 * @current: the packet that is being added
 */
struct profile {
	const struct call_tree *tree;
	struct stages *stages;
	struct delays *delays;
	struct profiled_packet *packets;
	uint32_t nr;
	uint64_t selected, seed;
	struct profiled_packet current;
};

/* Prepare a profile whose members are all 0. Return: 0; -1 if there is not enough memory. */
int profile_init(struct profile *profile, const struct call_tree *tree, struct stages *stages);
void profile_free(struct profile *profile);

/* Add a packet and the times of its functions, after all events of the packet were read. */
void profile_add(struct profile *profile, const struct packet *packet,
		 const struct packet_times *times);

#endif
