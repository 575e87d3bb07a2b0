// SPDX-License-Identifier: LGPL-2.1
/*
 * damage_test.c - test damaged and missing rows. A line must then have no text about a packet, rather than a
 * wrong one.
 */
#include <stdlib.h>
#include <string.h>

#include "cases.h"

#define BEFORE                                          \
	"100: record_skb:packet\n"                      \
	"100: record_skb_gate() { /* #7 " TCP_A " */\n" \
	"100:   ip_rcv() { /* #7 " TCP_A " */\n"

static struct canned_trace *begin(const struct canned_machine *machine)
{
	struct canned_trace *t = canned_new(machine);

	open_graph(t);
	return t;
}

/* After lost events of this CPU, the packet is unknown until the next gate. */
static void loss(void **state)
{
	struct canned_trace *t = begin(NULL);

	(void)state;
	enter(t, 2, KFREE)->missed_events = -1;
	leave(t, 2, KFREE);
	packet(t, 8, NESTED, IP_OUTPUT, &tcp_b);
	leaf(t, 2, IP_OUTPUT);
	close_graph(t);
	packet(t, 9, OPEN, IP_OUTPUT, &tcp_b);
	enter(t, 0, GATE);
	expect(t, BEFORE "100:     kfree();\n"
			 "100: record_skb:packet\n"
			 "100:     ip_output();\n"
			 "100:   }\n"
			 "100: }\n"
			 "100: record_skb:packet\n"
			 "100: record_skb_gate() { /* #9 " TCP_B " */\n");
}

/*
 * Rows of another CPU are lost, before the row with the loss mark. This task may have run on that CPU, so
 * some of the lost rows may belong to it.
 */
static void loss_elsewhere(void **state)
{
	struct canned_trace *t = begin(NULL);

	(void)state;
	t->cpu = 1;
	t->pid = 300;
	foreign(t);
	t->cpu = 0;
	t->pid = 100;
	leaf(t, 2, KFREE);
	t->cpu = 1;
	t->pid = 300;
	foreign(t)->missed_events = 5;
	t->cpu = 0;
	t->pid = 100;
	leaf(t, 2, KFREE);
	expect_in_trace_cmd(t, BEFORE "300: sched:sched_switch\n"
				      "100:     kfree();\n"
				      "300: sched:sched_switch\n"
				      "100:     kfree();\n");
}

/*
 * Without libtracecmd, the plugin learns about a loss only when it gets the row with the loss mark. If a
 * task appears on another CPU after this row, it may have run before on the CPU where rows were lost.
 */
static void loss_without_libtracecmd(void **state)
{
	struct canned_trace *t = begin(NULL);

	(void)state;
	t->cpu = 1;
	t->pid = 300;
	foreign(t)->missed_events = 5;
	t->cpu = 0;
	t->pid = 100;
	leaf(t, 2, KFREE);
	packet(t, 8, OPEN, IP_RCV, &tcp_b);
	enter(t, 0, GATE);
	enter(t, 1, IP_RCV);
	t->cpu = 1;
	leaf(t, 2, KFREE);
	t->cpu = 0;
	leaf(t, 2, KFREE);
	expect_without_libtracecmd(t, BEFORE "300: sched:sched_switch\n"
					     "100:     kfree();\n"
					     "100: record_skb:packet\n"
					     "100: record_skb_gate() { /* #8 " TCP_B " */\n"
					     "100:   ip_rcv() { /* #8 " TCP_B " */\n"
					     "100:     kfree();\n"
					     "100:     kfree();\n");
}

/*
 * The next row of a CPU in the report is not the next row in the file. So some rows were not printed, for
 * example because of a filter. The lines after the gap may get no text.
 */
static void rows_not_shown(void **state)
{
	struct canned_trace *t = begin(NULL);

	(void)state;
	t->offset += 64 << 10;
	leaf(t, 2, KFREE);
	leaf(t, 2, KFREE);
	expect_without_libtracecmd(t, BEFORE "100:     kfree();\n100:     kfree();\n");
}

/* An idle task never leaves its CPU. So rows that are lost on other CPUs do not matter for it. */
static void loss_elsewhere_idle(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	t->pid = 0;
	packet(t, 7, OPEN, IP_RCV, &tcp_a);
	enter(t, 0, GATE);
	t->cpu = 1;
	foreign(t)->missed_events = -1;
	t->cpu = 0;
	leaf(t, 1, IP_RCV);
	foreign(t)->missed_events = -1;
	leaf(t, 1, KFREE);
	expect_in_trace_cmd(t, "0: record_skb:packet\n"
			       "0: record_skb_gate() { /* #7 " TCP_A " */\n"
			       "0: sched:sched_switch\n"
			       "0:   ip_rcv(); /* #7 " TCP_A " */\n"
			       "0: sched:sched_switch\n"
			       "0:   kfree();\n");
}

