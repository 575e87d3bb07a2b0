/* SPDX-License-Identifier: GPL-2.0 */
/*
 * open_calls.h - the functions of the C library that open a file, for a library of LD_PRELOAD. Each of them calls
 * open_next(), which the library defines before.
 */
#include <stdarg.h>

#define OPEN(name)                                          \
	int name(const char *path, int flags, ...)          \
	{                                                   \
		va_list args;                               \
		mode_t mode;                                \
                                                            \
		va_start(args, flags);                      \
		mode = va_arg(args, mode_t);                \
		va_end(args);                               \
		return open_next(#name, path, flags, mode); \
	}

OPEN(open)
OPEN(open64)
/* Programs that were built with _FORTIFY_SOURCE call these functions. */
OPEN(__open_2)
OPEN(__open64_2)
