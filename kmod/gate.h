/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GATE_H
#define RECORD_SKB_GATE_H

#include <linux/types.h>

unsigned long record_skb_gate(unsigned long a0, unsigned long a1, unsigned long a2,
			      unsigned long a3, unsigned long a4, unsigned long a5);
unsigned long record_skb_shut_gate(unsigned long a0, unsigned long a1, unsigned long a2,
				   unsigned long a3, unsigned long a4, unsigned long a5);

/* Call @target with these arguments, from whatever gate calls this. */
unsigned long gate_call(unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
			unsigned long a4, unsigned long a5, unsigned long target);

bool gate_is_caller(unsigned long ip);

#endif
