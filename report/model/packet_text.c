// SPDX-License-Identifier: GPL-2.0
/* packet_text.c - describe a packet in words */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hosts/hosts.h"
#include "model/packet_headers.h"
#include "model/packet_text.h"

/*
 * True if durations are printed in ticks of a trace clock with an unknown unit. The variable is set once,
 * before anything is printed.
 */
static bool in_ticks;

void words_use_ticks(bool ticks)
{
	in_ticks = ticks;
}

bool words_are_in_ticks(void)
{
	return in_ticks;
}

const char *words_duration(char *buf, uint64_t ns)
{
	static const struct {
		uint64_t unit;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	if (in_ticks) {
		snprintf(buf, DURATION_LEN, "%llu ticks", (unsigned long long)ns);
		return buf;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		double value = (double)ns / units[i].unit;

		if (ns < units[i].unit)
			continue;
		snprintf(buf, DURATION_LEN, "%.*f %s",
			 value < 10  ? 2 :
			 value < 100 ? 1 :
				       0,
			 value, units[i].name);
		return buf;
	}
	snprintf(buf, DURATION_LEN, "%u ns", (unsigned int)ns);
	return buf;
}

const char *words_time(char *buf, uint64_t ts)
{
	uint64_t us = (ts + 500) / 1000;

	if (in_ticks) {
		snprintf(buf, TIME_LEN, "%llu", (unsigned long long)ts);
		return buf;
	}
	snprintf(buf, TIME_LEN, "%llu.%06llu", (unsigned long long)(us / 1000000),
		 (unsigned long long)(us % 1000000));
	return buf;
}

const char *words_tcp_flags(char *buf, const struct copy *copy)
{
	static const char letters[] = "FSRP.UEW";
	char *at = buf;

	if (copy->flow.family && copy->flow.proto == PROTO_TCP) {
		for (int i = 0; i < 8; i++) {
			if (copy->tcp_flags & 1 << i)
				*at++ = letters[i];
		}
	}
	if (at == buf)
		*at++ = '-';
	*at = '\0';
	return buf;
}

const char *words_tcp_number(char *buf, const struct copy *copy, uint32_t number)
{
	if (copy->flow.family && copy->flow.proto == PROTO_TCP)
		snprintf(buf, TCP_NUMBER_LEN, "%u", number);
	else
		snprintf(buf, TCP_NUMBER_LEN, "-");
	return buf;
}

struct text {
	char *buf;
	size_t len, size;
};

static void __attribute__((format(printf, 2, 3)))
append_text(struct text *text, const char *fmt, ...)
{
	size_t space = text->size - text->len;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text->buf + text->len, space, fmt, ap);
	va_end(ap);
	if (n > 0)
		text->len += (size_t)n < space ? (size_t)n : space - 1;
}

/*
 * Append the decisions that changed the path after the device with the index @hop: " (table 100)". connect()
 * looks up the same route several times, so print equal decisions only once.
 */
static void add_decisions_of_path(struct text *text, const struct path *path, unsigned int hop)
{
	char decision[DECISION_TEXT_LEN], before[DECISION_TEXT_LEN] = "";
	const char *words;

	for (unsigned int i = 0; i < path->decisions.n; i++) {
		const unsigned int after = path->decisions.v[i].hop;

		if ((after ? after - 1 : 0) != hop && !(hop + 1 == path->n && after > path->n))
			continue;
		words = words_decision_of_path(decision, &path->decisions.v[i]);
		if (words && strcmp(words, before)) {
			append_text(text, " (%s)", words);
			snprintf(before, sizeof(before), "%s", words);
		}
	}
}

const char *words_path(char *buf, const struct path *path, const struct devices *devices)
{
	struct text text = { .buf = buf, .size = PATH_LEN };
	int one_netns = devices_one_netns(devices);
	char netns_text[NETNS_TEXT_LEN];
	const struct device *before = NULL;
	unsigned int host = UINT32_MAX;

	buf[0] = '\0';
	for (unsigned int i = 0; i < path->n; i++) {
		const struct device *device = devices_get(devices, path->hops[i].device);

		append_text(&text, "%s", i ? " > " : "");
		if (hosts_count() && hosts_of_netns(device->netns) != host) {
			host = hosts_of_netns(device->netns);
			append_text(&text, "%s: ", hosts_name(host));
		}
		append_text(&text, "%s", device->text);
		if (!one_netns && device->netns &&
		    (!before || device->netns != before->netns || device->cookie != before->cookie))
			append_text(&text, "@%s", devices_netns_text(devices, device, netns_text));
		before = device;
		add_decisions_of_path(&text, path, i);
	}
	if (!path->n)
		append_text(&text, "-");
	return buf;
}

