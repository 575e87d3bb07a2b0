/* SPDX-License-Identifier: LGPL-2.1 */
/* event.h - records of record_skb events and of the function graph, as this machine's numbers */
#ifndef _RECORD_SKB_EVENT_H
#define _RECORD_SKB_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <event-parse.h>

#include "flow_text.h"
#include "record_skb.h"

/* The events that mean something to a reader; Documentation/events.md says what. */
enum event_kind {
	EVENT_PACKET,
	EVENT_OTHER,
	EVENT_CALL,
	EVENT_RETURN,
	PLACING_EVENTS, /* those that say whose the lines of the graph are are in front of this */

	EVENT_DROP = PLACING_EVENTS,
	EVENT_COPY,
	EVENT_END,
	EVENT_RULE,
	OWN_EVENTS, /* those of record_skb are in front of this */

	EVENT_ENTRY = OWN_EVENTS,
	EVENT_RETADDR_ENTRY,
	EVENT_EXIT,
	EVENT_KINDS,
};

/* What an event is called: "record_skb" or "ftrace", and its name there. */
extern const struct event_name {
	const char *system, *name;
} event_names[EVENT_KINDS];

/**
 * struct skb_event - one record of a record_skb event: where it belongs and whom it is about
 * @kind: which event
 * @how: enum record_skb_how, of packet and call
 * @dir: enum record_skb_dir, of packet and call
 * @pkt: the packet's number, 0 for a call
 * @copy: which of its skbs; RECORD_SKB_COPY_UNKNOWN if the event does not say it
 * @from: of a copy: which it was made from
 * @copy_kind: of a copy: enum record_skb_copy_kind
 * @flow_number: its flow's, 0 if not known
 * @skb: address of its struct sk_buff, 0 if the event does not say it
 * @netns: of a call: inode number of the namespace, 0 if not known
 * @func: address of the probe point; of a drop, of the code that drops; of a copy, of what made it
 * @ret: what the function returned, of return
 * @recording: its number, if others recorded at the same time; else 0
 * @flow: of packet and call
 */
struct skb_event {
	enum event_kind kind;
	uint8_t how;
	uint8_t dir;
	uint8_t copy_kind;
	uint8_t recording;
	uint32_t pkt;
	uint32_t copy, from;
	uint32_t netns;
	uint32_t flow_number;
	uint64_t skb;
	uint64_t func;
	int64_t ret;
	struct flow flow;
};

#define DEVICE_NAME_LEN 16
#define REASON_LEN	48
#define QDISC_LEN	16
#define QDISC_WHY_LEN	24
#define WHY_LEN		(REASON_LEN + QDISC_LEN + QDISC_WHY_LEN + 8)

/**
 * struct packet_facts - what else a packet event says
 * @len: skb->len
 * @net_len: bytes from the network header on; the same as @len in older recordings
 * @tcp_flags: of a TCP packet
 * @seq: likewise
 * @ack: likewise
 * @dev: name of the device, empty if not known
 * @netns: inode number of the namespace, 0 if not known
 * @seen_before: it was at a point before, of which the recording may have nothing; older ones do not say so
 * @lacks_points: how packets end does not tell what became of them: points of their way are missing
 * @data: first bytes from the network header on, NULL if there are none
 * @data_len: bytes
 *
 * @data is good for as long as the record is.
 */
struct packet_facts {
	uint32_t len, net_len;
	uint8_t tcp_flags;
	uint32_t seq, ack;
	char dev[DEVICE_NAME_LEN + 1];
	uint32_t netns;
	bool seen_before;
	bool lacks_points;
	const uint8_t *data;
	unsigned int data_len;
};

/**
 * struct drop_facts - what else a drop event says
 * @reason: the kernel's number for why
 * @name: its name, empty if it has none
 * @why: all that is said of why: "NO_SOCKET", "QDISC_DROP (fq_codel CONGESTED)", or the number
 */
struct drop_facts {
	uint32_t reason;
	char name[REASON_LEN + 1];
	char why[WHY_LEN];
};

