// SPDX-License-Identifier: LGPL-2.1
/* steps.c - short functions that pass the events of an skb to the state machine in reading/verdict.c */
#include "steps.h"

const struct fate_packet data = { .payload = 100, .tracked = true };
const struct fate_packet no_data = { .payload = 0, .tracked = true };
const struct fate_packet headers_cut = { .payload = -1, .tracked = true };
const struct fate_packet untracked = { .payload = 100, .tracked = false };

/*
 * Return: a function for the state machine. The state machine only compares the pointer @id, so use the
 * function's row in the table of functions.
 */
struct fate_function function(const char *name)
{
	const struct function_facts *facts = function_facts(name);

	return (struct fate_function){ .id = facts ? (const void *)facts : name, .facts = facts };
}

void comes(struct fate *fate, const char *name)
{
	const struct fate_function at = function(name);

	fate_seen(fate, &at, RECORD_SKB_DIR_RX);
}

void goes(struct fate *fate, const char *name)
{
	const struct fate_function at = function(name);

	fate_seen(fate, &at, RECORD_SKB_DIR_TX);
}

void is_tapped(struct fate *fate, const char *name)
{
	const struct fate_function at = function(name);

	fate_seen(fate, &at, RECORD_SKB_DIR_NONE);
}

void leaves(struct fate *fate, const char *name, const struct fate_packet *packet)
{
	const struct fate_function at = function(name);

	fate_left(fate, &at, NULL, packet);
}

void returns(struct fate *fate, const char *name, int64_t value, const struct fate_packet *packet)
{
	const struct fate_function at = function(name);

	fate_left(fate, &at, &value, packet);
}

void ends(struct fate *fate, const struct fate_packet *packet)
{
	fate_ended(fate, false, packet);
}

void is_consumed(struct fate *fate, const struct fate_packet *packet)
{
	fate_ended(fate, true, packet);
}

void dropped(struct fate *fate, const char *name, bool reason, bool at_work)
{
	const struct fate_function where = function(name);

	fate_dropped(fate, &where, reason, at_work, &data);
}
