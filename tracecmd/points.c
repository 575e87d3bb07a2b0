// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "points.h"

#define SKB(n, d)	.kind = RECORD_SKB_KIND_SKB, .arg = (n), .dir = RECORD_SKB_DIR_##d

/* In the order of a packet's way: up, then down. */
const struct place places[] = {
	{ { "ip_rcv" },			SKB(0, RX) },
	{ { "ip_local_deliver" },	SKB(0, RX) },
	{ { "tcp_v4_rcv" },		SKB(0, RX) },
	{ { "udp_rcv" },		SKB(0, RX) },
	{ { "icmp_rcv" },		SKB(0, RX) },
	{ { "ip_output" },		SKB(2, TX), .flags = RECORD_SKB_POINT_SENDER },
	{ { "__dev_queue_xmit" },	SKB(0, TX) },
	{ { "dev_hard_start_xmit" },	SKB(0, TX) },
};

const size_t nr_places = sizeof(places) / sizeof(places[0]);

void point_fill(struct record_skb_point *point, const struct place *place, const char *name)
{
	memset(point, 0, sizeof(*point));
	strncpy(point->func, name, sizeof(point->func) - 1);
	point->kind = place->kind;
	point->arg = place->arg;
	point->dir = place->dir;
	point->flags = place->flags;
}

const char *point_kind_name(unsigned int kind)
{
	static const char * const names[] = {
		[RECORD_SKB_KIND_SKB] = "skb",
		[RECORD_SKB_KIND_LIST] = "list",
		[RECORD_SKB_KIND_SOCK] = "sock",
		[RECORD_SKB_KIND_SOCKET] = "socket",
		[RECORD_SKB_KIND_FD] = "fd",
		[RECORD_SKB_KIND_KIOCB] = "kiocb",
		[RECORD_SKB_KIND_FAMILY] = "family",
	};

	return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "?";
}

const char *point_dir_name(unsigned int dir)
{
	switch (dir) {
	case RECORD_SKB_DIR_RX:
		return "rx";
	case RECORD_SKB_DIR_TX:
		return "tx";
	default:
		return "-";
	}
}
