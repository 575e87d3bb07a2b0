/* SPDX-License-Identifier: GPL-2.0 */
/* overview.h - make packets, add them to the overview of the tested code, and get its finding */
#ifndef _SUMMARY_OVERVIEW_H
#define _SUMMARY_OVERVIEW_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/overview.h"
#include "model/packet_headers.h"
#include "output/summary.h"

enum { FROM_CLIENT, FROM_SERVER };

static struct packets *packets;
static struct socket_reads *reads;
static struct explanations *explanations;
static struct resets *resets;
static struct overview *overview;

/*
 * Stand-ins for functions of stages.c. All packets were delivered to a socket at the time 5, in order,
 * and were not read.
 */
static struct visit visits[] = { { .copy = 0, .delivered = 5, .in_order = 5 } };
static const struct way way = { .visits = visits, .nr_visits = 1 };

const struct way *stages_way(const struct stages *stages, uint32_t number)
{
	(void)stages;
	(void)number;
	return &way;
}

const struct lost_events *stages_losses(const struct stages *stages)
{
	(void)stages;
	return packets_losses(packets);
}

uint64_t stages_newest(const struct stages *stages)
{
	(void)stages;
	return 1000000;
}

void stages_forget(struct stages *stages, uint32_t number)
{
	(void)stages;
	(void)number;
}

static void ignore_packet(void *data, const struct packet *packet)
{
	(void)data;
	(void)packet;
}

static int begin(void **state)
{
	static const struct output output = { .packet = ignore_packet };

	(void)state;
	packets = packets_new(&output, NULL, NULL);
	reads = socket_reads_create();
	explanations = explanations_create(&packets);
	resets = resets_create();
	overview = overview_create(NULL, &packets, reads, explanations, resets);
	return !overview;
}

static int end(void **state)
{
	(void)state;
	overview_free(overview);
	resets_free(resets);
	explanations_free(explanations);
	socket_reads_free(reads);
	packets_free(packets);
	return 0;
}

/* A packet, its copies (at most three), and pointers to them. */
struct made {
	struct packet packet;
	struct copy copies[3];
	struct copy *pointers[3];
};

/* Make a TCP packet of the client 1:40000+@flow or of the server 2:80. */
static inline struct made *make(uint32_t number, uint32_t flow, bool from_server, uint8_t flags)
{
	static struct made list[16];
	struct made *made = &list[number % 16];

	*made = (struct made){ .packet = { .number = number, .flow_number = flow } };
	made->packet.first = made->packet.last = number * 10;
	made->packet.copies = made->pointers;
	made->packet.nr_copies = 1;
	made->packet.decided = &made->copies[0];
	for (unsigned int i = 0; i < 3; i++) {
		made->pointers[i] = &made->copies[i];
		made->copies[i] = (struct copy){
			.number = i,
			.seen = true,
			.payload = 0,
			.tcp_flags = flags,
			.flow = { .family = FLOW_INET,
				  .proto = PROTO_TCP,
				  .sport = from_server ? 80 : 40000 + flow,
				  .dport = from_server ? 40000 + flow : 80,
				  .saddr = { from_server ? 2 : 1 },
				  .daddr = { from_server ? 1 : 2 } },
			.outcome = { .verdict = VERDICT_CONSUMED, .reason = "" },
		};
		made->copies[i].flow_now = made->copies[i].flow;
	}
	return made;
}

/* Make an ICMP port unreachable error that belongs to a TCP flow. */
static inline struct made *make_error(uint32_t number, uint32_t flow, uint8_t source)
{
	struct made *made = make(number, flow, false, 0);

	made->copies[0].flow = (struct flow){ .family = FLOW_INET,
					      .proto = 1,
					      .has_icmp = true,
					      .icmp_type = 3,
					      .saddr = { source } };
	return made;
}

static inline void add(struct made *made)
{
	overview_add(overview, &made->packet);
}

/* Return: the text of the finding. */
static inline const char *finding_text(void)
{
	static const struct chosen chosen = { .to = UINT64_MAX };
	static const struct ring_end end = { 0 };
	const struct recorded recorded = {
		.file = "trace.dat", .chosen = &chosen, .end = &end, .has_beginning = true
	};
	static struct found found;

	overview_finish(overview, 1000000000, false);
	summary_finding(overview, &recorded, packets, &found);
	return found.text;
}

#define OVERVIEW_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
