/* SPDX-License-Identifier: GPL-2.0 */
/* assertions.h - check a recording against the assertions of --assert */
#ifndef _RECORD_SKB_ASSERTIONS_H
#define _RECORD_SKB_ASSERTIONS_H

#include "model/assertion.h"
#include "model/explanations.h"
#include "model/selected_numbers.h"
#include "model/socket_reads.h"

struct assertions;

/**
 * assertions_add - parse an assertion, and add it to a list
 * @list: the list; NULL before the first assertion
 * @text: the assertion; must outlive the list
 * @err: set on failure
 *
 * Return: 0; -1 if the assertion is not valid.
 */
int assertions_add(struct assertions **list, const char *text, struct err *err);
void assertions_free(struct assertions *list);

/* Return: true if an assertion needs times in nanoseconds. */
bool assertions_have_times(const struct assertions *list);

/*
 * Prepare to read a recording. @chosen is the selection, and @selected has the numbers of the selected
 * packets. Return: 0; -1 if there is not enough memory.
 */
int assertions_begin(struct assertions *list, const struct chosen *chosen,
		     const struct selected_numbers *selected, struct stages *stages,
		     const struct socket_reads *reads, struct explanations *explanations,
		     struct packets **packets);

/*
 * assertions_observer is for reader_add_observer(), and assertions_output gets the packets. Both need the
 * list as data.
 */
extern const struct observer assertions_observer;
extern const struct output assertions_output;

/**
 * assertions_print - print a line for each assertion that failed
 * @list: the list, after the recording was read
 * @has_beginning: the recording contains its beginning
 *
 * An assertion also fails if lost entries could change its result, or if the recording has nothing to
 * compare.
 *
 * Return: the number of assertions that failed.
 */
unsigned int assertions_print(struct assertions *list, bool has_beginning);

#endif
