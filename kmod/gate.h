/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GATE_H
#define RECORD_SKB_GATE_H

#include "frame.h"

/* What shows in the graph: of the recording that is alone, or of each of those that share. */
gate_fn record_skb_gate;
gate_fn record_skb_gate_1, record_skb_gate_2, record_skb_gate_3, record_skb_gate_4;
/* What is below does not show in the graph of that recording. */
gate_fn record_skb_hide_1, record_skb_hide_2, record_skb_hide_3, record_skb_hide_4;

void record_skb_nothing(void);
void record_skb_calibration(int calls);

/* Call @target with these arguments, from whatever gate calls this. */
unsigned long gate_call(unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
			unsigned long a4, unsigned long a5, unsigned long target);

#endif
