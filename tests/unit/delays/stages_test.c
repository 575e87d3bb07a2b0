// SPDX-License-Identifier: GPL-2.0
/* stages_test.c - test where a packet waited, and when its reader got it (report/model/stages.c) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/stages.h"

enum { NR_COPIES = 20, CPU = 0, READER = 7, OTHER = 8 };

static struct stages *stages;
static struct copy copies[NR_COPIES];
static struct copy *of_packet[NR_COPIES];
static struct packet packet = { .number = 1, .copies = of_packet, .nr_copies = NR_COPIES };

/* Stand-ins for functions of report/model/packets.c. */

const struct packet *packets_find(const struct packets *packets, uint32_t number)
{
	(void)packets;
	return number == packet.number ? &packet : NULL;
}

bool packets_is_gone(const struct packets *packets, uint32_t number)
{
	(void)packets;
	(void)number;
	return false;
}

/* Set up a packet. Its own skb was seen at a probe point, and a copy was not seen. */
static int begins(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < NR_COPIES; i++) {
		copies[i] = (struct copy){ .number = i, .seen = !i };
		of_packet[i] = &copies[i];
	}
	stages = stages_new();
	return !stages;
}

static int ends(void **state)
{
	(void)state;
	stages_free(stages);
	return 0;
}

static struct moment moment(uint64_t ts, int pid)
{
	return (struct moment){ .ts = ts, .cpu = CPU, .pid = pid };
}

static const struct visit *visit(uint32_t copy)
{
	const struct way *way = stages_way(stages, packet.number);

	for (unsigned int i = 0; way && i < way->nr_visits; i++) {
		if (way->visits[i].copy == copy)
			return &way->visits[i];
	}
	return NULL;
}

static void all_that_was_made_lies_down(void **state)
{
	const struct function function = { .pkt = packet.number, .point = true };
	const struct moment in = moment(10, OTHER), out = moment(20, OTHER);

	(void)state;
	stages_after_observer.entered(stages, &in, &function);
	stages_after_observer.left(stages, &out, &function);
	for (uint32_t i = 0; i < NR_COPIES; i++) {
		assert_non_null(visit(i));
		assert_int_equal(visit(i)->left, out.ts);
	}
}

/*
 * Pass these events: a receiving call begins at 10, the socket gets the packet at 20, and the packet ends at
 * 30.
 */
static void is_received(bool at_work)
{
	const struct moment call = moment(10, READER), came = moment(20, OTHER),
			    end = moment(30, READER);
	const struct skb_event receives = { .dir = RECORD_SKB_DIR_RX };
	const struct skb_event event = { .pkt = packet.number };
	const struct function_left queued = { .event = &event };
	const struct packet_ended ended = { .event = &event, .at_work = at_work };

	copies[0].fate.state = FATE_DELIVERED;
	stages_after_observer.called(stages, &call, &receives);
	stages_after_observer.returned(stages, &came, &queued);
	stages_after_observer.ended(stages, &end, &ended);
	assert_int_equal(visit(0)->delivered, came.ts);
}

static void read_by_its_reader(void **state)
{
	(void)state;
	is_received(false);
	assert_int_equal(visit(0)->read, 30);
}

/*
 * The reader's own task puts this packet from the backlog into the queue of the socket. TCP appends its
 * data to another packet there, so this packet ends without being read.
 */
static void merged_by_its_reader(void **state)
{
	(void)state;
	is_received(true);
	assert_int_equal(visit(0)->read, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_that_was_made_lies_down, begins, ends),
		cmocka_unit_test_setup_teardown(read_by_its_reader, begins, ends),
		cmocka_unit_test_setup_teardown(merged_by_its_reader, begins, ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
