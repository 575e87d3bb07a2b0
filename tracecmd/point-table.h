/* SPDX-License-Identifier: GPL-2.0 */
/* The table of probe points: the places of a packet's path. */
#ifndef _RECORD_SKB_POINT_TABLE_H
#define _RECORD_SKB_POINT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "record_skb.h"

/* Most names that one place had over the kernel versions. */
#define POINT_NAMES 3

/**
 * struct place - one place of a packet's path
 * @names: the functions that stand for it on one kernel version or another, newest first; NULL
 *	after the last. All that a kernel has are probe points
 * @kind: enum record_skb_kind
 * @arg: which argument holds the packet, from 0
 * @dir: enum record_skb_dir
 * @flags: RECORD_SKB_POINT_*
 * @follow: only of use when tasks are followed
 * @in_module: of a module that need not be loaded: nothing is said when it is missing
 */
struct place {
	const char *names[POINT_NAMES + 1];
	unsigned int kind;
	unsigned int arg;
	unsigned int dir;
	unsigned int flags;
	bool follow;
	bool in_module;
};

extern const struct place places[];
extern const size_t nr_places;

/* Fill in what the module is told of the function @name at @place. */
void point_fill(struct record_skb_point *point, const struct place *place, const char *name);

/* The place that a function stands for, NULL if it is not in the table. */
const struct place *place_find(const char *name);

/* "skb", "list", … and "rx", "tx", for people. */
const char *point_kind_name(unsigned int kind);
const char *point_dir_name(unsigned int dir);

#endif
