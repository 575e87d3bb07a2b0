// SPDX-License-Identifier: GPL-2.0
/*
 * assertions.c - check a recording against the assertions of --assert
 *
 * An assertion about a percentile can be checked without storing the times: "p99 < 5 ms" is true if at least
 * 99% of the times are smaller than 5 ms. So it is enough to count the times that are less than, equal to,
 * or greater than the value. The result is exact, and a longer recording does not need more memory.
 *
 * If entries were lost, the real number of packets may be larger than the recorded number. Then an assertion
 * passes only if it is true for each possible number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "hash_table.h"
#include "model/conversation_delays.h"
#include "model/packet_headers.h"
#include "model/packet_text.h"
#include "model/socket_reads.h"
#include "output/assertions.h"

#define EXAMPLE_LEN (NUMBER_LEN + FLOW_TEXT_LEN + PATH_LEN)

/**
 * struct check - an assertion, and the data that were found for it so far
 * @assertion: the assertion
 * @nr: number of times; for SUBJECT_PATH: number of packets
 * @less: number of times that are less than the value
 * @equal: number of times that equal the value
 * @sum: sum of the times
 * @endless: number of waits that had not ended at the end of the recording
 * @shortest: text about the packet with the shortest time
 * @longest: text about the packet with the longest time
 * @least: the shortest time
 * @most: the longest time
 * @count: number of packets or flows that the subject counts; for SUBJECT_PATH: number of packets that
 * match
 * @counted: text about the first packet that was counted
 * @other: text about the first packet that was not counted
 */
struct check {
	struct assertion assertion;
	uint64_t nr, less, equal;
	unsigned __int128 sum;
	uint64_t endless;
	char shortest[EXAMPLE_LEN], longest[EXAMPLE_LEN];
	uint64_t least, most;
	uint64_t count;
	char counted[EXAMPLE_LEN], other[EXAMPLE_LEN];
};

/*
 * A flow with a known client. @asked is the time of the last request if this request has no answer yet;
 * otherwise 0.
 */
struct talk {
	struct flow opener;
	bool client_known;
	unsigned int client; /* direction of the packets from the client */
	uint32_t request;
	uint64_t asked;
};

struct assertions {
	struct check *checks;
	size_t nr;
	const struct chosen *chosen;
	const struct selected_numbers *selected;
	struct stages *stages;
	const struct socket_reads *reads;
	struct packets **packets;
	struct delays *delays;
	struct table talks;  /* struct talk, by number of the flow */
	uint64_t incomplete; /* number of selected packets that are incomplete */
	uint64_t unsure;     /* incomplete packets with an unknown verdict */
	uint64_t begins;     /* time of the first event */
	bool heard;	     /* the recording has a packet from a server */
};

/*
 * A time, and the packets that it belongs to. @next is the second packet; 0 if the time belongs to one
 * packet.
 */
struct sample {
	uint64_t ns;
	uint32_t number, next;
	bool endless;
};

int assertions_add(struct assertions **list, const char *text, struct err *err)
{
	struct check *checks;

	if (!*list)
		*list = calloc(1, sizeof(**list));
	if (!*list)
		return err_set(err, "out of memory");
	checks = realloc((*list)->checks, ((*list)->nr + 1) * sizeof(*checks));
	if (!checks)
		return err_set(err, "out of memory");
	(*list)->checks = checks;
	checks[(*list)->nr] = (struct check){ .least = UINT64_MAX };
	return assertion_parse(&checks[(*list)->nr++].assertion, text, err);
}

void assertions_free(struct assertions *list)
{
	if (!list)
		return;
	free(list->checks);
	delays_free(list->delays);
	table_free(&list->talks);
	free(list);
}

bool assertions_have_times(const struct assertions *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (list->checks[i].assertion.subject == SUBJECT_TIMES)
			return true;
	}
	return false;
}

/* Times */

