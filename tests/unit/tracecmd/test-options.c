// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"
#include "record_options.h"
#include "record_skb.h"

#define MAX_WORDS 32

static struct options options;
static struct err err;

/* Parse a command line that has single blanks between its words. */
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
	assert_int_equal(parse("x -p 1 -e sched -f prio>1 -b 100 -S -C mono -M 3 -O sym-addr"
			       " -s 10 -r 5 -l ip_* -n foo -B buf --date --compression zlib"),
			 0);
	assert_passed("-e sched -f prio>1 -b 100 -S -C mono -M 3 -O sym-addr -s 10 -r 5 "
		      "-B buf --date --compression=zlib");
	assert_true(options.has_buffer_size);
	assert_false(options.has_irqs);
	assert_null(options.expression);
}

static void functions_of_an_instance_are_trace_cmds(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p 1 -l ip_* -n tcp_v4_rcv -B buf -l 17 -n foo:mod:bar"), 0);
	assert_int_equal(options.listed.n, 1);
	assert_string_equal(options.listed.v[0], "ip_*");
	assert_int_equal(options.excluded.n, 1);
	assert_string_equal(options.excluded.v[0], "tcp_v4_rcv");
	assert_passed("-B buf -l 17 -n foo:mod:bar");
	assert_refused("x -p 1 -l 17", "-l 17: give the name of a function, or a glob");
	assert_refused("x -p 1 -n ip_*:mod:foo", "give the name of a function, or a glob");
}

static void values_that_look_like_options(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p 1 -e -p -O -q"), 0);
	assert_passed("-e -p -O -q");
	assert_int_equal(options.ports.n, 1);
	assert_false(options.quiet);
}

static void values_may_be_joined(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p80 -qa --sport=5 --max-graph-depth=7 -- true"), 0);
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
	assert_int_equal(parse("x --mark 0x10/0xf0 --direction rx"), 0);
	assert_int_equal(options.marks[0].value, 0x10);
	assert_int_equal(options.marks[0].mask, 0xf0);
	assert_int_equal(options.dirs, 1U << RECORD_SKB_DIR_RX);
	assert_int_equal(parse("x --mark 7 --direction rx --direction tx"), 0);
	assert_true(options.marks[0].mask == 0xffffffff);
	assert_int_equal(options.dirs, 1U << RECORD_SKB_DIR_RX | 1U << RECORD_SKB_DIR_TX);
	assert_int_equal(parse("x --mark 1 --mark 2 -i a -i b --netns c"), 0);
	assert_int_equal(options.nr_marks, 2);
	assert_int_equal(options.interfaces.n, 2);
	assert_refused(
		"x --mark 1 --mark 1 --mark 1 --mark 1 --mark 1 --mark 1 --mark 1 --mark 1 --mark 1",
		"more than 8 --mark");
	assert_refused("x --mark 1/", "not a mark");
	assert_refused("x --mark -1", "not a mark");
	assert_refused("x --mark 0x100000000", "not a mark");
	assert_refused("x --mark 3/1", "matches no packet");
	assert_refused("x --mark 5/x",
		       "'5/x' is not a mark: the text after its \"/\" is not a mask");
	assert_refused("x --mark x/5", "'x/5' is not a mark: give");
	assert_refused("x --mark 5x", "'5x' is not a mark: give");
	assert_refused("x -p 1 --direction in",
		       "'in' is not a value of --direction: give rx or tx");
	assert_refused("x --max-graph-depth x -p 1", "not a depth");
	assert_refused("x --max-graph-depth -1 -p 1", "not a depth");
	assert_refused("x --max-graph-depth 2147483647 -p 1", "not a depth");
}

static void numbers_of_trace_cmd_are_checked_whole(void **state)
{
	(void)state;
	assert_refused("x -p 1 -b abc", "'abc' is not a size for -b");
	assert_refused("x -p 1 -b 12k", "'12k' is not a size for -b");
	assert_refused("x -p 1 -b 0", "'0' is not a size for -b");
	assert_refused("x -p 1 -O nooverwrite", "-O nooverwrite is refused");
	assert_refused("x -p 1 -s 1s", "is not a number for -s");
	assert_refused("x -p 1 --subbuf-size=4x", "'4x' is not a number for --subbuf-size");
	assert_refused("x -p 1 -r 99999999999", "is not a number for -r");
}

static void processes_are_checked_whole(void **state)
{
	(void)state;
	assert_refused("x -P 0", "'0' is not a PID");
	assert_refused("x -P 4294967297", "'4294967297' is not a PID");
	assert_refused("x -P 12x", "is not a PID");
	assert_int_equal(parse("x -P 4194304"), 0);
	assert_int_equal(options.pids[0], 4194304);
}

