// SPDX-License-Identifier: LGPL-2.1
/* packets.c - a packet by its number */
#include "packets.h"

const struct packet *packets_find(const struct packets *packets, uint32_t number)
{
	size_t low = 0, high = packets->n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (packets->v[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < packets->n && packets->v[low].number == number ? &packets->v[low] : NULL;
}
