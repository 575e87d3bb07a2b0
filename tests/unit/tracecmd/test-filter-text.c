// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"
#include "filter/filter_text.h"
#include "text.h"

/* Check the expression that is made from a list of options, which NULL ends. */
static void assert_becomes(const char *expected, struct options *options)
{
	char *expression = NULL, *program;
	struct terms terms;
	struct err err;

	if (expression_make(options, &expression, &program, &terms, &err))
		fail_msg("refused: %s", err.text);
	if (expected)
		assert_string_equal(expression, expected);
	else
		assert_null(expression);
	free(expression);
	free(program);
	options_free(options);
}

static void assert_refused(struct options *options, const char *said)
{
	char *expression = NULL, *program;
	struct terms terms;
	struct err err;

	assert_int_equal(expression_make(options, &expression, &program, &terms, &err), -1);
	if (!strstr(err.text, said))
		fail_msg("says '%s', not '%s'", err.text, said);
	assert_null(expression);
	options_free(options);
}

static struct options with(size_t field, const char *first, const char *second)
{
	struct options options = {};
	struct strings *list = (struct strings *)((char *)&options + field);

	strings_add(list, first);
	if (second)
		strings_add(list, second);
	return options;
}

#define WITH(field, first, second) with(offsetof(struct options, field), first, second)

static void nothing_is_every_packet(void **state)
{
	struct options options = {};

	(void)state;
	assert_becomes(NULL, &options);
}

static void ports(void **state)
{
	struct options options;

	(void)state;
	options = WITH(ports, "9000", NULL);
	assert_becomes("port 9000", &options);
	options = WITH(ports, "1,65535", "8000-8100");
	assert_becomes("(port 1 or port 65535 or portrange 8000-8100)", &options);
	options = WITH(sports, "5", NULL);
	assert_becomes("src port 5", &options);
	options = WITH(dports, "5-6", NULL);
	assert_becomes("dst portrange 5-6", &options);
	options = WITH(ports, "http", NULL);
	assert_becomes("port 80", &options);
	options = WITH(ports, "http-alt", NULL); /* a name with a dash is not a range */
	assert_becomes("port 8080", &options);
}

