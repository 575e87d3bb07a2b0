// SPDX-License-Identifier: LGPL-2.1
/* verdict.c - conclude the fate of an skb from the events of the recording */
#include <string.h>

#include "verdict.h"

/*
 * Return value of a driver that refuses a packet because it is busy. The kernel passes the packet to the
 * driver again later.
 */
#define NETDEV_TX_BUSY 0x10

/* Return value of GRO for a packet that it has merged into another. */
#define GRO_MERGED 0

static enum function_role role_of(const struct fate_function *function)
{
	return function->facts ? function->facts->role : ROLE_PASSES;
}

/*
 * Return: the role of a function for this skb. The table contains all functions of the transmit path except
 * some drivers. So on the transmit path, a function that is not in the table is a driver.
 */
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

/* Return: true if a driver has not sent a packet that ends in it, because it passes packets on. */
static bool must_pass_on(const struct fate_function *driver)
{
	return role_of(driver) == ROLE_CROSSES || (driver->facts && driver->facts->passes_on);
}

static bool is_handler(const struct fate_function *function)
{
	const enum function_role role = role_of(function);

	return role == ROLE_HANDLES || role == ROLE_HANDLES_TCP || role == ROLE_HANDLES_SCTP;
}

static void set_state(struct fate *fate, enum fate_state state, const struct fate_function *where,
		      bool sure)
{
	fate->state = state;
	fate->where = *where;
	fate->sure = sure;
}

void fate_born(struct fate *fate, struct fate *from, enum record_skb_copy_kind kind)
{
	memset(fate, 0, sizeof(*fate));
	fate->is_copy = true;
	fate->kind = kind;
	if (!from)
		return;
	fate->came_in = from->came_in;
	fate->at = fate->where = from->at;
	fate->handler = from->handler;
	from->copied = true;
	/*
	 * A driver with a peer in this machine makes a full copy of the skb only for the XDP program of the
	 * peer. Packet sockets and other observers get clones instead.
	 */
	fate->for_program = kind == RECORD_SKB_COPY_COPY && role_of(&from->at) == ROLE_CROSSES;
	/*
	 * A packet socket clones an skb that has other users, and queues the clone. So this copy is for the
	 * packet socket.
	 */
	if (role_of(&from->at) == ROLE_TAPS && !from->tap_left) {
		fate->is_tap = true;
		set_state(fate, FATE_TAPPED, &from->at, true);
	}
}

/*
 * Return: true for a probe point that the user has added. Its effect on the packet is not known, so it does
 * not change the state. On the transmit path, an unknown function is a driver instead.
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
	/*
	 * The kernel clones an outgoing packet for packet sockets. The first function that gets such a clone
	 * belongs to a packet socket.
	 */
	if (!fate->seen && fate->is_copy && role_of(at) == ROLE_TAPS)
		fate->is_tap = true;
	fate->seen = true;
	fate->at = *at;
	fate->copied = fate->tap_left = fate->tap_lost = false;
	fate->taps += role_of(at) == ROLE_TAPS;
	fate->told = fate->refused = false;
	fate->goes_out = dir == RECORD_SKB_DIR_TX;
	fate->came_in |= dir == RECORD_SKB_DIR_RX;
	if (!is_handler(at) && role_of(at) != ROLE_TAKES)
		fate->handler = (struct fate_function){ NULL };
	else if (is_handler(at) && !fate->handler.id)
		fate->handler = *at;
	set_state(fate, FATE_ON_THE_WAY, at, true);
}

/*
 * Derive the state from the return of a function. This may be called twice for the same return: first without
 * the return value, and later with the value. The first call makes a preliminary decision. If the value means
 * a refusal, the second call revokes the decision. A call without the value has no effect if the value is
 * already known.
 */
static void left_with(struct fate *fate, const struct fate_function *function,
		      enum fate_state state, bool refused, const int64_t *ret)
{
	if ((fate->state != FATE_ON_THE_WAY && fate->sure) || (fate->told && !ret))
		return;
	/* An skb that was freed is not in a queue. */
	if (fate->ended && state == FATE_QUEUED)
		return;
	fate->told |= ret != NULL;
	if (refused)
		set_state(fate, FATE_ON_THE_WAY, function, true);
	else
		set_state(fate, state, function, ret);
}

