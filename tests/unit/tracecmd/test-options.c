// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"
#include "options.h"
#include "record_skb.h"

#define MAX_WORDS	32

static struct options options;
static struct err err;

/* Parse a command line, its words parted by single blanks. */
static int parse(const char *line)
{
	static char text[512];
	static char *argv[MAX_WORDS];
	char *rest = text;
	int argc = 0;

	options_free(&options);
	memset(&err, 0, sizeof(err));
	snprintf(text, sizeof(text), "%s", line);
	while (rest && argc < MAX_WORDS - 1)
		argv[argc++] = strsep(&rest, " ");
	argv[argc] = NULL;
	return options_parse(&options, argc, argv, &err);
}

static void assert_passed(const char *expected)
{
	char text[512] = "";

	for (size_t i = 0; i < options.pass.n; i++) {
		strcat(text, i ? " " : "");
		strcat(text, options.pass.v[i]);
	}
	assert_string_equal(text, expected);
}

static void assert_refused(const char *line, const char *said)
{
	assert_int_equal(parse(line), -1);
	assert_int_equal(err.status, EXIT_OURS);
	if (!strstr(err.text, said))
		fail_msg("'%s' says '%s', not '%s'", line, err.text, said);
	assert_null(strchr(err.text, '\n'));
}

static void command_starts_behind_dashes(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p 9000 -- ping -c 1 host"), 0);
	assert_string_equal(options.ports.v[0], "9000");
	assert_string_equal(options.command[0], "ping");
	assert_string_equal(options.command[1], "-c");
	assert_string_equal(options.command[3], "host");
	assert_null(options.command[4]);
	assert_null(options.expression);
	assert_passed("");
}

static void words_before_dashes_are_the_expression(void **state)
{
	(void)state;
	assert_int_equal(parse("x tcp port 9 -o f or udp -- true"), 0);
	assert_string_equal(options.expression, "tcp port 9 or udp");
	assert_string_equal(options.output, "f");
	assert_string_equal(options.command[0], "true");
	assert_int_equal(parse("x tcp"), 0);
	assert_string_equal(options.expression, "tcp");
	assert_null(options.command);
}

static void only_the_first_dashes_count(void **state)
{
	(void)state;
	assert_int_equal(parse("x -- env -- -p"), 0);
	assert_string_equal(options.command[1], "--");
	assert_string_equal(options.command[2], "-p");
	assert_int_equal(options.ports.n, 0);
}

static void record_options_go_on_in_order(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p 1 -e sched -f prio>1 -b 100 -m 5 -S -C mono -M 3 -O sym-addr"
			       " -s 10 -r 5 -l ip_* -n foo -B buf --date --compression zlib"), 0);
	assert_passed("-e sched -f prio>1 -b 100 -m 5 -S -C mono -M 3 -O sym-addr -s 10 -r 5 -l ip_* "
		      "-n foo -B buf --date --compression=zlib");
	assert_true(options.has_buffer_size);
	assert_false(options.has_irqs);
	assert_null(options.expression);
}

static void values_that_look_like_options(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p 1 -e -p -O -q"), 0);
	assert_passed("-e -p -O -q");
	assert_int_equal(options.ports.n, 1);
	assert_false(options.quiet);
}

static void joined_and_abbreviated(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p80 -qa --sport=5 --max-graph=7 -- true"), 0);
	assert_string_equal(options.ports.v[0], "80");
	assert_string_equal(options.sports.v[0], "5");
	assert_true(options.quiet);
	assert_int_equal(options.graph_depth, 7);
	assert_passed("-a");
}

static void optional_value_stays_joined(void **state)
{
	(void)state;
	assert_int_equal(parse("x --verbose=warning --verbose -p 1"), 0);
	assert_passed("--verbose=warning --verbose");
}

static void irqs_are_noticed(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p 1 -O funcgraph-irqs"), 0);
	assert_true(options.has_irqs);
	assert_int_equal(parse("x -p 1 -O nofuncgraph-irqs"), 0);
	assert_true(options.has_irqs);
}

