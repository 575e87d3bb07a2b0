// SPDX-License-Identifier: GPL-2.0
/* perfetto_flows.c - write the packets of the timeline as spans on the tracks of their flows */
#include <stdio.h>
#include <string.h>

#include "model/packet_delays.h"
#include "model/packet_headers.h"
#include "model/packet_text.h"
#include "output/perfetto_flows.h"

/*
 * Write the name of a flow. Viewers show all spans with the same name on one track, so both directions of a
 * flow need the same name. Therefore the end with the smaller address comes first.
 */
#define FLOW_NAME_LEN (FLOW_TEXT_LEN + 32)
static void flow_name(char *buf, const struct packet *packet)
{
	struct flow flow = packet->copies[0]->flow;
	const struct flow to = flow;
	const int order = memcmp(flow.saddr, flow.daddr, sizeof(flow.saddr));
	char text[FLOW_TEXT_LEN], *between;
	const char *name;

	flow.has_icmp = false;
	if (order > 0 || (!order && flow.sport > flow.dport)) {
		memcpy(flow.saddr, to.daddr, sizeof(flow.saddr));
		memcpy(flow.daddr, to.saddr, sizeof(flow.daddr));
		flow.sport = to.dport;
		flow.dport = to.sport;
	}
	name = words_flow(text, &flow);
	between = strstr(text, " > ");
	if (between)
		between[1] = '-';
	if (packet->flow_number)
		snprintf(buf, FLOW_NAME_LEN, "flow %u: %s", packet->flow_number, name);
	else
		snprintf(buf, FLOW_NAME_LEN, "no flow: %s", name);
}

/* A span on the track of a flow: a packet or one of its copies. */
struct span {
	const struct flow_spans *spans;
	const struct packet *packet;
	uint32_t part;
	const char *flow;
};

static void write_span(const struct span *span, enum trace_phase phase, uint64_t ns,
		       const char *name)
{
	trace_event_begin(span->spans->events, phase, &span->spans->track, ns, "packet", name);
	trace_event_id(span->spans->events, span->packet->number, span->part);
}

static void write_edge(const struct span *span, enum trace_phase phase, uint64_t ns,
		       const char *name)
{
	write_span(span, phase, ns, name);
	trace_event_end(span->spans->events);
}

/*
 * Add the cause of a drop. A rule of nftables is shown by its handle only, because this event is written
 * before the texts of the rules are read. They are at the end of the recording.
 */
static void add_cause(const struct span *span, const struct copy *copy)
{
	const struct explanations *explanations = span->spans->explanations;
	const enum verdict verdict = copy->outcome.verdict;
	struct explanation explanation;
	char text[EXPLANATION_LEN];

	if ((verdict != VERDICT_DROPPED && verdict != VERDICT_FREED) ||
	    !explain_copy(explanations, span->packet, copy, &explanation))
		return;
	trace_event_text(span->spans->events,
			 verdict == VERDICT_DROPPED ? "cause" : "possible cause of a drop",
			 words_explanation(text, explanations, &explanation));
}

static void add_outcome(const struct span *span, const struct copy *copy,
			const struct copy *decided)
{
	struct trace_events *events = span->spans->events;
	const struct devices *devices = packets_devices(*span->spans->packets);
	const struct outcome *outcome = &decided->outcome;
	char text[PATH_LEN > VERDICT_LEN ? PATH_LEN : VERDICT_LEN], flow[FLOW_TEXT_LEN];

	trace_event_text(events, "flow", words_flow(flow, &copy->flow));
	trace_event_number(events, "length", copy->len);
	trace_event_text(events, "path", words_path(text, &decided->path, devices));
	trace_event_text(events, "verdict", words_outcome(text, outcome, devices));
	if (outcome->verdict == VERDICT_DROPPED)
		trace_event_text(events, "reason", outcome->reason);
	if (outcome->verdict == VERDICT_DROPPED && outcome->where)
		trace_event_text(events, "function", outcome->where->text);
	add_cause(span, decided);
}

static void add_times(const struct span *span)
{
	struct trace_events *events = span->spans->events;
	const struct packet *packet = span->packet;

	trace_event_number(events, "stack_ns", packet->stack_ns);
	trace_event_number(events, "waiting_ns", packet->wait_ns);
	trace_event_number(events, "calls", packet->calls);
	if (packet->missing)
		trace_event_number(events, "missing_calls", packet->missing);
	if (packet->incomplete)
		trace_event_text(events, "complete",
				 "no: entries were lost while the packet was there");
}

static const struct visit *visit_of(const struct way *way, uint32_t copy)
{
	for (unsigned int i = 0; way && i < way->nr_visits; i++) {
		if (way->visits[i].copy == copy)
			return &way->visits[i];
	}
	return NULL;
}

