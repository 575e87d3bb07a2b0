/* SPDX-License-Identifier: GPL-2.0 */
/*
 * summary_head.h - the head of the summary, and functions that print lines in the width of the screen
 *
 * The head is about the recording, the machine and the completeness of the recording.
 */
#ifndef _RECORD_SKB_SUMMARY_HEAD_H
#define _RECORD_SKB_SUMMARY_HEAD_H

#include <stddef.h>

#include "output/summary.h"

#define SUMMARY_WIDTH 80

/* A line that is being built. */
struct line {
	char text[1024];
	size_t len;
};

void line_append(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Print a line. If the line is wider than the screen, it is cut and ends with "...". */
void line_print(const struct line *line);
/* Print a text, and break lines at blanks. Print at most @most lines. Return: the number of lines. */
unsigned int line_print_wrapped(const char *text, unsigned int most);

/* struct head - the objects that the head of the summary describes */
struct head {
	const struct recorded *recorded;
	const struct overview *overview;
	const struct packets *packets;
	const struct reader *reader;
};

/* Print the head. Return: the number of lines that it takes on the screen. */
unsigned int summary_head_print(const struct head *head);

#endif
