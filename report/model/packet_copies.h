/* SPDX-License-Identifier: GPL-2.0 */
/* packet_copies.h - the copies (skbs) of a packet, and the choice of the copy that decides its outcome */
#ifndef _RECORD_SKB_PACKET_COPIES_H
#define _RECORD_SKB_PACKET_COPIES_H

#include "model/packets.h"

/* Return: the copy with this number; NULL if the packet does not have it. */
struct copy *copies_find(const struct packet *packet, uint32_t number);

/*
 * Return: the copy with this number; NULL if there is not enough memory. The function adds the copy if
 * necessary.
 */
struct copy *copies_find_or_add(struct packet *packet, uint32_t number);

/* Add the copy that an event record_skb:copy reports. */
void copies_made(struct packet *packet, const struct skb_event *event);

/**
 * copy_crosses - add a device to the path of a copy
 * @copy: a copy of a packet
 * @hop: the device; NO_DEVICE is ignored. If @hop->is_route is true, this device is only known from the
 *	route, and the next device replaces it
 *
 * The device is added after the other devices of its host. A later host may already have seen the copy,
 * because the clocks of two hosts differ a little.
 *
 * Return: true if the device differs from the last device of its host in the path.
 */
bool copy_crosses(struct copy *copy, const struct hop *hop);

/*
 * Return: the number of devices in the path up to and including those of a host. @hosts_before is the number
 * of hosts that the packet passed before that host.
 */
unsigned int path_end_of_host(const struct path *path, unsigned int hosts_before);

/* Return: true if the packet has copies, and all of them have ended, so no later event changes a copy. */
bool copies_have_ended(const struct packet *packet);

/* Determine the outcome of each copy and of the packet. */
void copies_judge(struct packet *packet);

void copies_free(struct packet *packet);

#endif
