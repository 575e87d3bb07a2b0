// SPDX-License-Identifier: LGPL-2.1
/* packet_lookup.c - find a packet by its number */
#include "packet_lookup.h"

struct packet *packet_list_find(const struct packet_list *packets, uint32_t number)
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
