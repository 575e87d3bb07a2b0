/* SPDX-License-Identifier: GPL-2.0 */
/* marker.h - what was written into a trace as text (ftrace:print) */
#ifndef _REPORT_SKB_MARKER_H
#define _REPORT_SKB_MARKER_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

#define RULE_TEXT_LEN 1024

/**
 * struct rule_text - what a rule says, as record-skb --why asked when the recording ended
 * @netns, @family, @handle, @table, @chain: which rule, as struct rule_facts has it
 * @is_sure: rules have not been changed since the recording began
 * @text: "udp dport 9000 drop"
 */
struct rule_text {
	uint32_t netns;
	unsigned int family;
	unsigned long long handle;
	char table[RULE_NAME_LEN], chain[RULE_NAME_LEN];
	bool is_sure;
	char text[RULE_TEXT_LEN];
};

/**
 * struct marker - where the text is
 * @fields: of the event, which has none if the trace has no such events
 * @text: a text that ends where the record does
 */
struct marker {
	struct event_fields fields;
	const struct tep_format_field *text;
};

void marker_find(struct marker *marker, struct tep_handle *tep);

/* What a rule says, if it is that. @record is of @marker. */
bool marker_rule(const struct marker *marker, const struct tep_record *record,
		 struct rule_text *rule);

/* That somebody else than the recorder has read the buffer meanwhile, if it says so. */
bool marker_read_by_others(const struct marker *marker, const struct tep_record *record);

#endif