static void names_are_not_abbreviated(void **state)
{
	(void)state;
	assert_refused("x --prot 80", "unknown option '--prot': did you mean --port or --proto?");
	assert_refused("x --interfac lo", "did you mean --interface?");
	assert_refused("x --velocity lo", "see trace-cmd record-skb --help");
	assert_refused("x --hsot 10.0.0.1", "did you mean --host?");
	assert_refused("x -p 1 -rhost", "'host' is not a number for -r: did you mean --host?");
}

static void a_command_without_its_dashes(void **state)
{
	(void)state;
	assert_refused("x -p 9000 env -c 1 10.0.0.1",
		       "; if 'env' is the command to run, put -- before it");
	assert_refused("x -p 9000 nosuchcmd -c 1",
		       "; if 'nosuchcmd' is the command to run, put -- before it");
	assert_refused("x -p 9000 env -c 1 -- true", "put -- before it");
	assert_refused("x -p 9000 env --nosuch", "put -- before it");
	assert_int_equal(parse("x tcp port 5 --nosuch"), -1);
	assert_null(strstr(err.text, "--,"));
	assert_null(strstr(err.text, "put --"));
}

static void flags_as_tcpdump_has_them(void **state)
{
	(void)state;
	assert_refused("x -n port 80", "leave it out if you meant tcpdump's -n");
	assert_refused("x -nn tcp", "-n takes FUNC");
	assert_refused("x -ni lo tcp", "tcpdump's -n");
	assert_refused("x -n -i lo", "tcpdump's -n");
	assert_refused("x -l udp", "tcpdump's -l");
	assert_refused("x -e host 10.0.0.1", "tcpdump's -e");
	assert_refused("x tcp -n", "-n needs a value: FUNC");
	assert_int_equal(parse("x -n tcp_* -l * -e tcp -p 1"), 0);
	assert_passed("-e tcp");
}

static void one_line_for_each_mistake(void **state)
{
	(void)state;
	assert_refused("x", "nothing to record");
	assert_refused("x --", "nothing to record");
	assert_refused("x -o f", "nothing to record");
	assert_refused("x -p", "-p needs a value");
	assert_refused("x --port", "--port needs a value");
	assert_refused("x --why=1", "takes no value");
	assert_refused("x -Z", "unknown option '-Z'");
	assert_refused("x -p 1 -aZ", "unknown option '-Z'");
	assert_refused("x --nosuch", "unknown option '--nosuch'");
	assert_refused("x -p 1 --nosuch=5 -a", "unknown option '--nosuch'");
	assert_refused("x  -- true", "expression is empty");
	assert_refused("x -p 1 -o a -o b", "given twice");
	assert_refused("x -p 1 --user me", "needs a command");
}

static void some_options_of_record_are_refused(void **state)
{
	(void)state;
	assert_refused("x -F -- true", "-F is not for record-skb");
	assert_refused("x -c -- true", "-c is not for record-skb");
	assert_refused("x -c 5 -- true", "to end after N packets: --until count=N");
	assert_refused("x -w out.pcap tcp", "report-skb --pcap");
	assert_refused("x -d -- true", "-d is not for record-skb");
	assert_refused("x -k -p 1", "-k is not for record-skb");
	assert_refused("x --profile -p 1", "--profile is not for record-skb");
	assert_refused("x --daemonize -p 1", "--daemonize is not for record-skb");
	assert_refused("x -A guest -p 1", "-A is not for record-skb");
	assert_refused("x -p 1 -m 5", "--ring SIZE keeps the newest");
	assert_refused("x -p 1 -N host:1", "unencrypted");
	assert_refused("x -p 1 -V 3:1", "unencrypted");
	assert_refused("x -p 1 --temp /x", "-o DIR/FILE");
	assert_refused("x -p 1 --file-version=6", "trace-cmd convert");
	assert_refused("x -p 1 -C x86-tsc --tsc2nsec", "--tsc2nsec is not for record-skb");
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
	assert_int_equal(options.nr_pids, 2);
	assert_int_equal(options.module_flags, RECORD_SKB_OPT_NO_CHILDREN);
}

static void limits(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p 1 --until count=20 --until time=1500ms --until size=2M"), 0);
	assert_int_equal(options.limits.count, 20);
	assert_int_equal(options.limits.msec, 1500);
	assert_int_equal(options.limits.kb, 2048);
	assert_int_equal(parse("x -p 1 --ring 1M --until size=2G --until time=10s"), 0);
	assert_refused("x -p 1 --until count=0", "is not a number of packets");
	assert_refused("x -p 1 --until count", "'count' is not an event for --until");
	assert_refused("x -p 1 --until time=5", "give one with ms or s");
	assert_refused("x -p 1 --until time=0s", "give one with ms or s");
	assert_refused("x -p 1 --until size=100", "give one with K, M or G");
	for (const char *const *gone = (const char *const[]){ "--count 1", "--duration 1",
							      "--max-size 1", "--after 1s", NULL };
	     *gone; gone++) {
		char line[64];

		snprintf(line, sizeof(line), "x -p 1 %s", *gone);
		assert_refused(line, "unknown option");
	}
}