static void loss_on_a_hidden_row(void **state)
{
	struct canned_trace *t = begin(NULL);
	struct canned_row *row;

	(void)state;
	t->pid = 300;
	row = foreign(t);
	row->missed_events = 1;
	row->hidden = true;
	t->pid = 100;
	leaf(t, 2, KFREE);
	expect_in_trace_cmd(t, BEFORE "100:     kfree();\n");
}

/*
 * The plugin must learn about a loss that is marked in the row after a leaf function, although trace-cmd
 * reads this row itself to print the function in one line.
 */
static void loss_before_a_leafs_exit(void **state)
{
	struct canned_trace *t = begin(NULL);

	(void)state;
	enter(t, 2, KFREE);
	leave(t, 2, KFREE)->missed_events = -1;
	leaf(t, 2, KFREE);
	expect_in_trace_cmd(t, BEFORE "100:     kfree(); /* #7 " TCP_A " */\n"
				      "100:     kfree();\n");
}

static void time_backwards(void **state)
{
	struct canned_trace *t = begin(NULL);

	(void)state;
	t->ts = 1;
	leaf(t, 2, KFREE);
	leaf(t, 2, KFREE);
	expect(t, BEFORE "100:     kfree();\n100:     kfree();\n");
}

static void missing_rows(void **state)
{
	static const int depths[] = { 4, 5, 5000, -1 };
	struct canned_trace *t;
	char *report;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
		t = begin(NULL);
		enter(t, depths[i], KFREE);
		enter(t, 2, KFREE);
		report = canned_report(t, true, true);
		assert_int_equal(strncmp(report, BEFORE, strlen(BEFORE)), 0);
		assert_null(strstr(report + strlen(BEFORE), "/*"));
		free(report);

		leave(t, 1, IP_RCV);
		canned_free(t);
	}
	/* The trace begins with the exit of a function, and its entry is missing. */
	t = begin(NULL);
	leave(t, 3, KFREE);
	leaf(t, 3, KFREE);
	expect(t, BEFORE "100:       }\n100:       kfree();\n");
}

/* Truncate records to each length that still has the event type. */
static void truncated(void **state)
{
	struct canned_trace *t;
	struct canned_row *row;
	char *report;
	int which, cut, size;

	(void)state;
	for (which = 0; which < 4; which++) {
		for (cut = 1, size = 3; cut < size - 1; cut++) {
			t = begin(NULL);
			if (which == 0)
				row = &t->rows[0];
			else if (which == 1)
				row = &t->rows[2];
			else if (which == 2)
				row = packet(t, 8, NESTED, KFREE, &tcp_b);
			else
				row = other(t, KFREE);
			size = row->record.size;
			row->cut = cut;
			leaf(t, 2, KFREE);
			report = canned_report(t, true, true);
			/*
			 * The truncated event is about another packet, to which the next line may belong.
			 * So this line must not get the text of the outer packet.
			 */
			if (which >= 2)
				assert_null(strstr(report, "kfree(); /* #7"));
			/* If the addresses are incomplete, the text must not have any address. */
			if (strstr(report, "tcp"))
				assert_true(strstr(report, TCP_A) || strstr(report, TCP_B) ||
					    strstr(report, "tcp_"));
			free(report);
			canned_free(t);
		}
	}
}

static void no_formats(void **state)
{
	struct canned_machine machine = { 0 };
	struct canned_trace *t;
	char *with, *without;

	(void)state;
	/*
	 * The events "other" and "return" are missing, so the plugin cannot recognise unrelated rows. Then
	 * no line may get a text.
	 */
	machine.without_events = 1 << EV_RETURN | 1 << EV_CALL | 1 << EV_OTHER;
	expect(begin(&machine), BEFORE);

	/* Without record_skb events, the report must be the same as without the plugin. */
	machine.without_events |= 1 << EV_PACKET;
	t = begin(&machine);
	with = canned_report(t, true, true);
	without = canned_report(t, false, true);
	assert_string_equal(with, without);
	free(with);
	free(without);
	canned_free(t);

	/* The plugin needs the events of function_graph, too. */
	machine.without_events = 1 << EV_ENTRY | 1 << EV_EXIT;
	t = begin(&machine);
	free(canned_report(t, true, true));
	canned_free(t);
}

