// SPDX-License-Identifier: GPL-2.0
/* calibrate.c - what function_graph itself costs on this machine, for readers to see */
#include <linux/irqflags.h>

#include "calibrate.h"
#include "compat/trace_recursion.h"
#include "gate.h"

/* The first are slow, for their memory is in no cache yet. */
#define ROUNDS 3

/* Of two graphs, one with so many calls more, the difference is theirs: what the root takes is not in it. */
#define CALLS 8

/**
 * calibrate() - record graphs of calls that do nothing
 *
 * To be called when all of ftrace's sites are live, for what function_graph costs depends on who else is
 * there, and before anybody is paused.
 */
void calibrate(void)
{
	unsigned long flags;
	int i;

	local_irq_save(flags);
	for (i = 0; i < ROUNDS; i++) {
		record_skb_calibration(1);
		record_skb_calibration(1 + CALLS);
	}
	local_irq_restore(flags);
	/* This CPU may be one that is not recorded. */
	compat_graph_forget();
}
