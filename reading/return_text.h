/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * return_text.h - what a probe point's function returned, in the kernel's words
 *
 * A number has a name only in a function of which it is known what its values mean. Of the others,
 * and of values that should not be, the number is all there is to say.
 */
#ifndef _RECORD_SKB_RETURN_TEXT_H
#define _RECORD_SKB_RETURN_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Room for "= " and the longest of them. */
#define RETURN_TEXT_LEN 32

/**
 * return_text - write what was returned
 * @buf: at least RETURN_TEXT_LEN bytes
 * @func: name of the function, NULL if not known
 * @ret: its value, as the register held it
 * @unknown: of functions that are not known, write the number
 *
 * Returns false, with @buf untouched, if there is nothing to write: the function returns nothing,
 * or it is not known and @unknown is false.
 */
bool return_text(char *buf, const char *func, int64_t ret, bool unknown);

#endif /* _RECORD_SKB_RETURN_TEXT_H */
