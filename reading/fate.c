// SPDX-License-Identifier: LGPL-2.1
/* fate.c - what becomes of one skb, from what happens to it */
#include <string.h>

#include "fate.h"

/* What drivers return of a packet that they will be given again. */
#define NETDEV_TX_BUSY 0x10

/* What GRO returns of one that it has put, as it is, into another. */
#define GRO_MERGED 0

static enum function_role role_of(const struct fate_function *function)
{
	return function->facts ? function->facts->role : ROLE_PASSES;
}

/* On the way out all functions but the drivers' own are in the table. */
static enum function_role role_here(const struct fate *fate, const struct fate_function *function)
{
	if (!function->facts && fate->goes_out && function->id == fate->at.id)
		return ROLE_DRIVES;
	return role_of(function);
}

static bool is_driver(enum function_role role)
{
	return role == ROLE_DRIVES || role == ROLE_CROSSES;
}

static bool is_handler(const struct fate_function *function)
{
	const enum function_role role = role_of(function);

	return role == ROLE_HANDLES || role == ROLE_HANDLES_TCP || role == ROLE_HANDLES_SCTP;
}

static void settle(struct fate *fate, enum fate_state state, const struct fate_function *where,
		   bool sure)
{
	fate->state = state;
	fate->where = *where;
	fate->sure = sure;
}

void fate_born(struct fate *fate, struct fate *from, bool own_bytes)
{
	memset(fate, 0, sizeof(*fate));
	fate->is_copy = true;
	if (!from)
		return;
	fate->came_in = from->came_in;
	fate->at = fate->where = from->at;
	fate->handler = from->handler;
	from->copied = true;
	/* The other device's driver makes it, for its program; what is only looked at is a clone. */
	fate->for_program = own_bytes && role_of(&from->at) == ROLE_CROSSES;
	/* A packet socket that shares the skb with others clones it for itself. */
	if (role_of(&from->at) == ROLE_TAPS && !from->tap_left) {
		fate->is_tap = true;
		settle(fate, FATE_TAPPED, &from->at, true);
	}
}

/*
 * One that the user has added: the packet's way goes through it, but what it does there, nobody knows.
 * On the way out those that nothing is known of are drivers.
 */
static bool says_nothing(const struct fate_function *at, enum record_skb_dir dir)
{
	return role_of(at) == ROLE_PASSES && dir == RECORD_SKB_DIR_NONE;
}

void fate_seen(struct fate *fate, const struct fate_function *at, enum record_skb_dir dir)
{
	if (fate->seen && says_nothing(at, dir)) {
		if (fate->state == FATE_ON_THE_WAY)
			fate->where = *at;
		return;
	}
	/* What is sent is cloned for packet sockets before anybody else sees it. */
	if (!fate->seen && fate->is_copy && role_of(at) == ROLE_TAPS)
		fate->is_tap = true;
	fate->seen = true;
	fate->at = *at;
	fate->copied = fate->tap_left = false;
	fate->told = fate->refused = false;
	fate->goes_out = dir == RECORD_SKB_DIR_TX;
	fate->came_in |= dir == RECORD_SKB_DIR_RX;
	if (!is_handler(at) && role_of(at) != ROLE_TAKES)
		fate->handler = (struct fate_function){ NULL };
	else if (is_handler(at) && !fate->handler.id)
		fate->handler = *at;
	settle(fate, FATE_ON_THE_WAY, at, true);
}

/*
 * What a function did when it was left. A value that refuses takes back what was concluded without
 * it; without one nothing is concluded when a value was told before.
 */
static void left_with(struct fate *fate, const struct fate_function *function,
		      enum fate_state state, bool refused, const int64_t *ret)
{
	if ((fate->state != FATE_ON_THE_WAY && fate->sure) || (fate->told && !ret))
		return;
	/* What is no more waits nowhere. */
	if (fate->ended && state == FATE_QUEUED)
		return;
	fate->told |= ret != NULL;
	if (refused)
		settle(fate, FATE_ON_THE_WAY, function, true);
	else
		settle(fate, state, function, ret);
}

/* What a driver frees it may not have wanted: that it says behind it. */
static void driver_left(struct fate *fate, const struct fate_function *driver, enum fate_state sent,
			const int64_t *ret)
{
	const int value = ret ? (int)*ret : 0;

	fate->refused |= value && value != NETDEV_TX_BUSY;
	if (fate->refused && fate->ended && fate->state == FATE_SENT)
		settle(fate, FATE_ON_THE_WAY, driver, true);
	left_with(fate, driver, value == NETDEV_TX_BUSY ? FATE_QUEUED : sent, fate->refused, ret);
}

