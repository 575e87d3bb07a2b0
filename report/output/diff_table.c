// SPDX-License-Identifier: GPL-2.0
/* diff_table.c - print the differences of two recordings */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/packet_text.h"
#include "output/diff_table.h"

static void print_step(uint32_t step)
{
	printf("%s -> %s", stage_name(step / STAGES), stage_name(step % STAGES));
}

static void print_function(const struct changes *changes, const struct change *step,
			   const struct change *function)
{
	const struct function_name *name = &changes->names[function->what];
	const double change = fabs(change_of_median(function));
	char by[DURATION_LEN], error[DURATION_LEN];

	words_duration(by, change);
	words_duration(error, function->error);
	if (change_is_part(function, step))
		printf(", of which %s (± %s) %s in %.*s()", by, error, change < 2000 ? "is" : "are",
		       name->len, name->text);
	else
		printf("; the function that changed most is %.*s(): %s (± %s), in %u of %u packets",
		       name->len, name->text, by, error, function->packets[1], step->packets[1]);
}

void diff_print_finding(const struct changes *changes)
{
	const struct change *step = changes_largest_step(changes);
	char by[DURATION_LEN], error[DURATION_LEN];
	struct change function;
	double change;

	if (!step) {
		puts("No step is slower or faster by more than the error of its median.\n");
		return;
	}
	change = change_of_median(step);
	print_step(step->what);
	printf(" is %s %s (± %s)", words_duration(by, fabs(change)),
	       change > 0 ? "slower" : "faster", words_duration(error, step->error));
	if (changes_largest_function(changes, step, &function))
		print_function(changes, step, &function);
	puts(".\n");
}

static void print_name(const struct changes *changes, const struct change *change)
{
	const struct function_name *name;

	switch (change->kind) {
	case PART_FUNCTION:
		name = &changes->names[change->what];
		printf("%.*s", name->len, name->text);
		break;
	case PART_STEP:
		putchar('[');
		print_step(change->what);
		putchar(']');
		break;
	default:
		printf("(%s)", delay_name(change->what));
	}
}

/* Print a time that may be negative. */
static void print_signed(double ns)
{
	char buf[DURATION_LEN];

	printf(" %c%8s", ns <= -1 ? '-' : '+', words_duration(buf, fabs(ns)));
}

void diff_print_changes(const struct changes *changes)
{
	char before[DURATION_LEN], after[DURATION_LEN], error[DURATION_LEN];
	bool is_certain = true;

	printf("\n%8s %8s  %8s %8s %9s %8s %9s  %s\n", "TIMES", "AFTER", "MEDIAN", "AFTER",
	       "CHANGE", "ERROR", "MEAN", "FUNCTION, [STEP] OR (GAP)");
	for (uint32_t i = 0; i < changes->nr; i++) {
		const struct change *change = &changes->changes[i];

		if (change->kind == PART_DELAY && !delay_name(change->what))
			continue;
		if (is_certain && !change_is_certain(change))
			puts("Not larger than the error:");
		is_certain = change_is_certain(change);
		printf("%8.2f %8.2f  %8s %8s", change->calls[0], change->calls[1],
		       words_duration(before, change->median[0].value),
		       words_duration(after, change->median[1].value));
		print_signed(change_of_median(change));
		printf(" %8s", change->error < 0 ? "?" : words_duration(error, change->error));
		print_signed(change->mean[1] - change->mean[0]);
		printf("  ");
		print_name(changes, change);
		putchar('\n');
	}
}

/*
 * A function that only one of the two recordings has. Its time is added to a caller that both recordings
 * have.
 */
struct lone {
	uint32_t counted_in, own;
	int side;
};

static int compare_lone(const void *a, const void *b)
{
	const struct lone *x = a, *y = b;

	if (x->counted_in != y->counted_in)
		return x->counted_in < y->counted_in ? -1 : 1;
	if (x->side != y->side)
		return x->side - y->side;
	return (x->own > y->own) - (x->own < y->own);
}

/* Collect the functions that only one of the two recordings has, without duplicates. Return: their number. */
static size_t collect_lone(const struct changes *changes, struct lone *lone)
{
	size_t n = 0, unique = 0;

	for (int side = 0; side < 2; side++) {
		const uint32_t size = call_tree_size(changes->profiles[side].tree);

		for (uint32_t node = 1; node < size; node++) {
			const uint32_t own = changes->own[side][node],
				       counted_in = changes->counted_in[side][node];

			if (own != counted_in)
				lone[n++] = (struct lone){ counted_in, own, side };
		}
	}
	qsort(lone, n, sizeof(*lone), compare_lone);
	for (size_t i = 0; i < n; i++) {
		if (!unique || compare_lone(&lone[unique - 1], &lone[i]))
			lone[unique++] = lone[i];
	}
	return unique;
}

/*
 * Print the functions of @side at the beginning of @lone, as long as their times are added to the same
 * caller. Print '-' if @lone begins with a function of the other side. Return: the number of printed
 * functions.
 */
static size_t print_lone_side(const struct changes *changes, const struct lone *lone, size_t n,
			      int side)
{
	const uint32_t counted_in = lone->counted_in;
	size_t i = 0;

	for (; i < n && lone[i].counted_in == counted_in && lone[i].side == side; i++) {
		const struct function_name *name = &changes->names[lone[i].own];

		printf("%s%.*s", i ? ", " : "", name->len, name->text);
	}
	if (!i)
		putchar('-');
	return i;
}

void diff_print_lone_functions(const struct changes *changes)
{
	const size_t most = (size_t)call_tree_size(changes->profiles[0].tree) +
			    call_tree_size(changes->profiles[1].tree);
	struct lone *lone = calloc(most, sizeof(*lone));
	size_t n = lone ? collect_lone(changes, lone) : 0;

	if (n)
		puts("\nRenamed, inlined, split or new functions. Their time is counted in the caller.\n"
		     "CALLER: BEFORE | AFTER");
	for (size_t i = 0; i < n;) {
		const struct function_name *name = &changes->names[lone[i].counted_in];

		printf("%.*s: ", name->len, name->text);
		for (int side = 0; side < 2; side++) {
			const bool is_same = i < n && name == &changes->names[lone[i].counted_in];

			if (is_same)
				i += print_lone_side(changes, &lone[i], n - i, side);
			else
				putchar('-');
			fputs(side ? "\n" : " | ", stdout);
		}
	}
	free(lone);
}
