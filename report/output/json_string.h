/* SPDX-License-Identifier: GPL-2.0 */
/* json_string.h - write names as JSON strings */
#ifndef _RECORD_SKB_JSON_STRING_H
#define _RECORD_SKB_JSON_STRING_H

/**
 * json_utf8 - make a text valid UTF-8, because JSON must be UTF-8
 * @text: any bytes; each byte that is not part of a valid character becomes U+FFFD
 *
 * Return: the text, which the caller must free; NULL if there is not enough memory.
 */
char *json_utf8(const char *text);

/**
 * json_string - write a name as a JSON string that a terminal may show
 * @name: any bytes; bytes that are not valid UTF-8 become U+FFFD
 *
 * Return: the string with its quotes, which the caller must free; NULL if there is not enough memory.
 */
char *json_string(const char *name);

#endif
