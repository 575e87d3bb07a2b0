// SPDX-License-Identifier: GPL-2.0
/* flow_way_test.c - test the directions of packets if NAT changes their addresses */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/packet_headers.h"

enum { CLIENT = 1, GATEWAY = 2, SERVER = 3, REAL_SERVER = 4, OTHER = 5 };

static struct flow flow(uint8_t from, uint16_t sport, uint8_t to, uint16_t dport)
{
	return (struct flow){ .family = FLOW_INET,
			      .proto = 17,
			      .sport = sport,
			      .dport = dport,
			      .saddr = { from },
			      .daddr = { to } };
}

static void is_way(const struct flow *one, const struct flow *other, enum flow_way way)
{
	assert_int_equal(flow_way(one, other), way);
	assert_int_equal(flow_way(other, one), way);
	assert_int_equal(goes_back(one, other), way == WAY_BACK);
}

static void without_nat(void **state)
{
	const struct flow request = flow(CLIENT, 40000, SERVER, 80);
	const struct flow answer = flow(SERVER, 80, CLIENT, 40000);

	(void)state;
	is_way(&request, &request, WAY_SAME);
	is_way(&request, &answer, WAY_BACK);
}

/* A gateway gives the packet its own address, and another port. */
static void source_is_translated(void **state)
{
	const struct flow request = flow(CLIENT, 40000, SERVER, 80);
	const struct flow translated = flow(GATEWAY, 1024, SERVER, 80);
	const struct flow answer = flow(SERVER, 80, GATEWAY, 1024);

	(void)state;
	is_way(&request, &translated, WAY_SAME);
	is_way(&request, &answer, WAY_BACK);
	is_way(&translated, &answer, WAY_BACK);
}

static void destination_is_translated(void **state)
{
	const struct flow request = flow(CLIENT, 40000, SERVER, 80);
	const struct flow translated = flow(CLIENT, 40000, REAL_SERVER, 8080);
	const struct flow answer = flow(REAL_SERVER, 8080, CLIENT, 40000);

	(void)state;
	is_way(&request, &translated, WAY_SAME);
	is_way(&request, &answer, WAY_BACK);
}

static void both_ends_are_translated(void **state)
{
	const struct flow request = flow(CLIENT, 40000, SERVER, 80);
	const struct flow translated = flow(GATEWAY, 1024, REAL_SERVER, 8080);

	(void)state;
	is_way(&request, &translated, WAY_UNKNOWN);
}

static void between_ports_of_one_host(void **state)
{
	const struct flow request = flow(CLIENT, 40000, CLIENT, 80);
	const struct flow answer = flow(CLIENT, 80, CLIENT, 40000);

	(void)state;
	is_way(&request, &request, WAY_SAME);
	is_way(&request, &answer, WAY_BACK);
}

/* A router tells the client that the server cannot be reached. The error has no ports. */
static void error_goes_to_the_sender(void **state)
{
	const struct flow request = flow(CLIENT, 40000, SERVER, 80);
	struct flow error = flow(OTHER, 0, CLIENT, 0);

	(void)state;
	error.proto = 1;
	error.has_icmp = true;
	error.icmp_type = 3;
	is_way(&request, &error, WAY_BACK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_nat),
		cmocka_unit_test(source_is_translated),
		cmocka_unit_test(destination_is_translated),
		cmocka_unit_test(both_ends_are_translated),
		cmocka_unit_test(between_ports_of_one_host),
		cmocka_unit_test(error_goes_to_the_sender),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
