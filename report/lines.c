// SPDX-License-Identifier: GPL-2.0
/* lines.c - a line for each packet, and one for each of its copies */
#include <stdio.h>

#include "lines.h"
#include "words.h"

static void begin(void *data)
{
	(void)data;
	printf("%6s  %14s  %-46s %-5s %6s  %-30s %8s %8s  %-36s %6s  %s\n", "PACKET", "TIME",
	       "FLOW", "FLAGS", "LEN", "PATH", "STACK", "WAITING", "SLOWEST", "CALLS", "VERDICT");
}

/* What the lines of a packet and of its copies have in common: up to the path. */
static void print_way(const char *number, const struct packet *packet, const struct copy *copy,
		      const struct path *path, const struct devices *devices)
{
	char time[TIME_LEN], flow[FLOW_TEXT_LEN], flags[TCP_FLAGS_LEN], way[PATH_LEN];

	printf("%6s%c %14s  %-46s %-5s %6u  %-30s ", number, packet->incomplete ? '!' : ' ',
	       words_time(time, copy->seen ? copy->first : packet->first),
	       words_flow(flow, &copy->flow), words_tcp_flags(flags, copy), copy->len,
	       words_path(way, path, devices));
}

static void print_packet(const struct packet *packet, const struct devices *devices)
{
	char number[NUMBER_LEN], stack[DURATION_LEN], waiting[DURATION_LEN], slow[DURATION_LEN];
	char slowest[64] = "-", verdict[VERDICT_LEN];

	if (packet->slowest)
		snprintf(slowest, sizeof(slowest), "%s %s", packet->slowest->text,
			 words_duration(slow, packet->slowest_ns));
	snprintf(number, sizeof(number), "%u", packet->number);
	print_way(number, packet, packet->copies[0], &packet->decided->path, devices);
	printf("%8s %8s  %-36s %6llu  %s\n", words_duration(stack, packet->stack_ns),
	       words_duration(waiting, packet->wait_ns), slowest, (unsigned long long)packet->calls,
	       words_verdict(verdict, packet, devices));
}

/* Its time is not told from that of the packet's others. */
static void print_copy(const struct packet *packet, const struct copy *copy,
		       const struct devices *devices)
{
	char number[NUMBER_LEN], verdict[VERDICT_LEN];

	print_way(words_number(number, packet, copy), packet, copy, &copy->path, devices);
	printf("%8s %8s  %-36s %6s  %s\n", "", "", "", "",
	       words_outcome(verdict, &copy->outcome, devices));
}

static void one_packet(void *data, const struct packet *packet)
{
	const struct devices *devices = packets_devices(*(struct packets **)data);

	print_packet(packet, devices);
	for (unsigned int i = 0; packet->nr_copies > 1 && i < packet->nr_copies; i++)
		print_copy(packet, packet->copies[i], devices);
}

const struct output lines_output = { .begin = begin, .packet = one_packet };
