// SPDX-License-Identifier: GPL-2.0
/*
 * assertion_result.c - decide if an assertion of --assert is true, and print why it is not
 *
 * The real number or time may differ from the recorded one: entries were lost, a verdict is unknown, or an
 * answer may end later than its first data. An assertion passes only if it is true for every possible
 * value, and is false only if it is false for every possible value. Otherwise, it fails because it is not
 * proven.
 */
#include <stdio.h>

#include "escape.h"
#include "hosts/hosts.h"
#include "output/assertion_result.h"

enum result {
	PASSES,
	FAILS,
	UNPROVEN,   /* true for the recorded packets, but lost entries could change the result */
	UNSURE,	    /* false for the recorded packets, but lost entries could change the result */
	NO_VERDICT, /* packets with an unknown verdict could change the result */
	NO_CLIENT,  /* connections without a known client could change the result */
	NO_END,	    /* the result depends on the end of an answer, which is not known */
	CLOCKS,	    /* the error of the hosts' clocks could change the result */
	UNHEARD,    /* requests have no answer, and no packet comes from any server */
	NOTHING,    /* no packet, request or time to compare */
};

static bool compare_values(uint64_t left, enum comparison comparison, uint64_t right)
{
	switch (comparison) {
	case COMPARE_LESS:
		return left < right;
	case COMPARE_AT_MOST:
		return left <= right;
	case COMPARE_EQUAL:
		return left == right;
	case COMPARE_NOT_EQUAL:
		return left != right;
	case COMPARE_AT_LEAST:
		return left >= right;
	default:
		return left > right;
	}
}

/* Return: true if the assertion is true for some, but not for all numbers from @least to @most. */
static bool depends(enum comparison comparison, uint64_t least, uint64_t most, uint64_t value)
{
	const uint64_t middle = value < least ? least : value > most ? most : value;
	const bool holds = compare_values(least, comparison, value);

	return compare_values(middle, comparison, value) != holds ||
	       compare_values(most, comparison, value) != holds;
}

/* Return: true if @fewer less or @more more packets than the recorded number change the result. */
static bool can_change(const struct check *check, uint64_t fewer, uint64_t more)
{
	return depends(check->assertion.comparison, check->count - fewer, check->count + more,
		       check->assertion.value);
}

/* No recording has so many packets. */
#define ANY_NUMBER (UINT64_MAX / 2)

static enum result judge_unanswered(const struct check *check, const struct unknown *unknown,
				    bool holds)
{
	/* A lost entry may be a request, or the answer to a request. */
	if (unknown->lost && can_change(check, check->count, ANY_NUMBER))
		return holds ? UNPROVEN : UNSURE;
	if (check->count && unknown->unheard)
		return UNHEARD;
	if (unknown->clients && can_change(check, 0, ANY_NUMBER))
		return NO_CLIENT;
	if (!check->nr)
		return NOTHING;
	return holds ? PASSES : FAILS;
}

/* Return: the number of packets that could have the verdict of the assertion. */
static uint64_t possible_packets(const struct assertion *assertion, const struct unknown *unknown)
{
	if (assertion->subject != SUBJECT_VERDICT)
		return assertion->subject == SUBJECT_REASON ? unknown->unsure : 0;
	if (assertion->verdict == VERDICT_UNKNOWN)
		return 0;
	return unknown->unsure +
	       (assertion->verdict == VERDICT_DROPPED ? unknown->maybe_dropped : 0);
}

static enum result judge_number(const struct check *check, const struct unknown *unknown)
{
	const struct assertion *assertion = &check->assertion;
	const bool is_flows = assertion->subject == SUBJECT_FLOWS;
	const bool holds = compare_values(check->count, assertion->comparison, assertion->value);
	const bool lost = unknown->lost ||
			  (assertion->subject == SUBJECT_VERDICT &&
			   assertion->verdict == VERDICT_UNKNOWN && unknown->incomplete);

	if (assertion->subject == SUBJECT_UNANSWERED)
		return judge_unanswered(check, unknown, holds);
	if (!unknown->packets && !unknown->lost && !is_flows &&
	    assertion->subject != SUBJECT_PACKETS)
		return NOTHING;
	if (lost &&
	    can_change(check, is_flows && unknown->lost_flows ? check->count : 0, ANY_NUMBER))
		return holds ? UNPROVEN : UNSURE;
	if (can_change(check, 0, possible_packets(assertion, unknown)))
		return NO_VERDICT;
	return holds ? PASSES : FAILS;
}

