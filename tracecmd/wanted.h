/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_WANTED_H
#define _RECORD_SKB_WANTED_H

#include <stdio.h>

#include "err.h"
#include "kernel.h"
#include "record_skb.h"

/**
 * struct wanted - functions that the user wants as probe points, beside the table's
 * @v: what the module is told of them; owned
 * @n: how many
 */
struct wanted {
	struct record_skb_point *v;
	size_t n;
};

/**
 * wanted_add - the functions that "-g PATTERN" means
 * @wanted: what is not in it yet is added
 * @kernel: its functions are read
 * @pattern: a name, or a glob of names
 * @say: is told what a glob means and cannot be had, because somebody else has it
 * @err: why a name cannot be a probe point, or none of the glob's can
 *
 * Returns 0 or -1.
 */
int wanted_add(struct wanted *wanted, struct kernel *kernel, const char *pattern,
	       void (*say)(const char *text), struct err *err);
void wanted_free(struct wanted *wanted);

/* Ask the module for them; the names of those that became probe points are added. Returns 0 or -1. */
int wanted_ask(const struct wanted *wanted, int session, struct strings *names, struct err *err);

/* Print a line about one, of , which may be "". */
void wanted_show_point(FILE *out, const struct record_skb_point *point, const char *module);

/* Print which of the functions that @pattern matches could be wanted. Returns 0 or -1. */
int wanted_show(FILE *out, struct kernel *kernel, const char *pattern, struct err *err);

#endif
