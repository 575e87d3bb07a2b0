// SPDX-License-Identifier: LGPL-2.1
/*
 * main.c - test that the plugin for trace-cmd does nothing in KernelShark, which reads rows in any order
 *
 * Usage: kshark_test DIR. DIR must have only the plugin.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

/* The plugin recognises KernelShark by this symbol. */
int kshark_instance(void *context);

int kshark_instance(void *context)
{
	(void)context;
	return 0;
}

static void nothing_in_kernelshark(void **state)
{
	const struct canned_flow flow = {
		.family = 2, .proto = 6, .saddr = "10.0.0.1", .daddr = "10.0.0.2"
	};
	struct canned_trace *t = canned_new(NULL);
	char *with, *without;

	(void)state;
	packet(t, 7, OPEN, IP_RCV, &flow);
	enter(t, 0, GATE);
	leaf(t, 1, IP_RCV);
	with = canned_report(t, true, true);
	without = canned_report(t, false, true);
	assert_string_equal(with, without);
	free(with);
	free(without);
	canned_free(t);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_in_kernelshark),
	};

	if (argc != 2)
		return 2;
	setenv("TRACEEVENT_PLUGIN_DIR", argv[1], 1);
	setenv("HOME", "/nonexistent", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
