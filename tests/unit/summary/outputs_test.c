// SPDX-License-Identifier: GPL-2.0
/*
 * outputs_test.c - test what the outputs say about packets that have not ended, and about changes of
 * functions
 */
#include <unistd.h>

#include "model/changes.h"
#include "output/assertion_result.h"
#include "output/diff_table.h"
#include "output/perfetto_flows.h"
#include "output/slowest.h"
#include "overview.h"

/* The text that the tested code prints to standard output. */
static FILE *printed;
static int kept;

static void begin_printing(void)
{
	fflush(stdout);
	kept = dup(STDOUT_FILENO);
	printed = tmpfile();
	assert_non_null(printed);
	dup2(fileno(printed), STDOUT_FILENO);
}

static const char *end_printing(void)
{
	static char text[4096];

	fflush(stdout);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	rewind(printed);
	text[fread(text, 1, sizeof(text) - 1, printed)] = '\0';
	fclose(printed);
	return text;
}

/* Make a packet that its socket got at the time 5, and that no program has read. */
static struct made *make_unread(uint32_t number)
{
	struct made *made = make(number, 1, FROM_CLIENT, TCP_ACK);

	made->copies[0].outcome.verdict = VERDICT_DELIVERED;
	made->copies[0].tracked = true;
	made->packet.first = made->packet.last = 2;
	return made;
}

static const char *slowest_text(const struct packet *packet)
{
	struct slowest *slowest = slowest_new(3, NULL, reads, &packets);

	assert_non_null(slowest);
	slowest_output.packet(slowest, packet);
	begin_printing();
	slowest_output.end(slowest);
	slowest_free(slowest);
	return end_printing();
}

static void unread_packet_took_at_least(void **state)
{
	const char *text = slowest_text(&make_unread(3)->packet);

	(void)state;
	assert_non_null(strstr(
		text,
		" >1000 us >1000 us  it was still in a queue, or not completely read, at the end\n"));
	assert_null(strstr(text, "3!"));
}

/* Earlier bytes may be missing. Then no program can read the packet, and nothing is late. */
static void unread_packet_behind_a_hole(void **state)
{
	const char *text;

	(void)state;
	visits[0].in_order = 0;
	text = slowest_text(&make_unread(3)->packet);
	visits[0].in_order = 5;
	assert_null(strstr(text, "it was still in a queue"));
}

static void incomplete_packet_is_marked(void **state)
{
	struct made *made = make_unread(3);
	const char *text;

	(void)state;
	made->packet.incomplete = true;
	text = slowest_text(&made->packet);
	assert_non_null(strstr(text, "     3! "));
	assert_null(strstr(text, ">1000"));
}

/* The slice of a packet that no program has read ends at the last event, and not at its delivery. */
static void unread_packet_stays_in_timeline(void **state)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	const struct flow_spans spans = {
		.events = trace_events_new(file),
		.explanations = explanations,
		.packets = &packets,
	};

	(void)state;
	flow_spans_write(&spans, &make_unread(3)->packet);
	trace_events_end(spans.events, "complete");
	fclose(file);
	assert_non_null(strstr(text, "1000.000"));
	assert_non_null(strstr(text, "not recorded; the packet still waits"));
	free(text);
}

#define NR   20
#define STEP 7

static struct call_tree *tree;

/* Make a profile of packets. Each has a step of @step ns, and one of @each packets has a function of @ns. */
static struct profile make_profile(uint64_t step, unsigned int each, uint64_t ns)
{
	struct profile profile = { .tree = tree, .nr = NR, .selected = NR };

	profile.packets = calloc(NR, sizeof(*profile.packets));
	for (unsigned int i = 0; i < NR; i++) {
		struct profiled_packet *packet = &profile.packets[i];

		packet->parts = calloc(2, sizeof(*packet->parts));
		packet->parts[packet->nr++] = (struct part){ PART_STEP, STEP, 0, step + i % 3 };
		if (!(i % each))
			packet->parts[packet->nr++] =
				(struct part){ PART_FUNCTION, STEP, 1, ns + i % 2 };
	}
	return profile;
}

/* Return: the sentence about a step that got 2 us slower, and a function that got slower by @more ns. */
static const char *diff_text(unsigned int each, uint64_t more)
{
	static const struct name name = { .text = (char *)"f" };
	const struct moment at = { .pid = 1 };
	const struct function function = { .name = &name, .pkt = 1 };
	struct profile profiles[2];
	struct changes changes;

	tree = call_tree_new();
	call_tree_enter(tree, &at, &function);
	profiles[0] = make_profile(10000, each, 100);
	profiles[1] = make_profile(12000, each, 100 + more);
	assert_int_equal(changes_find(&changes, profiles, false), 0);
	begin_printing();
	diff_print_finding(&changes);
	changes_free(&changes);
	for (int side = 0; side < 2; side++) {
		for (unsigned int i = 0; i < NR; i++)
			free(profiles[side].packets[i].parts);
		free(profiles[side].packets);
	}
	call_tree_free(tree);
	return end_printing();
}

static void function_of_all_packets_is_a_part(void **state)
{
	(void)state;
	assert_non_null(strstr(diff_text(1, 1500), ", of which 1.50 us (± "));
}

/* A function with a larger change than its step cannot be a part of it. */
static void larger_change_is_no_part(void **state)
{
	(void)state;
	assert_non_null(strstr(diff_text(1, 50000),
			       "; the function that changed most is f(): 50.0 us (± "));
}

static void function_of_some_packets_is_no_part(void **state)
{
	(void)state;
	assert_non_null(strstr(diff_text(2, 1500), "), in 10 of 20 packets."));
}

/* Return: true if 4 ms between two hosts pass "p99 < 5ms" although the clocks have an error of @error ns. */
static bool passes_with_error(uint64_t error)
{
	const struct unknown unknown = { 0 };
	struct check check = {
		.nr = 1,
		.clock_error = error,
		.lower = { .less = 1, .sum = 4000000 - error },
		.upper = { .less = 4000000 + error < 5000000, .sum = 4000000 + error },
	};
	struct err err;
	bool passes;

	assert_int_equal(assertion_parse(&check.assertion, "p99(packets) < 5ms", &err), 0);
	begin_printing();
	passes = check_print_failure(&check, &unknown);
	end_printing();
	return passes;
}

static void clocks_may_change_the_result(void **state)
{
	(void)state;
	assert_true(passes_with_error(0));
	assert_true(passes_with_error(500000));
	assert_false(passes_with_error(2000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OVERVIEW_TEST(unread_packet_took_at_least),
		OVERVIEW_TEST(unread_packet_behind_a_hole),
		OVERVIEW_TEST(incomplete_packet_is_marked),
		OVERVIEW_TEST(unread_packet_stays_in_timeline),
		cmocka_unit_test(function_of_all_packets_is_a_part),
		cmocka_unit_test(larger_change_is_no_part),
		cmocka_unit_test(function_of_some_packets_is_no_part),
		cmocka_unit_test(clocks_may_change_the_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
