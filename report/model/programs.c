// SPDX-License-Identifier: GPL-2.0
/* programs.c - the BPF programs that have run on a packet, and their results as text */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/programs.h"
#include "record_skb.h"

/* The results with which a program drops a packet. */
enum { XDP_ABORTED_RESULT = 0, XDP_DROP_RESULT = 1, TC_SHOT_RESULT = 2, LWT_DROP_RESULT = 2 };
enum { TC_REDIRECT_RESULT = 7 };

static const char *const xdp_results[] = {
	"XDP_ABORTED", "XDP_DROP", "XDP_PASS", "XDP_TX", "XDP_REDIRECT",
};

/*
 * Names of the results of tc programs, beginning with the result -1. Programs in a tcx chain have the same
 * results.
 */
static const char *const tc_results[] = {
	"TC_ACT_UNSPEC", "TC_ACT_OK",	  "TC_ACT_RECLASSIFY", "TC_ACT_SHOT",	  "TC_ACT_PIPE",
	"TC_ACT_STOLEN", "TC_ACT_QUEUED", "TC_ACT_REPEAT",     "TC_ACT_REDIRECT", "TC_ACT_TRAP",
};

static bool is_tc(const struct program_facts *facts)
{
	return facts->type == PROGRAM_TC_CLASSIFIER || facts->type == PROGRAM_TC_ACTION;
}

/*
 * Return: true if the event adds the target to the last program. The module reports it when the kernel
 * redirects the packet.
 */
static bool adds_target(const struct programs *programs, const struct program_facts *facts)
{
	const struct program_facts *last = programs->n ? &programs->v[programs->n - 1] : NULL;

	return last && facts->to && !last->to && facts->type != PROGRAM_XDP &&
	       last->id == facts->id && last->result == facts->result &&
	       !strcmp(last->dev, facts->dev);
}

void programs_add(struct programs *programs, const struct program_facts *facts)
{
	struct program_facts *v;

	if (adds_target(programs, facts)) {
		programs->v[programs->n - 1] = *facts;
		return;
	}
	v = programs->n == MAX_PROGRAMS ? NULL :
					  realloc(programs->v, (programs->n + 1) * sizeof(*v));
	if (!v) {
		programs->n_passed = programs->n;
		return;
	}
	v[programs->n++] = *facts;
	programs->v = v;
}

