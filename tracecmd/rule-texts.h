/* SPDX-License-Identifier: GPL-2.0 */
/* The text of the rules of nftables that threw packets away, for the recording. */
#ifndef _RECORD_SKB_RULE_TEXTS_H
#define _RECORD_SKB_RULE_TEXTS_H

#include "record_skb.h"

/*
 * An event has a rule's handle. What the rule says is asked for when the recording ends, of the
 * rules that are in it and no others, and written into it by the trace's marker (events.md has the
 * line). To know which they are without reading what trace-cmd records, an instance of tracing of
 * its own has the same events again.
 */
struct rule_texts;

#define RULE_TEXTS_INSTANCE RECORD_SKB_MODULE

/* Before the first packet. NULL if there is nothing to be known: no nf_tables, or no instance. */
struct rule_texts *rule_texts_begin(void);

/* Packets are not recorded any more; the trace still is. Frees @texts, which may be NULL. */
void rule_texts_end(struct rule_texts *texts);

#endif
