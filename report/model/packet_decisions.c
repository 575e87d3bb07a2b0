// SPDX-License-Identifier: GPL-2.0
/* packet_decisions.c - collect the kernel's decisions about a packet: routes, connections, NAT and more */
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/packet_decisions.h"

#define CT_SHOWN (CT_SRC_NAT | CT_DST_NAT | CT_OFFLOAD)

void decisions_add(struct decisions *decisions, const struct decision *decision)
{
	struct decision *v;

	if (decisions->n == MAX_DECISIONS)
		return;
	v = realloc(decisions->v, (decisions->n + 1) * sizeof(*v));
	if (!v)
		return;
	v[decisions->n++] = *decision;
	decisions->v = v;
}

void decisions_take(struct decisions *decisions, struct decisions *from, bool move)
{
	for (unsigned int i = 0; i < from->n; i++) {
		if (move || from->v[i].facts.kind != RECORD_SKB_DECISION_TAP)
			decisions_add(decisions, &from->v[i]);
	}
	if (move)
		decisions_free(from);
}

void decisions_free(struct decisions *decisions)
{
	free(decisions->v);
	*decisions = (struct decisions){ NULL };
}

static bool is_address(const struct address *address, uint8_t family, const uint8_t *bytes)
{
	return address->family == family &&
	       !memcmp(address->bytes, bytes, family == FLOW_INET6 ? 16 : 4);
}

bool decision_is_reverse(const struct decision_facts *facts, const struct flow *flow)
{
	return facts->kind == RECORD_SKB_DECISION_ROUTE &&
	       is_address(&facts->to, flow->family, flow->saddr) &&
	       !is_address(&facts->to, flow->family, flow->daddr);
}

bool decision_ct_is_reply(const struct decision *decision)
{
	return decision->facts.result == 4 || decision->facts.result == 5;
}

bool decision_is_tap_loss(const struct decision_facts *facts)
{
	return facts->kind == RECORD_SKB_DECISION_TAP && facts->result != RECORD_SKB_TAP_UNKNOWN;
}

bool is_same_flow(const struct flow *a, const struct flow *b)
{
	return a->family == b->family && a->proto == b->proto && a->sport == b->sport &&
	       a->dport == b->dport && !memcmp(a->saddr, b->saddr, sizeof(a->saddr)) &&
	       !memcmp(a->daddr, b->daddr, sizeof(a->daddr));
}

void connection_see(struct connection *was, const struct packet_facts *facts,
		    const struct decision *decision, struct decisions *to)
{
	const struct connection now = {
		.ct = facts->ct,
		.status = facts->ct_status & CT_SHOWN,
		.bridged = facts->bridged,
	};
	struct decision new = *decision;

	new.facts.netns = facts->netns;
	if (now.ct && (now.ct != was->ct || now.status != was->status)) {
		new.facts.kind = DECISION_CONNTRACK;
		new.facts.result = now.ct;
		new.facts.number = now.status;
		decisions_add(to, &new);
	}
	if (now.bridged && !was->bridged) {
		new.facts.kind = DECISION_BRIDGED;
		decisions_add(to, &new);
	}
	*was = now;
}

/* NAT */

void decisions_add_translation(struct decisions *to, const struct decision *decision,
			       const struct flow *before, const struct flow *now, uint32_t status)
{
	struct decision new = *decision;
	unsigned int n = 0;

	new.facts.kind = DECISION_TRANSLATED;
	new.facts.number = status &CT_SHOWN;
	new.before = *before;
	new.now = *now;
	for (unsigned int i = 0; i < to->n; i++) {
		if (to->v[i].facts.kind != DECISION_NOT_TRANSLATED)
			to->v[n++] = to->v[i];
	}
	to->n = n;
	decisions_add(to, &new);
}

/*
 * Maximum number of places in @places. If NAT has translated packets at more places, the report does not
 * mention packets that were not translated at these further places.
 */
#define MAX_PLACES 65536

struct translations {
	struct table places; /* table of struct translation, by a hash of the flow and the place */
	struct table dnats;  /* table of struct translation, by number of the flow */
};