/*
 * A driver may free a packet that it refuses. The return event comes after that, and its value shows the
 * refusal.
 */
static void driver_left(struct fate *fate, const struct fate_function *driver, enum fate_state sent,
			const int64_t *ret)
{
	const int value = ret ? (int)*ret : 0;

	fate->refused |= value && value != NETDEV_TX_BUSY;
	if (fate->refused && fate->ended && fate->state == FATE_SENT)
		set_state(fate, FATE_ON_THE_WAY, driver, true);
	left_with(fate, driver, value == NETDEV_TX_BUSY ? FATE_QUEUED : sent, fate->refused, ret);
}

static void set_handled(struct fate *fate, const struct fate_packet *packet, bool sure)
{
	const struct fate_function by = fate->handler;
	const bool is_tcp = role_of(&by) == ROLE_HANDLES_TCP;
	const bool has_data = role_of(&by) == ROLE_HANDLES_SCTP && packet->payload;

	/*
	 * The kernel frees a request without an answer in the same way, whether it was processed or ignored.
	 * An example of an ignored request is a SYN to a listener with full queues.
	 */
	if (packet->asks && !packet->answered)
		set_state(fate, FATE_FREED, &by, sure);
	/*
	 * If a SYN has data and TCP accepts them, TCP clones the SYN to queue the data (TCP Fast Open). If
	 * there is no clone, the data are ignored.
	 */
	else if (packet->asks && is_tcp && packet->payload && fate->copied)
		set_state(fate, FATE_COPIED, &by, true);
	else if (packet->asks && is_tcp && packet->payload < 0)
		set_state(fate, FATE_ON_THE_WAY, &by, true);
	else if (packet->asks)
		set_state(fate, FATE_HANDLED, &by, sure);
	else if (!is_tcp && !has_data && !packet->lacks_points)
		set_state(fate, FATE_HANDLED, &by, sure);
	else if (is_tcp && packet->payload >= 0)
		set_state(fate, packet->payload ? FATE_DELIVERED : FATE_HANDLED, &by, sure);
}

/*
 * Derive the state from the return of a protocol handler. TCP drops each segment that it does not accept. So
 * if a segment was not dropped, TCP has accepted it. Other protocols may keep the packet for later.
 */
static void handler_left(struct fate *fate, const struct fate_packet *packet)
{
	if (fate->state == FATE_ON_THE_WAY && is_handler(&fate->at) && !fate->ended &&
	    packet->tracked && role_of(&fate->handler) == ROLE_HANDLES_TCP)
		set_handled(fate, packet, false);
}

