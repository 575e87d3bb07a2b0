/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GATE_H
#define RECORD_SKB_GATE_H

#include <linux/types.h>

/* A function that can stand in for any other whose arguments are all in registers. */
typedef unsigned long gate_fn(unsigned long a0, unsigned long a1, unsigned long a2,
			      unsigned long a3, unsigned long a4, unsigned long a5);

gate_fn record_skb_gate;
gate_fn gate_shut;
gate_fn gate_resume;
gate_fn gate_list;

/* Call @target with these arguments, from whatever gate calls this. */
unsigned long gate_call(unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
			unsigned long a4, unsigned long a5, unsigned long target);

void gate_init(void);
bool gate_is_caller(unsigned long ip);

#endif
