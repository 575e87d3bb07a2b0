/* SPDX-License-Identifier: GPL-2.0 */
/* copies.h - the skbs of a packet, and which of them says what became of it */
#ifndef _REPORT_SKB_COPIES_H
#define _REPORT_SKB_COPIES_H

#include "packets.h"

/* The copy of this number; NULL if there is none yet. */
struct copy *copies_find(const struct packet *packet, uint32_t number);

/* The same, added if there is none; NULL without memory. */
struct copy *copies_find_or_add(struct packet *packet, uint32_t number);

/* A copy is made, as the event says. */
void copies_made(struct packet *packet, const struct skb_event *event);

/**
 * copy_crosses - it crosses a device
 * @copy: one of a packet's skbs
 * @device: NO_DEVICE for none
 * @is_route: it is that of its route so far: if it comes to another next, it has never crossed this one
 *
 * Returns whether it is another than before.
 */
bool copy_crosses(struct copy *copy, uint16_t device, bool is_route);

/* Settle what became of each copy, and of the packet. */
void copies_judge(struct packet *packet);

void copies_free(struct packet *packet);

#endif
