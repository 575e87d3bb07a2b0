// SPDX-License-Identifier: GPL-2.0
/* lines.c - a line for each packet */
#include <stdio.h>

#include "lines.h"
#include "words.h"

static void begin(void *data)
{
	(void)data;
	printf("%6s  %14s  %-46s %-5s %6s  %-30s %8s %8s  %-36s %6s  %s\n", "PACKET", "TIME",
	       "FLOW", "FLAGS", "LEN", "PATH", "STACK", "WAITING", "SLOWEST", "CALLS", "VERDICT");
}

static void one_packet(void *data, const struct packet *packet)
{
	struct packets **packets = data;
	const struct devices *devices = packets_devices(*packets);
	char time[TIME_LEN], flow[FLOW_TEXT_LEN], flags[TCP_FLAGS_LEN], path[PATH_LEN];
	char stack[DURATION_LEN], waiting[DURATION_LEN], slow[DURATION_LEN], verdict[VERDICT_LEN];
	char slowest[64] = "-";

	if (packet->slowest)
		snprintf(slowest, sizeof(slowest), "%s %s", packet->slowest->text,
			 words_duration(slow, packet->slowest_ns));
	printf("%6u%c %14s  %-46s %-5s %6u  %-30s %8s %8s  %-36s %6llu  %s\n", packet->number,
	       packet->incomplete ? '!' : ' ', words_time(time, packet->first),
	       words_flow(flow, packet), words_tcp_flags(flags, packet), packet->len,
	       words_path(path, packet, devices), words_duration(stack, packet->stack_ns),
	       words_duration(waiting, packet->wait_ns), slowest,
	       (unsigned long long)packet->calls, words_verdict(verdict, packet, devices));
}

const struct output lines_output = { .begin = begin, .packet = one_packet };
