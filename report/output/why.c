// SPDX-License-Identifier: GPL-2.0
/* why.c - print why packets were dropped and calls failed, and the command that shows the cause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "hash_table.h"
#include "model/packet_text.h"
#include "model/servers.h"
#include "output/json_line.h"
#include "output/see_line.h"
#include "output/tap_losses.h"
#include "output/why.h"

/* Maximum number of packets of a group that are listed in addition to the first packet. */
#define LISTED 8
/* Number of groups that are printed for each cause, unless the user has set a number. */
#define GROUPS_OF_CAUSE 5

enum what { DROPPED, MAYBE_DROPPED, RESET, CALL_FAILED, CALL_REDIRECTED };

/* Totals of all packets that were dropped, or of all calls that failed, for one cause. */
struct cause_total {
	uint64_t nr, ts;
	unsigned int printed; /* number of groups that were printed */
	uint64_t rest;	      /* number of packets in groups that were not printed */
	uint64_t rest_groups;
};

/*
 * struct group - packets with the same cause, end, command and server
 * @reset: for RESET: the origin of the first packet. For CALL_FAILED: the packet that made the call fail;
 *	@reset.packet is 0 if no packet did. This is a copy, because struct resets forgets its oldest elements
 *	while the recording is read
 * @head: the line about the first packet
 * @outcome: description of the end of the packets
 * @nr: number of packets
 * @newest: number of the packet that was added last
 * @others: numbers of some further packets
 */
struct group {
	enum what what;
	struct cause_total *total;
	struct explanation explanation;
	const struct server *server;
	struct reset reset;
	char *head, *outcome;
	const char *reason;
	uint64_t nr, ts, again;
	uint32_t first, newest;
	uint32_t others[LISTED];
	unsigned int nr_others;
};

struct why {
	const struct why_options *options;
	struct explanations *explanations;
	const struct resets *resets;
	struct packets **packets;
	struct servers *servers;
	/* table of struct group, by a hash of the properties that all packets of a group have in common */
	struct table groups;
	struct table causes; /* table of struct cause_total, by a hash of cause and end */
	struct tap_losses taps;
	bool found;
	bool is_located; /* the output shows the place of a drop */
	bool is_unsure;	 /* the recording does not show the end of a packet */
	uint64_t freed;	 /* number of packets that the kernel freed without a reason */
	uint64_t lost;	 /* number of packets that left a host and did not arrive at the next one */
	bool no_memory;
};

struct why *why_new(const struct why_options *options, struct explanations *explanations,
		    const struct resets *resets, struct packets **packets)
{
	struct why *why = calloc(1, sizeof(*why));

	if (!why)
		return NULL;
	why->options = options;
	why->explanations = explanations;
	why->resets = resets;
	why->packets = packets;
	why->servers = servers_new();
	if (why->servers)
		return why;
	free(why);
	return NULL;
}

void why_free(struct why *why)
{
	struct group *group;
	size_t i = 0;

	if (!why)
		return;
	while ((group = table_next(&why->groups, &i))) {
		free(group->head);
		free(group->outcome);
	}
	table_free(&why->groups);
	table_free(&why->causes);
	servers_free(why->servers);
	tap_losses_free(&why->taps);
	free(why);
}

bool why_shows_places(const struct why *why)
{
	return why->is_located;
}

bool why_found(const struct why *why)
{
	return why->found;
}

/* Groups */

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
	return (hash ^ number) * 0x9e3779b97f4a7c15ull;
}

static uint64_t hash_cause(const struct group *like)
{
	const struct explanation *explanation = &like->explanation;
	uint64_t hash = hash_number(HASH_BEGIN, like->what);

	hash = hash_number(hash, (uintptr_t)explanation->says);
	hash = hash_number(hash, (uintptr_t)explanation->rule);
	return hash_text(hash, like->outcome);
}

static bool is_same(const struct group *a, const struct group *b)
{
	return a->what == b->what && a->explanation.says == b->explanation.says &&
	       a->explanation.rule == b->explanation.rule &&
	       a->explanation.netns == b->explanation.netns && a->server == b->server &&
	       !strcmp(a->explanation.command, b->explanation.command) &&
	       !strcmp(a->outcome, b->outcome);
}

