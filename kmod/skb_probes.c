// SPDX-License-Identifier: GPL-2.0
/*
 * skb_probes.c - probes that get a packet or a list of packets
 *
 * If some packets of a list match, the list is split into pieces, and the probed function is called for
 * each piece in order. Each matching packet is a piece, so that it gets its own graph. The packets between
 * two matching packets are one piece. The probed functions consume their whole list (probe_types.c), so the
 * caller finds an empty list afterwards, as it would without the module.
 */
#include <linux/list.h>
#include <linux/skbuff.h>

#include "active_config.h"
#include "gate_stack.h"
#include "match.h"
#include "skb_probes.h"
#include "skb_table.h"
#include "skb_view.h"

/**
 * decide_packet() - handle a hit of a probe that gets a packet
 * @a: the active configuration
 * @point: the probe
 * @skb: the packet
 *
 * Return: the gate to which the call is redirected, or GATE_NONE.
 */
enum gate decide_packet(const struct active_config *a, const struct point *point,
			const struct sk_buff *skb)
{
	const struct skb_view v = skb_view_of(point, skb);
	struct match m __attribute__((__uninitialized__));

	if (match_packet(a, &v, &m))
		return graph_matched_packet(a, &v, &m);
	return graph_unrelated(a, point, skb);
}

/**
 * decide_copy() - handle a call of a function that copies packets
 * @a: the active configuration
 * @point: the probe
 * @skb: the packet to be copied
 *
 * Return: the gate to which the call is redirected, or GATE_NONE.
 */
enum gate decide_copy(const struct active_config *a, const struct point *point,
		      const struct sk_buff *skb)
{
	struct match m;

	return skb_table_find(a->recording->track, skb, &m) ? graph_maker(a, point, skb, &m) :
							      GATE_NONE;
}

/* Return: true if the packet matches. The packet does not get a number. */
static bool packet_matches(const struct active_config *a, const struct point *point,
			   const struct sk_buff *skb)
{
	const struct skb_view v = skb_view_of(point, skb);

	return match_packet_quick(a, &v);
}

/**
 * decide_list() - handle a hit of a probe that gets a list of packets
 * @a: the active configuration
 * @point: the probe
 * @head: the list
 *
 * Return: the gate to which the call is redirected, or GATE_NONE.
 */
enum gate decide_list(const struct active_config *a, const struct point *point,
		      struct list_head *head)
{
	const struct sk_buff *skb;

	if (list_empty(head))
		return GATE_NONE;
	/* A list with one packet needs no splitting. */
	if (list_is_singular(head))
		return decide_packet(a, point, list_first_entry(head, struct sk_buff, list));
	list_for_each_entry(skb, head, list)
		if (packet_matches(a, point, skb))
			return graph_split(a, point);
	return graph_unrelated(a, point, list_first_entry(head, struct sk_buff, list));
}

/* Move the unrelated packets before the next match to @piece. */
static void take_unrelated(const struct active_config *a, const struct point *point,
			   struct list_head *rest, struct list_head *piece)
{
	struct sk_buff *skb, *next;

	list_for_each_entry_safe(skb, next, rest, list) {
		if (packet_matches(a, point, skb))
			return;
		list_move_tail(&skb->list, piece);
	}
}

/**
 * packets_take_piece() - split the next piece off a list and choose a gate for the piece
 * @a: the active configuration
 * @point: the probe
 * @rest: the remaining packets of the list, not empty
 * @piece: receives the piece
 *
 * Return: the gate for this piece, or GATE_NONE.
 */
enum gate packets_take_piece(const struct active_config *a, const struct point *point,
			     struct list_head *rest, struct list_head *piece)
{
	struct sk_buff *skb = list_first_entry(rest, struct sk_buff, list);
	const struct skb_view v = skb_view_of(point, skb);
	struct match m;

	list_move_tail(&skb->list, piece);
	if (match_packet(a, &v, &m))
		return graph_matched_packet(a, &v, &m);
	take_unrelated(a, point, rest, piece);
	return graph_unrelated(a, point, skb);
}
