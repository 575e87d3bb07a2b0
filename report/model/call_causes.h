/* SPDX-License-Identifier: GPL-2.0 */
/* call_causes.h - causes of drops that a recorded call or the addresses of the packet show */
#ifndef _RECORD_SKB_CALL_CAUSES_H
#define _RECORD_SKB_CALL_CAUSES_H

#include <stdbool.h>

#include "model/causes.h"

/* Return: true if the function @name was called before the drop. */
typedef bool was_called_function(const void *data, const char *name);

/*
 * Return: the cause for a packet that @place dropped for @reason, if a call before the drop shows the cause;
 * NULL if no call shows it.
 */
const struct cause *cause_of_calls(const char *reason, const char *place,
				   was_called_function *was_called, const void *data);
/* Return: the cause for a packet that the netfilter hook @func dropped; NULL if the hook is not known. */
const struct cause *cause_of_hook(const char *func);
/*
 * Return: the cause for a packet that the route lookup of IPv4 rejected without a drop reason, if the
 * addresses of the packet show this cause. Otherwise, or if @by_calls is more specific, return @by_calls.
 * @by_calls is the result of cause_of_calls().
 */
const struct cause *cause_of_addresses(const struct cause *by_calls, const char *reason,
				       const char *place, const struct flow *flow);
/*
 * Return: the cause for a packet that may be a TCP probe: an acknowledgement without data that a connection
 * dropped because of its sequence number. Keepalive probes and zero-window probes have an old sequence number
 * on purpose, so that the peer answers. NULL for other packets.
 */
const struct cause *cause_of_probe(const char *reason, const char *place, uint8_t tcp_flags,
				   int32_t payload);

#endif
