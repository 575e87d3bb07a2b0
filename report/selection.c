// SPDX-License-Identifier: GPL-2.0
/* selection.c - the packets that are to be shown, of all that are in the recording */
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "headers.h"
#include "selection.h"

#define SNAPLEN 65535

struct selection {
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
	return chosen->expression || chosen->by_flow || chosen->verdicts || chosen->from ||
	       chosen->to != UINT64_MAX;
}

/* Words that are no expression may be meant as one, or the first as a file or as the number of a flow. */
static int not_understood(const char *expression, const char *why, struct err *err)
{
	size_t len = strcspn(expression, " ");

	if (!expression[strspn(expression, "0123456789")])
		return err_set(err, "'%s' is no filter expression; flow %s alone is --flow=%s",
			       expression, expression, expression);
	if (!expression[len] && !access(expression, F_OK))
		return err_set(
			err,
			"'%s' is a second file, and one is read at a time; --diff compares two",
			expression);
	if (!expression[len])
		return err_set(err, "there is no file '%s', and it is no filter expression: %s",
			       expression, why);
	return err_set(err, "'%s' is no filter expression (and '%.*s' is no file): %s", expression,
		       (int)len, expression, why);
}

static int compile(struct selection *selection, struct err *err)
{
	const char *expression = selection->chosen->expression;
	pcap_t *pcap = pcap_open_dead(DLT_LINUX_SLL, SNAPLEN);
	int ret = 0;

	if (!pcap)
		return err_set(err, "libpcap: out of memory");
	if (pcap_compile(pcap, &selection->program, expression, 1, PCAP_NETMASK_UNKNOWN))
		ret = not_understood(expression, pcap_geterr(pcap), err);
	selection->compiled = !ret;
	pcap_close(pcap);
	return ret;
}

struct selection *selection_new(const struct chosen *chosen, struct err *err)
{
	struct selection *selection = calloc(1, sizeof(*selection));

	if (!selection) {
		err_set(err, "out of memory");
		return NULL;
	}
	selection->chosen = chosen;
	if (chosen->expression && compile(selection, err)) {
		free(selection);
		return NULL;
	}
	return selection;
}

void selection_free(struct selection *selection)
{
	if (!selection)
		return;
	if (selection->compiled)
		pcap_freecode(&selection->program);
	free(selection);
}

void selection_set_output(struct selection *selection, const struct output *output, void *data,
			  struct packets *packets)
{
	selection->output = output;
	selection->data = data;
	selection->packets = packets;
}

/* What the expression says of the packet as it is at this point. */
static void packet_seen(void *data, const struct moment *at, const struct packet_seen *seen)
{
	struct selection *selection = data;
	const struct packet_facts *facts = &seen->facts;
	uint8_t bytes[COOKED_LEN + RECORD_SKB_SNAPLEN];
	struct pcap_pkthdr header = { .caplen = COOKED_LEN };

	(void)at;
	if (!selection->compiled)
		return;
	cooked_header(bytes, seen->event->dir, seen->event->flow.ethertype);
	if (facts->data_len && facts->data_len <= RECORD_SKB_SNAPLEN) {
		memcpy(bytes + COOKED_LEN, facts->data, facts->data_len);
		header.caplen += facts->data_len;
	}
	header.len = COOKED_LEN + packet_len(seen);
	if (pcap_offline_filter(&selection->program, &header, bytes))
		packets_choose(selection->packets, seen->event->pkt);
}

const struct sink selection_sink = { .packet = packet_seen };

static bool has_verdict(const struct packet *packet, unsigned int verdicts)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (verdicts & 1u << packet->copies[i]->outcome.verdict)
			return true;
	}
	return false;
}

/* As words_time() shows it. */
static uint64_t microseconds(uint64_t ns)
{
	return (ns + 500) / 1000;
}

static bool is_chosen(const struct chosen *chosen, const struct packet *packet)
{
	return (!chosen->expression || packet->chosen) &&
	       (!chosen->by_flow || packet->flow_number == chosen->flow) &&
	       (!chosen->verdicts || has_verdict(packet, chosen->verdicts)) &&
	       microseconds(packet->first) <= chosen->to &&
	       microseconds(packet->last) >= chosen->from;
}

static void one_packet(void *data, const struct packet *packet)
{
	struct selection *selection = data;

	selection->all++;
	if (!is_chosen(selection->chosen, packet))
		return;
	selection->shown++;
	selection->output->packet(selection->data, packet);
}

static void begin(void *data)
{
	struct selection *selection = data;

	if (selection->output->begin)
		selection->output->begin(selection->data);
}

static void end(void *data)
{
	struct selection *selection = data;

	if (selection->output->end)
		selection->output->end(selection->data);
}

const struct output selection_output = { .begin = begin, .packet = one_packet, .end = end };

void selection_say(const struct selection *selection)
{
	if (chosen_any(selection->chosen))
		fprintf(stderr, "chosen: %llu of %llu packets\n",
			(unsigned long long)selection->shown, (unsigned long long)selection->all);
}