/*
 * Compare the nearest-rank percentile, or the mean, of bounds with the value of the assertion. An endless
 * bound counts as longer than any value, or, if @ended is set, as 0.
 *
 * Return: 0 if the percentile or mean is less than the value, 1 if they are equal, 2 if it is more.
 */
static unsigned int order_of(const struct check *check, const struct bounds *bounds, bool ended)
{
	const struct assertion *assertion = &check->assertion;
	const unsigned __int128 sum = (unsigned __int128)assertion->value * check->nr;
	const uint64_t less = bounds->less + (ended && assertion->value ? bounds->endless : 0);
	const uint64_t equal = bounds->equal + (ended && !assertion->value ? bounds->endless : 0);
	uint64_t need = ((unsigned __int128)check->nr * assertion->rank + RANK_MAX - 1) / RANK_MAX;

	if (assertion->mean && bounds->endless && !ended)
		return 2;
	if (assertion->mean)
		return 1 + (bounds->sum > sum) - (bounds->sum < sum);
	if (!need)
		need = 1;
	if (less >= need)
		return 0;
	return less + equal >= need ? 1 : 2;
}

static enum result judge_times(const struct check *check, const struct unknown *unknown)
{
	const struct assertion *assertion = &check->assertion;
	const enum comparison comparison = assertion->comparison;
	const bool is_more = comparison == COMPARE_MORE || comparison == COMPARE_AT_LEAST;
	const bool is_less = comparison == COMPARE_LESS || comparison == COMPARE_AT_MOST;
	const bool is_max = !assertion->mean && assertion->rank == RANK_MAX;
	const bool is_min = !assertion->mean && !assertion->rank;
	const bool is_function = assertion->times == TIMES_FUNCTION ||
				 assertion->times == TIMES_STACK;
	const bool lost = unknown->lost || unknown->incomplete || (is_function && unknown->calls);
	const bool no_client = assertion->times == TIMES_REQUESTS && unknown->clients;
	const unsigned int most = order_of(check, &check->upper, false);
	const bool holds = compare_values(most, comparison, 1);

	if (!check->nr)
		return no_client ? NO_CLIENT : NOTHING;
	if (assertion->times == TIMES_REQUESTS && check->lower.endless && unknown->unheard)
		return UNHEARD;
	/*
	 * The end of a wait may be among the lost entries. So check if the result would be different if all
	 * waits had ended.
	 */
	if (lost && check->lower.endless &&
	    depends(comparison, order_of(check, &check->lower, true), most, 1))
		return holds ? UNPROVEN : UNSURE;
	if (depends(comparison, order_of(check, &check->lower, false), most, 1))
		return check->clock_error ? CLOCKS : NO_END;
	/*
	 * Times that are not recorded can only make the maximum larger and the minimum smaller. So some
	 * results are certain without them: for instance, a large maximum stays large.
	 */
	if ((!lost && !no_client) || (is_max && (holds ? is_more : is_less)) ||
	    (is_min && (holds ? is_less : is_more)))
		return holds ? PASSES : FAILS;
	if (!lost)
		return NO_CLIENT;
	return holds ? UNPROVEN : UNSURE;
}

/*
 * Decide an assertion about paths. Lost rows can hide a device. Therefore only complete packets, and only
 * recordings without losses, prove that a packet has not passed a device.
 */
static enum result judge_path(const struct check *check, const struct unknown *unknown)
{
	const bool matches = check->assertion.comparison == COMPARE_MATCHES;
	const bool is_one_device = check->assertion.nr_hops == 1;
	/* A device may be missing between two devices of any packet. */
	const uint64_t proven = unknown->probes && !is_one_device ? 0 : check->proven;
	const bool holds = check->count == (matches ? check->nr : 0);

	if (!check->nr)
		return NOTHING;
	if (matches ? check->refuted && !unknown->lost : proven)
		return FAILS;
	if (unknown->lost || (matches ? proven : check->refuted) != check->nr)
		return holds ? UNPROVEN : UNSURE;
	return PASSES;
}

static enum result judge_check(const struct check *check, const struct unknown *unknown)
{
	switch (check->assertion.subject) {
	case SUBJECT_TIMES:
		return judge_times(check, unknown);
	case SUBJECT_PATH:
		return judge_path(check, unknown);
	default:
		return judge_number(check, unknown);
	}
}

/* Output */

static void print_example(const char *title, const char *example)
{
	if (example[0])
		printf("; %s %s", title, example);
}

