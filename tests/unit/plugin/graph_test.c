// SPDX-License-Identifier: LGPL-2.1
/* graph_test.c - test which packet or call each line of a report gets */
#include "cases.h"

static void one_packet(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	open_graph(t);
	leaf(t, 2, KFREE);
	close_graph(t);
	/*
	 * Another user of function_graph records SCHEDULE and KFREE. These rows belong to no graph of the
	 * recording.
	 */
	enter(t, 0, SCHEDULE);
	leaf(t, 1, KFREE);
	leave(t, 0, SCHEDULE);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_rcv() { /* #7 " TCP_A " */\n"
		  "100:     kfree(); /* #7 " TCP_A " */\n"
		  "100:   }\n"
		  "100: }\n"
		  "100: schedule() {\n"
		  "100:   kfree();\n"
		  "100: }\n");
}

static void nested_packets(void **state)
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
	leave(t, 2, TCP_RCV);
	close_graph(t);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_rcv() { /* #7 " TCP_A " */\n"
		  "100: record_skb:packet\n"
		  "100:     tcp_v4_rcv() { /* #7 " TCP_A " */\n"
		  "100: record_skb:packet\n"
		  "100:       ip_output() { /* #8 " TCP_B " */\n"
		  "100:         kfree(); /* #8 " TCP_B " */\n"
		  "100:       }\n"
		  "100:       kfree(); /* #7 " TCP_A " */\n"
		  "100:     }\n"
		  "100:   }\n"
		  "100: }\n");
}

/*
 * NAT changes the addresses of the packet. Lines before the NAT function must have the old ones, and lines
 * after it the new ones.
 */
static void rewritten_packet(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	open_graph(t);
	packet(t, 7, NESTED, IP_OUTPUT, &tcp_b);
	leaf(t, 2, IP_OUTPUT);
	leaf(t, 2, KFREE);
	close_graph(t);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_rcv() { /* #7 " TCP_A " */\n"
		  "100: record_skb:packet\n"
		  "100:     ip_output(); /* #7 " TCP_B " */\n"
		  "100:     kfree(); /* #7 " TCP_A " */\n"
		  "100:   }\n"
		  "100: }\n");
}

static void stranger(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	open_graph(t);
	other(t, IP_OUTPUT);
	leaf(t, 2, IP_OUTPUT);
	/*
	 * This function is entered for an unrelated packet. Until it returns, the functions inside it must
	 * get no packet, except those that handle a matching packet.
	 */
	other(t, TCP_RCV);
	enter(t, 2, TCP_RCV);
	leaf(t, 3, KFREE);
	packet(t, 8, NESTED, IP_OUTPUT, &tcp_b);
	leaf(t, 3, IP_OUTPUT);
	leave(t, 2, TCP_RCV);
	leaf(t, 2, KFREE);
	close_graph(t);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_rcv() { /* #7 " TCP_A " */\n"
		  "100: record_skb:other\n"
		  "100:     ip_output();\n"
		  "100: record_skb:other\n"
		  "100:     tcp_v4_rcv() {\n"
		  "100:       kfree();\n"
		  "100: record_skb:packet\n"
		  "100:       ip_output(); /* #8 " TCP_B " */\n"
		  "100:     }\n"
		  "100:     kfree(); /* #7 " TCP_A " */\n"
		  "100:   }\n"
		  "100: }\n");
}

static void two_idle_tasks(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	t->pid = 0;
	t->cpu = 0;
	packet(t, 7, OPEN, IP_RCV, &tcp_a);
	enter(t, 0, GATE);
	t->cpu = 1;
	packet(t, 8, OPEN, IP_RCV, &tcp_b);
	enter(t, 0, GATE);
	t->cpu = 0;
	enter(t, 1, IP_RCV);
	t->cpu = 1;
	enter(t, 1, IP_RCV);
	t->cpu = 2;
	enter(t, 1, IP_RCV);
	t->cpu = 0;
	enter(t, 2, KFREE);
	expect(t, "0: record_skb:packet\n"
		  "0: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "0: record_skb:packet\n"
		  "0: record_skb_gate() { /* #8 " TCP_B " */\n"
		  "0:   ip_rcv() { /* #7 " TCP_A " */\n"
		  "0:   ip_rcv() { /* #8 " TCP_B " */\n"
		  "0:   ip_rcv() {\n"
		  "0:     kfree() { /* #7 " TCP_A " */\n");
}

