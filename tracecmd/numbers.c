// SPDX-License-Identifier: GPL-2.0
/* Numbers on the command line, read whole or not at all. */
#include <ctype.h>

#include "numbers.h"

bool number_read_at(const char **text, unsigned long max, unsigned long *number)
{
	const char *p = *text;

	for (*number = 0; isdigit((unsigned char)*p); p++) {
		const unsigned long digit = *p - '0';

		if (*number > max / 10 || *number * 10 > max - digit)
			return false;
		*number = *number * 10 + digit;
	}
	if (p == *text)
		return false;
	*text = p;
	return true;
}

bool number_read(const char *text, unsigned long max, unsigned long *number)
{
	return number_read_at(&text, max, number) && !*text;
}