static void handled(struct fate *fate, const struct fate_packet *packet, bool sure)
{
	const struct fate_function by = fate->handler;
	const bool is_tcp = role_of(&by) == ROLE_HANDLES_TCP;
	const bool has_data = role_of(&by) == ROLE_HANDLES_SCTP && packet->payload;

	/* Whoever ignores it, as a listener whose queues are full, is done with it in the same way. */
	if (packet->asks && !packet->answered)
		settle(fate, FATE_FREED, &by, sure);
	/* A SYN's data may be for the socket (TCP Fast Open), or be ignored. */
	else if (packet->asks && is_tcp && packet->payload)
		settle(fate, FATE_ON_THE_WAY, &by, true);
	else if (packet->asks)
		settle(fate, FATE_HANDLED, &by, sure);
	else if (!is_tcp && !has_data && !packet->lacks_points)
		settle(fate, FATE_HANDLED, &by, sure);
	else if (is_tcp && packet->payload >= 0)
		settle(fate, packet->payload ? FATE_DELIVERED : FATE_HANDLED, &by, sure);
}

/* TCP says of each segment that it does not want that it is dropped; others may keep what they have. */
static void handler_left(struct fate *fate, const struct fate_packet *packet)
{
	if (fate->state == FATE_ON_THE_WAY && is_handler(&fate->at) && !fate->ended &&
	    packet->tracked && role_of(&fate->handler) == ROLE_HANDLES_TCP)
		handled(fate, packet, false);
}

void fate_left(struct fate *fate, const struct fate_function *function, const int64_t *ret,
	       const struct fate_packet *packet)
{
	const int value = ret ? (int)*ret : 0;
	const bool is_last = function->id == fate->at.id;
	const enum function_role role = role_here(fate, function);
	const enum function_role last = role_here(fate, &fate->at);
	const enum fate_state sent = last == ROLE_CROSSES ? FATE_QUEUED : FATE_SENT;

	/* A driver's function is left, and then the one that called it. Else, others have seen it since. */
	if (!is_last && !(role == ROLE_SENDS && is_driver(last)) && !is_handler(function))
		return;
	switch (role) {
	case ROLE_TAKES:
		left_with(fate, function, FATE_DELIVERED, value, ret);
		break;
	case ROLE_TAPS:
		fate->tap_left = true;
		if (!fate->copied && !fate->ended)
			left_with(fate, function, fate->is_tap ? FATE_TAPPED : FATE_DELIVERED,
				  false, ret);
		break;
	case ROLE_HANDLES:
	case ROLE_HANDLES_TCP:
	case ROLE_HANDLES_SCTP:
		handler_left(fate, packet);
		break;
	case ROLE_MERGES:
		if (ret && value == GRO_MERGED)
			left_with(fate, function, FATE_HANDLED, false, ret);
		break;
	case ROLE_QUEUES:
		left_with(fate, function, FATE_QUEUED, value, ret);
		break;
	case ROLE_SENDS:
		/* For its caller, what the driver has refused is done with. */
		if (!fate->refused)
			left_with(fate, function, sent, ret && *ret, ret);
		break;
	case ROLE_DRIVES:
	case ROLE_CROSSES:
		driver_left(fate, function, sent, ret);
		break;
	case ROLE_READS:
	case ROLE_CLOSES:
	case ROLE_FORWARDS:
	case ROLE_PASSES:
		break;
	}
}

static bool is_settled(const struct fate *fate)
{
	return fate->state == FATE_SENT || fate->state == FATE_DELIVERED ||
	       fate->state == FATE_TAPPED || fate->state == FATE_HANDLED;
}

/* A FIN may close the socket in whose queue it is: TCP has dealt with it by then. */
static bool closes_socket(const struct fate *fate, const struct fate_function *where,
			  const struct fate_packet *packet)
{
	return role_of(where) == ROLE_CLOSES && fate->state == FATE_ON_THE_WAY &&
	       role_of(&fate->handler) == ROLE_HANDLES_TCP && !packet->payload;
}

