/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_POINTS_H
#define _RECORD_SKB_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"
#include "kernel.h"
#include "record_skb.h"
#include "strlist.h"

/* Most names that one place had over the kernel versions. */
#define POINT_NAMES	3

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

/* Fill in the kernel's structure for the function @name at @place. */
void point_fill(struct record_skb_point *point, const struct place *place, const char *name);

/* The place that a function stands for, NULL if it is not in the table. */
const struct place *place_find(const char *name);

/* "skb", "list", … and "rx", "tx", for people. */
const char *point_kind_name(unsigned int kind);
const char *point_dir_name(unsigned int dir);

/**
 * points_add - ask the module for all places of the table
 * @session: from session_open()
 * @follow: tasks are followed: those of use then as well
 * @kernel: what is known of it; what that makes impossible is left out
 * @names: the functions that became probe points are added
 * @say: told what is left out, for what is missing in a trace has to be known
 * @err: why none of it can be
 *
 * Returns 0 or -1.
 */
int points_add(int session, bool follow, const struct kernel *kernel, struct strings *names,
	       void (*say)(const char *text), struct err *err);

#endif
