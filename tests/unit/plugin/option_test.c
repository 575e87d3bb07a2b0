// SPDX-License-Identifier: LGPL-2.1
/* option_test.c - test options of the plugin, options of trace-cmd report, and several files */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "report_host.h"

/* Set an option, as trace-cmd report -O does. An option stays set until it gets another value. */
static void set_option(const char *name, bool on)
{
	tep_plugin_add_option(name, on ? NULL : "0");
}

static void first_line_only(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	open_graph(t);
	packet(t, 7, NESTED, TCP_RCV, &tcp_a);
	enter(t, 2, TCP_RCV);
	packet(t, 8, NESTED, IP_OUTPUT, &tcp_b);
	enter(t, 3, IP_OUTPUT);
	leaf(t, 4, KFREE);
	leave(t, 3, IP_OUTPUT);
	leaf(t, 3, KFREE);
	set_option("record_skb:first", true);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_rcv() {\n"
		  "100: record_skb:packet\n"
		  "100:     tcp_v4_rcv() {\n"
		  "100: record_skb:packet\n"
		  "100:       ip_output() { /* #8 " TCP_B " */\n"
		  "100:         kfree();\n"
		  "100:       }\n"
		  "100:       kfree();\n");
	set_option("record_skb:first", false);
}

static void return_values(void **state)
{
	static const struct {
		const char *name;
		uint64_t func;
		bool option;
		long ret;
		const char *text;
	} values[] = {
		{ "ip_rcv", IP_RCV, false, 0, " /* = NET_RX_SUCCESS */" },
		{ "ip_rcv", IP_RCV, false, 1, " /* = NET_RX_DROP */" },
		{ "ip_rcv", IP_RCV, false, 2, " /* = 2 */" },
		{ "ip_rcv", IP_RCV, false, -111, " /* = -ECONNREFUSED */" },
		{ "ip_rcv", IP_RCV, false, -512, " /* = -ERESTARTSYS */" },
		{ "ip_rcv", IP_RCV, false, -4096, " /* = -4096 */" },
		{ "ip_rcv", IP_RCV, false, 0xffffffff, " /* = -EPERM */" },
		{ "ip_rcv", IP_RCV, false, 0x7f00000000, " /* = NET_RX_SUCCESS */" },
		{ "ip_output", IP_OUTPUT, false, 0, " /* = NET_XMIT_SUCCESS */" },
		{ "ip_output", IP_OUTPUT, false, 2, " /* = NET_XMIT_CN */" },
		{ "ip_output", IP_OUTPUT, false, -105, " /* = -ENOBUFS */" },
		/*
		 * The return value of this function is not an error code, so -1 must not be shown as -EPERM.
		 */
		{ "tcp_v4_rcv", TCP_RCV, false, -1, " /* = -1 */" },
		/* The plugin does not know the meaning of this function's return values. */
		{ "kfree", KFREE, false, 1, "" },
		{ "kfree", KFREE, true, 1, " /* = 1 */" },
	};
	struct canned_trace *t;
	char report[512];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		t = canned_new(NULL);
		packet(t, 7, OPEN, values[i].func, &tcp_a);
		enter(t, 0, GATE);
		leaf(t, 1, values[i].func);
		returns(t, 7, values[i].func, values[i].ret);
		/*
		 * Add return events that belong to another packet or to another function. They must not be
		 * shown.
		 */
		returns(t, 6, values[i].func, 42);
		returns(t, 7, SOFTIRQ, 42);
		leave(t, 0, GATE);
		snprintf(report, sizeof(report),
			 "100: record_skb:packet\n"
			 "100: record_skb_gate() { /* #7 " TCP_A " */\n"
			 "100:   %s(); /* #7 " TCP_A " */\n"
			 "100: record_skb:return\n100: record_skb:return\n100: record_skb:return\n"
			 "100: }%s\n",
			 values[i].name, values[i].text);
		set_option("record_skb:return", values[i].option);
		expect(t, report);
	}
	set_option("record_skb:return", false);
}

static void two_files_at_once(void **state)
{
	struct canned_trace *a = canned_new(NULL);
	struct canned_trace *b = canned_new(&(struct canned_machine){ .big_endian = true });
	struct tep_plugin_list *list_a, *list_b;
	struct tep_handle *tep_a = canned_open(&a->machine, true, &list_a);
	struct tep_handle *tep_b = canned_open(&b->machine, true, &list_b);
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	packet(a, 7, OPEN, IP_RCV, &tcp_a);
	enter(a, 0, GATE);
	canned_print(a, tep_a, false, out);
	packet(b, 8, OPEN, IP_RCV, &tcp_b);
	enter(b, 0, GATE);
	canned_print(b, tep_b, false, out);
	/* After the second trace was closed, the state of the first trace must still be valid. */
	a->nr = 0;
	enter(a, 1, IP_RCV);
	canned_print(a, tep_a, false, out);
	canned_close(tep_b, list_b);
	a->nr = 0;
	enter(a, 2, KFREE);
	canned_print(a, tep_a, false, out);
	canned_close(tep_a, list_a);
	fclose(out);
	assert_string_equal(text, "100: record_skb:packet\n"
				  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
				  "100: record_skb:packet\n"
				  "100: record_skb_gate() { /* #8 " TCP_B " */\n"
				  "100:   ip_rcv() { /* #7 " TCP_A " */\n"
				  "100:     kfree() { /* #7 " TCP_A " */\n");
	free(text);
	canned_free(a);
	canned_free(b);
}

#define VIEW(args) report_view_of_args(args, sizeof(args))

static void rows_hidden_by_options(void **state)
{
	(void)state;
	assert_int_equal(VIEW("trace-cmd\0report\0-i\0x.dat\0-t"), REPORT_ALL_ROWS);
	assert_int_equal(VIEW("trace-cmd"), REPORT_ALL_ROWS);
	assert_int_equal(VIEW("trace-cmd\0record\0-F\0ls"), REPORT_ALL_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0-F\0x"), REPORT_SOME_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0-Fx"), REPORT_SOME_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0-tlF\0x"), REPORT_SOME_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0--cpu\0001\0-F\0x"), REPORT_SOME_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0--cpu\0001"), REPORT_SOME_CPUS);
	assert_int_equal(VIEW("trace-cmd\0report\0--cpu=1"), REPORT_SOME_CPUS);
	assert_int_equal(VIEW("trace-cmd\0report\0--cpus"), REPORT_ALL_ROWS);
	/* -F is the argument of another option here. */
	assert_int_equal(VIEW("trace-cmd\0report\0-i\0-F"), REPORT_ALL_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0-iF"), REPORT_ALL_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0-O\0F\0-q"), REPORT_ALL_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0-VF"), REPORT_ALL_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0--ts-offset\0-F"), REPORT_ALL_ROWS);
	/* getopt accepts abbreviations of long options. */
	assert_int_equal(VIEW("trace-cmd\0report\0--com\0sh\0-F\0x"), REPORT_SOME_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0--pi=7\0-F\0x"), REPORT_SOME_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0--nod\0-F\0x"), REPORT_SOME_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0--ts-o\0-F"), REPORT_ALL_ROWS);
	/* trace-cmd does not parse options after a file name. */
	assert_int_equal(VIEW("trace-cmd\0report\0x.dat\0-F"), REPORT_ALL_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0-i"), REPORT_ALL_ROWS);
	assert_int_equal(VIEW("trace-cmd\0report\0--cpu"), REPORT_SOME_CPUS);
}

int run_option_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_line_only),
		cmocka_unit_test(return_values),
		cmocka_unit_test(two_files_at_once),
		cmocka_unit_test(rows_hidden_by_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
