/* SPDX-License-Identifier: GPL-2.0 */
/* trace_marker.h - parse texts that were written to the trace_marker file (ftrace:print events) */
#ifndef _RECORD_SKB_TRACE_MARKER_H
#define _RECORD_SKB_TRACE_MARKER_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "input/lost_events.h"

#define RULE_TEXT_LEN 1024

/**
 * struct rule_text - text of an nftables rule, which record-skb --why read at the end of the recording
 * @netns: network namespace, as in struct rule_facts
 * @family: address family, as in struct rule_facts
 * @handle: handle of the rule, as in struct rule_facts
 * @table: name of the table, as in struct rule_facts
 * @chain: name of the chain, as in struct rule_facts
 * @is_sure: @text is certain, because the nftables rules did not change during the recording
 * @text: the rule in nft syntax, such as "udp dport 9000 drop"
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
 * struct trace_marker - format of the ftrace:print event
 * @fields: fields of the event; empty if the trace does not have the event
 * @text: the field with the text, which extends to the end of the record; NULL if the event lacks the field
 */
struct trace_marker {
	struct event_fields fields;
	const struct tep_format_field *text;
};

void trace_marker_find(struct trace_marker *marker, struct tep_handle *tep);

/*
 * Parse the text of a rule. @record must be an event of @marker. Return: true if the text describes a rule.
 */
bool trace_marker_rule(const struct trace_marker *marker, const struct tep_record *record,
		       struct rule_text *rule);

/*
 * Return: the arguments of the command that made the recording, as words of a shell, to be freed by the
 * caller. NULL if the text is about something else.
 */
char *trace_marker_arguments(const struct trace_marker *marker, const struct tep_record *record);

/*
 * Parse the text about everything that the module did not record. Return: false if the text is about
 * something else. Then @losses is not changed.
 */
bool trace_marker_losses(const struct trace_marker *marker, const struct tep_record *record,
			 struct module_losses *losses);
/* Parse this text, for example "record_skb lost_flows=5 lost_tasks=1". */
bool module_losses_parse(struct module_losses *losses, const char *line);

/* Return: true if the text reports that a process other than the recorder has consumed rows of the trace. */
bool trace_marker_read_by_others(const struct trace_marker *marker,
				 const struct tep_record *record);

#endif