static const char *sample_text(char *buf, const struct sample *sample)
{
	char ns[DURATION_LEN], next[NUMBER_LEN] = "";

	if (sample->next)
		snprintf(next, sizeof(next), " -> #%u", sample->next);
	if (sample->endless)
		snprintf(buf, EXAMPLE_LEN, "#%u, which had not ended when the recording ended",
			 sample->number);
	else
		snprintf(buf, EXAMPLE_LEN, "#%u%s with %s", sample->number, next,
			 words_duration(ns, sample->ns));
	return buf;
}

static void add_sample(struct check *check, const struct sample *sample)
{
	const uint64_t value = check->assertion.value;

	check->nr++;
	if (sample->endless) {
		if (!check->endless)
			sample_text(check->longest, sample);
		check->endless++;
		return;
	}
	check->sum += sample->ns;
	check->less += sample->ns < value;
	check->equal += sample->ns == value;
	if (sample->ns < check->least) {
		check->least = sample->ns;
		sample_text(check->shortest, sample);
	}
	if (!check->endless && (sample->ns > check->most || !check->longest[0])) {
		check->most = sample->ns;
		sample_text(check->longest, sample);
	}
}

static void add_times(struct assertions *list, enum times_kind kind, const struct sample *sample)
{
	for (size_t i = 0; i < list->nr; i++) {
		const struct assertion *assertion = &list->checks[i].assertion;

		if (assertion->subject == SUBJECT_TIMES && assertion->times == kind)
			add_sample(&list->checks[i], sample);
	}
}

static void add_delay(void *data, const struct delay *delay, uint32_t flow, unsigned int dir)
{
	const struct sample sample = { delay->ns, delay->number, delay->next, false };
	struct assertions *list = data;

	(void)flow;
	(void)dir;
	for (size_t i = 0; i < list->nr; i++) {
		const struct assertion *assertion = &list->checks[i].assertion;

		if (assertion->subject == SUBJECT_TIMES && assertion->times == TIMES_DELAY &&
		    assertion->delay == delay->kind)
			add_sample(&list->checks[i], &sample);
	}
}

int assertions_begin(struct assertions *list, const struct chosen *chosen,
		     const struct selected_numbers *selected, struct stages *stages,
		     const struct socket_reads *reads, struct packets **packets)
{
	list->chosen = chosen;
	list->selected = selected;
	list->stages = stages;
	list->reads = reads;
	list->packets = packets;
	list->delays = delays_new(stages, add_delay, list);
	return list->delays ? 0 : -1;
}

/*
 * Return: true if both names are names of the same function. The compiler may have added a suffix such as
 * ".isra.0".
 */
static bool is_function(const char *name, const char *wanted)
{
	const size_t len = strlen(wanted);

	return !strncmp(name, wanted, len) && (!name[len] || name[len] == '.');
}

static void assertions_handle_exit(void *data, const struct moment *at,
				   const struct function *function)
{
	const struct sample sample = { .ns = function->total, .number = function->pkt };
	struct assertions *list = data;

	(void)at;
	for (size_t i = 0; i < list->nr; i++) {
		const struct assertion *assertion = &list->checks[i].assertion;

		if (assertion->subject == SUBJECT_TIMES && assertion->times == TIMES_FUNCTION &&
		    function->pkt && is_function(function->name->text, assertion->function) &&
		    selected_numbers_has(list->selected, function->pkt))
			add_sample(&list->checks[i], &sample);
	}
}

static void packet_seen(void *data, const struct moment *at, const struct packet_seen *seen)
{
	struct assertions *list = data;

	(void)seen;
	if (!list->begins)
		list->begins = at->ts;
}

const struct observer assertions_observer = { .packet = packet_seen,
					      .left = assertions_handle_exit };

/* Return: true if the copy is still in the queue of a socket at the end of the recording. */
static bool is_unread(const struct assertions *list, const struct packet *packet,
		      const struct visit *visit)
{
	if (!visit->delivered || visit->read)
		return false;
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];

		if (copy->number == visit->copy)
			return copy->tracked && !copy->fate.ended && !packet->incomplete &&
			       !socket_reads_since(list->reads, packet->flow_number,
						   &copy->flow_now, visit->delivered);
	}
	return false;
}

