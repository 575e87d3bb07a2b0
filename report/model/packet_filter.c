// SPDX-License-Identifier: GPL-2.0
/* packet_filter.c - select the packets to be shown */
#include <pcap/pcap.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escape.h"
#include "hosts/hosts.h"
#include "model/packet_headers.h"
#include "model/packet_filter.h"
#include "model/packet_text.h"

#define SNAPLEN 65535

struct packet_filter {
	const struct chosen *chosen;
	const struct output *output;
	void *data;
	struct packets *packets;
	struct bpf_program program;
	bool compiled;
	uint64_t shown, all;
};

bool chosen_any(const struct chosen *chosen)
{
	return chosen->expression || chosen->by_flow || chosen->verdicts || chosen->nr_netns ||
	       chosen->from || chosen->to != UINT64_MAX;
}

/* Append text at @at. Return: the end of the appended text; NULL if it does not fit before @end. */
static char *__attribute__((format(printf, 3, 4)))
append(char *at, const char *end, const char *format, ...)
{
	va_list args;
	int n;

	if (!at)
		return NULL;
	va_start(args, format);
	n = vsnprintf(at, end - at, format, args);
	va_end(args);
	return n < 0 || n >= end - at ? NULL : at + n;
}

static char *append_time(char *at, const char *end, const char *option, uint64_t us)
{
	return append(at, end, " %s %llu.%06llu", option, (unsigned long long)us / 1000000,
		      (unsigned long long)us % 1000000);
}

static char *append_verdicts(char *at, const char *end, unsigned int verdicts)
{
	const char *before = " --verdict ";

	for (enum verdict verdict = 0; verdict < VERDICTS; verdict++) {
		if (!(verdicts & 1u << verdict))
			continue;
		at = append(at, end, "%s%s", before, words_verdict_name(verdict));
		before = ",";
	}
	return at;
}

const char *chosen_words(char *buf, size_t size, const struct chosen *chosen)
{
	char *at = buf, *const end = buf + size;

	*buf = '\0';
	if (chosen->by_flow)
		at = append(at, end, " --flow=%u", chosen->flow);
	at = append_verdicts(at, end, chosen->verdicts);
	for (unsigned int i = 0; i < chosen->nr_netns; i++) {
		at = append(at, end, " --netns=");
		if (!at || !escape_shell(at, end - at, chosen->netns[i]))
			return NULL;
		at += strlen(at);
	}
	if (chosen->from)
		at = append_time(at, end, "--from", chosen->from);
	if (chosen->to != UINT64_MAX)
		at = append_time(at, end, "--to", chosen->to);
	if (!chosen->expression)
		return at ? buf : NULL;
	at = append(at, end, " ");
	return at && escape_shell(at, end - at, chosen->expression) ? buf : NULL;
}

/*
 * Report an invalid expression. The user may have meant its first word as a file name or as the number of a
 * flow, so the message mentions both.
 */
static int not_understood(const char *expression, const char *why, struct err *err)
{
	size_t len = strcspn(expression, " ");

	if (!expression[strspn(expression, "0123456789")])
		return err_set(
			err,
			"'%s' is not a filter expression; values of --flow, --bytes and --why "
			"need '=', as in --flow=%s",
			expression, expression);
	if (!expression[len] && !access(expression, F_OK))
		return err_set(err,
			       "'%s' is a file; to join it with the first recording, write "
			       "HOST=%s",
			       expression, expression);
	if (!expression[len])
		return err_set(err, "'%s' is neither a file nor a filter expression: %s",
			       expression, why);
	return err_set(err, "'%s' is not a filter expression (and '%.*s' is not a file): %s",
		       expression, (int)len, expression, why);
}

static int compile_expression(struct packet_filter *filter, struct err *err)
{
	const char *expression = filter->chosen->expression;
	pcap_t *pcap = pcap_open_dead(DLT_LINUX_SLL, SNAPLEN);
	int ret = 0;

	if (!pcap)
		return err_set(err, "libpcap: out of memory");
	if (pcap_compile(pcap, &filter->program, expression, 1, PCAP_NETMASK_UNKNOWN))
		ret = not_understood(expression, pcap_geterr(pcap), err);
	filter->compiled = !ret;
	pcap_close(pcap);
	return ret;
}

struct packet_filter *packet_filter_new(const struct chosen *chosen, struct err *err)
{
	struct packet_filter *filter = calloc(1, sizeof(*filter));

