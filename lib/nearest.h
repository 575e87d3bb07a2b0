/* SPDX-License-Identifier: GPL-2.0 */
/* Edit distance between a mistyped word and a known one. */
#ifndef _RECORD_SKB_NEAREST_H
#define _RECORD_SKB_NEAREST_H

/*
 * Count the letters to insert, delete, change or swap with a neighbour to turn @written into @word. A
 * prefix of at least three letters has the distance 1. A distance above NEAREST_MAX is not a typing
 * mistake.
 */
unsigned int nearest_distance(const char *written, const char *word);

#define NEAREST_MAX 2

#endif
