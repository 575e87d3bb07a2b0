/* SPDX-License-Identifier: GPL-2.0 */
/* diff_table.h - print the differences of two recordings */
#ifndef _RECORD_SKB_DIFF_TABLE_H
#define _RECORD_SKB_DIFF_TABLE_H

#include "model/changes.h"

/* Print a sentence about the step and the function that have changed most. */
void diff_print_finding(const struct changes *changes);
/* Print a line for each function, step and kind of delay. */
void diff_print_changes(const struct changes *changes);
/*
 * Print the functions that only one of the two recordings has. They are grouped by the caller to which their
 * times are added.
 */
void diff_print_lone_functions(const struct changes *changes);

#endif