static void print_number(const struct check *check)
{
	const struct assertion *assertion = &check->assertion;
	const bool too_few = check->count < assertion->value ||
			     assertion->comparison == COMPARE_MORE;

	printf("it is %llu", (unsigned long long)check->count);
	print_example(too_few ? "the first other one is" : "the first is",
		      too_few ? check->other : check->counted);
}

static void print_path(const struct check *check)
{
	const bool matches = check->assertion.comparison == COMPARE_MATCHES;
	const uint64_t unsure = check->nr - check->proven - check->refuted;

	printf("%llu of %llu packet%s %s this path", (unsigned long long)check->proven,
	       (unsigned long long)check->nr, plural_of(check->nr),
	       check->proven == 1 ? "has" : "have");
	if (unsure)
		printf(", and %llu may have it", (unsigned long long)unsure);
	print_example(matches ? "the first without it is" : "the first is",
		      matches ? check->other : check->counted);
}

static void print_times(const struct check *check)
{
	const struct bounds *lower = &check->lower, *upper = &check->upper;
	const enum comparison comparison = check->assertion.comparison;
	const bool is_too_short =
		comparison == COMPARE_MORE || comparison == COMPARE_AT_LEAST ||
		(comparison == COMPARE_EQUAL && check->most <= check->assertion.value);
	uint64_t within = 0;

	/* Count the times for which the comparison may be true, as far as their bounds show. */
	switch (comparison) {
	case COMPARE_LESS:
		within = lower->less;
		break;
	case COMPARE_AT_MOST:
		within = lower->less + lower->equal;
		break;
	case COMPARE_EQUAL:
		within = lower->less + lower->equal - upper->less;
		break;
	case COMPARE_NOT_EQUAL:
		within = check->nr - (lower->equal < upper->equal ? lower->equal : upper->equal);
		break;
	case COMPARE_AT_LEAST:
		within = check->nr - upper->less;
		break;
	default:
		within = check->nr - upper->less - upper->equal;
	}
	printf("%llu of %llu time%s %s not", (unsigned long long)(check->nr - within),
	       (unsigned long long)check->nr, plural_of(check->nr), verb_of(check->nr - within));
	print_example(is_too_short ? "the shortest is" : "the longest is",
		      is_too_short ? check->shortest : check->longest);
}

static void print_result(const struct check *check, const struct unknown *unknown,
			 enum result result)
{
	const uint64_t possible = possible_packets(&check->assertion, unknown);
	char text[ESCAPED_LEN(256)], error[DURATION_LEN];

	printf("failed: %s: ", escape_text(text, sizeof(text), check->assertion.text));
	if (result == NOTHING)
		printf("nothing to judge: the recording has no such %s\n",
		       check->assertion.subject == SUBJECT_TIMES      ? "time" :
		       check->assertion.subject == SUBJECT_UNANSWERED ? "request" :
									"packet");
	else if (result == NO_VERDICT)
		printf("not known: the recording does not show the verdict of %llu packet%s; the first "
		       "is #%u\n",
		       (unsigned long long)possible, plural_of(possible), unknown->first_unsure);
	else if (result == NO_CLIENT)
		printf("not known: the recording does not show the client of a connection, lacks packets "
		       "of its server, or does not show which datagram was answered\n");
	else if (result == NO_END)
		printf("not known: the recording does not show which data end an answer; the longest "
		       "is %s\n",
		       check->longest);
	else if (result == CLOCKS && check->clock_error == CLOCK_ERROR_UNKNOWN)
		printf("not known: the error of the hosts' clocks is not known\n");
	else if (result == CLOCKS)
		printf("not known: the error of the hosts' clocks is ± %s\n",
		       words_duration(error, check->clock_error));
	else if (result == UNPROVEN)
		printf("true in the recording, but lost entries or calls could change it\n");
	else if (result == UNSURE)
		printf("false in the recording, but lost entries could change it\n");
	else if (result == UNHEARD)
		printf("not known: the recording has no packet from any server\n");
	else if (check->assertion.subject == SUBJECT_TIMES)
		print_times(check);
	else if (check->assertion.subject == SUBJECT_PATH)
		print_path(check);
	else
		print_number(check);
	if (result == FAILS)
		putchar('\n');
}

bool check_print_failure(const struct check *check, const struct unknown *unknown)
{
	const enum result result = judge_check(check, unknown);

	if (result != PASSES)
		print_result(check, unknown, result);
	return result == PASSES;
}
