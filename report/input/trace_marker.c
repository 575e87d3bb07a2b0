// SPDX-License-Identifier: GPL-2.0
/* trace_marker.c - parse texts that were written to the trace_marker file (ftrace:print events) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/trace_marker.h"
#include "record_skb.h"

void trace_marker_find(struct trace_marker *marker, struct tep_handle *tep)
{
	struct tep_event *event = tep_find_event_by_name(tep, "ftrace", "print");

	*marker = (struct trace_marker){ .text = NULL };
	if (!event)
		return;
	event_fields_find(&marker->fields, event);
	marker->text = tep_find_field(event, "buf");
}

/*
 * Parse a line in the format that Documentation/internals/events.md describes. Return: false if the line has
 * another format, because another program wrote it.
 */
static bool parse_rule(const char *line, struct rule_text *rule)
{
	unsigned int is_sure;
	int text = 0;

	memset(rule, 0, sizeof(*rule));
	if (sscanf(line,
		   RECORD_SKB_MODULE
		   " rule netns=%u family=%u table=%255s chain=%255s handle=%llu sure=%u: %n",
		   &rule->netns, &rule->family, rule->table, rule->chain, &rule->handle, &is_sure,
		   &text) != 6 ||
	    !text)
		return false;
	rule->is_sure = is_sure;
	snprintf(rule->text, sizeof(rule->text), "%.*s", (int)strcspn(line + text, "\n"),
		 line + text);
	return rule->text[0];
}

/* Return: the text of the event, to be freed by the caller; NULL if the event has no text. */
static char *text_of(const struct trace_marker *marker, const struct tep_record *record)
{
	if (!marker->text || marker->text->offset < 0 || marker->text->offset >= record->size)
		return NULL;
	return strndup((const char *)record->data + marker->text->offset,
		       record->size - marker->text->offset);
}

bool trace_marker_rule(const struct trace_marker *marker, const struct tep_record *record,
		       struct rule_text *rule)
{
	char *line = text_of(marker, record);
	const bool is_rule = line && parse_rule(line, rule);

	free(line);
	return is_rule;
}

static bool begins_with(const struct trace_marker *marker, const struct tep_record *record,
			const char *beginning)
{
	char *line = text_of(marker, record);
	const bool begins = line && !strncmp(line, beginning, strlen(beginning));

	free(line);
	return begins;
}

bool trace_marker_read_by_others(const struct trace_marker *marker, const struct tep_record *record)
{
	return begins_with(marker, record, RECORD_SKB_MODULE " read_by=");
}

/* Add the number of one kind of losses. */
static void add_losses(struct module_losses *losses, const char *name, unsigned long long n)
{
	const struct {
		const char *name;
		uint64_t *n;
	} kinds[] = {
		{ "lost_flows", &losses->flows },      { "lost_tasks", &losses->tasks },
		{ "lost_recursion", &losses->probes }, { "lost_tracked", &losses->packets },
		{ "lost_frames", &losses->frames },    { "lost_functions", &losses->graphs },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(kinds[i].name, name)) {
			*kinds[i].n += n;
			return;
		}
	}
	losses->others += n;
}

bool module_losses_parse(struct module_losses *losses, const char *line)
{
	static const char begins[] = RECORD_SKB_MODULE " lost_";
	unsigned long long n;
	char name[32];
	int len;

	if (strncmp(line, begins, strlen(begins)))
		return false;
	*losses = (struct module_losses){ 0 };
	for (line += strlen(RECORD_SKB_MODULE);
	     sscanf(line, " %31[a-z_]=%llu%n", name, &n, &len) == 2; line += len)
		add_losses(losses, name, n);
	return true;
}

bool trace_marker_losses(const struct trace_marker *marker, const struct tep_record *record,
			 struct module_losses *losses)
{
	char *line = text_of(marker, record);
	const bool is_about_losses = line && module_losses_parse(losses, line);

	free(line);
	return is_about_losses;
}

char *trace_marker_arguments(const struct trace_marker *marker, const struct tep_record *record)
{
	static const char begins[] = RECORD_SKB_MODULE " arguments:";
	char *line = text_of(marker, record), *arguments = NULL;

	if (line && !strncmp(line, begins, strlen(begins))) {
		const char *from = line + strlen(begins) + (line[strlen(begins)] == ' ');

		arguments = strndup(from, strcspn(from, "\n"));
	}
	free(line);
	return arguments;
}
