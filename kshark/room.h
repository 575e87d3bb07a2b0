/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef _RECORD_SKB_KSHARK_ROOM_H
#define _RECORD_SKB_KSHARK_ROOM_H

#include <stdbool.h>
#include <stdlib.h>

/**
 * make_room - for one more in an array
 * @array: address of the pointer to it
 * @n: how many are in it
 * @room: for how many there is room; grows
 * @size: of one
 *
 * Returns false without memory; the array is as it was.
 */
static inline bool make_room(void *array, size_t n, size_t *room, size_t size)
{
	void **v = array;
	size_t more = *room ? *room * 2 : 64;
	void *new;

	if (n < *room)
		return true;
	new = realloc(*v, more * size);
	if (!new)
		return false;
	*v = new;
	*room = more;
	return true;
}

#endif /* _RECORD_SKB_KSHARK_ROOM_H */
