/* SPDX-License-Identifier: GPL-2.0 */
/* translations.h - find address translations (NAT) of hosts without a recording */
#ifndef _RECORD_SKB_TRANSLATIONS_H
#define _RECORD_SKB_TRANSLATIONS_H

#include "hosts/join.h"

/**
 * translations_find - find streams that have other addresses at the next host, and give both streams the same
 * key
 * @join: the recordings, before they are joined
 * @order: indexes of @join->all; the function changes their order
 *
 * A host between two recorded hosts can change addresses and ports. Two streams are taken as one if enough
 * packets are equal except for addresses and ports, and if no other stream has equal packets. If that does
 * not prove a translation, the sightings are marked with @is_alike.
 *
 * Return: false if memory is short.
 */
bool translations_find(struct join *join, size_t *order);

#endif
