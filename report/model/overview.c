// SPDX-License-Identifier: GPL-2.0
/* overview.c - add up what a recording shows about all its packets, for the summary */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/overview.h"
#include "model/packet_headers.h"
#include "model/packet_text.h"

/* The first NR_STEPS elements of @times are for steps between stages, the others for kinds of delays. */
#define NR_STEPS (STAGES * STAGES)
#define NR_TIMES (NR_STEPS + DELAYS)

/* A sorted list of pointers. */
struct list {
	void **v;
	size_t n;
};

struct overview {
	struct stages *stages;
	struct packets **packets;
	struct explanations *explanations;
	const struct resets *resets;
	struct open_waits *waits;
	struct delays *delays;
	struct servers *servers;
	struct table happened; /* table of struct happened, by a hash of rank and text */
	struct stage_time *times[NR_TIMES];
	uint64_t nr, first, last, last_packet;
	struct list sorted_happened, sorted_times, sorted_servers;
	bool no_memory;
};

static void add_time(struct overview *overview, unsigned int which, uint64_t ns, uint32_t packet)
{
	struct stage_time **time = &overview->times[which];

	if (!*time) {
		*time = calloc(1, sizeof(**time));
		if (!*time) {
			overview->no_memory = true;
			return;
		}
		if (which < NR_STEPS)
			snprintf((*time)->name, sizeof((*time)->name), "%s -> %s",
				 stage_name(which / STAGES), stage_name(which % STAGES));
		else
			snprintf((*time)->name, sizeof((*time)->name), "%s",
				 delay_name(which - NR_STEPS));
	}
	overview->no_memory |= !histogram_add(&(*time)->times, ns, packet);
}

static void add_step(struct overview *overview, const struct step *step, uint32_t packet)
{
	const unsigned int which = step->from * STAGES + step->to;
	const uint64_t error = step_clock_error(step);

	add_time(overview, which, step->ns, packet);
	if (overview->times[which] && error > overview->times[which]->times.clock_error)
		overview->times[which]->times.clock_error = error;
}

/*
 * Return: true for delays between two packets. Other kinds of delays are a part of a stage of one packet, or
 * are not really delays.
 */
static bool is_between_packets(enum delay_kind kind)
{
	switch (kind) {
	case DELAY_ANSWER:
	case DELAY_ANSWER_UNREAD:
	case DELAY_EITHER:
	case DELAY_AWAY:
	case DELAY_RESENT:
	case DELAY_WINDOW:
	case DELAY_NAGLE:
	case DELAY_CONGESTION:
	case DELAY_CORKED:
	case DELAY_PACED:
	case DELAY_HELD:
		return true;
	default:
		return false;
	}
}

static void add_delay(void *data, const struct delay *delay, uint32_t flow, unsigned int dir)
{
	(void)flow;
	(void)dir;
	if (is_between_packets(delay->kind))
		add_time(data, NR_STEPS + delay->kind, delay->ns, delay->number);
}

struct overview *overview_create(struct stages *stages, struct packets **packets,
				 const struct socket_reads *reads,
				 struct explanations *explanations, const struct resets *resets)
{
	struct overview *overview = calloc(1, sizeof(*overview));

	if (!overview)
		return NULL;
	overview->stages = stages;
	overview->packets = packets;
	overview->explanations = explanations;
	overview->resets = resets;
	overview->servers = servers_new();
	overview->delays = delays_new(stages, add_delay, overview);
	overview->waits = open_waits_new(packets, reads);
	if (overview->servers && overview->delays && overview->waits)
		return overview;
	overview_free(overview);
	return NULL;
}

void overview_free(struct overview *overview)
{
	struct happened *happened;
	size_t i = 0;

	if (!overview)
		return;
	while ((happened = table_next(&overview->happened, &i)))
		free(happened->text);
	table_free(&overview->happened);
	open_waits_free(overview->waits);
	for (i = 0; i < NR_TIMES; i++) {
		if (overview->times[i])
			histogram_free(&overview->times[i]->times);
		free(overview->times[i]);
	}
	free(overview->sorted_happened.v);
	free(overview->sorted_times.v);
	free(overview->sorted_servers.v);
	if (overview->delays)
		delays_free(overview->delays);
	servers_free(overview->servers);
	free(overview);
}

