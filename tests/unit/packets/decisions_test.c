// SPDX-License-Identifier: GPL-2.0
/*
 * decisions_test.c - test what report-skb concludes about connections, NAT and routes
 * (report/model/packet_decisions.c)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "model/packet_decisions.h"

enum { ESTABLISHED = 1, NEW = 3, ESTABLISHED_REPLY = 4 };

static const struct flow inside = {
	.family = FLOW_INET, .proto = 17, .sport = 4000, .dport = 53, .saddr = { 10 }, .daddr = { 2 }
};
static const struct flow outside = {
	.family = FLOW_INET, .proto = 17, .sport = 4000, .dport = 53, .saddr = { 20 }, .daddr = { 2 }
};
static const struct name forward = { .text = "ip_forward" },
			 transmit = { .text = "__dev_queue_xmit" };

/*
 * Pass an event of a packet at a probe point. The packet has the addresses @now; before this point, it had
 * the addresses in the variable inside.
 */
static void passes(struct translations *translations, struct decisions *packet,
		   const struct name *point, uint16_t device, const struct flow *now)
{
	static const struct decision decision;
	const struct translation seen = {
		.flow_number = 1,
		.netns = 1,
		.device = device,
		.point = point,
		.before = inside,
		.now = *now,
	};

	translations_see(translations, &seen, &decision, packet);
}

static void is_translated(struct decisions *packet)
{
	static const struct decision decision;

	decisions_add_translation(packet, &decision, &inside, &outside, CT_SRC_NAT);
}

static void left_out(void **state)
{
	struct translations *translations = translations_new();
	struct decisions first = { NULL }, second = { NULL };

	(void)state;
	passes(translations, &first, &forward, 1, &inside);
	is_translated(&first);
	passes(translations, &first, &transmit, 2, &outside);
	assert_int_equal(first.n, 1);

	/*
	 * The first packet got new addresses at this place, but the second packet keeps its addresses here.
	 */
	passes(translations, &second, &forward, 1, &inside);
	assert_int_equal(second.n, 0);
	/*
	 * This is the same function, but on another device. So it is not the place where the first packet
	 * got new addresses.
	 */
	passes(translations, &second, &transmit, 3, &inside);
	assert_int_equal(second.n, 0);
	passes(translations, &second, &transmit, 2, &inside);
	passes(translations, &second, &transmit, 2, &inside);
	assert_int_equal(second.n, 1);
	assert_int_equal(second.v[0].facts.kind, DECISION_NOT_TRANSLATED);
	assert_int_equal(second.v[0].now.saddr[0], 20);

	/* The second packet gets new addresses later. */
	is_translated(&second);
	assert_int_equal(second.n, 1);
	assert_int_equal(second.v[0].facts.kind, DECISION_TRANSLATED);
	decisions_free(&first);
	decisions_free(&second);
	translations_free(translations);
}

/*
 * Packets in the other direction of the flow have other addresses. No packet of this direction got new
 * addresses, so NAT was not left out.
 */
static void other_direction(void **state)
{
	struct translations *translations = translations_new();
	struct decisions packet = { NULL }, reply = { NULL };
	const struct decision decision = { .hop = 1 };
	struct translation seen = {
		.flow_number = 1, .netns = 1, .device = 2, .point = &transmit, .before = outside
	};

	(void)state;
	is_translated(&packet);
	passes(translations, &packet, &transmit, 2, &outside);
	seen.now = seen.before;
	translations_see(translations, &seen, &decision, &reply);
	assert_int_equal(reply.n, 0);
	decisions_free(&packet);
	translations_free(translations);
}

/* Add a change of the destination to the list of a packet. @ct is the state of its connection. */
static void is_redirected(struct decisions *packet, uint8_t ct, const struct flow *to)
{
	const struct packet_facts facts = { .ct = ct, .ct_status = CT_DST_NAT };
	static const struct decision decision;
	struct connection connection = { 0 };

	connection_see(&connection, &facts, &decision, packet);
	decisions_add_translation(packet, &decision, &inside, to, CT_DST_NAT);
}

/* A change of the destination is known for the flow. In answers, the change is the reverse of SNAT. */
static void changes_of_destination(void **state)
{
	struct translations *translations = translations_new();
	struct decisions asked = { NULL }, answer = { NULL }, source = { NULL };
	struct flow redirected = inside;
	const struct translation *nat;

	(void)state;
	redirected.daddr[0] = 30;
	is_translated(&source);
	passes(translations, &source, &transmit, 2, &outside);
	assert_null(translations_find_dnat(translations, 1));
	is_redirected(&answer, ESTABLISHED_REPLY, &redirected);
	passes(translations, &answer, &transmit, 2, &redirected);
	assert_null(translations_find_dnat(translations, 1));
	is_redirected(&asked, NEW, &redirected);
	passes(translations, &asked, &transmit, 2, &redirected);
	nat = translations_find_dnat(translations, 1);
	assert_non_null(nat);
	assert_int_equal(nat->netns, 1);
	assert_int_equal(nat->before.daddr[0], 2);
	assert_int_equal(nat->now.daddr[0], 30);
	assert_null(translations_find_dnat(translations, 0));
	decisions_free(&asked);
	decisions_free(&answer);
	decisions_free(&source);
	translations_free(translations);
}

static void changes_of_connection(void **state)
{
	struct packet_facts facts = { .ct = NEW, .netns = 1 };
	struct connection connection = { 0 };
	struct decisions packet = { NULL };
	const struct decision decision = { .hop = 1 };

	(void)state;
	connection_see(&connection, &facts, &decision, &packet);
	connection_see(&connection, &facts, &decision, &packet);
	assert_int_equal(packet.n, 1);
	/* Change a bit that does not affect the packet's path, such as IPS_ASSURED. */
	facts.ct_status = 1 << 2;
	connection_see(&connection, &facts, &decision, &packet);
	assert_int_equal(packet.n, 1);
	facts.ct_status = CT_DST_NAT;
	connection_see(&connection, &facts, &decision, &packet);
	assert_int_equal(packet.n, 2);
	/*
	 * The packet enters another namespace. There it does not belong to the connection of the first
	 * namespace.
	 */
	facts = (struct packet_facts){ .netns = 2 };
	connection_see(&connection, &facts, &decision, &packet);
	facts.ct = ESTABLISHED;
	facts.bridged = true;
	connection_see(&connection, &facts, &decision, &packet);
	assert_int_equal(packet.n, 4);
	assert_int_equal(packet.v[3].facts.kind, DECISION_BRIDGED);
	decisions_free(&packet);
}

static void source_check(void **state)
{
	struct decision_facts facts = { .kind = RECORD_SKB_DECISION_ROUTE,
					.to = { .family = FLOW_INET, .bytes = { 2 } } };

	(void)state;
	assert_false(decision_is_reverse(&facts, &inside));
	facts.to.bytes[0] = 10;
	assert_true(decision_is_reverse(&facts, &inside));
	/* After NAT, the source address belongs to neither end of the connection. */
	assert_false(decision_is_reverse(&facts, &outside));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(left_out),
		cmocka_unit_test(other_direction),
		cmocka_unit_test(changes_of_connection),
		cmocka_unit_test(changes_of_destination),
		cmocka_unit_test(source_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
