/* SPDX-License-Identifier: GPL-2.0 */
/* option_table.h - the table of all options, and --help, which is printed from it */
#ifndef _RECORD_SKB_OPTION_TABLE_H
#define _RECORD_SKB_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "err.h"
#include "record_options.h"

/**
 * struct option_row - one option, or a heading of the usage if @letter is 0 and @name is NULL
 * @letter, @name: short and long form of the option; 0 or NULL if the option has no such form
 * @arg: name of the option's value in the usage; NULL if the option has no value. A name in [] means
 *	that the value is optional, which only long options support
 * @help: the option's line in the usage; NULL to leave the option out of the usage
 * @set: function that stores the option in struct options; NULL to pass the option on to trace-cmd
 *	record
 * @refuse: why record-skb refuses this option of trace-cmd record; NULL if it does not
 * @number: true if the value has to be an integer; trace-cmd itself would not check this
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

/* Return true if @row is an option, and false if it is a heading of the usage. */
bool option_is_real(const struct option_row *row);

/**
 * option_nearest - find options with a name that is similar to an unknown option
 * @written: the unknown option, such as "--prot" or "-rx"
 *
 * Returns a text with the options, such as "--port or --proto", to be freed; NULL if no name is similar.
 */
char *option_nearest(const char *written);

void usage_print(FILE *out);

#endif /* _RECORD_SKB_OPTION_TABLE_H */