struct translations *translations_new(void)
{
	return calloc(1, sizeof(struct translations));
}

void translations_free(struct translations *translations)
{
	if (!translations)
		return;
	table_free(&translations->places);
	table_free(&translations->dnats);
	free(translations);
}

static struct table_key key_of(const struct translation *t)
{
	uint64_t number = (uint64_t)t->flow_number << 32 | t->netns;

	/*
	 * Add the source address and port to the key, because they differ between the directions of a flow.
	 */
	number ^= (uint64_t)t->device << 40 ^ (uint64_t)t->before.sport << 17 ^ t->before.saddr[3];
	return (struct table_key){ number, t->point };
}

static bool is_same_place(const struct translation *a, const struct translation *b)
{
	return a->flow_number == b->flow_number && a->netns == b->netns && a->device == b->device &&
	       a->point == b->point && is_same_flow(&a->before, &b->before);
}

static bool has_kind(const struct decisions *decisions, uint8_t kind, const struct flow *now)
{
	for (unsigned int i = 0; i < decisions->n; i++) {
		if (decisions->v[i].facts.kind == kind &&
		    (!now || is_same_flow(&decisions->v[i].now, now)))
			return true;
	}
	return false;
}

static bool has_same_destination(const struct flow *a, const struct flow *b)
{
	return a->dport == b->dport && !memcmp(a->daddr, b->daddr, sizeof(a->daddr));
}

/*
 * Note the newest change of the packet's destination by NAT. In a packet that answers, such a change is the
 * reverse of a change of the source, and is not noted. @decisions has the decisions about the packet.
 */
static void note_dnat(struct translations *translations, const struct translation *seen,
		      const struct decisions *decisions)
{
	const struct table_key key = { .number = seen->flow_number };
	const struct decision *change = NULL;
	struct translation *dnat;
	bool is_reply = false;

	for (unsigned int i = 0; i < decisions->n; i++) {
		const struct decision *decision = &decisions->v[i];

		if (decision->facts.kind == DECISION_CONNTRACK)
			is_reply = decision_ct_is_reply(decision);
		else if (decision->facts.kind == DECISION_TRANSLATED && !is_reply &&
			 decision->facts.number & CT_DST_NAT &&
			 !has_same_destination(&decision->before, &decision->now))
			change = decision;
	}
	if (!change)
		return;
	dnat = table_find(&translations->dnats, key);
	if (!dnat && translations->dnats.nr < MAX_PLACES)
		dnat = table_add(&translations->dnats, key, calloc(1, sizeof(*dnat)));
	/* The first point at which the packet has the new destination is in the namespace of the NAT. */
	if (!dnat || is_same_flow(&dnat->now, &change->now))
		return;
	dnat->flow_number = seen->flow_number;
	dnat->netns = seen->netns;
	dnat->before = change->before;
	dnat->now = change->now;
}

void translations_see(struct translations *translations, const struct translation *seen,
		      const struct decision *decision, struct decisions *to)
{
	const struct table_key key = key_of(seen);
	struct translation *place = table_find(&translations->places, key);
	struct decision new = *decision;

	if (!is_same_flow(&seen->before, &seen->now)) {
		note_dnat(translations, seen, to);
		if (place || translations->places.nr == MAX_PLACES ||
		    !has_kind(to, DECISION_TRANSLATED, &seen->now))
			return;
		place = table_add(&translations->places, key, malloc(sizeof(*place)));
		if (place)
			*place = *seen;
		return;
	}
	if (!place || !is_same_place(place, seen) || has_kind(to, DECISION_TRANSLATED, NULL) ||
	    has_kind(to, DECISION_NOT_TRANSLATED, NULL))
		return;
	new.facts.kind = DECISION_NOT_TRANSLATED;
	new.facts.netns = seen->netns;
	new.before = place->before;
	new.now = place->now;
	decisions_add(to, &new);
}

const struct translation *translations_find_dnat(const struct translations *translations,
						 uint32_t flow_number)
{
	return flow_number ? table_find(&translations->dnats,
					(struct table_key){ .number = flow_number }) :
			     NULL;
}