static struct cause_total *total_of(struct why *why, const struct group *like)
{
	const struct table_key key = { .number = hash_cause(like) };
	struct cause_total *total = table_find(&why->causes, key);

	if (!total) {
		total = table_add(&why->causes, key, calloc(1, sizeof(*total)));
		if (total)
			total->ts = like->ts;
	}
	return total;
}

/*
 * Add a group. @like has the values that are the same for all packets of the group. @head is the line about
 * the first packet.
 */
static struct group *add_group(struct why *why, struct table_key key, const struct group *like)
{
	struct group *group = calloc(1, sizeof(*group));

	if (!group)
		return NULL;
	*group = *like;
	group->head = strdup(like->head);
	group->outcome = strdup(like->outcome);
	group->total = total_of(why, like);
	if (group->head && group->outcome && group->total)
		return table_add(&why->groups, key, group);
	free(group->head);
	free(group->outcome);
	free(group);
	return NULL;
}

/* Add @nr packets or calls to the group that they belong to. @like describes the first of these packets. */
static void add_to_group(struct why *why, const struct group *like, uint64_t nr)
{
	struct table_key key = { .number = hash_text(hash_cause(like), like->explanation.command) };
	struct group *group = NULL;

	key.number = hash_number(key.number, (uintptr_t)like->server);
	/*
	 * If another group has the same hash, try the next numbers. With the number of a packet as argument,
	 * --why prints each copy of this packet as a group of its own.
	 */
	for (; (group = table_find(&why->groups, key)); key.number++) {
		if (!why->options->number && is_same(group, like))
			break;
	}
	/* Count a packet only once, even if several copies of it have the same cause. */
	if (group && like->first && group->newest == like->first)
		return;
	if (!group)
		group = add_group(why, key, like);
	else if (group->nr_others < LISTED)
		group->others[group->nr_others++] = like->first;
	if (!group) {
		why->no_memory = true;
		return;
	}
	group->newest = like->first;
	group->nr += nr;
	group->again += like->again;
	group->total->nr += nr;
}

/* Packets */

static void explain_one_copy(struct why *why, const struct packet *packet, const struct copy *copy,
			     const struct server *server)
{
	const struct copy *seen = last_seen_copy(packet, copy);
	const struct devices *devices = packets_devices(*why->packets);
	const bool is_freed = copy->outcome.verdict == VERDICT_FREED;
	char number[NUMBER_LEN], time[TIME_LEN], flow[FLOW_TEXT_LEN], outcome[VERDICT_LEN];
	char head[NUMBER_LEN + TIME_LEN + FLOW_TEXT_LEN + VERDICT_LEN + 32];
	struct group like = {
		.what = is_freed ? MAYBE_DROPPED : DROPPED,
		.server = server,
		.head = head,
		.outcome = outcome,
		.ts = copy->last ? copy->last : packet->last,
		.again = is_freed && copy->again,
		.first = packet->number,
	};

	if (!explain_copy(why->explanations, packet, copy, &like.explanation)) {
		why->freed++;
		return;
	}
	why->is_located |= like.explanation.location != NULL;
	words_outcome(outcome, &copy->outcome, devices);
	snprintf(head, sizeof(head), "#%s %s  %s: %s%s", words_number(number, packet, copy),
		 words_time(time, like.ts), words_flow(flow, &seen->flow_now),
		 is_freed ? "possibly dropped: " : "", outcome);
	add_to_group(why, &like, 1);
}

/* Resets */

/*
 * Add the command that shows the cause of a reset. The first device of a packet that this machine has sent is
 * in the namespace of the sender.
 */
static void add_reset_command(const struct why *why, const struct packet *packet,
			      const struct reset *reset, struct explanation *explanation)
{
	const struct path *path = &packet->copies[0]->path;
	const struct device *device =
		path->n ? devices_get(packets_devices(*why->packets), path->hops[0].device) : NULL;

	if (packet->copies[0]->dir != RECORD_SKB_DIR_TX || !device ||
	    !reset_command(explanation->command, reset))
		explanation->command[0] = '\0';
	else
		explanation->netns = device->netns;
}

