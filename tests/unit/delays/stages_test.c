// SPDX-License-Identifier: GPL-2.0
/* stages_test.c - test where a packet waited, and when its reader got it (report/model/stages.c) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "functions.h"
#include "hosts/hosts.h"
#include "model/packet_headers.h"
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

static struct lost_events losses;

const struct lost_events *packets_losses(const struct packets *packets)
{
	(void)packets;
	return &losses;
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
	lost_events_free(&losses);
	losses = (struct lost_events){ 0 };
	packet.flow_number = 0;
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

static const struct flow to_server = {
	.family = FLOW_INET, .proto = 6, .sport = 40000, .dport = 80, .saddr = { 1 }, .daddr = { 2 }
};

/* The server sends a packet that acknowledges all bytes before @ack. */
static void acknowledges(uint64_t ts, uint32_t ack)
{
	static const struct name point = { .text = (char *)"__ip_local_out" };
	const struct moment at = moment(ts, OTHER);
	const struct skb_event event = { .pkt = 2,
					 .dir = RECORD_SKB_DIR_TX,
					 .flow = flow_reversed(&to_server),
					 .flow_number = 5 };
	const struct packet_seen seen = { .event = &event,
					  .point = &point,
					  .facts = { .tcp_flags = 16, .ack = ack } };

	stages_before_observer.packet(stages, &at, &seen);
}

/* The server's socket gets a segment of 100 bytes. */
static void gets_segment(uint64_t ts, uint32_t seq)
{
	const struct moment at = moment(ts, OTHER);
	const struct skb_event event = { .pkt = packet.number };
	const struct function_left handled = { .event = &event };

	packet.flow_number = 5;
	copies[0].flow_now = to_server;
	copies[0].seq = seq;
	copies[0].payload_now = 100;
	copies[0].fate.state = FATE_DELIVERED;
	stages_after_observer.returned(stages, &at, &handled);
	assert_int_equal(visit(0)->delivered, ts);
}

/* A call of the server reads from the socket. @ends is true if the segment ends in the call. */
static void reads(uint64_t from, uint64_t to, bool ends)
{
	const struct moment begin = moment(from, READER), end = moment(to, READER);
	const struct skb_event event = { .pkt = packet.number };
	const struct packet_ended ended = { .event = &event };
	struct skb_event call = { .dir = RECORD_SKB_DIR_RX,
				  .flow = flow_reversed(&to_server),
				  .flow_number = 5,
				  .ret = 50 };

	stages_after_observer.called(stages, &begin, &call);
	if (ends)
		stages_after_observer.ended(stages, &end, &ended);
	stages_after_observer.call_returned(stages, &end, &call);
}

static void readable_from_its_arrival(void **state)
{
	(void)state;
	acknowledges(10, 1000);
	gets_segment(20, 1000);
	assert_int_equal(visit(0)->in_order, 20);
}

/* The bytes from 1000 to 1999 are lost. So no program can read the segment, until they arrive. */
static void not_readable_behind_a_hole(void **state)
{
	(void)state;
	acknowledges(10, 1000);
	gets_segment(20, 2000);
	assert_int_equal(visit(0)->in_order, 0);
	acknowledges(30, 1000);
	assert_int_equal(visit(0)->in_order, 0);
	acknowledges(40, 2100);
	assert_int_equal(visit(0)->in_order, 40);
}

/* The recording has no earlier packet of the connection, so a hole may precede the segment. */
static void order_of_first_segment_is_unknown(void **state)
{
	(void)state;
	gets_segment(20, 1000);
	assert_int_equal(visit(0)->in_order, 0);
	reads(25, 30, true);
	assert_int_equal(visit(0)->read, 30);
	assert_true(!visit(0)->in_order || visit(0)->in_order == 30);
}

/* Rows were lost, and the acknowledgement of the bytes before the segment may be among them. */
static void order_is_unknown_after_a_loss(void **state)
{
	const struct moment at = moment(15, OTHER);

	(void)state;
	acknowledges(10, 1000);
	stages_before_observer.lost(stages, &at, 11, 3);
	gets_segment(20, 1000);
	assert_int_equal(visit(0)->in_order, 0);
}

/* The reader takes the segment in two steps. After the first one, "no program had read it" is wrong. */
static void read_in_two_steps(void **state)
{
	(void)state;
	acknowledges(10, 1000);
	gets_segment(20, 1000);
	reads(30, 35, false);
	reads(50, 60, true);
	assert_int_equal(visit(0)->read, 60);
	assert_true(visit(0)->partly);
}

static void read_in_one_step(void **state)
{
	(void)state;
	reads(1, 5, false);
	acknowledges(10, 1000);
	gets_segment(20, 1000);
	reads(50, 60, true);
	assert_int_equal(visit(0)->read, 60);
	assert_false(visit(0)->partly);
}

