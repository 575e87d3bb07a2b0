/* SPDX-License-Identifier: GPL-2.0 */
/* How far a mistyped word is from another. */
#ifndef _RECORD_SKB_NEAREST_H
#define _RECORD_SKB_NEAREST_H

/*
 * How many letters to insert, delete, change, or swap with their neighbour, to make one of the other. The
 * beginning of a word, three letters at least, is 1 from it. More than NEAREST_MAX is no mistake in typing.
 */
unsigned int nearest_distance(const char *written, const char *word);

#define NEAREST_MAX 2

#endif