static void time_after_the_end(void **state)
{
	(void)state;
	assert_int_equal(parse("x -- true"), 0);
	assert_int_equal(options.linger_msec, 1000);
	assert_int_equal(options.ring.until.after_ns, 0);
	assert_int_equal(parse("x --linger 0 -- true"), 0);
	assert_int_equal(options.linger_msec, 0);
	assert_int_equal(parse("x --linger 1500us --pid 1"), 0);
	assert_int_equal(options.linger_msec, 2);
	assert_refused("x --linger 5 -- true", "'5' is not a time for --linger");
	assert_refused("x --linger 601s -- true", "up to 600s");
	assert_refused("x -p 1 --linger 1s", "--linger needs a command after --");
	assert_refused("x -p 1 --ring 1M --until drop --linger 61s", "60s at most");
}

static void a_ring_and_its_ends(void **state)
{
	(void)state;
	assert_int_equal(
		parse("x -p 1 --ring 64M --until drop=NO_SOCKET,SKB_DROP_REASON_TCP_CSUM --until "
		      "slower=5ms --linger 200ms --keep 3"),
		0);
	assert_int_equal(options.ring.kb, 65536);
	assert_int_equal(options.ring.until.on, 1 << RECORD_SKB_BY_DROP | 1 << RECORD_SKB_BY_SLOW);
	assert_int_equal(options.ring.until.nr_reasons, 2);
	assert_string_equal(options.ring.until.reasons[0], "NO_SOCKET");
	assert_string_equal(options.ring.until.reasons[1], "TCP_CSUM");
	assert_int_equal(options.ring.until.slower_ns, 5000000);
	assert_int_equal(options.ring.until.after_ns, 200000000);
	assert_int_equal(options.ring.keep, 3);
	assert_int_equal(parse("x -p 1 --ring 512K --until exit=failed -- true"), 0);
	assert_int_equal(options.ring.kb, 512);
	assert_int_equal(options.ring.status, ANY_FAILURE);
	assert_int_equal(parse("x -p 1 --ring 1M --until unanswered=20us"), 0);
	assert_int_equal(options.ring.until.on, 1 << RECORD_SKB_BY_UNANSWERED);
	assert_int_equal(options.ring.until.unanswered_ns, 20000);
	assert_int_equal(parse("x -p 1 --ring 1G --until exit=3 --until match=udp -- true"), 0);
	assert_int_equal(options.ring.status, 3);
	assert_string_equal(options.ring.match, "udp");
}

static void rings_that_cannot_be(void **state)
{
	(void)state;
	assert_refused("x -p 1 --ring 64", "'64' is not a size for --ring");
	assert_refused("x -p 1 --ring 0M", "'0M' is not a size for --ring");
	assert_refused("x -p 1 --ring 99999999999G", "is not a size for --ring");
	assert_refused("x -p 1 --ring 1M --until slow", "'slow' is not an event for --until");
	assert_refused("x -p 1 --ring 1M --until drop=", "is not a drop reason");
	assert_refused("x -p 1 --ring 1M --until drop=A,,B", "is not a drop reason");
	assert_refused("x -p 1 --ring 1M --until slower=5", "'slower=5': give a time");
	assert_refused("x -p 1 --ring 1M --until slower", "'slower': give a time");
	assert_refused("x -p 1 --ring 1M --until slower=601s", "give a time up to 600s");
	assert_refused("x -p 1 --ring 1M --until unanswered", "as in unanswered=5ms");
	assert_refused("x -p 1 --ring 1M --until unanswered=0s", "as in unanswered=5ms");
	assert_refused("x -p 1 --ring 1M --until exit=256 -- true", "'256' is not an exit status");
	assert_refused("x -p 1 --ring 1M --until exit=1", "exit=STATUS needs a command");
	assert_refused("x -p 1 --ring 1M --until match=", "is empty");
	assert_refused("x -p 1 --ring 1M --keep 2", "--keep needs a packet that stops the ring");
	assert_refused("x -p 1 --ring 1M --until drop --keep 0", "'0' is not a number of files");
	assert_refused("x -p 1 --until drop", "add --ring SIZE");
	assert_int_equal(parse("x -p 1 --ring 1M -b 100 -B x"), 0);
}