/* As nf_tables has them. */
#define RULE_NAME_LEN 256
enum rule_type { RULE_POLICY = 1, RULE_RETURN, RULE_RULE };
enum rule_verdict { RULE_DROP = 0, RULE_ACCEPT = 1, RULE_QUEUE = 3 };

/**
 * struct rule_facts - what a rule event says
 * @handle: of the rule in its table, 0 if it was a policy or the end of a chain
 * @netns: inode number of the namespace whose rules they are
 * @verdict: NF_* of netfilter, or NFT_* of nf_tables, which are negative
 * @type: enum rule_type
 * @family: of the table, NFPROTO_*
 * @hook: which, counted as the family does
 * @table: its name
 * @chain: its name
 */
struct rule_facts {
	uint64_t handle;
	uint32_t netns;
	int verdict;
	uint8_t type, family, hook;
	char table[RULE_NAME_LEN], chain[RULE_NAME_LEN];
};

#define TASK_NAME_LEN 16

/**
 * struct sched_facts - what a sched event says
 * @what: enum record_skb_sched
 * @task: whom it is about
 * @other: who has the CPU next, or had it until now, 0 if nobody
 * @switches: how often the task has left a CPU
 * @other_name: what @other is called
 */
struct sched_facts {
	uint8_t what;
	int task, other;
	uint32_t switches;
	char other_name[TASK_NAME_LEN + 1];
};

/* clang-format off */
enum event_field {
	FIELD_PID, FIELD_FLAGS, FIELD_PKT, FIELD_COPY, FIELD_FROM, FIELD_KIND, FIELD_FUNC,
	FIELD_SKB, FIELD_HOW, FIELD_RET,
	FIELD_FAMILY, FIELD_PROTO, FIELD_SADDR, FIELD_DADDR, FIELD_ICMP_TYPE, FIELD_ICMP_CODE,
	FIELD_ICMP_ID, FIELD_ETHERTYPE, FIELD_FLOW, FIELD_DIR, FIELD_LEN, FIELD_NET_LEN, FIELD_TCP_FLAGS,
	FIELD_SEQ, FIELD_ACK, FIELD_DEV, FIELD_NETNS, FIELD_DATA, FIELD_LOCATION, FIELD_REASON, FIELD_NAME,
	FIELD_REAL, FIELD_QDISC, FIELD_QDISC_REASON, FIELD_HANDLE, FIELD_VERDICT, FIELD_TYPE, FIELD_HOOK,
	FIELD_TABLE, FIELD_CHAIN, FIELD_FIRST, FIELD_BY, FIELD_WHAT, FIELD_TASK, FIELD_OTHER,
	FIELD_OTHER_NAME, FIELD_SWITCHES, FIELD_RECORDING, FIELD_LACKS_POINTS,

	FIELD_DEPTH, FIELD_CALLTIME, FIELD_RETTIME,
	EVENT_FIELDS,
};
/* clang-format on */

/**
 * struct event_fields - where the fields of one event are, looked up once
 * @event: whose they are, NULL if not looked up yet
 * @native: the trace's numbers have this machine's byte order
 * @field: NULL where the event has no such field
 */
struct event_fields {
	struct tep_event *event;
	bool native;
	struct tep_format_field *field[EVENT_FIELDS];
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
int event_field_read(const struct event_fields *fields, enum event_field which,
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
const void *event_field_bytes(const struct event_fields *fields, enum event_field which,
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
int skb_event_read(const struct event_fields *fields, enum event_kind kind,
		   const struct tep_record *record, struct skb_event *out);

/* What else a packet, a drop or a rule event says; what is missing is 0. */
void packet_facts_read(const struct event_fields *fields, const struct tep_record *record,
		       struct packet_facts *facts);
void drop_facts_read(const struct event_fields *fields, const struct tep_record *record,
		     struct drop_facts *facts);
/* False if it cannot be read. */
bool sched_facts_read(const struct event_fields *fields, const struct tep_record *record,
		      struct sched_facts *facts);
void rule_facts_read(const struct event_fields *fields, const struct tep_record *record,
		     struct rule_facts *facts);

#endif /* _RECORD_SKB_EVENT_H */
