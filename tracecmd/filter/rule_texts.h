/* SPDX-License-Identifier: GPL-2.0 */
/* rule_texts.h - write the texts of the nftables rules that dropped packets into the recording */
#ifndef _RECORD_SKB_RULE_TEXTS_H
#define _RECORD_SKB_RULE_TEXTS_H

#include "record_skb.h"

/*
 * The module's events about nftables rules contain only the handle of a rule. At the end of the recording,
 * this code asks nft(8) for the texts of the rules, and writes a line for each rule to trace_marker;
 * events.md describes the line. trace-cmd reads the events of the recording itself. Therefore a second
 * tracing instance records the same events, and the handles are read from there.
 */
struct rule_texts;

#define RULE_TEXTS_INSTANCE RECORD_SKB_MODULE

/*
 * Begin to collect the handles of rules that drop packets. Call this function before the first packet. Return
 * NULL if nf_tables is not loaded, or if the second tracing instance cannot be created.
 */
struct rule_texts *rule_texts_begin(void);

/**
 * rule_texts_end - write the texts of the collected rules into the trace
 * @texts: from rule_texts_begin(), freed here; may be NULL
 * @nr_unlisted: increased by the number of rules that get no text because nft(8) has reached its time
 *	limit; may be NULL
 *
 * Call this function after the module was disarmed and while tracing is still on. It takes 15 seconds at
 * most.
 */
void rule_texts_end(struct rule_texts *texts, unsigned int *nr_unlisted);

#endif