static void add_steps(const struct assertions *list, struct check *check,
		      const struct packet *packet, const struct way *way)
{
	const struct assertion *assertion = &check->assertion;

	for (unsigned int i = 0; i < way->nr_steps; i++) {
		const struct sample sample = { .ns = way->steps[i].ns, .number = packet->number };

		if (way->steps[i].from == assertion->from && way->steps[i].to == assertion->to)
			add_sample(check, &sample);
	}
	if (assertion->from != STAGE_SOCKET || assertion->to != STAGE_READER)
		return;
	for (unsigned int i = 0; i < way->nr_visits; i++) {
		const struct sample sample = { .number = packet->number, .endless = true };

		if (is_unread(list, packet, &way->visits[i]))
			add_sample(check, &sample);
	}
}

static uint64_t last_of(const struct packet *packet, const struct way *way)
{
	uint64_t last = packet->last;

	for (unsigned int i = 0; way && i < way->nr_visits; i++) {
		if (way->visits[i].read > last)
			last = way->visits[i].read;
	}
	return last;
}

/* Add the times that belong to one packet. */
static void add_own_times(struct assertions *list, const struct packet *packet)
{
	const struct way *way = stages_way(list->stages, packet->number);
	struct sample sample = { .number = packet->number };

	sample.ns = last_of(packet, way) - packet->first;
	add_times(list, TIMES_PACKETS, &sample);
	sample.ns = packet->stack_ns;
	add_times(list, TIMES_STACK, &sample);
	sample.ns = packet->wait_ns;
	add_times(list, TIMES_WAITING, &sample);
	for (size_t i = 0; way && i < list->nr; i++) {
		if (list->checks[i].assertion.subject == SUBJECT_TIMES &&
		    list->checks[i].assertion.times == TIMES_STEP)
			add_steps(list, &list->checks[i], packet, way);
	}
}

/* Requests */

static bool is_syn(const struct copy *copy)
{
	return copy->flow.proto == PROTO_TCP && copy->tcp_flags & TCP_SYN;
}

/* Return: true if the packet alone shows that it comes from a server. */
static bool answers_opening(const struct copy *copy)
{
	if (copy->flow.has_icmp)
		return copy->flow.icmp_type == 0 || copy->flow.icmp_type == 129;
	return is_syn(copy) && copy->tcp_flags & TCP_ACK;
}

/*
 * Return: true if the packet belongs to a request or an answer. Such a packet is an echo message, or has
 * data that were not sent before.
 */
static bool is_message(const struct packet *packet)
{
	const struct copy *first = packet->copies[0];
	const int32_t payload = packet->decided->payload >= 0 ? packet->decided->payload :
								first->payload;

	if (first->flow.has_icmp)
		return first->flow.icmp_type == 8 || first->flow.icmp_type == 0 ||
		       first->flow.icmp_type == 128 || first->flow.icmp_type == 129;
	return !first->again && payload > 0;
}

/*
 * Return: the flow of the packet; NULL if it is not known. A new flow is added if the packet is selected.
 * The client of a TCP connection is the sender of the SYN. For other flows, it is the sender of the first
 * packet.
 */
static struct talk *talk_of(struct assertions *list, const struct packet *packet, bool is_chosen)
{
	const struct table_key key = { .number = packet->flow_number };
	const struct copy *first = packet->copies[0];
	struct talk *talk = table_find(&list->talks, key);

	if (talk || !is_chosen)
		return talk;
	talk = table_add(&list->talks, key, calloc(1, sizeof(*talk)));
	if (!talk)
		return NULL;
	talk->opener = first->flow;
	talk->client_known = first->flow.proto != PROTO_TCP || is_syn(first);
	talk->client = is_syn(first) && first->tcp_flags & TCP_ACK;
	return talk;
}