/* What happened */

static bool is_same(const struct happened *happened, enum happened_rank rank, const char *end,
		    const struct explanation *explanation)
{
	return happened->rank == rank && happened->explanation.says == explanation->says &&
	       happened->explanation.rule == explanation->rule && !strcmp(happened->text, end);
}

/* Return: the row for this kind of end, which is added if necessary; NULL if there is not enough memory. */
static struct happened *happened_of(struct overview *overview, enum happened_rank rank,
				    const char *end, const struct explanation *explanation)
{
	const uint64_t cause = (uintptr_t)explanation->says ^ (uintptr_t)explanation->rule;
	struct table_key key = { .number = hash_text(HASH_BEGIN ^ rank ^ cause, end) };
	struct happened *happened;

	/* If another row has the same hash, try the next numbers. */
	for (; (happened = table_find(&overview->happened, key)); key.number++) {
		if (is_same(happened, rank, end, explanation))
			return happened;
	}
	happened = calloc(1, sizeof(*happened));
	if (!happened || !(happened->text = strdup(end))) {
		free(happened);
		overview->no_memory = true;
		return NULL;
	}
	happened->rank = rank;
	happened->explanation = *explanation;
	return table_add(&overview->happened, key, happened);
}

static void note_cause(struct overview *overview, enum happened_rank rank, const char *end,
		       bool extra, const struct explanation *explanation,
		       const struct packet *packet, const struct server *server)
{
	struct happened *happened = happened_of(overview, rank, end, explanation);

	if (!happened || happened->newest == packet->number)
		return;
	happened->newest = packet->number;
	if (!happened->nr++) {
		happened->example = packet->number;
		happened->ts = packet->first;
		happened->server = server;
		happened->is_extra = extra;
	}
	happened->nr_server += happened->server == server;
	happened->nr_mtu += is_mtu_error(&packet->copies[0]->flow);
}

static void note_end(struct overview *overview, enum happened_rank rank, const char *end,
		     bool extra, const struct packet *packet, const struct server *server)
{
	note_cause(overview, rank, end, extra, &(struct explanation){ 0 }, packet, server);
}

static void note_drop(struct overview *overview, const struct packet *packet,
		      const struct copy *copy, const struct server *server)
{
	const bool is_decisive = copy == packet->decided;
	struct explanation explanation;
	char end[WHY_LEN + 32];

	explain_copy(overview->explanations, packet, copy, &explanation);
	snprintf(end, sizeof(end), "%s, %s", is_decisive ? "dropped" : "a copy was dropped",
		 copy->outcome.reason);
	note_cause(overview, is_decisive ? HAPPENED_DROPPED : HAPPENED_COPY_DROPPED, end,
		   !is_decisive, &explanation, packet, server);
}

static void note_freed(struct overview *overview, const struct packet *packet,
		       const struct server *server)
{
	struct explanation explanation;

	if (explain_copy(overview->explanations, packet, packet->decided, &explanation))
		note_cause(overview, HAPPENED_MAYBE_DROPPED, "possibly dropped", false,
			   &explanation, packet, server);
	else
		note_end(overview, HAPPENED_FREED,
			 "freed without a reason, as the kernel frees what it is done with", false,
			 packet, server);
}

/*
 * Add a row for socket calls that failed in the same way, or for calls after which a program redirected the
 * data.
 */
static void note_call(void *data, const struct failed_call *call)
{
	struct overview *overview = data;
	struct explanation explanation;
	struct happened *happened;
	char end[CALL_END_LEN];

	explain_call(overview->explanations, call, &explanation);
	words_call_end(end, call);
	happened = happened_of(overview, call->error ? HAPPENED_REFUSED : HAPPENED_REDIRECTED, end,
			       &explanation);
	if (!happened)
		return;
	if (!happened->nr) {
		happened->ts = call->ts;
		happened->example = explanation.by_packet;
		happened->is_extra = true;
	}
	happened->nr += call->nr;
}