static void what_survives_a_crash(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p 1 --persistent kept"), 0);
	assert_string_equal(options.persistent, "kept");
	assert_int_equal(parse("x --recover kept -o x.dat"), 0);
	assert_string_equal(options.recover, "kept");
	assert_refused("x -p 1 --persistent a --persistent b", "given twice");
	assert_int_equal(parse("x -p 1 --persistent kept -C mono -n ip_* -B x --live -o /dev/null"),
			 0);
	assert_refused("x -p 1 --recover kept", "can only be combined with -o FILE");
	assert_refused("x --recover kept -- true", "can only be combined with -o FILE");
	assert_refused("x --recover kept --dry-run", "can only be combined with -o FILE");
	assert_refused("x --recover kept --live", "can only be combined with -o FILE");
	assert_refused("x --recover kept --shared", "can only be combined with -o FILE");
}

static void lines_while_it_records(void **state)
{
	(void)state;
	assert_int_equal(parse("x -p 1 --live"), 0);
	assert_true(options.live);
	assert_string_equal(options_output(&options), "trace.dat");
	assert_false(options_by_start(&options));
	assert_int_equal(parse("x -p 1 --live -o /dev/null -B x --until size=1M"), 0);
	assert_null(options_output(&options));
	assert_true(options_by_start(&options));
	assert_refused("x -p 1 -o /dev/null", "-o /dev/null needs --live");
}

/* Try all pairs of modes. Pairs that exclude each other must be refused. */
static void pairs_of_modes(void **state)
{
	static const char *const modes[] = {
		"--ring 64M",
		"--live",
		"--live -o /dev/null",
		"--persistent kept",
		"--shared",
		"--why",
		"--sched",
		"-B other",
		"--max-graph-depth 3",
		"-O sleep-time",
		"-b 100",
		"-n ip_*",
		"-l ip_*",
		"-C mono",
		"--until count=1",
		"--until time=1s",
		"--until size=1M",
		"--pid 1",
		"--detail full",
		"--module nf_tables",
		"-O stacktrace",
		"--args",
		"tcp",
	};
	static const char *const excluded[][2] = {
		{ "--ring 64M", "--live" },	 { "--ring 64M", "--live -o /dev/null" },
		{ "--ring 64M", "--shared" },	 { "--persistent kept", "--shared" },
		{ "--shared", "--why" },	 { "--shared", "--sched" },
		{ "--shared", "-B other" },	 { "--shared", "--max-graph-depth 3" },
		{ "--shared", "-O sleep-time" },
	};
	const size_t nr_modes = sizeof(modes) / sizeof(modes[0]);
	const size_t nr_excluded = sizeof(excluded) / sizeof(excluded[0]);
	char line[256];

	(void)state;
	for (size_t i = 0; i < nr_modes; i++) {
		for (size_t k = i + 1; k < nr_modes; k++) {
			bool refused = false;

			for (size_t e = 0; e < nr_excluded; e++)
				refused |= !strcmp(excluded[e][0], modes[i]) &&
					   !strcmp(excluded[e][1], modes[k]);
			snprintf(line, sizeof(line), "x -p 9000 %s %s", modes[i], modes[k]);
			if (refused)
				assert_refused(line, " cannot be combined with ");
			else if (parse(line))
				fail_msg("%s: %s", line, err.text);
		}
	}
	assert_refused("x --dport 1 --ring 1M --until unanswered=1s", "have to be recorded, too");
	assert_refused("x -p 1 --direction tx --ring 1M --until unanswered=1s",
		       "cannot be combined with");
	assert_refused("x --shared=yes -p 9000", "takes no value");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_of_modes),
		cmocka_unit_test(limits),
		cmocka_unit_test(time_after_the_end),
		cmocka_unit_test(command_starts_behind_dashes),
		cmocka_unit_test(words_before_dashes_are_the_expression),
		cmocka_unit_test(only_the_first_dashes_count),
		cmocka_unit_test(record_options_go_on_in_order),
		cmocka_unit_test(functions_of_an_instance_are_trace_cmds),
		cmocka_unit_test(values_that_look_like_options),
		cmocka_unit_test(values_may_be_joined),
		cmocka_unit_test(optional_value_stays_joined),
		cmocka_unit_test(irqs_are_noticed),
		cmocka_unit_test(numbers),
		cmocka_unit_test(numbers_of_trace_cmd_are_checked_whole),
		cmocka_unit_test(processes_are_checked_whole),
		cmocka_unit_test(names_are_not_abbreviated),
		cmocka_unit_test(a_command_without_its_dashes),
		cmocka_unit_test(flags_as_tcpdump_has_them),
		cmocka_unit_test(one_line_for_each_mistake),
		cmocka_unit_test(some_options_of_record_are_refused),
		cmocka_unit_test(the_same_twice_is_once),
		cmocka_unit_test(help_needs_nothing_else),
		cmocka_unit_test(followed_pids_are_enough),
		cmocka_unit_test(a_ring_and_its_ends),
		cmocka_unit_test(rings_that_cannot_be),
		cmocka_unit_test(what_survives_a_crash),
		cmocka_unit_test(lines_while_it_records),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	options_free(&options);
	return failed;
}