static void follow_requests(struct assertions *list, const struct packet *packet, bool is_chosen)
{
	const struct copy *first = packet->copies[0];
	struct sample sample = { .next = packet->number };
	struct talk *talk = NULL;
	bool from_client;

	if (packet->flow_number && first->flow.family)
		talk = talk_of(list, packet, is_chosen);
	if (!talk)
		list->heard |= answers_opening(first);
	if (!talk || !talk->client_known)
		return;
	from_client = goes_back(&talk->opener, &first->flow) == talk->client;
	list->heard |= !from_client && !is_icmp_error(&first->flow);
	if (!is_message(packet))
		return;
	if (from_client) {
		if (talk->asked || !is_chosen)
			return;
		talk->asked = packet->first;
		talk->request = packet->number;
	} else if (talk->asked && packet->first >= talk->asked) {
		sample.ns = packet->first - talk->asked;
		sample.number = talk->request;
		talk->asked = 0;
		add_times(list, TIMES_REQUESTS, &sample);
	}
}

static void count_sample(struct check *check, bool counts, const char *text)
{
	char *example = counts ? check->counted : check->other;

	check->count += counts;
	if (!example[0])
		snprintf(example, EXAMPLE_LEN, "%s", text);
}

static void end_requests(struct assertions *list)
{
	const struct talk *talk;
	uint64_t unanswered = 0;
	uint32_t first = UINT32_MAX;
	size_t i = 0;

	while ((talk = table_next(&list->talks, &i))) {
		const struct sample sample = { .number = talk->request, .endless = true };

		if (!talk->asked)
			continue;
		add_times(list, TIMES_REQUESTS, &sample);
		unanswered++;
		if (talk->request < first)
			first = talk->request;
	}
	for (i = 0; i < list->nr; i++) {
		if (list->checks[i].assertion.subject != SUBJECT_UNANSWERED)
			continue;
		list->checks[i].count = unanswered;
		if (unanswered)
			snprintf(list->checks[i].counted, EXAMPLE_LEN, "#%u", first);
	}
}

/* Packets */

static bool has_verdict(const struct packet *packet, enum verdict verdict)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (packet->copies[i]->outcome.verdict == verdict)
			return true;
	}
	return false;
}

static bool has_reason(const struct packet *packet, const char *reason)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct outcome *outcome = &packet->copies[i]->outcome;

		if (outcome->verdict == VERDICT_DROPPED && !strcmp(outcome->reason, reason))
			return true;
	}
	return false;
}

static bool is_device(const struct device *device, const char *name)
{
	return device && (!strcmp(device->name, name) || !strcmp(device->text, name));
}

static bool path_has(const struct path *path, const struct assertion *assertion,
		     const struct devices *devices)
{
	for (unsigned int at = 0; at + assertion->nr_hops <= path->n; at++) {
		unsigned int i = 0;

		while (i < assertion->nr_hops &&
		       is_device(devices_get(devices, path->hops[at + i]), assertion->hops[i]))
			i++;
		if (i == assertion->nr_hops)
			return true;
	}
	return false;
}

static bool has_path(const struct packet *packet, const struct assertion *assertion,
		     const struct devices *devices)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (path_has(&packet->copies[i]->path, assertion, devices))
			return true;
	}
	return false;
}

/* Describe a packet with its outcome or, if @by_path is set, with its path. */
static const char *packet_text(char *buf, const struct packet *packet, const struct copy *copy,
			       const struct devices *devices, bool by_path)
{
	char number[NUMBER_LEN], flow[FLOW_TEXT_LEN],
		text[PATH_LEN > VERDICT_LEN ? PATH_LEN : VERDICT_LEN];

	snprintf(buf, EXAMPLE_LEN, "#%s %s: %s", words_number(number, packet, copy),
		 words_flow(flow, &packet->copies[0]->flow),
		 by_path ? words_path(text, &copy->path, devices) :
			   words_outcome(text, &copy->outcome, devices));
	return buf;
}

/*
 * Return: the copy to show as an example. This is a copy with the verdict of the assertion. If there is no
 * such copy, it is the copy that decides the outcome.
 */
static const struct copy *example_of(const struct packet *packet, const struct assertion *assertion)
{
	const enum verdict verdict = assertion->subject == SUBJECT_REASON ? VERDICT_DROPPED :
									    assertion->verdict;

	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (packet->copies[i]->outcome.verdict == verdict &&
		    (assertion->subject == SUBJECT_VERDICT || assertion->subject == SUBJECT_REASON))
			return packet->copies[i];
	}
	return packet->decided;
}

