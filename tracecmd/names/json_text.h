/* SPDX-License-Identifier: GPL-2.0 */
/* json_text.h - find texts in the JSON files of container runtimes */
#ifndef _RECORD_SKB_JSON_TEXT_H
#define _RECORD_SKB_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The functions below get a pointer to a JSON value, which may be NULL or damaged. Nested values are skipped
 * without recursion, so a hostile file cannot exhaust the stack.
 */

/* Return the value of the member @key of an object; NULL if @json is not an object or lacks the member. */
const char *json_member(const char *json, const char *key);

/* Return the first element of an array, or NULL. */
const char *json_first(const char *json);

/* Return the element behind @element of an array, or NULL. */
const char *json_next(const char *element);

/*
 * Copy a string to @buf, without its quotes and escapes. Return false if @json is not a string, is empty, or
 * does not fit.
 */
bool json_text(const char *json, char *buf, size_t size);

#endif /* _RECORD_SKB_JSON_TEXT_H */