static void note_outcome(struct overview *overview, const struct packet *packet,
			 const struct server *server)
{
	static const struct {
		enum happened_rank rank;
		const char *text;
	} rows[VERDICTS] = {
		[VERDICT_UNKNOWN] = { HAPPENED_UNKNOWN, "the recording does not show the end" },
		[VERDICT_QUEUED] = { HAPPENED_QUEUED, "in a queue at the end of the recording" },
		[VERDICT_DELIVERED] = { HAPPENED_DELIVERED, "delivered to a socket" },
		[VERDICT_TAPPED] = { HAPPENED_TAPPED, "tapped by a packet socket" },
		[VERDICT_CONSUMED] = { HAPPENED_CONSUMED, "consumed by a protocol" },
		[VERDICT_FORWARDED] = { HAPPENED_FORWARDED, "forwarded out of a device" },
		[VERDICT_SENT] = { HAPPENED_SENT, "sent out of a device" },
		[VERDICT_LOST] = { HAPPENED_LOST, NULL },
		[VERDICT_COPIED] = { HAPPENED_COPIED, "went on as copies" },
	};
	const enum verdict verdict = packet->decided->outcome.verdict;
	char text[VERDICT_LEN];

	if (verdict == VERDICT_LOST)
		note_end(overview, HAPPENED_LOST,
			 words_outcome(text, &packet->decided->outcome,
				       packets_devices(*overview->packets)),
			 true, packet, server);
	else if (verdict == VERDICT_FREED)
		note_freed(overview, packet, server);
	else if (verdict != VERDICT_DROPPED)
		note_end(overview, rows[verdict].rank, rows[verdict].text, false, packet, server);
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (packet->copies[i]->outcome.verdict == VERDICT_DROPPED)
			note_drop(overview, packet, packet->copies[i], server);
	}
}

/* Write the name of an ICMP error: "port unreachable". */
static void write_icmp_name(char *buf, size_t size, const struct flow *flow)
{
	char text[FLOW_TEXT_LEN], *name;

	words_flow(text, flow);
	name = strstr(text, " > ");
	name = name ? strchr(name + strlen(" > "), ' ') : NULL;
	snprintf(buf, size, "%s", name ? name + 1 : "error");
}

/* Add a packet to the row of TCP resets or ICMP errors that have the same origin. */
static void note_reset(struct overview *overview, enum happened_rank rank, const char *what,
		       const struct packet *packet, const struct server *server)
{
	const struct reset *reset = resets_find(overview->resets, packet->number);
	const struct explanation none = { 0 };
	struct happened *happened;
	char text[RESET_LEN + FLOW_TEXT_LEN + 32], origin[RESET_LEN];

	snprintf(text, sizeof(text), "%s%s%s", what, reset ? ", " : "",
		 reset ? words_reset(origin, reset, false) : "");
	note_end(overview, rank, text, true, packet, server);
	happened = reset && reset->unread_bytes ? happened_of(overview, rank, text, &none) : NULL;
	if (!happened)
		return;
	happened->unread += reset->unread_bytes;
	happened->nr_unread++;
}

/*
 * Add a packet to the rows of its other properties, such as retransmission. These rows do not depend on the
 * end of the packet.
 */
static void note_properties(struct overview *overview, const struct packet *packet,
			    const struct server *server)
{
	const struct copy *first = packet->copies[0];
	char name[FLOW_TEXT_LEN], what[FLOW_TEXT_LEN + 8];

	if (first->flow.family && first->flow.proto == PROTO_TCP && first->tcp_flags & TCP_RST)
		note_reset(overview, HAPPENED_RESET, "TCP reset", packet, server);
	if (is_icmp_error(&first->flow)) {
		write_icmp_name(name, sizeof(name), &first->flow);
		snprintf(what, sizeof(what), "ICMP %s", name);
		note_reset(overview, HAPPENED_ICMP_ERROR, what, packet, server);
	}
	if (first->again)
		note_end(overview, HAPPENED_AGAIN, "retransmissions", true, packet, server);
}