/* Maybe a socket's. SCTP's clones have no point to be seen at, and XDP comes before the first. */
static bool is_unseen_copy(const struct fate *fate)
{
	return fate->is_copy && !fate->seen && !fate->for_program &&
	       role_of(&fate->handler) != ROLE_HANDLES_SCTP;
}

bool fate_dropped(struct fate *fate, const struct fate_function *where, bool reason, bool at_work,
		  const struct fate_packet *packet)
{
	const bool may_be_done = !reason && ((where->facts && where->facts->frees_all) ||
					     role_of(&fate->handler) == ROLE_HANDLES_SCTP);

	fate->ended = true;
	/* A socket that had it unread may be closed: so what was copied for its queue of errors. */
	if ((packet->lacks_points || is_unseen_copy(fate)) && !reason && !at_work &&
	    !is_settled(fate)) {
		settle(fate, FATE_ON_THE_WAY, &fate->at, true);
		return false;
	}
	/*
	 * What was sent to another device of this machine may be thrown away by that, and what was
	 * delivered by its reader.
	 */
	if (is_settled(fate) && !reason && !at_work && role_of(where) != ROLE_READS &&
	    (fate->state != FATE_SENT || may_be_done))
		return false;
	if (!reason && closes_socket(fate, where, packet)) {
		handled(fate, packet, true);
		return false;
	}
	fate->says_why = reason;
	settle(fate, may_be_done ? FATE_FREED : FATE_DROPPED, where, true);
	return true;
}

/* By the function that it was seen at last, or one below. */
static bool may_be_dealt_with(const struct fate *fate, const struct fate_packet *packet)
{
	const struct function_facts *facts = fate->at.facts;

	return fate->seen && !fate->goes_out && !packet->lacks_points &&
	       !(facts && (facts->role == ROLE_FORWARDS || facts->offers));
}

/*
 * A packet socket has put it into its queue, or has not let it in: either leaves nothing behind. Who ends
 * it in the middle of its way is no reader.
 */
static bool has_passed_tap(const struct fate *fate, bool at_work)
{
	return at_work && role_of(&fate->at) == ROLE_TAPS && !fate->is_tap;
}

void fate_ended(struct fate *fate, bool at_work, const struct fate_packet *packet)
{
	const enum function_role role = role_here(fate, &fate->at);

	fate->ended = true;
	if (has_passed_tap(fate, at_work)) {
		settle(fate, FATE_ON_THE_WAY, &fate->at, true);
		return;
	}
	if (is_settled(fate)) {
		fate->sure = true;
		return;
	}
	/* Its reader was faster than the function that put it into the queue. */
	if (role == ROLE_TAKES) {
		settle(fate, FATE_DELIVERED, &fate->at, true);
		return;
	}
	/* A ring of a packet socket has copied it, or its filter has not let it in. */
	if (role == ROLE_TAPS && !fate->is_tap)
		return;
	/*
	 * The other device's program has dropped it, or taken it away, or made another packet of it. Or it
	 * was only put into another skb for that.
	 */
	if (role == ROLE_CROSSES) {
		settle(fate, fate->copied ? FATE_COPIED : FATE_ON_THE_WAY, &fate->at, true);
		return;
	}

	if (role == ROLE_SENDS || role == ROLE_DRIVES)
		settle(fate, FATE_SENT, &fate->at, true);
	/* Who made copies gave them to others, but for TCP, which has them for itself. */
	else if (fate->handler.id && (!fate->copied || role == ROLE_HANDLES_TCP))
		handled(fate, packet, true);
	else if (fate->copied)
		settle(fate, FATE_COPIED, &fate->at, true);
	/* What ends on its way out has ended where there was no point: with --rx none is. */
	else if (may_be_dealt_with(fate, packet))
		settle(fate, FATE_HANDLED, &fate->at, true);
	else if (fate->state == FATE_QUEUED)
		settle(fate, FATE_ON_THE_WAY, &fate->at, true);
}

bool fate_is_proved(const struct fate *fate)
{
	switch (fate->state) {
	case FATE_DROPPED:
		return fate->says_why;
	case FATE_DELIVERED:
		/* A packet socket's may be a copy of which it is not known that it was made for that. */
		return fate->sure && role_of(&fate->where) != ROLE_TAPS;
	case FATE_HANDLED:
		/* What TCP has it gives to nobody else. */
		return fate->ended && role_of(&fate->where) == ROLE_HANDLES_TCP;
	default:
		return false;
	}
}