static void bad_ports(void **state)
{
	static const struct {
		const char *value, *said;
	} bad[] = {
		{ "0", "not a port" },
		{ "65536", "not a port" },
		{ "9000x", "not a port" },
		{ "99999999999999999999", "not a port" },
		{ "5-", "not a port" },
		{ "0-5", "not a port" },
		{ "5-70000", "not a port" },
		{ "5-6-7", "not a port" },
		{ "6-5", "swap its ends" },
		{ "", "missing" },
		{ "1,", "missing" },
		{ ",1", "missing" },
		{ "1,,2", "missing" },
		{ "nosuchservice", "neither a port nor" },
		{ "-5", "neither a port nor" },
		{ " 5", "neither a port nor" },
		{ "9000 or tcp", "not a port" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct options options = WITH(ports, bad[i].value, NULL);

		assert_refused(&options, bad[i].said);
	}
}

static void hosts(void **state)
{
	struct options options;

	(void)state;
	options = WITH(hosts, "10.0.0.1", "fe80::1");
	assert_becomes("(host 10.0.0.1 or host fe80::1)", &options);
	options = WITH(srcs, "10.0.0.0/8", NULL);
	assert_becomes("src net 10.0.0.0/8", &options);
	options = WITH(dsts, "2001:db8::/32", NULL);
	assert_becomes("dst net 2001:db8::/32", &options);
}

static void bad_hosts(void **state)
{
	static const char *const bad[] = {
		"10.0.0.0/33", "fe80::/129",  "10.0.0.0/",   "/8",
		"name/8",      "10.0.0.0/8x", "10.0.0.0/-1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct options options = WITH(hosts, bad[i], NULL);

		assert_refused(&options, "ADDRESS/BITS");
	}
}

static void names_are_looked_up_here(void **state)
{
	struct options options;

	(void)state;
	/* libpcap would accept this text as an expression, so record-skb must not pass it on. */
	options = WITH(hosts, "tcp or udp", NULL);
	assert_refused(&options, "host 'tcp or udp'");
}

static void protocols(void **state)
{
	struct options options;

	(void)state;
	options = WITH(protos, "tcp", NULL);
	assert_becomes("proto 6", &options);
	options = WITH(protos, "icmp", NULL);
	assert_becomes("(icmp or icmp6)", &options);
	options = WITH(protos, "132", "arp");
	assert_becomes("(proto 132 or arp)", &options);
	options = WITH(protos, "256", NULL);
	assert_refused(&options, "0 to 255");
	options = WITH(protos, "6x", NULL);
	assert_refused(&options, "0 to 255");
	options = WITH(protos, "nosuchproto", NULL);
	assert_refused(&options, "not a protocol");
}

static void kinds_narrow_each_other(void **state)
{
	struct options options = WITH(ports, "80,443", NULL);

	(void)state;
	strings_add(&options.hosts, "10.0.0.1");
	strings_add(&options.protos, "tcp");
	options.expression = strdup("ip or ip6");
	assert_becomes("proto 6 and host 10.0.0.1 and (port 80 or port 443) and (ip or ip6)",
		       &options);
}

static void an_expression_alone_stays_as_it_is(void **state)
{
	struct options options = {};

	(void)state;
	options.expression = strdup("tcp[tcpflags] & tcp-syn != 0 or udp");
	assert_becomes("tcp[tcpflags] & tcp-syn != 0 or udp", &options);
}

/*
 * Make terms from a list of options, and compare them, as text, with @expected. Conditions that cannot be
 * terms remain in the BPF program. Compare its expression with @left.
 */
static void assert_asks_for(const char *expected, const char *left, struct options *options)
{
	char text[1024] = "", *expression = NULL, *program;
	struct terms terms;
	struct err err;

	if (expression_make(options, &expression, &program, &terms, &err))
		fail_msg("refused: %s", err.text);
	for (size_t i = 0; i < terms.n; i++) {
		const struct record_skb_term *term = &terms.v[i];
		const size_t n = strlen(text);

		snprintf(text + n, sizeof(text) - n, "%u/%u %u-%u %08x&%08x%s", term->kind,
			 term->ends, term->lo, term->hi, ntohl(term->address[0]),
			 ntohl(term->mask[0]),
			 i + 1 == terms.n ? "" :
			 term->more	  ? " or " :
					    " and ");
	}
	assert_string_equal(text, expected);
	if (left)
		assert_string_equal(program, left);
	else
		assert_null(program);
	free(expression);
	free(program);
	options_free(options);
}

static void what_the_module_is_told(void **state)
{
	struct options options;
	char port[16], *all = NULL, *longer;

	(void)state;
	options = WITH(ports, "80,443", NULL);
	strings_add(&options.protos, "tcp");
	assert_asks_for("1/3 6-6 00000000&00000000 and 0/3 80-80 00000000&00000000 or "
			"0/3 443-443 00000000&00000000",
			NULL, &options);
	options = WITH(sports, "5-6", NULL);
	strings_add(&options.dports, "7");
	assert_asks_for("0/1 5-6 00000000&00000000 and 0/2 7-7 00000000&00000000", NULL, &options);
	options = WITH(srcs, "10.0.0.0/9", "fe80::/10");
	assert_asks_for("2/1 0-0 0a000000&ff800000 or 3/1 0-0 fe800000&ffc00000", NULL, &options);
	options = WITH(hosts, "10.0.0.1", "2001:db8::1");
	assert_asks_for("2/3 0-0 0a000001&ffffffff or 3/3 0-0 20010db8&ffffffff", NULL, &options);
	/* Terms apply only to IP packets, so they cannot match ARP packets. */
	options = WITH(protos, "arp", "udp");
	strings_add(&options.ports, "53");
	assert_asks_for("1/3 17-17 00000000&00000000 and 0/3 53-53 00000000&00000000", NULL,
			&options);
	options = WITH(protos, "arp", NULL);
	strings_add(&options.ports, "53");
	assert_asks_for("0/3 53-53 00000000&00000000", "arp", &options);
	/* The list has more ports than terms are allowed. */
	options = WITH(hosts, "10.0.0.1", NULL);
	for (int i = 0; i <= RECORD_SKB_MAX_TERMS; i++) {
		snprintf(port, sizeof(port), "%d", 100 + i);
		strings_add(&options.ports, port);
		longer = xasprintf("%s%sport %s", all ? all : "(", all ? " or " : "", port);
		free(all);
		all = longer;
	}
	longer = xasprintf("%s)", all);
	free(all);
	all = longer;
	assert_asks_for("2/3 0-0 0a000001&ffffffff", all, &options);
	free(all);
	options = (struct options){ .expression = strdup("udp port 53") };
	assert_asks_for("", "udp port 53", &options);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_every_packet),
		cmocka_unit_test(ports),
		cmocka_unit_test(bad_ports),
		cmocka_unit_test(hosts),
		cmocka_unit_test(bad_hosts),
		cmocka_unit_test(names_are_looked_up_here),
		cmocka_unit_test(protocols),
		cmocka_unit_test(kinds_narrow_each_other),
		cmocka_unit_test(what_the_module_is_told),
		cmocka_unit_test(an_expression_alone_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
