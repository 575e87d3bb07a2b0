// SPDX-License-Identifier: GPL-2.0
/*
 * assertion_result.c - decide if an assertion of --assert is true, and print why it is not
 *
 * If entries were lost, the real number of packets may be larger than the recorded number. In this case, an
 * assertion passes only if it is true for every number that is possible.
 */
#include <stdio.h>

#include "escape.h"
#include "output/assertion_result.h"

enum result {
	PASSES,
	FAILS,
	UNPROVEN, /* true for the recorded packets, but lost entries could change the result */
	UNSURE,	  /* false for the recorded packets, but lost entries could change the result */
	UNHEARD,  /* requests have no answer, and no packet comes from any server */
	NOTHING,  /* no packet or time to compare */
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

/*
 * Return: the result of an assertion that is true for the recorded number, if the real number may be larger.
 */
static enum result with_more(const struct check *check)
{
	const enum comparison comparison = check->assertion.comparison;
	const bool grows =
		comparison == COMPARE_AT_LEAST || comparison == COMPARE_MORE ||
		(comparison == COMPARE_NOT_EQUAL && check->count > check->assertion.value);

	return grows ? PASSES : UNPROVEN;
}

static enum result judge_number(const struct check *check, const struct unknown *unknown)
{
	const struct assertion *assertion = &check->assertion;
	const bool holds = compare_values(check->count, assertion->comparison, assertion->value);

	/*
	 * Lost entries can make the number larger or smaller: a lost entry may be a request, or the answer to
	 * a request.
	 */
	if (assertion->subject == SUBJECT_UNANSWERED && unknown->lost)
		return holds ? UNPROVEN : UNSURE;
	if (assertion->subject == SUBJECT_UNANSWERED && check->count && unknown->unheard)
		return UNHEARD;
	if (!holds)
		return FAILS;
	if (assertion->subject == SUBJECT_UNANSWERED)
		return PASSES;
	if (assertion->subject == SUBJECT_VERDICT && assertion->verdict == VERDICT_UNKNOWN)
		return unknown->lost || unknown->incomplete ? UNPROVEN : PASSES;
	if (unknown->lost || (assertion->subject != SUBJECT_PACKETS &&
			      assertion->subject != SUBJECT_FLOWS && unknown->unsure))
		return with_more(check);
	return PASSES;
}

/*
 * Compare the nearest-rank percentile, or the mean, with the value of the assertion. A wait that has not
 * ended counts as longer than any value, or, if @ended is set, as 0.
 *
 * Return: -1 if the percentile or mean is less than the value, 0 if they are equal, 1 if it is more.
 */
static int order_of_times(const struct check *check, bool ended)
{
	const struct assertion *assertion = &check->assertion;
	const unsigned __int128 sum = (unsigned __int128)assertion->value * check->nr;
	const uint64_t less = check->less + (ended && assertion->value ? check->endless : 0);
	const uint64_t equal = check->equal + (ended && !assertion->value ? check->endless : 0);
	uint64_t need = ((unsigned __int128)check->nr * assertion->rank + RANK_MAX - 1) / RANK_MAX;

	if (assertion->mean && check->endless && !ended)
		return 1;
	if (assertion->mean)
		return (check->sum > sum) - (check->sum < sum);
	if (!need)
		need = 1;
	if (less >= need)
		return -1;
	return less + equal >= need ? 0 : 1;
}

/*
 * Return: true if the recorded times satisfy the assertion. @ended has the same meaning as for
 * order_of_times().
 */
static bool times_hold(const struct check *check, bool ended)
{
	/*
	 * Compare the order with 0. The order can be -1, and compare_values() needs unsigned numbers: add 1
	 * to both.
	 */
	return compare_values(1 + order_of_times(check, ended), check->assertion.comparison, 1);
}

static enum result judge_times(const struct check *check, const struct unknown *unknown)
{
	const struct assertion *assertion = &check->assertion;
	const bool is_more = assertion->comparison == COMPARE_MORE ||
			     assertion->comparison == COMPARE_AT_LEAST;
	const bool is_less = assertion->comparison == COMPARE_LESS ||
			     assertion->comparison == COMPARE_AT_MOST;
	const bool is_function = assertion->times == TIMES_FUNCTION ||
				 assertion->times == TIMES_STACK;
	const bool lost = unknown->lost || unknown->incomplete || (is_function && unknown->calls);
	const bool holds = times_hold(check, false);

	if (!check->nr)
		return NOTHING;
	if (assertion->times == TIMES_REQUESTS && check->endless && unknown->unheard)
		return UNHEARD;
	/*
	 * The end of a wait may be among the lost entries. So check if the result would be different if all
	 * waits had ended.
	 */
	if (lost && check->endless && times_hold(check, true) != holds)
		return holds ? UNPROVEN : UNSURE;
	if (!holds)
		return FAILS;
	if (!lost)
		return PASSES;
	/*
	 * Times in lost entries can only make the maximum larger and the minimum smaller. So an assertion
	 * that the maximum is large or the minimum is small stays true.
	 */
	if (!assertion->mean &&
	    ((assertion->rank == RANK_MAX && is_more) || (!assertion->rank && is_less)))
		return PASSES;
	return UNPROVEN;
}

static enum result judge_path(const struct check *check, const struct unknown *unknown)
{
	const bool matches = check->assertion.comparison == COMPARE_MATCHES;

	if (!check->nr)
		return NOTHING;
	if (check->count != (matches ? check->nr : 0))
		return FAILS;
	return unknown->lost ? UNPROVEN : PASSES;
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

	printf("%llu of %llu packet%s %s this path", (unsigned long long)check->count,
	       (unsigned long long)check->nr, plural_of(check->nr),
	       check->count == 1 ? "has" : "have");
	print_example(matches ? "the first without it is" : "the first is",
		      matches ? check->other : check->counted);
}

static void print_times(const struct check *check)
{
	const enum comparison comparison = check->assertion.comparison;
	const bool is_too_short = comparison == COMPARE_MORE || comparison == COMPARE_AT_LEAST ||
				  (comparison == COMPARE_EQUAL && !check->endless &&
				   check->most <= check->assertion.value);
	uint64_t within = 0;

	within += comparison == COMPARE_LESS || comparison == COMPARE_AT_MOST ? check->less : 0;
	within += comparison == COMPARE_AT_MOST || comparison == COMPARE_EQUAL ||
				  comparison == COMPARE_AT_LEAST ?
			  check->equal :
			  0;
	if (comparison == COMPARE_MORE || comparison == COMPARE_AT_LEAST)
		within += check->nr - check->less - check->equal;
	if (comparison == COMPARE_NOT_EQUAL)
		within = check->nr - check->equal;
	printf("%llu of %llu time%s %s not", (unsigned long long)(check->nr - within),
	       (unsigned long long)check->nr, plural_of(check->nr), verb_of(check->nr - within));
	print_example(is_too_short ? "the shortest is" : "the longest is",
		      is_too_short ? check->shortest : check->longest);
}

static void print_result(const struct check *check, enum result result)
{
	char text[ESCAPED_LEN(256)];

	printf("failed: %s: ", escape_text(text, sizeof(text), check->assertion.text));
	if (result == NOTHING)
		printf("the recording has no such %s\n",
		       check->assertion.subject == SUBJECT_TIMES ? "time" : "packet");
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
		print_result(check, result);
	return result == PASSES;
}
