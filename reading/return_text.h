/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * return_text.h - format the return value of a probed function with the kernel's names
 *
 * A name is shown only if the meaning of the function's return values is known. For other functions, and for
 * unexpected values, only the number is shown.
 */
#ifndef _RECORD_SKB_RETURN_TEXT_H
#define _RECORD_SKB_RETURN_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Size of the longest text, including "= ". */
#define RETURN_TEXT_LEN 32

/**
 * return_text - format a return value
 * @buf: buffer of at least RETURN_TEXT_LEN bytes
 * @func: name of the function, NULL if unknown
 * @ret: content of the return register
 * @unknown: format the values of unknown functions as numbers
 *
 * Return: false if the function returns void, or if it is unknown and @unknown is false. Then @buf is
 * unchanged.
 */
bool return_text(char *buf, const char *func, int64_t ret, bool unknown);

#endif /* _RECORD_SKB_RETURN_TEXT_H */
