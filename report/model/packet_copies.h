/* SPDX-License-Identifier: GPL-2.0 */
/* packet_copies.h - the copies (skbs) of a packet, and the choice of the copy that decides its outcome */
#ifndef _RECORD_SKB_PACKET_COPIES_H
#define _RECORD_SKB_PACKET_COPIES_H

#include "model/packets.h"

/* Return: the copy with this number; NULL if the packet does not have it. */
struct copy *copies_find(const struct packet *packet, uint32_t number);

/* Return: the copy with this number, which is added if necessary; NULL without enough memory. */
struct copy *copies_find_or_add(struct packet *packet, uint32_t number);

/* Add the copy that a record_skb:copy event reports. */
void copies_made(struct packet *packet, const struct skb_event *event);

/**
 * copy_crosses - add a device to the path of a copy
 * @copy: a copy of a packet
 * @device: device number; NO_DEVICE is ignored
 * @is_route: the device is known only from the current route. The copy has not passed through this device
 * yet, so the next device replaces it
 *
 * Return: true if the device differs from the last one in the path.
 */
bool copy_crosses(struct copy *copy, uint16_t device, bool is_route);

/* Determine the outcome of each copy and of the packet. */
void copies_judge(struct packet *packet);

void copies_free(struct packet *packet);

#endif