void fate_left(struct fate *fate, const struct fate_function *function, const int64_t *ret,
	       const struct fate_packet *packet)
{
	const int value = ret ? (int)*ret : 0;
	const bool is_last = function->id == fate->at.id;
	const enum function_role role = role_here(fate, function);
	const enum function_role last = role_here(fate, &fate->at);
	const enum fate_state sent = must_pass_on(&fate->at) ? FATE_QUEUED : FATE_SENT;

	/*
	 * The return of a function decides the state only if the function is the last one that got the skb,
	 * the caller of a driver, or a protocol handler. Any other function has passed the skb on before it
	 * returned.
	 */
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
		/*
		 * Even if the driver refused the packet, the caller of the driver reports success. So after
		 * a refusal, ignore the return of the caller.
		 */
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

/*
 * Return: true for a clone that the kernel puts into a socket without a probe point on the way. There are
 * two such clones. TCP clones a SYN with data only to put the data into the queue of the new socket (TCP
 * Fast Open). The kernel clones an ICMP error only for a socket that wants errors in its error queue.
 */
static bool is_for_socket(const struct fate *fate, const struct fate_packet *packet)
{
	if (fate->seen || !fate->is_copy || fate->kind != RECORD_SKB_COPY_CLONE)
		return false;
	return packet->for_socket && (role_of(&fate->at) == ROLE_HANDLES_TCP ||
				      (fate->at.facts && fate->at.facts->keeps_errors));
}

void fate_maker_left(struct fate *fate, const struct fate_function *function,
		     const struct fate_packet *packet)
{
	if (fate->seen || fate->ended || fate->state != FATE_ON_THE_WAY ||
	    fate->at.id != function->id || !packet->tracked)
		return;
	if (is_for_socket(fate, packet))
		set_state(fate, FATE_DELIVERED, function, false);
	else if (fate->kind == RECORD_SKB_COPY_SEGMENT && function->facts &&
		 function->facts->keeps_segments)
		set_state(fate, FATE_QUEUED, function, false);
	fate->kept = fate->state != FATE_ON_THE_WAY;
}

bool fate_tap_lost(struct fate *fate)
{
	fate->taps_lost++;
	if (!fate->is_tap || fate->taps_lost != fate->taps)
		return false;
	fate->tap_lost = fate->says_why = true;
	set_state(fate, FATE_DROPPED, &fate->at, true);
	return true;
}

static bool is_settled(const struct fate *fate)
{
	return fate->state == FATE_SENT || fate->state == FATE_DELIVERED ||
	       fate->state == FATE_TAPPED || fate->state == FATE_HANDLED;
}

/*
 * Return: true if the skb is a FIN in the queue of a socket, and the drop happens because this socket is
 * closed. Then TCP has already processed the FIN.
 */
static bool closes_socket(const struct fate *fate, const struct fate_function *where,
			  const struct fate_packet *packet)
{
	return role_of(where) == ROLE_CLOSES && fate->state == FATE_ON_THE_WAY &&
	       role_of(&fate->handler) == ROLE_HANDLES_TCP && !packet->payload;
}

/*
 * Return: true for a copy that may have reached a socket although no probe point has seen it. Clones of SCTP
 * data do not count, because they never pass a probe point. Copies for XDP do not count, because the XDP
 * program runs before the first probe point.
 */
static bool is_unseen_copy(const struct fate *fate)
{
	return fate->is_copy && !fate->seen && !fate->for_program && !fate->kept &&
	       role_of(&fate->handler) != ROLE_HANDLES_SCTP;
}

bool fate_dropped(struct fate *fate, const struct fate_function *where, bool reason, bool at_work,
		  const struct fate_packet *packet)
{
	const bool may_be_done = !reason && ((where->facts && where->facts->frees_all) ||
					     role_of(&fate->handler) == ROLE_HANDLES_SCTP);

	fate->ended = true;
	/*
	 * This drop does not decide the state. It has two possible causes: the socket was closed before this
	 * skb was read, or the skb is a clone that was removed from an error queue.
	 */
	if ((packet->lacks_points || is_unseen_copy(fate)) && !reason && !at_work &&
	    !is_settled(fate)) {
		set_state(fate, FATE_ON_THE_WAY, &fate->at, true);
		return false;
	}
	/*
	 * A drop without a reason usually only frees a packet that was already processed. There are two
	 * exceptions. A packet that was sent to another device of this machine may be dropped there, and a
	 * reader may drop a delivered packet.
	 */
	if (is_settled(fate) && !reason && !at_work && role_of(where) != ROLE_READS &&
	    (fate->state != FATE_SENT || may_be_done))
		return false;
	if (!reason && closes_socket(fate, where, packet)) {
		set_handled(fate, packet, true);
		return false;
	}
	/* ICMPv6 up to Linux 6.3 frees requests that it has answered as if it dropped them. */
	if (may_be_done && packet->answered && role_of(where) == ROLE_HANDLES) {
		set_state(fate, FATE_HANDLED, where, true);
		return false;
	}
	fate->says_why = reason;
	set_state(fate, may_be_done ? FATE_FREED : FATE_DROPPED, where, true);
	return true;
}

/*
 * Return: true if the last function that had the skb, or a function that it called, may have processed the
 * packet.
 */
static bool may_be_dealt_with(const struct fate *fate, const struct fate_packet *packet)
{
	const struct function_facts *facts = fate->at.facts;

	return fate->seen && !fate->goes_out && !packet->lacks_points &&
	       !(facts && (facts->role == ROLE_FORWARDS || facts->offers));
}

/*
 * Return: true if a packet socket was the last to get the skb, and the skb ends while the packet is still
 * being processed. Then no reader has freed the skb, so the skb was not in the queue of the socket. If the
 * skb ends later, no event tells if the socket has queued or rejected it.
 */
static bool has_passed_tap(const struct fate *fate, bool at_work)
{
	return at_work && role_of(&fate->at) == ROLE_TAPS && !fate->is_tap;
}

void fate_ended(struct fate *fate, bool at_work, const struct fate_packet *packet)
{
	const enum function_role role = role_here(fate, &fate->at);

	fate->ended = true;
	if (fate->tap_lost)
		return;
	if (has_passed_tap(fate, at_work)) {
		set_state(fate, FATE_ON_THE_WAY, &fate->at, true);
		return;
	}
	if (is_settled(fate)) {
		fate->sure = true;
		return;
	}
	/*
	 * The skb was freed after the processing of the packet had ended. So it was in the queue of the
	 * socket, and the reader has freed it.
	 */
	if (!at_work && is_for_socket(fate, packet)) {
		fate->kept = true;
		set_state(fate, FATE_DELIVERED, &fate->at, true);
		return;
	}
	/* The reader may free the skb before the function that queued it returns. */
	if (role == ROLE_TAKES) {
		set_state(fate, FATE_DELIVERED, &fate->at, true);
		return;
	}
	/*
	 * The skb ends at a packet socket for one of two reasons. A socket with a ring copies the packet
	 * into the ring, or the filter of the socket rejected the packet. It is not known which.
	 */
	if (role == ROLE_TAPS && !fate->is_tap)
		return;
	/*
	 * The skb ends at a driver with its peer in this machine, for one of two reasons. Either the peer's
	 * XDP program has dropped the packet, used it up, or made another packet of it. Or the driver has
	 * only copied the packet into another skb for the XDP program. In another virtual device, the packet
	 * ends if the device has no way to pass it on, such as a tunnel without a route.
	 */
	if (must_pass_on(&fate->at)) {
		set_state(fate, fate->copied ? FATE_COPIED : FATE_ON_THE_WAY, &fate->at, true);
		return;
	}

	if (role == ROLE_SENDS || role == ROLE_DRIVES)
		set_state(fate, FATE_SENT, &fate->at, true);
	/*
	 * If a handler other than TCP has copied the packet, it has passed the copies on, and they continue
	 * the packet. TCP keeps its copies.
	 */
	else if (fate->handler.id && (!fate->copied || role == ROLE_HANDLES_TCP))
		set_handled(fate, packet, true);
	else if (fate->copied)
		set_state(fate, FATE_COPIED, &fate->at, true);
	/*
	 * Nothing is known about the transmit path if no probe points are attached there (--direction rx).
	 * So the packet may have been freed on the transmit path.
	 */
	else if (may_be_dealt_with(fate, packet))
		set_state(fate, FATE_HANDLED, &fate->at, true);
	else if (fate->state == FATE_QUEUED)
		set_state(fate, FATE_ON_THE_WAY, &fate->at, true);
}

bool fate_is_proved(const struct fate *fate)
{
	switch (fate->state) {
	case FATE_DROPPED:
		return fate->says_why;
	case FATE_DELIVERED:
		/*
		 * Some functions make copies for packet sockets and also other copies, and both look the
		 * same. So a call of such a function does not prove a delivery.
		 */
		return fate->sure && role_of(&fate->where) != ROLE_TAPS;
	case FATE_HANDLED:
		/*
		 * TCP does not pass a packet on to other functions, so no missing event can contradict this
		 * state.
		 */
		return fate->ended && role_of(&fate->where) == ROLE_HANDLES_TCP;
	default:
		return false;
	}
}