static void two_tasks_on_one_cpu(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	packet(t, 7, OPEN, IP_OUTPUT, &tcp_a);
	enter(t, 0, GATE);
	enter(t, 1, IP_OUTPUT);
	t->pid = 200;
	packet(t, 8, OPEN, IP_OUTPUT, &tcp_b);
	enter(t, 0, GATE);
	enter(t, 1, IP_OUTPUT);
	leaf(t, 2, KFREE);
	t->pid = 100;
	leaf(t, 2, KFREE);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_output() { /* #7 " TCP_A " */\n"
		  "200: record_skb:packet\n"
		  "200: record_skb_gate() { /* #8 " TCP_B " */\n"
		  "200:   ip_output() { /* #8 " TCP_B " */\n"
		  "200:     kfree(); /* #8 " TCP_B " */\n"
		  "100:     kfree(); /* #7 " TCP_A " */\n");
}

static void task_that_migrates(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	call(t, OPEN, SENDMSG, &tcp_a);
	enter(t, 0, GATE);
	enter(t, 1, SENDMSG);
	enter(t, 2, SCHEDULE);
	t->pid = 300;
	foreign(t);
	t->pid = 100;
	t->cpu = 3;
	leave(t, 2, SCHEDULE);
	leaf(t, 2, KFREE);
	expect(t, "100: record_skb:call\n"
		  "100: record_skb_gate() { /* call " TCP_A " */\n"
		  "100:   tcp_sendmsg() { /* call " TCP_A " */\n"
		  "100:     schedule() { /* call " TCP_A " */\n"
		  "300: sched:sched_switch\n"
		  "100:     }\n"
		  "100:     kfree(); /* call " TCP_A " */\n");
}

/*
 * The module could not open a graph for the packet, so no entry follows the packet's event. The next entry
 * belongs to another packet or to none, and must not get this packet.
 */
static void hidden_packet(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	packet(t, 6, HIDDEN, IP_RCV, &tcp_b);
	open_graph(t);
	packet(t, 8, HIDDEN, IP_OUTPUT, &tcp_b);
	leaf(t, 2, KFREE);
	leaf(t, 2, IP_OUTPUT);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_rcv() { /* #7 " TCP_A " */\n"
		  "100: record_skb:packet\n"
		  "100:     kfree(); /* #7 " TCP_A " */\n"
		  "100:     ip_output();\n");
}

/*
 * With --max-graph-depth, functions at larger depths have no entries. So any number of events can come
 * without their entries.
 */
static void depth_limit(void **state)
{
	struct canned_trace *t = canned_new(NULL);
	int i;

	(void)state;
	open_graph(t);
	for (i = 0; i < 20; i++)
		packet(t, 8, NESTED, IP_OUTPUT, &tcp_b);
	leave(t, 1, IP_RCV);
	leaf(t, 1, KFREE);
	leave(t, 0, GATE);
	packet(t, 9, OPEN, IP_OUTPUT, &tcp_a);
	enter(t, 0, GATE);
	leaf(t, 1, IP_OUTPUT);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_rcv() { /* #7 " TCP_A " */\n"
		  "100: record_skb:packet\n100: record_skb:packet\n100: record_skb:packet\n"
		  "100: record_skb:packet\n100: record_skb:packet\n100: record_skb:packet\n"
		  "100: record_skb:packet\n100: record_skb:packet\n100: record_skb:packet\n"
		  "100: record_skb:packet\n100: record_skb:packet\n100: record_skb:packet\n"
		  "100: record_skb:packet\n100: record_skb:packet\n100: record_skb:packet\n"
		  "100: record_skb:packet\n100: record_skb:packet\n100: record_skb:packet\n"
		  "100: record_skb:packet\n100: record_skb:packet\n"
		  "100:   }\n"
		  "100:   kfree(); /* #7 " TCP_A " */\n"
		  "100: }\n"
		  "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #9 " TCP_A " */\n"
		  "100:   ip_output(); /* #9 " TCP_A " */\n");
}

