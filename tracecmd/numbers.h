/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers on the command line, read whole or not at all. */
#ifndef _RECORD_SKB_NUMBERS_H
#define _RECORD_SKB_NUMBERS_H

#include <stdbool.h>

/* Read @text as a decimal number from 0 to @max: digits, and nothing but digits. */
bool number_read(const char *text, unsigned long max, unsigned long *number);

/* Read digits at *@text in the same way, and move it behind them. */
bool number_read_at(const char **text, unsigned long max, unsigned long *number);

#endif
