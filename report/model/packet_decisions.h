/* SPDX-License-Identifier: GPL-2.0 */
/* packet_decisions.h - the kernel's decisions about a packet: routes, connections, NAT and more */
#ifndef _RECORD_SKB_PACKET_DECISIONS_H
#define _RECORD_SKB_PACKET_DECISIONS_H

#include <stdbool.h>

#include "escape.h"
#include "event.h"
#include "input/function_names.h"
#include "model/netns_names.h"

/*
 * Kinds of decisions that this program concludes from events of packets. Other kinds are in enum
 * record_skb_decision; the recording has record_skb:decision events for them.
 */
enum {
	DECISION_CONNTRACK =
		0x40,		 /* connection tracking: another connection or state than before */
	DECISION_TRANSLATED,	 /* an address or a port has changed */
	DECISION_NOT_TRANSLATED, /* not translated by NAT, unlike other packets of the flow */
	DECISION_BRIDGED,	 /* br_netfilter passes the bridged packet to netfilter */
};

/**
 * struct decision - a decision about the path of a packet
 * @facts: the decision. For DECISION_CONNTRACK, its member result is the state of the connection, and its
 *	member number is the status. For DECISION_TRANSLATED and _NOT_TRANSLATED, number is the status
 * @at: time of the decision
 * @by: the function that has decided, or the probe point where the decision was seen; NULL for a route
 * @socket: for RECORD_SKB_DECISION_TAP, the process that has the packet socket; NULL if it is not known
 * @hop: number of devices that the packet had passed before the decision
 * @is_reverse: the kernel looked up a route to the source of the packet, to check the source address
 * @before, @now: for DECISION_TRANSLATED and _NOT_TRANSLATED: addresses and ports before and after NAT
 */
struct decision {
	struct decision_facts facts;
	uint64_t at;
	const struct name *by;
	const struct netns_name *socket;
	unsigned int hop;
	bool is_reverse;
	struct flow before, now;
};

/* Bits of a connection's status (enum ip_conntrack_status) that matter for the path of a packet. */
enum { CT_SRC_NAT = 1 << 4, CT_DST_NAT = 1 << 5, CT_OFFLOAD = 1 << 14 };

/* Maximum number of decisions that are kept for a copy; the recording can have more. */
#define MAX_DECISIONS 64

/* struct decisions - a list of @n decisions in order of time. The list is empty if all members are 0. */
struct decisions {
	struct decision *v;
	unsigned int n;
};

void decisions_add(struct decisions *decisions, const struct decision *decision);
/*
 * Add all decisions of @from to @decisions. If @move is true, @from is empty afterwards. If @move is false,
 * @decisions belongs to a copy of the packet, and decisions about packet sockets are left out.
 */
void decisions_take(struct decisions *decisions, struct decisions *from, bool move);
/* Remove all decisions. */
void decisions_free(struct decisions *decisions);

/* Return: true if the kernel looked up a route to the source of the packet, and not to its destination. */
bool decision_is_reverse(const struct decision_facts *facts, const struct flow *flow);

/*
 * Return: true if a packet socket did not get the packet. Return: false if the socket got it, or if that is
 * not known.
 */
bool decision_is_tap_loss(const struct decision_facts *facts);

/* Return: true if both flows have the same protocol, addresses and ports in the same direction. */
bool is_same_flow(const struct flow *a, const struct flow *b);

/** struct connection - what connection tracking knows about a packet, as in struct packet_facts */
struct connection {
	uint8_t ct;
	uint32_t status;
	bool bridged;
};

/* If the connection differs from @was, add a decision to @to, and update @was. */
void connection_see(struct connection *was, const struct packet_facts *facts,
		    const struct decision *decision, struct decisions *to);
/*
 * Add DECISION_TRANSLATED. Remove an earlier DECISION_NOT_TRANSLATED, because the packet is translated now.
 */
void decisions_add_translation(struct decisions *to, const struct decision *decision,
			       const struct flow *before, const struct flow *now, uint32_t status);

/**
 * struct translation - the addresses of a packet at a probe point, to detect NAT
 * @flow_number: number of the flow
 * @netns, @device, @point: where the packet is now
 * @before: addresses and ports of the packet when it was first seen
 * @now: addresses and ports of the packet now
 */
struct translation {
	uint32_t flow_number, netns;
	uint16_t device;
	const struct name *point;
	struct flow before, now;
};

/* For each flow, the places at which NAT has translated packets. */
struct translations;

struct translations *translations_new(void);
void translations_free(struct translations *translations);
/*
 * Add DECISION_NOT_TRANSLATED to @to if NAT has translated earlier packets of the flow at the same place, but
 * not this packet.
 */
void translations_see(struct translations *translations, const struct translation *seen,
		      const struct decision *decision, struct decisions *to);

/*
 * Return: the last change of the destination of a flow by NAT, with the addresses before and after it; NULL
 * if there was none. Answers must be changed back.
 */
const struct translation *translations_find_dnat(const struct translations *translations,
						 uint32_t flow_number);

#define DECISION_TEXT_LEN 512
/* Format a decision: "policy rule 100: table 100", "VRF blue". */
const char *words_decision(char *buf, const struct decision *decision);
/*
 * Format a decision that changes the path of the packet, for the column PATH: "table 100",
 * "IPVS 10.0.0.2:80". Return: NULL for other decisions.
 */
const char *words_decision_of_path(char *buf, const struct decision *decision);
/* Return: the kind of decision as one word, for programs that read the output. */
const char *decision_kind(const struct decision *decision);
/* Return: what Open vSwitch has done, as a word: "received", "output", "upcall", "conntrack", "meter". */
const char *decision_ovs_action(const struct decision *decision);
/* Return: state of the connection as conntrack(8) and nft(8) name it. */
const char *decision_ct_state(const struct decision *decision);
/* Return: true if the packet is a reply in its connection. */
bool decision_ct_is_reply(const struct decision *decision);
/* Return: forwarding method of IPVS, as ipvsadm(8) names it. */
const char *decision_ipvs_method(const struct decision *decision);
/* Return: action of a policy rule, as ip-rule(8) names it; NULL if the rule has a table. */
const char *decision_rule_action(const struct decision *decision);
/*
 * Return: what happened to a packet at a packet socket: "full" if its buffer was full, "lost" for another
 * loss, "unknown" if the socket may have the packet.
 */
const char *decision_tap_result(const struct decision *decision);
#define ADDRESS_TEXT_LEN 64
/* Format an address, with its port if it has one: "10.0.0.1:80", "[fd00::1]:80". */
const char *words_address(char *buf, const struct address *address);

#endif