static void numbers(void **state)
{
	(void)state;
	assert_int_equal(parse("x --mark 0x10/0xf0 --rx"), 0);
	assert_int_equal(options.marks[0].value, 0x10);
	assert_int_equal(options.marks[0].mask, 0xf0);
	assert_int_equal(options.dirs, 1U << RECORD_SKB_DIR_RX);
	assert_int_equal(parse("x --mark 7 --rx --tx"), 0);
	assert_true(options.marks[0].mask == 0xffffffff);
	assert_int_equal(options.dirs, 1U << RECORD_SKB_DIR_RX | 1U << RECORD_SKB_DIR_TX);
	assert_int_equal(parse("x --mark 1 --mark 2 -i a -i b --netns c"), 0);
	assert_int_equal(options.nr_marks, 2);
	assert_int_equal(options.interfaces.n, 2);
	assert_refused("x --mark 1 --mark 1 --mark 1 --mark 1 --mark 1 --mark 1 --mark 1 --mark 1 --mark 1",
		       "more than 8 --mark");
	assert_refused("x --mark 1/", "not a mark");
	assert_refused("x --mark -1", "not a mark");
	assert_refused("x --mark 0x100000000", "not a mark");
	assert_refused("x --mark 3/1", "matches no packet");
	assert_refused("x --max-graph-depth x -p 1", "not a depth");
	assert_refused("x --max-graph-depth -1 -p 1", "not a depth");
	assert_refused("x --max-graph-depth 2147483647 -p 1", "not a depth");
}

static void one_line_for_each_mistake(void **state)
{
	(void)state;
	assert_refused("x", "nothing to record");
	assert_refused("x --", "nothing to record");
	assert_refused("x -o f", "nothing to record");
	assert_refused("x -p", "-p needs a value");
	assert_refused("x --port", "--port needs a value");
	assert_refused("x --rx=1", "takes no value");
	assert_refused("x -Z", "unknown option '-Z'");
	assert_refused("x -p 1 -aZ", "unknown option '-Z'");
	assert_refused("x --nosuch", "unknown option '--nosuch'");
	assert_refused("x -p 1 --nosuch=5 -a", "unknown option '--nosuch=5'");
	assert_refused("x  -- true", "expression is empty");
	assert_refused("x -p 1 -o a -o b", "given twice");
	assert_refused("x -p 1 -o a -N host:1", "take one");
	assert_refused("x -p 1 --user me", "needs a command");
}

static void some_options_of_record_are_refused(void **state)
{
	(void)state;
	assert_refused("x -F -- true", "-F is not for record-skb");
	assert_refused("x -c -- true", "-c is not for record-skb");
	assert_refused("x -d -- true", "-d is not for record-skb");
	assert_refused("x -k -p 1", "-k is not for record-skb");
	assert_refused("x --profile -p 1", "--profile is not for record-skb");
	assert_refused("x --daemonize -p 1", "--daemonize is not for record-skb");
	assert_refused("x -A guest -p 1", "-A is not for record-skb");
}

static void the_same_twice_is_once(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p 1 -o a -o a"), 0);
	assert_string_equal(options.output, "a");
}

static void help_needs_nothing_else(void **state)
{
	(void)state;
	assert_int_equal(parse("x --help"), 0);
	assert_true(options.help);
	assert_int_equal(parse("x -h"), 0);
	assert_true(options.help);
	assert_int_equal(parse("x --version"), 0);
	assert_int_equal(parse("x --list-points"), 0);
}

static void followed_pids_are_enough(void **state)
{
	(void)state;
	assert_int_equal(parse("x -P 1 -P 2 --no-children"), 0);
	assert_int_equal(options.pids.n, 2);
	assert_int_equal(options.module_flags, RECORD_SKB_OPT_NO_CHILDREN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_starts_behind_dashes),
		cmocka_unit_test(words_before_dashes_are_the_expression),
		cmocka_unit_test(only_the_first_dashes_count),
		cmocka_unit_test(record_options_go_on_in_order),
		cmocka_unit_test(values_that_look_like_options),
		cmocka_unit_test(joined_and_abbreviated),
		cmocka_unit_test(optional_value_stays_joined),
		cmocka_unit_test(irqs_are_noticed),
		cmocka_unit_test(numbers),
		cmocka_unit_test(one_line_for_each_mistake),
		cmocka_unit_test(some_options_of_record_are_refused),
		cmocka_unit_test(the_same_twice_is_once),
		cmocka_unit_test(help_needs_nothing_else),
		cmocka_unit_test(followed_pids_are_enough),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	options_free(&options);
	return failed;
}