static void count_packet(struct assertions *list, struct check *check, const struct packet *packet)
{
	const struct devices *devices = packets_devices(*list->packets);
	const struct assertion *assertion = &check->assertion;
	char text[EXAMPLE_LEN];
	bool counts = true;

	switch (assertion->subject) {
	case SUBJECT_PACKETS:
		break;
	case SUBJECT_VERDICT:
		counts = has_verdict(packet, assertion->verdict);
		break;
	case SUBJECT_REASON:
		counts = has_reason(packet, assertion->reason);
		break;
	case SUBJECT_PATH:
		counts = has_path(packet, assertion, devices);
		check->nr++;
		break;
	default:
		return;
	}
	if (counts ? !check->counted[0] : !check->other[0])
		packet_text(text, packet, example_of(packet, assertion), devices,
			    assertion->subject == SUBJECT_PATH);
	else
		text[0] = '\0';
	count_sample(check, counts, text);
}

static void one_packet(void *data, const struct packet *packet)
{
	struct assertions *list = data;

	list->incomplete += packet->incomplete;
	list->unsure += packet->incomplete && has_verdict(packet, VERDICT_UNKNOWN);
	for (size_t i = 0; i < list->nr; i++)
		count_packet(list, &list->checks[i], packet);
	delays_packet(list->delays, packet);
	add_own_times(list, packet);
	follow_requests(list, packet, true);
	stages_forget(list->stages, packet->number);
}

static void one_other(void *data, const struct packet *packet)
{
	struct assertions *list = data;

	follow_requests(list, packet, false);
	stages_forget(list->stages, packet->number);
}

const struct output assertions_output = { .packet = one_packet, .other = one_other };

/* Results */

enum result {
	PASSES,
	FAILS,
	UNPROVEN, /* true for the recorded packets, but lost entries could change the result */
	UNSURE,	  /* false for the recorded packets, but lost entries could change the result */
	UNHEARD,  /* the recording has requests, but no packet from any server */
	NOTHING,  /* no packet or time to compare */
};

/* Kinds of entries that may be missing in the recording. */
struct unknown {
	bool lost;  /* packets may be missing */
	bool calls; /* function calls may be missing */
};

/* Return: true if the lost rows may be about selected packets. */
static bool concerns_selection(const struct chosen *chosen, const struct loss *loss)
{
	const uint64_t from = loss->from / 1000, to = loss->to / 1000 + 1;

	return words_are_in_ticks() || (to >= chosen->from && from <= chosen->to);
}

static struct unknown look_for_losses(const struct assertions *list, bool has_beginning)
{
	const struct lost_events *losses = packets_losses(*list->packets);
	const bool is_later = !words_are_in_ticks() && list->chosen->from > list->begins / 1000;
	struct unknown unknown = { .lost = !has_beginning && !is_later, .calls = losses->calls };

	for (size_t i = 0; i < losses->n; i++)
		unknown.lost |= concerns_selection(list->chosen, &losses->v[i]);
	return unknown;
}

static bool compare_values(uint64_t left, enum comparison comparison, uint64_t right)
{
	switch (comparison) {
	case COMPARE_LESS:
		return left < right;
	case COMPARE_AT_MOST:
		return left <= right;
	case COMPARE_EQUAL:
		return left == right;
	case COMPARE_NOT_EQUAL:
		return left != right;
	case COMPARE_AT_LEAST:
		return left >= right;
	default:
		return left > right;
	}
}

/* Return: the result for a recorded number that may be smaller than the real number. */
static enum result with_more(const struct check *check)
{
	const enum comparison comparison = check->assertion.comparison;
	const bool grows =
		comparison == COMPARE_AT_LEAST || comparison == COMPARE_MORE ||
		(comparison == COMPARE_NOT_EQUAL && check->count > check->assertion.value);

	return grows ? PASSES : UNPROVEN;
}