/* Add a packet to the rows of the packet sockets that did not get it. */
static void note_taps(struct overview *overview, const struct packet *packet,
		      const struct server *server)
{
	char text[DECISION_TEXT_LEN];

	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct decisions *decisions = &packet->copies[i]->path.decisions;

		for (unsigned int k = 0; k < decisions->n; k++) {
			if (decision_is_tap_loss(&decisions->v[k].facts))
				note_end(overview, HAPPENED_NOT_TAPPED,
					 words_decision(text, &decisions->v[k]), true, packet,
					 server);
		}
	}
}

/* Packets */

static void note_end_of_packet(struct overview *overview, const struct packet *packet,
			       const struct way *way)
{
	uint64_t last = packet->last;

	for (unsigned int i = 0; way && i < way->nr_visits; i++) {
		if (way->visits[i].read > last)
			last = way->visits[i].read;
	}
	if (last > overview->last_packet)
		overview->last_packet = last;
}

void overview_add(struct overview *overview, const struct packet *packet)
{
	const struct way *way = stages_way(overview->stages, packet->number);
	const struct server *server;

	servers_set_losses(overview->servers, packets_losses(*overview->packets));
	server = servers_add(overview->servers, packet);
	if (!overview->nr++ || packet->first < overview->first)
		overview->first = packet->first;
	note_end_of_packet(overview, packet, way);
	delays_packet(overview->delays, packet);
	for (unsigned int i = 0; way && i < way->nr_steps; i++)
		add_step(overview, &way->steps[i], packet->number);
	note_outcome(overview, packet, server);
	note_properties(overview, packet, server);
	note_taps(overview, packet, server);
	open_waits_add(overview->waits, packet, way, server);
	stages_forget(overview->stages, packet->number);
	explanations_forget(overview->explanations, packet);
}

void overview_add_other(struct overview *overview, const struct packet *packet)
{
	servers_set_losses(overview->servers, packets_losses(*overview->packets));
	servers_hear(overview->servers, packet);
	stages_forget(overview->stages, packet->number);
	explanations_forget(overview->explanations, packet);
}

/* Sorting */

static int by_rank(const void *a, const void *b)
{
	const struct happened *const *x = a, *const *y = b;

	if ((*x)->rank != (*y)->rank)
		return (*x)->rank < (*y)->rank ? -1 : 1;
	if ((*x)->nr != (*y)->nr)
		return (*x)->nr > (*y)->nr ? -1 : 1;
	return ((*x)->ts > (*y)->ts) - ((*x)->ts < (*y)->ts);
}

static int by_sum(const void *a, const void *b)
{
	const struct stage_time *const *x = a, *const *y = b;

	return ((*x)->times.sum < (*y)->times.sum) - ((*x)->times.sum > (*y)->times.sum);
}

static int by_packets(const void *a, const void *b)
{
	const struct server *const *x = a, *const *y = b;
	const uint64_t in = (*x)->packets[0] + (*x)->packets[1];
	const uint64_t other = (*y)->packets[0] + (*y)->packets[1];

	if (in != other)
		return in > other ? -1 : 1;
	return ((*x)->example > (*y)->example) - ((*x)->example < (*y)->example);
}

/* Put the objects of a table into @list, and sort them. */
static void sort_table(struct overview *overview, struct list *list, const struct table *table,
		       int (*compare)(const void *a, const void *b))
{
	size_t i = 0;
	void *thing;

	list->v = calloc(table->nr + 1, sizeof(*list->v));
	overview->no_memory |= !list->v;
	while (list->v && (thing = table_next(table, &i)))
		list->v[list->n++] = thing;
	if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), compare);
}