/*
 * kallsyms was saved after the module was unloaded, so the gate has no name. The plugin must recognise it by
 * the probe point that follows.
 */
static void gate_without_name(void **state)
{
	struct canned_machine machine = { .no_gate_name = true };
	struct canned_trace *t = canned_new(&machine);

	(void)state;
	packet(t, 7, OPEN, IP_RCV, &tcp_a);
	enter(t, 0, 0x500);
	leaf(t, 1, IP_RCV);
	leave(t, 0, 0x500);
	packet(t, 8, OPEN, IP_RCV, &tcp_a);
	enter(t, 0, 0x500);
	leaf(t, 1, IP_OUTPUT);
	expect(t, "100: record_skb:packet\n"
		  "100: 500() {\n"
		  "100:   ip_rcv(); /* #7 " TCP_A " */\n"
		  "100: }\n"
		  "100: record_skb:packet\n"
		  "100: 500() {\n"
		  "100:   ip_output();\n");
}

/*
 * Two idle tasks are in the same function, and the task on another CPU exits it. trace-cmd takes this exit
 * for that of the current entry, and prints a wrong line. Still, each line must name the right packet.
 */
static void exit_of_another_cpu(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	t->pid = 0;
	t->cpu = 1;
	packet(t, 8, OPEN, IP_RCV, &tcp_b);
	enter(t, 0, GATE);
	enter(t, 1, IP_RCV);
	leaf(t, 2, KFREE);
	t->cpu = 0;
	open_graph(t);
	t->cpu = 1;
	leave(t, 1, IP_RCV);
	leaf(t, 1, KFREE);
	leave(t, 0, GATE);
	t->cpu = 0;
	leaf(t, 2, KFREE);
	leave(t, 1, IP_RCV);
	expect_in_trace_cmd(t, "0: record_skb:packet\n"
			       "0: record_skb_gate() { /* #8 " TCP_B " */\n"
			       "0:   ip_rcv() { /* #8 " TCP_B " */\n"
			       "0:     kfree(); /* #8 " TCP_B " */\n"
			       "0: record_skb:packet\n"
			       "0: record_skb_gate() { /* #7 " TCP_A " */\n"
			       "0:   ip_rcv(); /* #7 " TCP_A " */\n"
			       "0:   kfree(); /* #8 " TCP_B " */\n"
			       "0: }\n"
			       "0:     kfree(); /* #7 " TCP_A " */\n"
			       "0:   }\n");
}

/*
 * The return stack of function_graph is full in kfree(), so the two functions that it calls get no rows. The
 * exit row of kfree() counts them. trace-cmd consumes this row, so the line of kfree() must show the count.
 */
static void calls_missing_in_a_leaf(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	open_graph(t);
	leaf(t, 2, KFREE);
	enter(t, 2, KFREE);
	t->overrun = 2;
	leave(t, 2, KFREE);
	leaf(t, 2, SCHEDULE);
	t->overrun = 3;
	close_graph(t);
	expect_in_trace_cmd(t, "100: record_skb:packet\n"
			       "100: record_skb_gate() { /* #7 " TCP_A " */\n"
			       "100:   ip_rcv() { /* #7 " TCP_A " */\n"
			       "100:     kfree(); /* #7 " TCP_A " */\n"
			       "100:     kfree(); /* #7 " TCP_A " */"
			       " /* 2 calls are missing: the return stack was full */\n"
			       "100:     schedule(); /* #7 " TCP_A " */\n"
			       "100:   } /* 1 call is missing: the return stack was full */\n"
			       "100: }\n");
}

/* Two tracing instances record the same task, each in its own buffer. */
static struct canned_trace *two_buffers(void)
{
	struct canned_trace *t = canned_new(NULL);

	open_graph(t);
	t->buffer = t->rows;
	enter(t, 2, KFREE);
	t->buffer = NULL;
	enter(t, 2, KFREE);
	return t;
}

static void instances(void **state)
{
	(void)state;
	expect_in_trace_cmd(two_buffers(), "100: record_skb:packet\n"
					   "100: record_skb_gate() { /* #7 " TCP_A " */\n"
					   "100:   ip_rcv() { /* #7 " TCP_A " */\n"
					   "100:     kfree() {\n"
					   "100:     kfree() { /* #7 " TCP_A " */\n");
}