static enum result judge_number(const struct assertions *list, const struct check *check,
				const struct unknown *unknown)
{
	const struct assertion *assertion = &check->assertion;
	const bool holds = compare_values(check->count, assertion->comparison, assertion->value);

	/* A lost entry may be a request, or the answer to a request. */
	if (assertion->subject == SUBJECT_UNANSWERED && unknown->lost)
		return holds ? UNPROVEN : UNSURE;
	if (assertion->subject == SUBJECT_UNANSWERED && check->count && !list->heard)
		return UNHEARD;
	if (!holds)
		return FAILS;
	if (assertion->subject == SUBJECT_UNANSWERED)
		return PASSES;
	if (assertion->subject == SUBJECT_VERDICT && assertion->verdict == VERDICT_UNKNOWN)
		return unknown->lost || list->incomplete ? UNPROVEN : PASSES;
	if (unknown->lost || (assertion->subject != SUBJECT_PACKETS &&
			      assertion->subject != SUBJECT_FLOWS && list->unsure))
		return with_more(check);
	return PASSES;
}

/*
 * Compare the nearest-rank percentile, or the mean, with the value of the assertion. A wait that has not
 * ended counts as longer than any value. If @ended is set, it counts as 0 instead.
 *
 * Return: -1 if the percentile or mean is less than the value, 0 if it is equal, 1 if it is more.
 */
static int order_of_times(const struct check *check, bool ended)
{
	const struct assertion *assertion = &check->assertion;
	const unsigned __int128 sum = (unsigned __int128)assertion->value * check->nr;
	const uint64_t less = check->less + (ended && assertion->value ? check->endless : 0);
	const uint64_t equal = check->equal + (ended && !assertion->value ? check->endless : 0);
	uint64_t need = ((unsigned __int128)check->nr * assertion->rank + RANK_MAX - 1) / RANK_MAX;

	if (assertion->mean && check->endless && !ended)
		return 1;
	if (assertion->mean)
		return (check->sum > sum) - (check->sum < sum);
	if (!need)
		need = 1;
	if (less >= need)
		return -1;
	return less + equal >= need ? 0 : 1;
}

/* Return: true if the assertion is true for the times in the recording. */
static bool times_hold(const struct check *check, bool ended)
{
	/*
	 * compare_values() needs numbers that are not negative. The order is -1 or more, so add 1 to both
	 * sides.
	 */
	return compare_values(1 + order_of_times(check, ended), check->assertion.comparison, 1);
}

static enum result judge_times(const struct assertions *list, const struct check *check,
			       const struct unknown *unknown)
{
	const struct assertion *assertion = &check->assertion;
	const bool is_more = assertion->comparison == COMPARE_MORE ||
			     assertion->comparison == COMPARE_AT_LEAST;
	const bool is_less = assertion->comparison == COMPARE_LESS ||
			     assertion->comparison == COMPARE_AT_MOST;
	const bool is_function = assertion->times == TIMES_FUNCTION ||
				 assertion->times == TIMES_STACK;
	const bool lost = unknown->lost || list->incomplete || (is_function && unknown->calls);
	const bool holds = times_hold(check, false);

	if (!check->nr)
		return NOTHING;
	if (assertion->times == TIMES_REQUESTS && check->endless && !list->heard)
		return UNHEARD;
	/*
	 * The end of a wait may be among the lost entries. So check if the result would change if the waits
	 * had ended.
	 */
	if (lost && check->endless && times_hold(check, true) != holds)
		return holds ? UNPROVEN : UNSURE;
	if (!holds)
		return FAILS;
	if (!lost)
		return PASSES;
	/*
	 * The lost times cannot change the result if @assertion needs a large maximum or a small minimum.
	 * They can only make the maximum larger and the minimum smaller.
	 */
	if (!assertion->mean &&
	    ((assertion->rank == RANK_MAX && is_more) || (!assertion->rank && is_less)))
		return PASSES;
	return UNPROVEN;
}

static enum result judge_path(const struct check *check, const struct unknown *unknown)
{
	const bool matches = check->assertion.comparison == COMPARE_MATCHES;