	if (!filter) {
		err_set(err, "out of memory");
		return NULL;
	}
	filter->chosen = chosen;
	if (chosen->expression && compile_expression(filter, err)) {
		free(filter);
		return NULL;
	}
	return filter;
}

void packet_filter_free(struct packet_filter *filter)
{
	if (!filter)
		return;
	if (filter->compiled)
		pcap_freecode(&filter->program);
	free(filter);
}

void packet_filter_set_output(struct packet_filter *filter, const struct output *output, void *data,
			      struct packets *packets)
{
	filter->output = output;
	filter->data = data;
	filter->packets = packets;
}

/* Test the expression with the headers that the packet has at this probe point. */
static void match_packet(void *data, const struct moment *at, const struct packet_seen *seen)
{
	struct packet_filter *filter = data;
	const struct packet_facts *facts = &seen->facts;
	uint8_t bytes[COOKED_LEN + RECORD_SKB_SNAPLEN];
	struct pcap_pkthdr header = { .caplen = COOKED_LEN };

	(void)at;
	if (!filter->compiled)
		return;
	cooked_header(bytes, seen->event->dir, seen->event->flow.ethertype);
	if (facts->data_len && facts->data_len <= RECORD_SKB_SNAPLEN) {
		memcpy(bytes + COOKED_LEN, facts->data, facts->data_len);
		header.caplen += facts->data_len;
	}
	header.len = COOKED_LEN + packet_len(seen);
	if (pcap_offline_filter(&filter->program, &header, bytes))
		packets_choose(filter->packets, seen->event->pkt);
}

const struct observer packet_filter_observer = { .packet = match_packet };

static bool has_verdict(const struct packet *packet, unsigned int verdicts)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (verdicts & 1u << packet->copies[i]->outcome.verdict)
			return true;
	}
	return false;
}

/* Round to microseconds, as words_time() does, so that the times are compared as they are printed. */
static uint64_t to_microseconds(uint64_t ns)
{
	if (words_are_in_ticks())
		return ns > UINT64_MAX / 1000000 ? UINT64_MAX : ns * 1000000;
	return (ns + 500) / 1000;
}

static bool is_in_netns(const struct chosen *chosen, const struct devices *devices,
			const struct path *path)
{
	const struct device *device;

	for (unsigned int i = 0; i < path->n; i++) {
		device = devices_get(devices, path->hops[i].device);
		for (unsigned int k = 0; k < chosen->nr_netns; k++)
			if (netns_is(devices_netns_name(devices, device),
				     hosts_inode_of_netns(device->netns), chosen->netns[k]))
				return true;
	}
	return false;
}

static bool passed_netns(const struct chosen *chosen, const struct devices *devices,
			 const struct packet *packet)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++)
		if (is_in_netns(chosen, devices, &packet->copies[i]->path))
			return true;
	return false;
}

static bool is_chosen(const struct packet_filter *filter, const struct packet *packet)
{
	const struct chosen *chosen = filter->chosen;

	return (!chosen->expression || packet->chosen) &&
	       (!chosen->by_flow || packet->flow_number == chosen->flow) &&
	       (!chosen->verdicts || has_verdict(packet, chosen->verdicts)) &&
	       (!chosen->nr_netns ||
		passed_netns(chosen, packets_devices(filter->packets), packet)) &&
	       to_microseconds(packet->first) <= chosen->to &&
	       to_microseconds(packet->last) >= chosen->from;
}

static void filter_packet(void *data, const struct packet *packet)
{
	struct packet_filter *filter = data;

	filter->all++;
	if (!is_chosen(filter, packet)) {
		if (filter->output->other)
			filter->output->other(filter->data, packet);
		return;
	}
	filter->shown++;
	filter->output->packet(filter->data, packet);
}

static void filter_begin(void *data)
{
	struct packet_filter *filter = data;

	if (filter->output->begin)
		filter->output->begin(filter->data);
}

static void filter_end(void *data)
{
	struct packet_filter *filter = data;

	if (filter->output->end)
		filter->output->end(filter->data);
}

const struct output packet_filter_output = { .begin = filter_begin,
					     .packet = filter_packet,
					     .end = filter_end };

void packet_filter_print_count(const struct packet_filter *filter, bool stopped)
{
	if (chosen_any(filter->chosen))
		fprintf(stderr, "chosen: %llu of %llu packet%s%s\n",
			(unsigned long long)filter->shown, (unsigned long long)filter->all,
			plural_of(filter->all), stopped ? " that were read" : "");
}
