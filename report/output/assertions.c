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

#include "model/conversation_delays.h"
#include "model/packet_text.h"
#include "model/request_answers.h"
#include "model/socket_reads.h"
#include "output/assertion_result.h"
#include "output/assertions.h"

struct assertions {
	struct check *checks;
	size_t nr;
	const struct chosen *chosen;
	const struct selected_numbers *selected;
	struct stages *stages;
	const struct socket_reads *reads;
	struct explanations *explanations;
	struct packets **packets;
	struct delays *delays;
	struct request_answers *answers;
	uint64_t selected_packets; /* number of selected packets */
	uint64_t incomplete;	   /* number of selected packets that are incomplete */
	uint64_t unsure;	   /* number of selected packets with an unknown verdict */
	uint64_t maybe_dropped;	   /* number of selected packets that were possibly dropped */
	uint32_t first_unsure;	   /* number of the first packet of both kinds */
	uint64_t begins;	   /* time of the first event */
};

/*
 * A time to compare, and the one or two packets that it belongs to. @next is the second packet; 0 if there
 * is only one. The time is between @ns and @most; both are equal if it is known exactly. It has no upper
 * bound if @may_go_on is set, and is longer than any value if @endless is set. @clock_error is the error of
 * the clocks of two hosts, which the bounds contain.
 */
