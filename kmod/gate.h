/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GATE_H
#define RECORD_SKB_GATE_H

/* A function that can stand in for any other whose arguments are all in registers. */
typedef unsigned long gate_fn(unsigned long a0, unsigned long a1, unsigned long a2,
			      unsigned long a3, unsigned long a4, unsigned long a5);

/* The only one that shows in the graph. */
gate_fn record_skb_gate;

void record_skb_nothing(void);
void record_skb_calibration(int calls);

/* Call @target with these arguments, from whatever gate calls this. */
unsigned long gate_call(unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
			unsigned long a4, unsigned long a5, unsigned long target);

#endif