static void add_outcome(struct text *text, const struct outcome *outcome,
			const struct devices *devices)
{
	const char *where = outcome->where ? outcome->where->text : "?";
	char program[PROGRAM_TEXT_LEN], target[TARGET_TEXT_LEN];
	const struct device *device = devices_get(devices, outcome->device);

	switch (outcome->verdict) {
	case VERDICT_DELIVERED:
		append_text(text, "delivered to a socket (%s)", where);
		break;
	case VERDICT_TAPPED:
		append_text(text, "tapped by a packet socket (%s)", where);
		break;
	case VERDICT_CONSUMED:
		append_text(text, "consumed by %s", where);
		break;
	case VERDICT_FORWARDED:
		append_text(text, "forwarded out of %s", device ? device->text : "?");
		break;
	case VERDICT_SENT:
		append_text(text, "sent out of %s", device ? device->text : "?");
		break;
	case VERDICT_LOST:
		append_text(text, "left %s on %s and did not arrive at %s",
			    hosts_name(outcome->host), device ? device->text : "?",
			    hosts_name(outcome->missed_at));
		return;
	case VERDICT_QUEUED:
		append_text(text, "queued in %s", where);
		if (device)
			append_text(text, " for %s", device->text);
		break;
	case VERDICT_COPIED:
		append_text(text, "went on as copies in %s", where);
		break;
	case VERDICT_DROPPED:
		if (outcome->program)
			append_text(text, "dropped by %s",
				    words_program(program, outcome->program));
		else
			append_text(text, "dropped in %s: %s", where, outcome->reason);
		break;
	case VERDICT_FREED:
		append_text(text, "freed in %s, no reason given", where);
		break;
	case VERDICT_UNKNOWN:
	case VERDICTS:
		if (outcome->program)
			append_text(text, "unknown, last seen in %s: %s%s",
				    words_program(program, outcome->program),
				    program_result(outcome->program) ?: "?",
				    words_target(target, outcome->program));
		else
			append_text(text, "unknown, last seen in %s", where);
		break;
	}
	if (hosts_count())
		append_text(text, " on %s", hosts_name(outcome->host));
}

const char *words_outcome(char *buf, const struct outcome *outcome, const struct devices *devices)
{
	struct text text = { .buf = buf, .size = VERDICT_LEN };

	add_outcome(&text, outcome, devices);
	return buf;
}

/* Append the number of copies with each verdict: "; copies: 2 delivered, 1 tapped". */
static void add_copies(struct text *text, const struct packet *packet)
{
	unsigned int counts[VERDICTS] = { 0 };
	const char *before = "; copies: ";

	for (unsigned int i = 0; i < packet->nr_copies; i++)
		counts[packet->copies[i]->outcome.verdict]++;
	for (enum verdict verdict = 0; verdict < VERDICTS; verdict++) {
		if (!counts[verdict])
			continue;
		append_text(text, "%s%u %s", before, counts[verdict], words_verdict_name(verdict));
		before = ", ";
	}
}

const char *words_verdict(char *buf, const struct packet *packet, const struct devices *devices)
{
	struct text text = { .buf = buf, .size = VERDICT_LEN };

	add_outcome(&text, &packet->decided->outcome, devices);
	if (packet->nr_copies > 1)
		add_copies(&text, packet);
	return buf;
}

const char *plural_of(uint64_t n)
{
	return n == 1 ? "" : "s";
}

const char *verb_of(uint64_t n)
{
	return n == 1 ? "is" : "are";
}

const char *words_verdict_name(enum verdict verdict)
{
	static const char *const names[VERDICTS] = {
		[VERDICT_UNKNOWN] = "unknown",	   [VERDICT_QUEUED] = "queued",
		[VERDICT_DELIVERED] = "delivered", [VERDICT_CONSUMED] = "consumed",
		[VERDICT_FORWARDED] = "forwarded", [VERDICT_SENT] = "sent",
		[VERDICT_LOST] = "lost",	   [VERDICT_COPIED] = "copied",
		[VERDICT_TAPPED] = "tapped",	   [VERDICT_DROPPED] = "dropped",
		[VERDICT_FREED] = "freed",
	};

	return names[verdict];
}

const char *words_flow(char *buf, const struct flow *flow)
{
	char *text;

	flow_text_packet(buf, 0, flow);
	text = strchr(buf, ' ');
	return text ? text + 1 : "-";
}

const char *words_number(char *buf, const struct packet *packet, const struct copy *copy)
{
	if (packet->nr_copies > 1)
		snprintf(buf, NUMBER_LEN, "%u.%u", packet->number, copy->number);
	else
		snprintf(buf, NUMBER_LEN, "%u", packet->number);
	return buf;
}

const char *words_clock_error(char *buf, uint64_t error)
{
	char ns[DURATION_LEN];

	*buf = '\0';
	if (error == CLOCK_ERROR_UNKNOWN)
		snprintf(buf, CLOCK_ERROR_LEN, " (± ?)");
	else if (error)
		snprintf(buf, CLOCK_ERROR_LEN, " (± %s)", words_duration(ns, error));
	return buf;
}