static void explain_reset(struct why *why, const struct packet *packet, const struct server *server)
{
	const struct reset *reset = resets_find(why->resets, packet->number);
	const struct copy *first = packet->copies[0];
	char number[NUMBER_LEN], time[TIME_LEN], flow[FLOW_TEXT_LEN], outcome[RESET_LEN];
	char head[NUMBER_LEN + TIME_LEN + FLOW_TEXT_LEN + 32];
	struct group like = {
		.what = RESET,
		.server = server,
		.head = head,
		.outcome = outcome,
		.ts = packet->first,
		.first = packet->number,
	};

	if (!reset || !reset->is_tcp)
		return;
	like.reset = *reset;
	add_reset_command(why, packet, reset, &like.explanation);
	words_reset(outcome, reset, false);
	snprintf(number, sizeof(number), "%u", packet->number);
	snprintf(head, sizeof(head), "#%s %s  %s: TCP reset", number, words_time(time, like.ts),
		 words_flow(flow, &first->flow));
	add_to_group(why, &like, 1);
}

static void explain_packet(void *data, const struct packet *packet)
{
	struct why *why = data;
	const struct server *server = servers_add(why->servers, packet);
	char verdict[VERDICT_LEN];
	const size_t before = why->groups.nr;

	if (why->options->number && packet->number != why->options->number) {
		explanations_forget(why->explanations, packet);
		return;
	}
	why->found = true;
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const enum verdict end = packet->copies[i]->outcome.verdict;

		if (end == VERDICT_FREED || end == VERDICT_DROPPED)
			explain_one_copy(why, packet, packet->copies[i], server);
	}
	why->lost += packet->decided->outcome.verdict == VERDICT_LOST;
	why->is_unsure |= packet->decided->outcome.verdict == VERDICT_UNKNOWN;
	explain_reset(why, packet, server);
	tap_losses_add(&why->taps, packet);
	explanations_forget(why->explanations, packet);
	if (why->options->number && why->groups.nr == before && !why->options->json)
		printf("#%u%s: %s\n", packet->number,
		       packet->decided->outcome.verdict == VERDICT_UNKNOWN ? "" :
									     " was not dropped",
		       words_verdict(verdict, packet, packets_devices(*why->packets)));
}

static void forget_other(void *data, const struct packet *packet)
{
	explanations_forget(((struct why *)data)->explanations, packet);
}

/* Calls */

static bool is_asked_for(const struct why *why, const struct failed_call *call)
{
	if (why->options->number)
		return false;
	if (why->options->chosen->by_flow)
		return call->flow_number == why->options->chosen->flow;
	return !chosen_any(why->options->chosen);
}

static void add_call(void *data, const struct failed_call *call)
{
	struct why *why = data;
	const struct reset *reset = resets_of_call(why->resets, call);
	char flow[FLOW_TEXT_LEN], time[TIME_LEN], head[FLOW_TEXT_LEN + TIME_LEN + CALL_END_LEN + 8];
	char what[CALL_END_LEN];
	struct group like = {
		.what = call->error ? CALL_FAILED : CALL_REDIRECTED,
		.server = call->flow_number ? servers_of_flow(why->servers, call->flow_number) :
					      NULL,
		.head = head,
		.outcome = what,
		.ts = call->ts,
	};

	if (!is_asked_for(why, call))
		return;
	explain_call(why->explanations, call, &like.explanation);
	if (reset)
		like.reset = *reset;
	flow_text_call(flow, &call->flow);
	words_call_end(what, call);
	snprintf(head, sizeof(head), "%s  %s: %s", words_time(time, call->ts), flow, what);
	add_to_group(why, &like, call->nr);
}

/* Printing */

/*
 * Return: the rank of the section of the output in which the group is printed. Drops have the rank 0 and come
 * first.
 */
static int part_of(const struct group *group)
{
	return group->what < RESET ? 0 : (int)group->what;
}

