// SPDX-License-Identifier: GPL-2.0
/* stage_names.c - find the stage to which a probe point belongs, and its name */
#include <string.h>

#include "model/stages.h"

const char *stage_name(enum stage stage)
{
	static const char *const names[STAGES] = {
		[STAGE_NONE] = "?",
		[STAGE_CALL] = "call",
		[STAGE_OUTPUT] = "output",
		[STAGE_QDISC] = "qdisc",
		[STAGE_DRIVER] = "driver",
		[STAGE_RECEIVE] = "receive",
		[STAGE_PROTOCOL] = "protocol",
		[STAGE_FORWARD] = "forward",
		[STAGE_SOCKET] = "socket queue",
		[STAGE_READER] = "reader",
	};

	return names[stage];
}

static bool begins_with(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static enum stage way_out(const struct name *point)
{
	if (!strcmp(point->text, "__dev_queue_xmit") || !strcmp(point->text, "sch_direct_xmit"))
		return STAGE_QDISC;
	/* On the transmit path, a function that is not in the table of functions belongs to a driver. */
	if (!point->facts || point->facts->role == ROLE_SENDS ||
	    point->facts->role == ROLE_DRIVES || point->facts->role == ROLE_CROSSES)
		return STAGE_DRIVER;
	return STAGE_OUTPUT;
}

enum stage stage_of(const struct name *point, enum record_skb_dir dir)
{
	if (dir == RECORD_SKB_DIR_TX)
		return way_out(point);
	if (dir != RECORD_SKB_DIR_RX || !point->facts)
		return STAGE_NONE;
	if (begins_with(point->text, "napi_") || begins_with(point->text, "netif_") ||
	    begins_with(point->text, "gro_") || begins_with(point->text, "__netif_"))
		return STAGE_RECEIVE;
	if (!strcmp(point->text, "ip_forward") || !strcmp(point->text, "ip6_forward"))
		return STAGE_FORWARD;
	return STAGE_PROTOCOL;
}
