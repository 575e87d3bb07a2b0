/* SPDX-License-Identifier: GPL-2.0 */
/* packet_waits.h - measure the time between the call graphs of a packet */
#ifndef _RECORD_SKB_PACKET_WAITS_H
#define _RECORD_SKB_PACKET_WAITS_H

#include "model/packets.h"

/* Note the time of the last event or function of a packet. */
void packet_see_last(struct packet *packet, const struct moment *at);

/* Handle the begin of a call graph that processes the packet, and its end. */
void packet_begin_graph(struct packet *packet, const struct moment *at);
void packet_end_graph(struct packet *packet, const struct moment *at);

#endif