	if (!check->nr)
		return NOTHING;
	if (check->count != (matches ? check->nr : 0))
		return FAILS;
	return unknown->lost ? UNPROVEN : PASSES;
}

static enum result judge_check(const struct assertions *list, const struct check *check,
			       const struct unknown *unknown)
{
	switch (check->assertion.subject) {
	case SUBJECT_TIMES:
		return judge_times(list, check, unknown);
	case SUBJECT_PATH:
		return judge_path(check, unknown);
	default:
		return judge_number(list, check, unknown);
	}
}

/* Output */

static void print_example(const char *title, const char *example)
{
	if (example[0])
		printf("; %s %s", title, example);
}

static void print_number(const struct check *check)
{
	const struct assertion *assertion = &check->assertion;
	const bool too_few = check->count < assertion->value ||
			     assertion->comparison == COMPARE_MORE;

	printf("it is %llu", (unsigned long long)check->count);
	print_example(too_few ? "the first other one is" : "the first is",
		      too_few ? check->other : check->counted);
}

static void print_path(const struct check *check)
{
	const bool matches = check->assertion.comparison == COMPARE_MATCHES;

	printf("%llu of %llu packet%s %s this path", (unsigned long long)check->count,
	       (unsigned long long)check->nr, plural_of(check->nr),
	       check->count == 1 ? "has" : "have");
	print_example(matches ? "the first without it is" : "the first is",
		      matches ? check->other : check->counted);
}

static void print_times(const struct check *check)
{
	const enum comparison comparison = check->assertion.comparison;
	const bool is_too_short = comparison == COMPARE_MORE || comparison == COMPARE_AT_LEAST ||
				  (comparison == COMPARE_EQUAL && !check->endless &&
				   check->most <= check->assertion.value);
	uint64_t within = 0;

	within += comparison == COMPARE_LESS || comparison == COMPARE_AT_MOST ? check->less : 0;
	within += comparison == COMPARE_AT_MOST || comparison == COMPARE_EQUAL ||
				  comparison == COMPARE_AT_LEAST ?
			  check->equal :
			  0;
	if (comparison == COMPARE_MORE || comparison == COMPARE_AT_LEAST)
		within += check->nr - check->less - check->equal;
	if (comparison == COMPARE_NOT_EQUAL)
		within = check->nr - check->equal;
	printf("%llu of %llu time%s %s not", (unsigned long long)(check->nr - within),
	       (unsigned long long)check->nr, plural_of(check->nr), verb_of(check->nr - within));
	print_example(is_too_short ? "the shortest is" : "the longest is",
		      is_too_short ? check->shortest : check->longest);
}

static void print_result(const struct check *check, enum result result)
{
	char text[ESCAPED_LEN(256)];

	printf("failed: %s: ", escape_text(text, sizeof(text), check->assertion.text));
	if (result == NOTHING)
		printf("the recording has no such %s\n",
		       check->assertion.subject == SUBJECT_TIMES ? "time" : "packet");
	else if (result == UNPROVEN)
		printf("true in the recording, but lost entries or calls could change it\n");
	else if (result == UNSURE)
		printf("false in the recording, but lost entries could change it\n");
	else if (result == UNHEARD)
		printf("not known: the recording has no packet from any server\n");
	else if (check->assertion.subject == SUBJECT_TIMES)
		print_times(check);
	else if (check->assertion.subject == SUBJECT_PATH)
		print_path(check);
	else
		print_number(check);
	if (result == FAILS)
		putchar('\n');
}

unsigned int assertions_print(struct assertions *list, bool has_beginning)
{
	const struct unknown unknown = look_for_losses(list, has_beginning);
	unsigned int failed = 0;

	end_requests(list);
	for (size_t i = 0; i < list->nr; i++) {
		struct check *check = &list->checks[i];
		enum result result;

		if (check->assertion.subject == SUBJECT_FLOWS)
			check->count = list->talks.nr;
		result = judge_check(list, check, &unknown);
		failed += result != PASSES;
		if (result != PASSES)
			print_result(check, result);
	}
	return failed;
}
