/* SPDX-License-Identifier: GPL-2.0 */
/* Edit distance between a mistyped word and a known one. */
#ifndef _RECORD_SKB_NEAREST_H
#define _RECORD_SKB_NEAREST_H

/*
 * Count the steps that turn @written into @word. A step inserts, deletes or changes a letter, or swaps two
 * neighbours. If @written has at least three letters and is the beginning of @word, the distance is 1. If
 * the distance is above NEAREST_MAX, @written is probably not a mistyped @word.
 */
unsigned int nearest_distance(const char *written, const char *word);

#define NEAREST_MAX 2

#endif
