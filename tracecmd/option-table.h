/* SPDX-License-Identifier: GPL-2.0 */
/* The table of options: what the command line is read by and the usage printed from. */
#ifndef _RECORD_SKB_OPTION_TABLE_H
#define _RECORD_SKB_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"
#include "options.h"

/**
 * struct option_row - one option, or a heading of the usage if there is neither letter nor name
 * @letter, @name: -x and --name; 0 and NULL if it has none
 * @arg: what its value is called; NULL if it takes none, in [] if it may go without (only with --)
 * @help: one line of the usage, NULL to leave it out
 * @set: takes it; NULL for one that is trace-cmd record's own and goes there as it is
 * @refuse: why this option of trace-cmd record cannot be had here
 * @number: its value is a whole number, which trace-cmd would not check
 */
struct option_row {
	char letter;
	const char *name;
	const char *arg;
	const char *help;
	int (*set)(struct options *options, const char *value, struct err *err);
	const char *refuse;
	bool number;
};

extern const struct option_row option_rows[];
extern const size_t nr_option_rows;

/* Not a heading. */
bool option_is_real(const struct option_row *row);

/**
 * option_nearest - the options that somebody who wrote this may have meant
 * @written: "--prot", "-rx", …
 *
 * Returns "--port or --proto", to be freed; NULL if none is near.
 */
char *option_nearest(const char *written);

#endif