/* A packet reaches a driver on one host, and arrives on host 1. */
static void goes_to_host(uint64_t error)
{
	static const struct name driver = { .text = (char *)"virtio_xmit" };
	struct name receive = { .text = (char *)"napi_gro_receive" };
	const struct moment out = moment(10, OTHER);
	const struct moment in = { .ts = 20, .cpu = hosts_cpu(1, CPU), .pid = OTHER };
	struct skb_event event = { .pkt = packet.number, .dir = RECORD_SKB_DIR_TX };
	struct packet_seen seen = { .event = &event, .point = &driver };

	receive.facts = function_facts(receive.text);
	hosts_set_clock_error(1, error);
	stages_before_observer.packet(stages, &out, &seen);
	event.dir = RECORD_SKB_DIR_RX;
	seen.point = &receive;
	stages_before_observer.packet(stages, &in, &seen);
}

static void step_between_hosts_has_error(void **state)
{
	(void)state;
	goes_to_host(3);
	assert_int_equal(stages_way(stages, packet.number)->nr_steps, 1);
	assert_int_equal(step_clock_error(&stages_way(stages, packet.number)->steps[0]), 3);
}

static void step_with_unknown_error_is_left_out(void **state)
{
	(void)state;
	goes_to_host(CLOCK_ERROR_UNKNOWN);
	assert_int_equal(stages_way(stages, packet.number)->nr_steps, 0);
}

/* A packet waits from 10 to 20 between a driver and the next point. Rows of  were lost from  to . */
static void waits_with_loss(uint64_t from, uint64_t to, bool is_late)
{
	static const struct name driver = { .text = (char *)"virtio_xmit" };
	struct name receive = { .text = (char *)"napi_gro_receive" };
	const struct function function = { .pkt = packet.number, .point = true };
	const struct moment out = moment(10, OTHER), in = moment(20, OTHER);
	const struct loss loss = { .cpu = 1, .from = from, .to = to };
	struct skb_event event = { .pkt = packet.number, .dir = RECORD_SKB_DIR_TX };
	struct packet_seen seen = { .event = &event, .point = &driver };

	receive.facts = function_facts(receive.text);
	copies[0].fate.at.id = &driver;
	stages_before_observer.packet(stages, &out, &seen);
	stages_after_observer.entered(stages, &out, &function);
	stages_after_observer.left(stages, &out, &function);
	if (!is_late)
		lost_events_add(&losses, &loss);
	event.dir = RECORD_SKB_DIR_RX;
	seen.point = &receive;
	stages_before_observer.packet(stages, &in, &seen);
	if (is_late)
		lost_events_add(&losses, &loss);
}

static void lost_rows_hide_stages(void **state)
{
	(void)state;
	waits_with_loss(12, 18, false);
	assert_int_equal(stages_way(stages, packet.number)->nr_steps, 0);
	assert_int_equal(stages_way(stages, packet.number)->longest.ns, 0);
}

/* The first row of the other CPU after its lost rows comes after the step. */
static void loss_is_found_after_the_step(void **state)
{
	(void)state;
	waits_with_loss(12, 30, true);
	assert_int_equal(stages_way(stages, packet.number)->nr_steps, 0);
	assert_int_equal(stages_way(stages, packet.number)->longest.ns, 0);
}

static void loss_before_a_step_changes_nothing(void **state)
{
	(void)state;
	waits_with_loss(2, 9, false);
	assert_int_equal(stages_way(stages, packet.number)->nr_steps, 1);
	assert_int_equal(stages_way(stages, packet.number)->longest.ns, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_that_was_made_lies_down, begins, ends),
		cmocka_unit_test_setup_teardown(read_by_its_reader, begins, ends),
		cmocka_unit_test_setup_teardown(merged_by_its_reader, begins, ends),
		cmocka_unit_test_setup_teardown(readable_from_its_arrival, begins, ends),
		cmocka_unit_test_setup_teardown(not_readable_behind_a_hole, begins, ends),
		cmocka_unit_test_setup_teardown(order_of_first_segment_is_unknown, begins, ends),
		cmocka_unit_test_setup_teardown(order_is_unknown_after_a_loss, begins, ends),
		cmocka_unit_test_setup_teardown(read_in_two_steps, begins, ends),
		cmocka_unit_test_setup_teardown(read_in_one_step, begins, ends),
		cmocka_unit_test_setup_teardown(step_between_hosts_has_error, begins, ends),
		cmocka_unit_test_setup_teardown(step_with_unknown_error_is_left_out, begins, ends),
		cmocka_unit_test_setup_teardown(lost_rows_hide_stages, begins, ends),
		cmocka_unit_test_setup_teardown(loss_is_found_after_the_step, begins, ends),
		cmocka_unit_test_setup_teardown(loss_before_a_step_changes_nothing, begins, ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
