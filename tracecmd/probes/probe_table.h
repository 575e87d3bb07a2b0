/* SPDX-License-Identifier: GPL-2.0 */
/* probe_table.h - the table of probes along a packet's path */
#ifndef _RECORD_SKB_PROBE_TABLE_H
#define _RECORD_SKB_PROBE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "record_skb.h"

/* Maximum number of names that a probed function has had in different versions of the kernel. */
#define POINT_NAMES 3

/**
 * struct probe_row - one function of the built-in table of probe points
 * @names: names of the function in different kernel versions, newest first, followed by NULL. If a kernel has
 *	several of them, all are probed
 * @kind: enum record_skb_kind
 * @arg: number of the argument with the packet or socket, from 0
 * @dir: enum record_skb_dir
 * @flags: RECORD_SKB_POINT_*
 * @follow: true to probe the function only if tasks are followed
 * @resets: true to probe the function also if the filter selects packets by their TCP flags
 * @in_module: true if the function is in an optional module, so that no warning is printed if it is missing
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

/* Fill in the probe point of the function @name, one of the names in @row, for the module. */
void point_fill(struct record_skb_point *point, const struct probe_row *row, const char *name);

/* Return the table's entry for the function @name, or NULL. */
const struct probe_row *probe_table_find(const char *name);

/*
 * Return the name of an enum record_skb_kind ("skb", "list", ...) or enum record_skb_dir ("rx", "tx"), for
 * messages.
 */
const char *point_kind_name(unsigned int kind);
const char *point_dir_name(unsigned int dir);

#endif