static int by_time(const void *a, const void *b)
{
	const struct group *const *x = a, *const *y = b;

	/* Drops come first, then resets and failed calls. */
	if (part_of(*x) != part_of(*y))
		return part_of(*x) - part_of(*y);
	if ((*x)->first != (*y)->first)
		return (*x)->first < (*y)->first ? -1 : 1;
	return ((*x)->ts > (*y)->ts) - ((*x)->ts < (*y)->ts);
}

/*
 * Sort by number: first the cause with the most packets, and within each cause, first the group with the most
 * packets.
 */
static int by_number(const void *a, const void *b)
{
	const struct group *const *x = a, *const *y = b;

	if (part_of(*x) != part_of(*y))
		return part_of(*x) - part_of(*y);
	if ((*x)->total->nr != (*y)->total->nr)
		return (*x)->total->nr > (*y)->total->nr ? -1 : 1;
	if ((*x)->total->ts != (*y)->total->ts)
		return (*x)->total->ts < (*y)->total->ts ? -1 : 1;
	if ((*x)->nr != (*y)->nr)
		return (*x)->nr > (*y)->nr ? -1 : 1;
	return by_time(a, b);
}

static void print_others(const struct group *group)
{
	const uint64_t more = group->nr - 1;

	if (!more)
		return;
	printf("    and %llu more", (unsigned long long)more);
	if (group->what >= CALL_FAILED)
		printf(" call%s", more == 1 ? "" : "s");
	for (unsigned int i = 0; group->what < CALL_FAILED && i < group->nr_others; i++)
		printf("%s#%u", i ? " " : ": ", group->others[i]);
	printf("%s\n", group->what < CALL_FAILED && more > group->nr_others ? " ..." : "");
}

static struct see see_of(const struct why *why, const struct explanation *explanation)
{
	return (struct see){
		.command = explanation->command,
		.netns = explanation->netns,
		.devices = packets_devices(*why->packets),
	};
}

static void print_group(const struct why *why, const struct group *group)
{
	const struct explanation *explanation = &group->explanation;
	const struct see see = see_of(why, explanation);
	char text[EXPLANATION_LEN], origin[RESET_LEN];

	puts(group->head);
	if (group->what == RESET)
		printf("    %s\n", words_reset(origin, &group->reset, true));
	else if (explanation->by_packet)
		printf("    its packet #%u was dropped: see there\n", explanation->by_packet);
	else
		printf("    %s\n", words_explanation(text, why->explanations, explanation));
	if (group->what == CALL_FAILED && group->reset.packet)
		printf("    by #%u, %s\n", group->reset.packet,
		       words_reset(origin, &group->reset, true));
	see_print("    ", &see);
	if (group->again && group->nr == 1)
		printf("    it is a retransmission\n");
	else if (group->again)
		printf("    %llu of them are retransmissions\n", (unsigned long long)group->again);
	print_others(group);
}

static void print_group_json(const struct why *why, const struct group *group)
{
	static const char *const whats[] = { "dropped", "possibly dropped", "reset", "call failed",
					     "call redirected" };
	const struct explanation *explanation = &group->explanation;
	const struct see see = see_of(why, explanation);
	struct json_object *object = json_new_object("cause");
	struct json_object *packets = json_object_new_array();
	char text[EXPLANATION_LEN], origin[RESET_LEN];

	json_add_text(object, "what", whats[group->what]);
	json_add_text(object, "end", group->outcome);
	if (group->what == RESET) {
		json_add_text(object, "cause", words_reset(origin, &group->reset, true));
		if (*group->reset.reason)
			json_add_text(object, "reset_reason", group->reset.reason);
		if (group->reset.unread_bytes)
			json_add_number(object, "unread_bytes", group->reset.unread_bytes);
	} else {
		json_add_text(object, "cause",
			      words_explanation(text, why->explanations, explanation));
	}
	if (explanation->location)
		json_add_text(object, "location", explanation->location);
	if (explanation->source)
		json_add_text(object, "source", explanation->source);
	if (group->what == CALL_FAILED && group->reset.packet)
		json_add_number(object, "reset", group->reset.packet);
	see_add(object, &see);
	if (explanation->limit.kind)
		json_add_limit(object, &explanation->limit);
	if (group->server && group->server->is_known)
		json_add_server(object, group->server);
	json_add_number(object, "count", group->nr);
	json_add_time(object, "time", group->ts);
	if (group->again)
		json_add_number(object, "retransmissions", group->again);
	if (group->what < CALL_FAILED)
		json_object_array_add(packets, json_object_new_int64(group->first));
	else if (explanation->by_packet)
		json_object_array_add(packets, json_object_new_int64(explanation->by_packet));
	for (unsigned int i = 0; group->what < CALL_FAILED && i < group->nr_others; i++)
		json_object_array_add(packets, json_object_new_int64(group->others[i]));
	json_add(object, "packets", packets);
	json_print_object(object);
}

