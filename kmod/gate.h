/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GATE_H
#define RECORD_SKB_GATE_H

#include "arch/arch.h"
#include "gate_stack.h"

/*
 * Calls below these gates are recorded. If only one session records, it uses record_skb_gate. Sessions that
 * record at the same time use the numbered gates.
 */
gate_fn record_skb_gate;
gate_fn record_skb_gate_1, record_skb_gate_2, record_skb_gate_3, record_skb_gate_4;
/* Calls below these gates are hidden from the graph of the recording with that number. */
gate_fn record_skb_hide_1, record_skb_hide_2, record_skb_hide_3, record_skb_hide_4;

void gate_leave(unsigned long ret);
void gate_leave_graph(unsigned long ret);
void record_skb_anchor(void);
void record_skb_nothing(void);

#endif