void programs_free(struct programs *programs)
{
	free(programs->v);
	*programs = (struct programs){ NULL };
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Return: true if the kernel gives @reason when a program of this type drops a packet. */
static bool fits(uint8_t type, const char *reason)
{
	switch (type) {
	case PROGRAM_XDP:
		return true;
	case PROGRAM_TC_CLASSIFIER:
	case PROGRAM_TC_ACTION:
		return begins(reason, "TC_");
	case PROGRAM_SOCKET_FILTER:
		return !strcmp(reason, "SOCKET_FILTER");
	case PROGRAM_CGROUP_SKB:
		return !strcmp(reason, "SOCKET_FILTER") || begins(reason, "BPF_CGROUP_");
	case PROGRAM_NETFILTER:
		return begins(reason, "NETFILTER_");
	case PROGRAM_SK_LOOKUP:
	case PROGRAM_SK_REUSEPORT:
		return !strcmp(reason, "NO_SOCKET");
	}
	return !*reason || !strcmp(reason, "NOT_SPECIFIED");
}

bool program_refuses(const struct program_facts *facts)
{
	switch (facts->type) {
	case PROGRAM_XDP:
		return facts->result == XDP_ABORTED_RESULT || facts->result == XDP_DROP_RESULT;
	case PROGRAM_TC_CLASSIFIER:
	case PROGRAM_TC_ACTION:
		return facts->result == TC_SHOT_RESULT;
	case PROGRAM_LWT_IN:
	case PROGRAM_LWT_OUT:
	case PROGRAM_LWT_XMIT:
	case PROGRAM_LWT_SEG6LOCAL:
		return facts->result == LWT_DROP_RESULT;
	case PROGRAM_CGROUP_SKB:
	case PROGRAM_CGROUP_SOCK:
	case PROGRAM_CGROUP_SOCK_ADDR:
		return !(facts->result & 1);
	case PROGRAM_SK_MSG:
	case PROGRAM_SOCKET_FILTER:
	case PROGRAM_NETFILTER:
	case PROGRAM_SK_LOOKUP:
	case PROGRAM_SK_REUSEPORT:
		return !facts->result;
	}
	/* The result of a PROGRAM_SK_SKB may also be the length of a message; see program_result(). */
	return false;
}

/* Return: true if the hook runs all its programs, even if one of them refuses the packet. */
static bool is_one_of_all(const struct program_facts *facts)
{
	return facts->type != PROGRAM_XDP && !is_tc(facts);
}

/* Return: true if another event has the result of this program. */
static bool is_observed(const struct programs *programs, const struct program_facts *facts)
{
	for (unsigned int i = programs->n_passed; i < programs->n; i++)
		if (!programs->v[i].candidates && facts->id && programs->v[i].id == facts->id)
			return true;
	return false;
}

/*
 * Handle a drop that no result of a program explains. Return: the program that has dropped the packet, or the
 * first of several programs that may have done so; NULL if no program may have done so.
 */
static const struct program_facts *find_candidate(struct programs *programs, const char *reason)
{
	struct program_facts *found = NULL;
	const struct program_facts *first = NULL;
	unsigned int left = 0;

	for (unsigned int i = programs->n_passed; i < programs->n; i++) {
		struct program_facts *facts = &programs->v[i];

		if (!facts->candidates || !fits(facts->type, reason) ||
		    (first && facts->type != first->type))
			continue;
		if (!first) {
			first = facts;
			left = facts->candidates;
		}
		if (is_observed(programs, facts))
			left -= left > 0;
		else if (!found)
			found = facts;
	}
	/* In a damaged file, there may be more known results than candidates. */
	if (!found || !left)
		return NULL;
	found->candidates = left;
	return found;
}

/*
 * A tc classifier without "direct-action" returns the number of a class, which can be equal to TC_ACT_SHOT.
 * So a tc program has dropped the copy only if the kernel gives a drop reason of a tc hook.
 */
const struct program_facts *programs_dropping(struct programs *programs, const char *reason)
{
	for (unsigned int i = programs->n_passed; i < programs->n; i++) {
		const struct program_facts *facts = &programs->v[i];

		if (!facts->candidates && program_refuses(facts) && fits(facts->type, reason) &&
		    (is_one_of_all(facts) || i == programs->n - 1))
			return facts;
	}
	return find_candidate(programs, reason);
}

static const char *name_of(const char *const *names, unsigned int n, unsigned int place)
{
	return place < n ? names[place] : NULL;
}

#define NAME_OF(names, place) name_of(names, sizeof(names) / sizeof(*(names)), place)

const char *program_result(const struct program_facts *facts)
{
	static const char *const cgroup_results[] = { "deny", "allow", "deny, congestion",
						      "allow, congestion" };
	static const char *const socket_results[] = { "SK_DROP", "SK_PASS" };
	static const char *const netfilter_results[] = { "NF_DROP", "NF_ACCEPT" };

	if (facts->candidates)
		return NULL;
	switch (facts->type) {
	case PROGRAM_XDP:
		return NAME_OF(xdp_results, facts->result);
	case PROGRAM_TC_CLASSIFIER:
	case PROGRAM_TC_ACTION:
		/* Without a target, the packet was not redirected: the result is the number of a class. */
		if (facts->result == TC_REDIRECT_RESULT && !facts->to)
			return NULL;
		return NAME_OF(tc_results, facts->result + 1u);
	case PROGRAM_CGROUP_SKB:
		return NAME_OF(cgroup_results, facts->result);
	case PROGRAM_CGROUP_SOCK:
	case PROGRAM_CGROUP_SOCK_ADDR:
		/* The other bits of the result have a different meaning in each hook. */
		return cgroup_results[facts->result & 1];
	case PROGRAM_SK_SKB:
		/*
		 * Both kinds of programs of a sockmap have this type. A parser returns a length, and only a
		 * verdict program can name a target.
		 */
		return facts->to ? NAME_OF(socket_results, facts->result) : NULL;
	case PROGRAM_SK_MSG:
	case PROGRAM_SK_LOOKUP:
	case PROGRAM_SK_REUSEPORT:
		return NAME_OF(socket_results, facts->result);
	case PROGRAM_NETFILTER:
		return NAME_OF(netfilter_results, facts->result);
	case PROGRAM_LWT_IN:
	case PROGRAM_LWT_OUT:
	case PROGRAM_LWT_XMIT:
	case PROGRAM_LWT_SEG6LOCAL:
		return facts->result == 0		? "BPF_OK" :
		       facts->result == LWT_DROP_RESULT ? "BPF_DROP" :
		       facts->result == 7		? "BPF_REDIRECT" :
		       facts->result == 128		? "BPF_LWT_REROUTE" :
							  NULL;
	}
	return NULL;
}

bool program_is_classic(const struct program_facts *facts)
{
	return facts->type == PROGRAM_SOCKET_FILTER && !facts->id;
}

/* The names of each type of program: in JSON, and in text. */
static const struct {
	uint8_t type;
	const char *kind, *text;
} kinds[] = {
	{ PROGRAM_XDP, "xdp", "XDP program" },
	{ PROGRAM_TC_CLASSIFIER, "tc", "tc program" },
	{ PROGRAM_TC_ACTION, "tc", "tc program" },
	{ PROGRAM_SOCKET_FILTER, "socket_filter", "socket filter" },
	{ PROGRAM_CGROUP_SKB, "cgroup", "cgroup program" },
	{ PROGRAM_CGROUP_SOCK, "cgroup", "cgroup program" },
	{ PROGRAM_CGROUP_SOCK_ADDR, "cgroup", "cgroup program" },
	{ PROGRAM_LWT_IN, "lwt", "lwt program" },
	{ PROGRAM_LWT_OUT, "lwt", "lwt program" },
	{ PROGRAM_LWT_XMIT, "lwt", "lwt program" },
	{ PROGRAM_LWT_SEG6LOCAL, "lwt", "lwt program" },
	{ PROGRAM_SK_SKB, "sockmap", "sockmap program" },
	{ PROGRAM_SK_MSG, "sockmap", "sockmap program" },
	{ PROGRAM_SK_REUSEPORT, "reuseport", "reuseport program" },
	{ PROGRAM_SK_LOOKUP, "sk_lookup", "sk_lookup program" },
	{ PROGRAM_NETFILTER, "netfilter", "netfilter program" },
};

#define NR_KINDS (sizeof(kinds) / sizeof(*kinds))

const char *program_kind(const struct program_facts *facts)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		if (kinds[i].type == facts->type)
			return kinds[i].kind;
	return "other";
}

