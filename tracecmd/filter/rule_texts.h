/* SPDX-License-Identifier: GPL-2.0 */
/* rule_texts.h - write the texts of the nftables rules that dropped packets into the recording */
#ifndef _RECORD_SKB_RULE_TEXTS_H
#define _RECORD_SKB_RULE_TEXTS_H

#include "record_skb.h"

/*
 * Events about nftables rules contain only the handle of a rule. At the end of the recording, nft(8) is asked
 * for the texts of these rules. They are written to trace_marker; events.md describes the line. The handles
 * are read from a second tracing instance, in which the same events are recorded, because trace-cmd reads the
 * events of the recording itself.
 */
struct rule_texts;

#define RULE_TEXTS_INSTANCE RECORD_SKB_MODULE

/*
 * Begin to collect handles of rules. Call this before the first packet. Return NULL if nf_tables is not
 * loaded or the instance cannot be created.
 */
struct rule_texts *rule_texts_begin(void);

/**
 * rule_texts_end - write the texts of the collected rules into the trace
 * @texts: from rule_texts_begin(), freed here; may be NULL
 * @nr_unlisted: increased by the number of rules without a text because nft(8) has reached its time limit;
 *	may be NULL
 *
 * Call this after the module was disarmed and while tracing is still on. This takes 15 seconds at most.
 */
void rule_texts_end(struct rule_texts *texts, unsigned int *nr_unlisted);

#endif
