/* SPDX-License-Identifier: GPL-2.0 */
/* tap_losses.h - for --why: print how many packets a packet socket did not get, and the causes */
#ifndef _RECORD_SKB_TAP_LOSSES_H
#define _RECORD_SKB_TAP_LOSSES_H

#include "hash_table.h"
#include "model/packets.h"

struct tap_loss;

/**
 * struct tap_losses - the packet sockets that did not get a packet. All members are 0 in an empty object
 * @by_text: one element for each socket and cause, by a hash of its text
 * @first: the same elements as a list, in the order of their first packets
 * @last: end of the list
 * @no_memory: an element is missing
 */
struct tap_losses {
	struct table by_text;
	struct tap_loss *first, *last;
	bool no_memory;
};

/* Add the packet sockets that did not get this packet. */
void tap_losses_add(struct tap_losses *losses, const struct packet *packet);
/* Print a line for each socket and cause, or a JSON object "cause". */
void tap_losses_print(const struct tap_losses *losses, bool json);
void tap_losses_free(struct tap_losses *losses);

#endif