static const char *kind_text(const struct program_facts *facts)
{
	if (program_is_classic(facts))
		return "classic socket filter";
	for (size_t i = 0; i < NR_KINDS; i++)
		if (kinds[i].type == facts->type)
			return kinds[i].text;
	return "BPF program";
}

const char *words_target(char *buf, const struct program_facts *facts)
{
	static const char *const before_device[] = {
		[RECORD_SKB_TO_DEVICE] = " to ",
		[RECORD_SKB_TO_INPUT] = " to the ingress of ",
		[RECORD_SKB_TO_PEER] = " to the peer of ",
		[RECORD_SKB_TO_NEIGH] = " to a neighbour at ",
	};
	const char *before = NAME_OF(before_device, facts->to);
	char dev[ESCAPED_LEN(DEVICE_NAME_LEN)];
	const char *to = facts->to_dev[0] ? escape_text(dev, sizeof(dev), facts->to_dev) :
					    "a device that does not exist";

	snprintf(buf, TARGET_TEXT_LEN, "%s%s", before ? before : "", before ? to : "");
	switch (facts->to) {
	case RECORD_SKB_TO_DEVMAP:
		snprintf(buf, TARGET_TEXT_LEN, " to %s (key %u of devmap %u)", to, facts->to_index,
			 facts->to_map);
		break;
	case RECORD_SKB_TO_CPU:
		snprintf(buf, TARGET_TEXT_LEN, " to CPU %u (cpumap %u)", facts->to_index,
			 facts->to_map);
		break;
	case RECORD_SKB_TO_XSK:
		snprintf(buf, TARGET_TEXT_LEN, " to an AF_XDP socket (key %u of xskmap %u)",
			 facts->to_index, facts->to_map);
		break;
	case RECORD_SKB_TO_SENDER:
		snprintf(buf, TARGET_TEXT_LEN, " to be sent by a socket with port %u",
			 facts->to_index);
		break;
	case RECORD_SKB_TO_RECEIVER:
		snprintf(buf, TARGET_TEXT_LEN, " to the receive queue of a socket with port %u",
			 facts->to_index);
		break;
	case RECORD_SKB_TO_MAP:
		snprintf(buf, TARGET_TEXT_LEN, " by map %u", facts->to_map);
		break;
	}
	return buf;
}

const char *words_program(char *buf, const struct program_facts *facts)
{
	static const char *const sides[] = { "", " (ingress)", " (egress)" };
	char name[ESCAPED_LEN(RECORD_SKB_PROGRAM_NAME_LEN)], dev[ESCAPED_LEN(DEVICE_NAME_LEN)];
	const char *side = facts->type != PROGRAM_XDP && facts->dir < 3 ? sides[facts->dir] : "";
	char id[24] = "";

	if (facts->candidates > 1 && facts->type != PROGRAM_SOCKET_FILTER) {
		snprintf(buf, PROGRAM_TEXT_LEN, "one of %u %ss%s", facts->candidates,
			 kind_text(facts), side);
		return buf;
	}
	if (facts->id)
		snprintf(id, sizeof(id), " (id %u)", facts->id);
	/*
	 * A socket has only one filter. But in older kernels, a security module can also refuse packets, with
	 * the same drop reason.
	 */
	snprintf(buf, PROGRAM_TEXT_LEN, "%s%s%s%s%s%s%s%s", kind_text(facts),
		 facts->name[0] ? " " : "", escape_text(name, sizeof(name), facts->name), id,
		 facts->dev[0] ? " on " : "", escape_text(dev, sizeof(dev), facts->dev), side,
		 facts->candidates > 1 ? " or a security module" : "");
	return buf;
}