struct sample {
	uint64_t ns, most;
	uint32_t number, next;
	bool may_go_on, endless;
	uint64_t clock_error;
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
	request_answers_free(list->answers);
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

/* Set the bounds of a time with an error of the clocks. If the error is not known, neither is the time. */
static void set_bounds(struct sample *sample, uint64_t ns, uint64_t error)
{
	sample->ns = ns > error ? ns - error : 0;
	sample->most = ns + error;
	sample->may_go_on = error == CLOCK_ERROR_UNKNOWN;
	sample->clock_error = error;
}

static const char *sample_text(char *buf, const struct sample *sample)
{
	char ns[DURATION_LEN], most[DURATION_LEN], next[NUMBER_LEN] = "";
	int n;

	if (sample->endless) {
		snprintf(buf, EXAMPLE_LEN, "#%u, which had not ended when the recording ended",
			 sample->number);
		return buf;
	}
	if (sample->next)
		snprintf(next, sizeof(next), " -> #%u", sample->next);
	n = snprintf(buf, EXAMPLE_LEN, "#%u%s with %s", sample->number, next,
		     words_duration(ns, sample->ns));
	if (sample->may_go_on)
		snprintf(buf + n, EXAMPLE_LEN - n, " or more");
	else if (sample->most != sample->ns)
		snprintf(buf + n, EXAMPLE_LEN - n, " to %s", words_duration(most, sample->most));
	return buf;
}

/* Add a time to the counts of lower or upper bounds. */
static void add_bound(struct bounds *bounds, uint64_t ns, uint64_t value)
{
	bounds->sum += ns;
	bounds->less += ns < value;
	bounds->equal += ns == value;
}

static void add_sample(struct check *check, const struct sample *sample)
{
	const uint64_t value = check->assertion.value;
	const bool has_end = !sample->endless && !sample->may_go_on;
	const uint64_t most = has_end ? sample->most : UINT64_MAX;

	check->nr++;
	if (sample->clock_error > check->clock_error)
		check->clock_error = sample->clock_error;
	check->lower.endless += sample->endless;
	check->upper.endless += !has_end;
	if (has_end)
		add_bound(&check->upper, most, value);
	if (!sample->endless) {
		add_bound(&check->lower, sample->ns, value);
		if (sample->ns < check->least) {
			check->least = sample->ns;
			sample_text(check->shortest, sample);
		}
	}
	if (!check->longest[0] || most > check->most ||
	    (sample->endless && check->lower.endless == 1)) {
		check->most = most;
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
	struct sample sample = { .number = delay->number, .next = delay->next };
	struct assertions *list = data;

	(void)flow;
	(void)dir;
	set_bounds(&sample, delay->ns, delay->clock_error);
	for (size_t i = 0; i < list->nr; i++) {
		const struct assertion *assertion = &list->checks[i].assertion;

		if (assertion->subject == SUBJECT_TIMES && assertion->times == TIMES_DELAY &&
		    assertion->delay == delay->kind)
			add_sample(&list->checks[i], &sample);
	}
}

static void add_request(void *data, const struct answered *answered)
{
	const struct sample sample = {
		.ns = answered->least,
		.most = answered->most,
		.number = answered->request,
		.next = answered->answer,
		.may_go_on = answered->may_go_on,
		.endless = !answered->answer,
	};

	add_times(data, TIMES_REQUESTS, &sample);
}

int assertions_begin(struct assertions *list, const struct chosen *chosen,
		     const struct selected_numbers *selected, struct stages *stages,
		     const struct socket_reads *reads, struct explanations *explanations,
		     struct packets **packets)
{
	list->chosen = chosen;
	list->selected = selected;
	list->stages = stages;
	list->reads = reads;
	list->explanations = explanations;
	list->packets = packets;
	list->delays = delays_new(stages, add_delay, list);
	list->answers = request_answers_new(add_request, list);
	return list->delays && list->answers ? 0 : -1;
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
	const struct sample sample = {
		.ns = function->total,
		.most = function->total,
		.number = function->pkt,
	};
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

/*
 * Return: true if a program could read the copy, and the copy was still in the queue of its socket at the
 * end of the recording.
 */
static bool is_unread(const struct assertions *list, const struct packet *packet,
		      const struct visit *visit)
{
	if (!visit->in_order || visit->read)
		return false;
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];

		if (copy->number == visit->copy)
			return copy->tracked && !copy->fate.ended && !packet->incomplete &&
			       !socket_reads_since(list->reads, packet->flow_number,
						   &copy->flow_now, visit->in_order);
	}
	return false;
}

static void add_steps(const struct assertions *list, struct check *check,
		      const struct packet *packet, const struct way *way)
{
	const struct assertion *assertion = &check->assertion;

	for (unsigned int i = 0; i < way->nr_steps; i++) {
		struct sample sample = { .number = packet->number };

		set_bounds(&sample, way->steps[i].ns, step_clock_error(&way->steps[i]));
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

	set_bounds(&sample, way_end(packet, way) - packet->first, way_clock_error(packet, way));
	add_times(list, TIMES_PACKETS, &sample);
	set_bounds(&sample, packet->stack_ns, 0);
	add_times(list, TIMES_STACK, &sample);
	set_bounds(&sample, packet->wait_ns, packet_wait_error(packet));
	add_times(list, TIMES_WAITING, &sample);
	for (size_t i = 0; way && i < list->nr; i++) {
		if (list->checks[i].assertion.subject == SUBJECT_TIMES &&
		    list->checks[i].assertion.times == TIMES_STEP)
			add_steps(list, &list->checks[i], packet, way);
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
 * Return: true if the packet proves that it has the path, or that it does not have the path. If rows of the
 * packet were lost, any device may be missing in the recorded path.
 */
static bool proves_path(const struct packet *packet, const struct assertion *assertion, bool has)
{
	return !packet->incomplete || (has && assertion->nr_hops == 1);
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
 * Return: the copy to show as an example: a copy with the verdict of the assertion, otherwise the one that
 * decides the packet's outcome.
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
	bool counts = true, proven = true;
	char *example;

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
		proven = proves_path(packet, assertion, counts);
		check->nr++;
		check->proven += proven && counts;
		check->refuted += proven && !counts;
		break;
	default:
		return;
	}
	check->count += counts;
	example = counts ? check->counted : check->other;
	if (proven && !example[0])
		packet_text(example, packet, example_of(packet, assertion), devices,
			    assertion->subject == SUBJECT_PATH);
}

/* Count the packet if its verdict is unknown, or if it was possibly dropped. */
static void note_unsure(struct assertions *list, const struct packet *packet)
{
	const bool unsure = has_verdict(packet, VERDICT_UNKNOWN);
	struct explanation explanation;
	bool maybe_dropped = false;

	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (packet->copies[i]->outcome.verdict == VERDICT_FREED)
			maybe_dropped |= explain_copy(list->explanations, packet, packet->copies[i],
						      &explanation);
	}
	list->unsure += unsure;
	list->maybe_dropped += !unsure && maybe_dropped;
	if ((unsure || maybe_dropped) && !list->first_unsure)
		list->first_unsure = packet->number;
	explanations_forget(list->explanations, packet);
}

static void one_packet(void *data, const struct packet *packet)
{
	struct assertions *list = data;

	list->selected_packets++;
	list->incomplete += packet->incomplete;
	note_unsure(list, packet);
	for (size_t i = 0; i < list->nr; i++)
		count_packet(list, &list->checks[i], packet);
	delays_packet(list->delays, packet);
	add_own_times(list, packet);
	request_answers_set_losses(list->answers, packets_losses(*list->packets));
	request_answers_add(list->answers, packet, true);
	stages_forget(list->stages, packet->number);
}

static void one_other(void *data, const struct packet *packet)
{
	struct assertions *list = data;

	request_answers_set_losses(list->answers, packets_losses(*list->packets));
	request_answers_add(list->answers, packet, false);
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
		.lost = (!has_beginning && !is_later) || module_losses_entries(&losses->module),
		.probes = losses->module.probes != 0,
		.calls = losses->calls || losses->module.graphs,
		.lost_flows = losses->module.flows != 0,
		.packets = list->selected_packets,
		.incomplete = list->incomplete,
		.unsure = list->unsure,
		.maybe_dropped = list->maybe_dropped,
		.first_unsure = list->first_unsure,
	};

	for (size_t i = 0; i < losses->n; i++)
		unknown.lost |= concerns_selection(list->chosen, &losses->v[i]);
	return unknown;
}

/* Set the numbers of an assertion about flows or requests. */
static void set_counts(struct check *check, const struct request_counts *counts)
{
	if (check->assertion.subject == SUBJECT_FLOWS)
		check->count = counts->flows;
	if (check->assertion.subject != SUBJECT_UNANSWERED)
		return;
	check->nr = counts->requests;
	check->count = counts->unanswered;
	if (counts->unanswered)
		snprintf(check->counted, EXAMPLE_LEN, "#%u", counts->first_unanswered);
}

unsigned int assertions_print(struct assertions *list, bool has_beginning)
{
	const struct request_counts *counts = request_answers_end(list->answers);
	struct unknown unknown = look_for_losses(list, has_beginning);
	unsigned int failed = 0;

	unknown.unheard = !counts->heard;
	unknown.clients = counts->unknown;
	for (size_t i = 0; i < list->nr; i++) {
		set_counts(&list->checks[i], counts);
		failed += !check_print_failure(&list->checks[i], &unknown);
	}
	return failed;
}
