// SPDX-License-Identifier: LGPL-2.1
/*
 * main.c - test plugin_record_skb.so with canned formats and records
 *
 * Usage: plugin_test DIR. DIR must have only the plugin.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

const struct canned_flow tcp_a = {
	.family = 2,
	.proto = 6,
	.ethertype = 0x800,
	.saddr = "10.0.0.1",
	.sport = 40312,
	.daddr = "10.0.0.2",
	.dport = 9000,
};

const struct canned_flow tcp_b = {
	.family = 2,
	.proto = 6,
	.ethertype = 0x800,
	.saddr = "10.0.0.3",
	.sport = 555,
	.daddr = "10.0.0.2",
	.dport = 9000,
};

const struct canned_flow tcp_v6 = {
	.family = 10,
	.proto = 6,
	.ethertype = 0x86dd,
	.saddr = "fe80::1",
	.sport = 40312,
	.daddr = "::1",
	.dport = 9000,
};

const struct canned_flow echo = {
	.family = 2,
	.proto = 1,
	.ethertype = 0x800,
	.saddr = "10.0.0.1",
	.daddr = "10.0.0.2",
	.icmp_type = 8,
	.icmp_id = 77,
};

const struct canned_flow arp = { .ethertype = 0x806 };

static char *without_suffixes(const char *report)
{
	char *copy = strdup(report);
	char *from, *to;

	assert_non_null(copy);
	while ((from = strstr(copy, " /*"))) {
		to = strstr(from, "*/");
		assert_non_null(to);
		memmove(from, to + 2, strlen(to + 2) + 1);
	}
	return copy;
}

static void check(struct canned_trace *trace, const char *report, bool as_trace_cmd)
{
	char *with = canned_report(trace, true, as_trace_cmd);
	char *stripped = without_suffixes(with);
	char *without = canned_report(trace, false, as_trace_cmd);

	assert_string_equal(with, report);
	assert_string_equal(stripped, without);
	free(with);
	free(stripped);
	free(without);
}

void expect_in_trace_cmd(struct canned_trace *trace, const char *report)
{
	check(trace, report, true);
	canned_free(trace);
}

void expect_without_libtracecmd(struct canned_trace *trace, const char *report)
{
	check(trace, report, false);
	canned_free(trace);
}

void expect(struct canned_trace *trace, const char *report)
{
	check(trace, report, false);
	expect_in_trace_cmd(trace, report);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s PLUGIN_DIR\n", argv[0]);
		return 2;
	}
	setenv("TRACEEVENT_PLUGIN_DIR", argv[1], 1);
	/* Set another home directory, because libtraceevent would also load plugins from the user's one. */
	setenv("HOME", "/nonexistent", 1);
	return !!(run_graph_tests() + run_interrupt_tests() + run_flow_tests() +
		  run_damage_tests() + run_option_tests());
}
