// SPDX-License-Identifier: GPL-2.0
/*
 * assertions.c - collect the numbers and times that the assertions of --assert are about
 *
 * An assertion about a percentile can be checked without storing the times: "p99 < 5 ms" is true if at least
 * 99% of the times are smaller than 5 ms. So it is enough to count the times that are less than, equal to, or
 * greater than the value. The result is exact, and the memory does not grow with the recording.
 * assertion_result.c decides each assertion with these numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/conversation_delays.h"
#include "model/packet_headers.h"
#include "model/packet_text.h"
#include "model/socket_reads.h"
#include "output/assertion_result.h"
#include "output/assertions.h"

/*
 * A flow, and the requests in it. @asked is the time of the last request of the client if this request has no
 * answer yet; otherwise 0.
 */
struct talk {
	struct flow opener;
	bool client_known;
	unsigned int client; /* direction of the packets that the client sends */
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
	struct table talks;  /* table of struct talk, by number of the flow */
	uint64_t incomplete; /* number of selected packets that are incomplete */
	uint64_t unsure;     /* number of incomplete packets with an unknown verdict */
	uint64_t begins;     /* time of the first event */
	bool heard;	     /* a packet shows that it comes from a server */
};

/*
 * A time to compare, and the one or two packets that it belongs to. @next is the second packet; 0 if there is
 * only one.
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
 * Return: true if both names belong to the same function. The compiler may have added a suffix such as
 * ".isra.0" to one of them.
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

/* Add the times that can be measured in this packet alone. */
static void add_own_times(struct assertions *list, const struct packet *packet)
{
	const struct way *way = stages_way(list->stages, packet->number);
	struct sample sample = { .number = packet->number };

	sample.ns = way_end(packet, way) - packet->first;
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

/* Return: true if the packet's headers show that a server sent it: it is an echo reply or a SYN-ACK. */
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
 * Return: the flow of the packet; NULL if the flow is not known. If the flow is new and the packet is
 * selected, the function adds the flow. The client of a TCP connection is the sender of the SYN. The client
 * of another flow is the sender of the first packet.
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
		       is_device(devices_get(devices, path->hops[at + i].device),
				 assertion->hops[i]))
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

/*
 * Describe a packet, and the outcome of a copy. If @by_path is set, describe the path of the copy and not its
 * outcome.
 */
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
 * Return: the copy to show as an example. This is a copy with the verdict of the assertion; if there is no
 * such copy, the one that decides the packet's outcome.
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
	struct unknown unknown = {
		.lost = !has_beginning && !is_later,
		.calls = losses->calls,
		.incomplete = list->incomplete,
		.unsure = list->unsure,
		.unheard = !list->heard,
	};

	for (size_t i = 0; i < losses->n; i++)
		unknown.lost |= concerns_selection(list->chosen, &losses->v[i]);
	return unknown;
}

unsigned int assertions_print(struct assertions *list, bool has_beginning)
{
	const struct unknown unknown = look_for_losses(list, has_beginning);
	unsigned int failed = 0;

	end_requests(list);
	for (size_t i = 0; i < list->nr; i++) {
		struct check *check = &list->checks[i];

		if (check->assertion.subject == SUBJECT_FLOWS)
			check->count = list->talks.nr;
		failed += !check_print_failure(check, &unknown);
	}
	return failed;
}