/*
 * trace-cmd looks for the exit of kfree() only in the buffer of the entry. So it consumes this exit even if a
 * row of another instance is in between.
 */
static void leaf_among_instances(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	open_graph(t);
	leaf(t, 2, KFREE);
	enter(t, 2, KFREE);
	t->buffer = t->rows;
	enter(t, 2, SCHEDULE);
	t->buffer = NULL;
	t->overrun = 2;
	leave(t, 2, KFREE);
	leave(t, 1, IP_RCV);
	expect_in_trace_cmd(t, "100: record_skb:packet\n"
			       "100: record_skb_gate() { /* #7 " TCP_A " */\n"
			       "100:   ip_rcv() { /* #7 " TCP_A " */\n"
			       "100:     kfree(); /* #7 " TCP_A " */\n"
			       "100:     kfree(); /* #7 " TCP_A " */"
			       " /* 2 calls are missing: the return stack was full */\n"
			       "100:     schedule() {\n"
			       "100:   }\n");
}

/* If the plugin cannot find out to which instance a row belongs, no line may get a text. */
static void instances_without_libtracecmd(void **state)
{
	(void)state;
	expect_without_libtracecmd(two_buffers(), "100: record_skb:packet\n"
						  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
						  "100:   ip_rcv() { /* #7 " TCP_A " */\n"
						  "100:     kfree() {\n"
						  "100:     kfree() {\n");
}

/*
 * Another recording runs at the same time. Its functions have no rows in this trace, but they increase the
 * depth of the functions inside them.
 */
static struct canned_trace *with_gaps(int recording)
{
	struct canned_trace *t = canned_new(NULL);

	t->recording = recording;
	packet(t, 7, OPEN, IP_RCV, &tcp_a);
	enter(t, 0, GATE);
	enter(t, 2, IP_RCV);
	leaf(t, 6, KFREE);
	packet(t, 8, NESTED, TCP_RCV, &tcp_b);
	enter(t, 3, TCP_RCV);
	leave(t, 3, TCP_RCV);
	leave(t, 2, IP_RCV);
	leave(t, 0, GATE);
	enter(t, 0, SCHEDULE);
	return t;
}

static void others_record(void **state)
{
	(void)state;
	expect(with_gaps(2), "100: record_skb:packet\n"
			     "100: record_skb_gate() { /* #7 " TCP_A " */\n"
			     "100:     ip_rcv() { /* #7 " TCP_A " */\n"
			     "100:             kfree(); /* #7 " TCP_A " */\n"
			     "100: record_skb:packet\n"
			     "100:       tcp_v4_rcv(); /* #8 " TCP_B " */\n"
			     "100:     }\n"
			     "100: }\n"
			     "100: schedule() {\n");
}

/* No other recording runs. If a depth is left out, rows must be missing, and no line may get a text. */
static void nobody_else_records(void **state)
{
	(void)state;
	expect(with_gaps(0), "100: record_skb:packet\n"
			     "100: record_skb_gate() { /* #7 " TCP_A " */\n"
			     "100:     ip_rcv() { /* #7 " TCP_A " */\n"
			     "100:             kfree();\n"
			     "100: record_skb:packet\n"
			     "100:       tcp_v4_rcv();\n"
			     "100:     }\n"
			     "100: }\n"
			     "100: schedule() {\n");
}

int run_graph_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_packet),
		cmocka_unit_test(nested_packets),
		cmocka_unit_test(rewritten_packet),
		cmocka_unit_test(stranger),
		cmocka_unit_test(two_idle_tasks),
		cmocka_unit_test(two_tasks_on_one_cpu),
		cmocka_unit_test(task_that_migrates),
		cmocka_unit_test(hidden_packet),
		cmocka_unit_test(depth_limit),
		cmocka_unit_test(gate_without_name),
		cmocka_unit_test(others_record),
		cmocka_unit_test(nobody_else_records),
		cmocka_unit_test(exit_of_another_cpu),
		cmocka_unit_test(calls_missing_in_a_leaf),
		cmocka_unit_test(instances),
		cmocka_unit_test(leaf_among_instances),
		cmocka_unit_test(instances_without_libtracecmd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
