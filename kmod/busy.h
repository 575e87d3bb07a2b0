/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_BUSY_H
#define RECORD_SKB_BUSY_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

/*
 * union busy - whether there is anything that a call of a point might belong to; mostly there is not,
 * which everybody's packets ask at each point
 * @inside: gates entered and not left, on all tasks; only frame.c writes it
 * @tracked: skbs that are remembered; only track.c writes it
 * @any: both, in one look
 */
union busy {
	struct {
		atomic_t inside;
		atomic_t tracked;
	};
	u64 any;
};

extern union busy record_skb_busy;

static inline bool busy_with_any(void)
{
	return READ_ONCE(record_skb_busy.any);
}

#endif