static void sort_times(struct overview *overview)
{
	struct list *list = &overview->sorted_times;

	list->v = calloc(NR_TIMES, sizeof(*list->v));
	overview->no_memory |= !list->v;
	for (unsigned int i = 0; list->v && i < NR_TIMES; i++) {
		if (overview->times[i])
			list->v[list->n++] = overview->times[i];
	}
	if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), by_sum);
}

/*
 * Append the causes to the texts of the rows. Call this function after the recording was read, because the
 * texts of nftables rules are at the end of the recording.
 */
static void write_causes(struct overview *overview)
{
	char text[EXPLANATION_LEN], *whole;
	struct happened *happened;
	size_t i = 0;

	while ((happened = table_next(&overview->happened, &i))) {
		const struct explanation *explanation = &happened->explanation;

		if (!explanation->says && !explanation->rule)
			continue;
		words_explanation(text, overview->explanations, explanation);
		if (asprintf(&whole, "%s: %s", happened->text, text) < 0) {
			overview->no_memory = true;
			continue;
		}
		free(happened->text);
		happened->text = whole;
	}
}

uint64_t overview_other_calls(const struct overview *overview)
{
	return explanations_other_calls(overview->explanations);
}

void overview_doubt_answers(struct overview *overview)
{
	servers_doubt_answers(overview->servers);
}

void overview_expect_answers(struct overview *overview)
{
	servers_expect_answers(overview->servers);
}

void overview_lose_flows(struct overview *overview)
{
	servers_lose_flows(overview->servers);
}

void overview_finish(struct overview *overview, uint64_t end, bool with_calls)
{
	struct list *servers = &overview->sorted_servers;

	overview->last = end;
	open_waits_finish(overview->waits, overview->servers);
	if (with_calls)
		explanations_each_call(overview->explanations, note_call, overview);
	write_causes(overview);
	sort_table(overview, &overview->sorted_happened, &overview->happened, by_rank);
	sort_times(overview);
	servers->v = (void **)servers_all(overview->servers, &servers->n);
	if (servers->n)
		qsort(servers->v, servers->n, sizeof(*servers->v), by_packets);
}

uint64_t overview_packets(const struct overview *overview)
{
	return overview->nr;
}

uint64_t overview_flows(const struct overview *overview)
{
	return servers_flows(overview->servers);
}

uint64_t overview_first(const struct overview *overview)
{
	return overview->first;
}

uint64_t overview_last(const struct overview *overview)
{
	return overview->last;
}

uint64_t overview_last_packet(const struct overview *overview)
{
	return overview->last_packet;
}

bool overview_may_lack_answers(const struct overview *overview, const struct happened *row)
{
	const char *says = row->explanation.says;

	return row->rank == HAPPENED_MAYBE_DROPPED && row->server && row->nr_server == row->nr &&
	       (says == cause_of_freed(FREED_SYN, NULL)->says ||
		says == cause_of_freed(FREED_ECHO, NULL)->says) &&
	       !servers_show_answers(overview->servers, row->server);
}

bool overview_lacks_memory(const struct overview *overview)
{
	return overview->no_memory || open_waits_lack_memory(overview->waits);
}

struct happened *const *overview_happened(const struct overview *overview, size_t *n)
{
	*n = overview->sorted_happened.n;
	return (struct happened *const *)overview->sorted_happened.v;
}

struct stage_time *const *overview_times(const struct overview *overview, size_t *n)
{
	*n = overview->sorted_times.n;
	return (struct stage_time *const *)overview->sorted_times.v;
}

struct server *const *overview_servers(const struct overview *overview, size_t *n)
{
	*n = overview->sorted_servers.n;
	return (struct server *const *)overview->sorted_servers.v;
}

struct server *overview_total(const struct overview *overview)
{
	return servers_total(overview->servers);
}

struct open_wait *const *overview_open(const struct overview *overview, size_t *n)
{
	return open_waits_all(overview->waits, n);
}

const struct delays *overview_delays(const struct overview *overview)
{
	return overview->delays;
}
