/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef _RECORD_SKB_KSHARK_GROW_ARRAY_H
#define _RECORD_SKB_KSHARK_GROW_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>

/**
 * grow_array - make space for one more element in an array
 * @array: address of the pointer to the array
 * @n: number of elements in use
 * @capacity: number of allocated elements; updated when the array grows
 * @size: size of an element
 *
 * Return: false if there is not enough memory; the array is then unchanged.
 */
static inline bool grow_array(void *array, size_t n, size_t *capacity, size_t size)
{
	void **v = array;
	size_t more = *capacity ? *capacity * 2 : 64;
	void *new;

	if (n < *capacity)
		return true;
	new = realloc(*v, more * size);
	if (!new)
		return false;
	*v = new;
	*capacity = more;
	return true;
}

#endif /* _RECORD_SKB_KSHARK_GROW_ARRAY_H */
