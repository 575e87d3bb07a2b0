/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef _RECORD_SKB_EVENT_H
#define _RECORD_SKB_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <event-parse.h>

#include "flow_text.h"

/* The values of the field "how"; Documentation/events.md says what they mean. */
enum skb_how {
	SKB_OPEN	= 0,
	SKB_NESTED	= 1,
	SKB_HIDDEN	= 2,
};

enum skb_event_kind {
	SKB_PACKET,
	SKB_OTHER,
	SKB_CALL,
	SKB_RETURN,
	SKB_EVENT_KINDS,
};

/**
 * struct skb_event - one record of a record_skb event, decoded
 * @kind: which event
 * @how: enum skb_how, of packet and call
 * @pkt: the packet's number, 0 for a call
 * @func: address of the probe point
 * @ret: what it returned, of return
 * @flow: of packet and call
 */
struct skb_event {
	enum skb_event_kind kind;
	enum skb_how how;
	uint32_t pkt;
	uint64_t func;
	int64_t ret;
	struct flow flow;
};

enum skb_field {
	FIELD_PID, FIELD_PKT, FIELD_FUNC, FIELD_HOW, FIELD_RET, FIELD_FAMILY, FIELD_PROTO,
	FIELD_SADDR, FIELD_DADDR, FIELD_ICMP_TYPE, FIELD_ICMP_CODE, FIELD_ICMP_ID, FIELD_ETHERTYPE,
	FIELD_DEPTH,
	/* What only report-skb looks at. */
	FIELD_FLOW, FIELD_DIR, FIELD_LEN, FIELD_TCP_FLAGS, FIELD_DEV, FIELD_NETNS, FIELD_DATA,
	FIELD_LOCATION, FIELD_REASON, FIELD_NAME, FIELD_CALLTIME, FIELD_RETTIME,
	SKB_FIELDS,
};

/**
 * struct event_fields - where the fields of one event are, looked up once
 * @event: whose they are, NULL if not looked up yet
 * @field: NULL where the event has no such field
 */
struct event_fields {
	struct tep_event *event;
	struct tep_format_field *field[SKB_FIELDS];
};

/**
 * event_fields_find - look the fields up, if not done yet
 * @fields: filled in
 * @event: the event; another one than last time starts over
 */
void event_fields_find(struct event_fields *fields, struct tep_event *event);

/**
 * event_field_read - one number out of a record, in host byte order
 * @fields: of the record's event
 * @which: the field
 * @record: may be shorter than its event says
 * @value: untouched on error
 *
 * Returns 0, or -1 if the event has no such field or the record does not reach that far.
 */
int event_field_read(const struct event_fields *fields, enum skb_field which,
		     const struct tep_record *record, uint64_t *value);

/**
 * event_field_bytes - the bytes of an array out of a record
 * @fields: of the record's event
 * @which: the field; may be of dynamic length
 * @record: may be shorter than its event says
 * @len: how many there are
 *
 * Returns NULL if the event has no such field or the record does not reach that far.
 */
const void *event_field_bytes(const struct event_fields *fields, enum skb_field which,
			      const struct tep_record *record, unsigned int *len);

/**
 * skb_event_read - decode a record of a record_skb event
 * @fields: of its event
 * @kind: which event it is
 * @record: the record
 * @out: filled in; fields that only describe the packet stay 0 where they are missing
 *
 * Returns 0, or -1 if what places the event in the graph cannot be read: then nothing that follows
 * in its task is known.
 */
int skb_event_read(const struct event_fields *fields, enum skb_event_kind kind,
		   const struct tep_record *record, struct skb_event *out);

#endif /* _RECORD_SKB_EVENT_H */