/* Return: true if the group has to be printed. Otherwise, count its packets as not printed. */
static bool is_in_top(const struct why *why, struct group *group, size_t i)
{
	struct cause_total *total = group->total;

	if (why->options->top ? i < why->options->top :
				total->printed < GROUPS_OF_CAUSE || why->options->json) {
		total->printed++;
		return true;
	}
	total->rest += group->nr;
	total->rest_groups++;
	return false;
}

/*
 * Print how many packets of a cause were left out. They are in groups with other servers or other commands.
 */
static void print_rest(const struct group *group)
{
	const struct cause_total *total = group->total;

	if (total->rest)
		printf("and %llu more in %llu other group%s: %s\n", (unsigned long long)total->rest,
		       (unsigned long long)total->rest_groups, plural_of(total->rest_groups),
		       group->outcome);
}

static void print_groups(struct why *why, struct group **groups, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (is_in_top(why, groups[i], i)) {
			if (why->options->json)
				print_group_json(why, groups[i]);
			else
				print_group(why, groups[i]);
		}
		/*
		 * After the last group of a cause, print how many packets of this cause were left out. The
		 * groups of a cause are adjacent if groups are sorted by number.
		 */
		if (!why->options->json && !why->options->top && !why->options->by_time &&
		    (i + 1 == n || groups[i + 1]->total != groups[i]->total))
			print_rest(groups[i]);
	}
	if (!why->options->json && why->options->top && n > why->options->top)
		printf("and %zu more group%s\n", n - why->options->top,
		       plural_of(n - why->options->top));
}

/* Print that nothing was dropped, as far as the recording shows it. */
static void print_nothing(const struct why *why)
{
	const uint64_t others = explanations_other_calls(why->explanations);
	const struct lost_events *losses = packets_losses(*why->packets);
	const bool knows_all = !losses->n && !losses->calls &&
			       !module_losses_any(&losses->module) &&
			       !packets_incomplete(*why->packets) && !why->is_unsure;

	printf("%snothing was dropped%s", knows_all ? "" : "as far as recorded, ",
	       hosts_count() ? " on the hosts" : "");
	if (others)
		printf("; %llu call%s failed with an error that has no explanation here\n",
		       (unsigned long long)others, plural_of(others));
	else
		puts(", and no call refused");
}

static void print_all(void *data)
{
	struct why *why = data;
	struct group **sorted, *group;
	size_t i = 0, n = 0;

	explanations_each_call(why->explanations, add_call, why);
	sorted = calloc(why->groups.nr + 1, sizeof(*sorted));
	while (sorted && (group = table_next(&why->groups, &i)))
		sorted[n++] = group;
	if (n)
		qsort(sorted, n, sizeof(*sorted),
		      why->options->by_time || why->options->number ? by_time : by_number);
	print_groups(why, sorted, n);
	free(sorted);
	tap_losses_print(&why->taps, why->options->json);
	if (why->no_memory || !sorted)
		fputs("not all causes are in it: out of memory\n", stderr);
	if (why->options->json)
		return;
	if (!n && !why->options->number)
		print_nothing(why);
	if (why->lost && !why->options->number)
		printf("%llu left a host and did not arrive at the next one: --list --verdict lost\n",
		       (unsigned long long)why->lost);
	if (why->freed && !why->options->number)
		printf("%llu freed without a reason, as the kernel frees what it is done with\n",
		       (unsigned long long)why->freed);
}

const struct output why_output = { .packet = explain_packet,
				   .other = forget_other,
				   .end = print_all };