static void write_stages(const struct span *span, const struct way *way, uint32_t copy, uint64_t to)
{
	const struct visit *visit = visit_of(way, copy);

	for (unsigned int i = 0; way && i < way->nr_steps; i++) {
		const struct step *step = &way->steps[i];

		if (step->copy != copy)
			continue;
		write_edge(span, TRACE_SPAN_BEGIN, step->at - step->ns, stage_name(step->from));
		write_edge(span, TRACE_SPAN_END, step->at, stage_name(step->from));
	}
	if (!visit || visit->stage == STAGE_NONE)
		return;
	write_edge(span, TRACE_SPAN_BEGIN, visit->since, stage_name(visit->stage));
	write_edge(span, TRACE_SPAN_END, to, stage_name(visit->stage));
}

/*
 * Return: the time when a span begins. If a call sent the packet, the span begins with this call, before the
 * packet exists.
 */
static uint64_t begin_of(const struct way *way, uint32_t copy, uint64_t first)
{
	for (unsigned int i = 0; way && i < way->nr_steps; i++) {
		const struct step *step = &way->steps[i];

		if (step->copy == copy && step->at - step->ns < first)
			first = step->at - step->ns;
	}
	return first;
}

/*
 * Return: the time when a span ends. If the copy still waits, this is the newest event, because the end
 * of its wait is not recorded.
 */
static uint64_t end_of(const struct span *span, const struct way *way, const struct copy *copy,
		       uint64_t last)
{
	const struct visit *visit = visit_of(way, copy->number);
	const uint64_t newest = stages_newest(span->spans->stages);

	if (is_still_queued(span->packet, copy, way) && newest > last)
		return newest;
	return visit && visit->stage != STAGE_NONE && visit->since > last ? visit->since : last;
}

static const char *span_name(char *buf, size_t size, const struct packet *packet,
			     const struct copy *copy, bool is_packet)
{
	char number[NUMBER_LEN], flags[TCP_FLAGS_LEN];

	if (is_packet)
		snprintf(number, sizeof(number), "%u", packet->number);
	else
		words_number(number, packet, copy);
	snprintf(buf, size, "#%s%s%s %s", number, copy->flow.proto == PROTO_TCP ? " " : "",
		 copy->flow.proto == PROTO_TCP ? words_tcp_flags(flags, copy) : "",
		 words_verdict_name(is_packet ? packet->decided->outcome.verdict :
						copy->outcome.verdict));
	return buf;
}

/*
 * Write the span of a packet, or the span of a copy if @is_packet is false. If a packet has several copies,
 * the stages are in the spans of the copies. Otherwise, they are in the span of the packet.
 */
static void write_one(struct span *span, const struct copy *copy, bool is_packet)
{
	const struct packet *packet = span->packet;
	const struct way *way = stages_way(span->spans->stages, packet->number);
	const struct copy *decided = is_packet ? packet->decided : copy;
	const bool has_stages = !is_packet || packet->nr_copies == 1;
	const uint64_t first = begin_of(way, copy->number, is_packet ? packet->first : copy->first);
	const uint64_t last = end_of(span, way, decided, is_packet ? packet->last : copy->last);
	char name[NUMBER_LEN + TCP_FLAGS_LEN + 32];

	span_name(name, sizeof(name), packet, copy, is_packet);
	write_edge(span, TRACE_SPAN_BEGIN, first, span->flow);
	write_span(span, TRACE_SPAN_BEGIN, first, name);
	trace_event_number(span->spans->events, "packet", packet->number);
	if (!is_packet)
		trace_event_number(span->spans->events, "copy", copy->number);
	add_outcome(span, copy, decided);
	if (is_still_queued(span->packet, decided, way))
		trace_event_text(span->spans->events, "end",
				 "not recorded; the packet still waits at the last event");
	if (is_packet)
		add_times(span);
	trace_event_end(span->spans->events);
	if (has_stages)
		write_stages(span, way, copy->number, last);
	write_edge(span, TRACE_SPAN_END, last, name);
	write_edge(span, TRACE_SPAN_END, last, span->flow);
}

void flow_spans_write(const struct flow_spans *spans, const struct packet *packet)
{
	char name[FLOW_NAME_LEN];
	struct span span = { .spans = spans, .packet = packet, .flow = name };

	flow_name(name, packet);
	write_one(&span, packet->copies[0], true);
	for (unsigned int i = 0; packet->nr_copies > 1 && i < packet->nr_copies; i++) {
		if (!packet->copies[i]->seen)
			continue;
		span.part = i + 1;
		write_one(&span, packet->copies[i], false);
	}
}
