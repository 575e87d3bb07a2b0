/* SPDX-License-Identifier: GPL-2.0 */
/* probe_table.h - the table of probes along a packet's path */
#ifndef _RECORD_SKB_PROBE_TABLE_H
#define _RECORD_SKB_PROBE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "record_skb.h"

/* Maximum number of names in a row of the table. */
#define POINT_NAMES 3

/**
 * struct probe_row - one function of the built-in table of probe points
 * @names: the names of the function in different kernel versions, newest first, or its names for IPv4 and
 *	IPv6; followed by NULL. Each of the names that the kernel has is probed
 * @kind: what the argument is, enum record_skb_kind
 * @arg: number of the argument with the packet or socket, from 0
 * @dir: direction of the packet, enum record_skb_dir
 * @flags: RECORD_SKB_POINT_*
 * @follow: true to probe the function only if tasks are followed; see also @resets
 * @resets: with @follow, true to probe the function also if the filter selects packets by TCP flags
 * @in_module: true if the function is in an optional module; no warning is printed if the function is
 *	missing
 */
struct probe_row {
	const char *names[POINT_NAMES + 1];
	unsigned int kind;
	unsigned int arg;
	unsigned int dir;
	unsigned int flags;
	bool follow;
	bool resets;
	bool in_module;
};

extern const struct probe_row probe_table[];
extern const size_t nr_probe_rows;

/*
 * Fill in the probe point, as the module needs it, for the function @name, which is one of the names in @row.
 */
void point_fill(struct record_skb_point *point, const struct probe_row *row, const char *name);

/* Return the entry for the function @name in the built-in table, or NULL. */
const struct probe_row *probe_table_find(const char *name);

/*
 * Return a name for messages: of an enum record_skb_kind ("skb", "list", ...), or of an enum record_skb_dir
 * ("rx", "tx").
 */
const char *point_kind_name(unsigned int kind);
const char *point_dir_name(unsigned int dir);

#endif