static void unknown_fields(void **state)
{
	static const char *const needed[] = { "func", "pkt", "how" };
	struct canned_machine machine = { .extra_field = true };
	struct canned_trace *t;
	char *report;
	size_t i;

	(void)state;
	expect(begin(&machine), BEFORE);
	for (i = 0; i < 2 * sizeof(needed) / sizeof(*needed); i++) {
		machine = (struct canned_machine){ 0 };
		if (i % 2)
			machine.without_field = needed[i / 2];
		else
			machine.odd_field = needed[i / 2];
		t = begin(&machine);
		report = canned_report(t, true, true);
		assert_null(strstr(report, "/*"));
		free(report);
		canned_free(t);
	}
}

static void unknown_how(void **state)
{
	struct canned_trace *t = begin(NULL);

	(void)state;
	packet(t, 8, 3, KFREE, &tcp_b);
	leaf(t, 2, KFREE);
	expect(t, BEFORE "100: record_skb:packet\n100:     kfree();\n");
}

/*
 * With option -n of trace-cmd report, libtraceevent prints an event without calling its handler. So the
 * plugin does not get this event.
 */
static void handler_switched_off(void **state)
{
	struct canned_machine machine = { .nohandle_events = 1 << EV_OTHER };
	struct canned_trace *t = begin(&machine);

	(void)state;
	expect(t, "100: record_skb:packet\n100: record_skb_gate() {\n100:   ip_rcv() {\n");
}

/*
 * The exits are hidden with option -n. So the plugin does not know that tcp_v4_rcv() has returned, and the
 * softirq would get the packet of tcp_v4_rcv().
 */
static void exits_switched_off(void **state)
{
	struct canned_machine machine = { .nohandle_events = 1 << EV_EXIT };
	struct canned_trace *t = begin(&machine);

	(void)state;
	packet(t, 8, NESTED, TCP_RCV, &tcp_b);
	enter(t, 2, TCP_RCV);
	enter(t, 3, KFREE);
	leave(t, 3, KFREE);
	leave(t, 2, TCP_RCV);
	enter(t, 3, SOFTIRQ);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() {\n"
		  "100:   ip_rcv() {\n"
		  "100: record_skb:packet\n"
		  "100:     tcp_v4_rcv() {\n"
		  "100:       kfree();\n"
		  "100: ftrace:funcgraph_exit\n"
		  "100:       __do_softirq() {\n");
}

/* Random bytes must neither crash the plugin nor take forever. */
static void noise(void **state)
{
	struct canned_trace *t;
	unsigned int seed;
	int i, j, flips;

	(void)state;
	for (seed = 0; seed < 300; seed++) {
		srand(seed);
		t = begin(NULL);
		for (i = 0; i < 100; i++) {
			t->cpu = rand() % 4;
			t->pid = rand() % 3;
			switch (rand() % 7) {
			case 0:
				packet(t, rand() % 4, rand() % 3, IP_RCV, &tcp_a);
				break;
			case 1:
				other(t, IP_RCV);
				break;
			case 2:
				call(t, rand() % 3, IP_RCV, &tcp_v6);
				break;
			case 3:
				returns(t, rand() % 4, IP_RCV, rand());
				break;
			case 4:
				leave(t, rand() % 4, IP_RCV);
				break;
			case 5:
				enter(t, rand() % 4, IP_RCV);
				break;
			case 6:
				enter(t, rand() % 4, GATE);
				break;
			}
		}
		for (flips = 0; flips < 40; flips++) {
			i = rand() % t->nr;
			j = rand() % t->rows[i].record.size;
			t->rows[i].data[j] ^= 1 << rand() % 8;
			if (!(rand() % 4))
				t->rows[i].cut = rand() % t->rows[i].record.size;
		}
		free(canned_report(t, true, seed & 1));
		canned_free(t);
	}
}

int run_damage_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loss),
		cmocka_unit_test(loss_elsewhere),
		cmocka_unit_test(loss_without_libtracecmd),
		cmocka_unit_test(rows_not_shown),
		cmocka_unit_test(loss_elsewhere_idle),
		cmocka_unit_test(loss_on_a_hidden_row),
		cmocka_unit_test(loss_before_a_leafs_exit),
		cmocka_unit_test(time_backwards),
		cmocka_unit_test(missing_rows),
		cmocka_unit_test(truncated),
		cmocka_unit_test(no_formats),
		cmocka_unit_test(unknown_fields),
		cmocka_unit_test(unknown_how),
		cmocka_unit_test(handler_switched_off),
		cmocka_unit_test(exits_switched_off),
		cmocka_unit_test(noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
