/* SPDX-License-Identifier: LGPL-2.1 */
/* event.h - decode records of record_skb events and of the function graph into numbers in host byte order */
#ifndef _RECORD_SKB_EVENT_H
#define _RECORD_SKB_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <event-parse.h>

#include "flow_text.h"
#include "record_skb.h"

/* The events that readers use; Documentation/events.md describes them. */
enum event_kind {
	EVENT_PACKET,
	EVENT_OTHER,
	EVENT_CALL,
	EVENT_RETURN,
	PLACING_EVENTS, /* the events above assign lines of the graph to packets and calls */

	EVENT_DROP = PLACING_EVENTS,
	EVENT_COPY,
	EVENT_END,
	EVENT_RULE,
	EVENT_LIMIT,
	EVENT_PROGRAM,
	EVENT_DECISION,
	EVENT_RESET,
	OWN_EVENTS, /* the events above are events of record_skb */

	EVENT_ENTRY = OWN_EVENTS,
	EVENT_RETADDR_ENTRY,
	EVENT_EXIT,
	EVENT_KINDS,
};

/* Name of each event: its system, "record_skb" or "ftrace", and its name in that system. */
extern const struct event_name {
	const char *system, *name;
} event_names[EVENT_KINDS];

/**
 * struct skb_event - a decoded record of a record_skb event: the position in the graph, and the packet or
 * call
 * @kind: kind of the event
 * @how: enum record_skb_how; only in packet and call events
 * @dir: enum record_skb_dir; only in packet and call events
 * @copy_kind: enum record_skb_copy_kind; only in copy events
 * @recording: number of the recording if other recordings ran at the same time, else 0
 * @says_overrun: @overrun is valid. True for packet, call and return events, except in older recordings
 * @overrun: number of calls of the task so far that were not recorded because function_graph's return stack
 * was full
 * @pkt: number of the packet, 0 for a call. Reset events: the packet that is answered, 0 for none
 * @copy: number of the skb within the packet; RECORD_SKB_COPY_UNKNOWN if the event does not have the number
 * @from: copy events: number of the skb that was copied
 * @netns: inode number of the network namespace of a call, 0 if not known
 * @flow_number: number of the flow, 0 if not known
 * @skb: address of the struct sk_buff, 0 if the event does not have it
 * @func: address of the probe point. Drop events: the code that drops. Copy events: the function that copies
 * @ret: return events: return value of the function
 * @call: number of the socket call; only in call and return events
 * @has_stream: @write_seq and @copied_seq are valid; only in call and return events of TCP sockets
 * @write_seq: sequence number after the last byte that was written to the socket
 * @copied_seq: sequence number of the first byte that was not read from the socket yet
 * @has_msg_flags: @msg_flags is valid; only in call events, except in older recordings
 * @msg_flags: MSG_* flags of a call that receives, otherwise 0
 * @tls: RECORD_SKB_TLS_* flags of a call that moves data of a socket with kernel TLS, otherwise 0
 * @tls_plain: with RECORD_SKB_TLS_KNOWN, position in the content of the TLS records
 * @tls_records: with RECORD_SKB_TLS_KNOWN, number of the next TLS record
 * @flow: addresses; only in packet, call and reset events
 */
struct skb_event {
	enum event_kind kind;
	uint8_t how;
	uint8_t dir;
	uint8_t copy_kind;
	uint8_t recording;
	bool says_overrun;
	uint32_t overrun;
	uint32_t pkt;
	uint32_t copy, from;
	uint32_t netns;
	uint32_t flow_number;
	uint64_t skb;
	uint64_t func;
	int64_t ret;
	uint32_t call;
	bool has_stream;
	uint32_t write_seq, copied_seq;
	bool has_msg_flags;
	uint32_t msg_flags;
	uint8_t tls;
	uint32_t tls_plain, tls_records;
	struct flow flow;
};

#define DEVICE_NAME_LEN 16
#define REASON_LEN	48
#define QDISC_LEN	16
#define QDISC_WHY_LEN	24
#define WHY_LEN		(REASON_LEN + QDISC_LEN + QDISC_WHY_LEN + 8)

/**
 * struct packet_facts - further fields of a packet event
 * @len: skb->len
 * @net_len: bytes from the start of the network header; equal to @len in older recordings
 * @tcp_flags: flags of a TCP packet
 * @seq: sequence number of a TCP packet
 * @ack: acknowledgement number of a TCP packet
 * @dev: name of the device, empty if not known
 * @netns: inode number of the network namespace, 0 if not known
 * @seen_before: the packet was at a probe point before this event; the event of that probe point may be
 * missing in the recording. False in older recordings
 * @lacks_points: some probe points were not attached, so the end of a packet does not tell its fate
 * @ct: 1 plus the state of the packet in conntrack (enum ip_conntrack_info), 0 without a connection
 * @ct_status: status bits of the connection (enum ip_conntrack_status)
 * @bridged: iptables and nftables see the bridged packet (br_netfilter)
 * @dev_kind: kind of the device, such as "vxlan"; empty if it has none or is not known
 * @data: first bytes of the packet from the network header, NULL if the event has none
 * @data_len: number of bytes in @data
 *
 * @data is valid as long as the record.
 */
struct packet_facts {
	uint32_t len, net_len;
	uint8_t tcp_flags;
	uint32_t seq, ack;
	char dev[DEVICE_NAME_LEN + 1];
	uint32_t netns;
	bool seen_before;
	bool lacks_points;
	uint8_t ct;
	uint32_t ct_status;
	bool bridged;
	char dev_kind[DEVICE_NAME_LEN + 1];
	const uint8_t *data;
	unsigned int data_len;
};

/**
 * struct drop_facts - further fields of a drop event
 * @reason: number of the drop reason in the traced kernel
 * @name: name of the drop reason, empty if the reason has no name
 * @why: text to show: "NO_SOCKET", "QDISC_DROP (fq_codel CONGESTED)", or the number of a reason without a
 *       name
 */
struct drop_facts {
	uint32_t reason;
	char name[REASON_LEN + 1];
	char why[WHY_LEN];
};

/* Constants of nf_tables. */
#define RULE_NAME_LEN 256
enum rule_type { RULE_POLICY = 1, RULE_RETURN, RULE_RULE };
enum rule_verdict { RULE_DROP = 0, RULE_ACCEPT = 1, RULE_QUEUE = 3 };

/**
 * struct rule_facts - further fields of a rule event
 * @handle: handle of the rule in its table; 0 for a chain policy or the end of a chain
 * @netns: inode number of the network namespace that the rules belong to
 * @verdict: NF_* of netfilter, or a negative NFT_* of nf_tables
 * @type: enum rule_type
 * @family: NFPROTO_* of the table
 * @hook: number of the hook in the family
 * @table: name of the table
 * @chain: name of the chain
 */
struct rule_facts {
	uint64_t handle;
	uint32_t netns;
	int verdict;
	uint8_t type, family, hook;
	char table[RULE_NAME_LEN], chain[RULE_NAME_LEN];
};

/**
 * struct limit_facts - further fields of a limit event: the value that decided about a packet
 * @kind: enum record_skb_limit; RECORD_SKB_LIMIT_NONE if the value is not known
 * @used: how much of the queue or buffer was in use. For an MTU or a TTL: the length or TTL of the packet
 * @limit: the limit, 0 if it is not known
 * @needs: how much the packet would have added, 0 if this is not relevant
 * @port_is_shared: other sockets may have the local port of the socket
 */
struct limit_facts {
	uint8_t kind;
	uint64_t used, limit;
	uint32_t needs;
	bool port_is_shared;
};

/* Values of type in struct program_facts: the kernel's BPF_PROG_TYPE_*. */
enum program_type {
	PROGRAM_SOCKET_FILTER = 1,
	PROGRAM_TC_CLASSIFIER = 3,
	PROGRAM_TC_ACTION = 4,
	PROGRAM_XDP = 6,
	PROGRAM_CGROUP_SKB = 8,
	PROGRAM_CGROUP_SOCK = 9,
	PROGRAM_LWT_IN = 10,
	PROGRAM_LWT_OUT = 11,
	PROGRAM_LWT_XMIT = 12,
	PROGRAM_SK_SKB = 14,
	PROGRAM_SK_MSG = 16,
	PROGRAM_CGROUP_SOCK_ADDR = 18,
	PROGRAM_LWT_SEG6LOCAL = 19,
	PROGRAM_SK_REUSEPORT = 21,
	PROGRAM_SK_LOOKUP = 30,
	PROGRAM_NETFILTER = 32,
};

/**
 * struct program_facts - further fields of a program event: a BPF program has run on a packet
 * @id: id of the program
 * @type: BPF_PROG_TYPE_*
 * @dir: enum record_skb_dir: the program is at the ingress or egress of the device
 * @result: what the program has returned
 * @tag: hash of the instructions, in hexadecimal
 * @name: name of the program, which can contain any bytes
 * @dev: name of the device, empty if not known
 * @netns: inode number of the network namespace, 0 if not known
 * @candidates: 0 if @result is known. Otherwise, at least one of this number of programs has refused the
 *	packet
 * @to: enum record_skb_redirect
 * @to_index: key in the map, number of the CPU, or local port of the socket
 * @to_map: id of the map, 0 without a map
 * @to_dev: device to which the packet is redirected, empty if no device has the interface index that the
 *	program gave
 */
struct program_facts {
	uint32_t id;
	uint8_t type;
	uint8_t dir;
	int32_t result;
	char tag[2 * RECORD_SKB_PROGRAM_TAG_LEN + 1];
	char name[RECORD_SKB_PROGRAM_NAME_LEN + 1];
	char dev[DEVICE_NAME_LEN + 1];
	uint32_t netns;
	uint16_t candidates;
	uint8_t to;
	uint32_t to_index;
	uint32_t to_map;
	char to_dev[DEVICE_NAME_LEN + 1];
};

/**
 * struct address - an address with an optional port
 * @family: AF_INET (2) or AF_INET6 (10), 0 without an address
 * @port: port in host byte order, 0 for none
 * @bytes: the first 4 or all 16 bytes, in network byte order
 */
struct address {
	uint8_t family;
	uint16_t port;
	uint8_t bytes[16];
};

/**
 * struct decision_facts - further fields of a decision event: a decision about the path of a packet
 * @kind: enum record_skb_decision
 * @family: address family of a rule or route
 * @proto: IPVS: protocol of the connection
 * @netns: inode number of the network namespace, 0 if not known
 * @number: priority of a policy rule; firewall mark of an IPVS service
 * @table: number of the routing table
 * @result: action of a rule (FR_ACT_*); error of a route or 0; forwarding method of IPVS
 * @dev: name of the VRF, or of the device of a route; empty if there is none
 * @from, @to: addresses of a route lookup; client and service of IPVS
 * @via: gateway of a route; real server of IPVS
 */
struct decision_facts {
	uint8_t kind, family, proto;
	uint32_t netns, number, table;
	int32_t result;
	char dev[DEVICE_NAME_LEN + 1];
	struct address from, to, via;
};

#define RESET_REASON_LEN 32

/**
 * struct reset_facts - further fields of a reset event: this machine sends a TCP reset
 * @reason: number of the reset reason in the traced kernel
 * @name: name of the reset reason, which can contain any bytes; empty if the kernel has none
 * @state: state of the socket (TCP_*), 0 without a socket
 * @probes: number of probes that the peer has not answered
 * @user_timeout: TCP_USER_TIMEOUT of the socket in milliseconds, 0 if it is not set
 * @unread: number of bytes that the socket has received and its program has not read; 0 also if not known
 * @callers: the functions that led to the reset, innermost first; 0 after the last one
 */
struct reset_facts {
	uint32_t reason;
	char name[RESET_REASON_LEN + 1];
	uint8_t state, probes;
	uint32_t user_timeout, unread;
	uint64_t callers[RECORD_SKB_RESET_CALLERS];
};

#define NETNS_NAME_LEN	 255
#define NETNS_DETAIL_LEN 127

/**
 * struct netns_facts - fields of a netns event: a network namespace and its name
 * @cookie: number of the namespace, which is never used again
 * @netns: inode number of the namespace
 * @kind: enum record_skb_netns_kind
 * @name: the name, which can contain any bytes; empty if the event has no name
 * @detail: see enum record_skb_netns_kind
 */
struct netns_facts {
	uint64_t cookie;
	uint32_t netns;
	uint8_t kind;
	char name[NETNS_NAME_LEN + 1];
	char detail[NETNS_DETAIL_LEN + 1];
};

#define TASK_NAME_LEN 16

/**
 * struct sched_facts - fields of a sched event
 * @what: enum record_skb_sched
 * @task: PID of the task
 * @other: PID of the task that gets the CPU next or had it before, 0 if none
 * @switches: number of times that the task has left a CPU
 * @other_name: name of @other
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
	FIELD_OTHER_NAME, FIELD_SWITCHES, FIELD_RECORDING, FIELD_LACKS_POINTS, FIELD_OVERRUN,
	FIELD_CALL, FIELD_WRITE_SEQ, FIELD_COPIED_SEQ, FIELD_HAS_STREAM,
	FIELD_MSG_FLAGS, FIELD_TLS,
	FIELD_TLS_PLAIN, FIELD_TLS_RECORDS, FIELD_USED, FIELD_LIMIT,
	FIELD_NEEDS, FIELD_SHARED, FIELD_COOKIE, FIELD_DETAIL, FIELD_SAMPLE, FIELD_ID, FIELD_RESULT,
	FIELD_TAG,
	FIELD_CANDIDATES, FIELD_TO, FIELD_TO_INDEX, FIELD_TO_MAP, FIELD_TO_DEV,
	FIELD_CT, FIELD_CT_STATUS, FIELD_BRIDGED, FIELD_DEV_KIND, FIELD_NUMBER, FIELD_VIA,
	FIELD_CALLERS, FIELD_STATE, FIELD_PROBES, FIELD_USER_TIMEOUT, FIELD_UNREAD,

	FIELD_DEPTH, FIELD_CALLTIME, FIELD_RETTIME,
	FIELD_EVENT_TYPE,
	EVENT_FIELDS,
};
/* clang-format on */

/**
 * struct event_number - the place of a number in the records of an event
 * @offset: offset of its first byte
 * @size: 1, 2, 4 or 8; 0 if the event does not have the field, or if the field is not a number
 */
struct event_number {
	int offset, size;
};

/**
 * struct event_fields - the fields of one event in the trace, looked up once
 * @event: the event, NULL before the lookup
 * @native: the numbers in the trace have the byte order of this machine
 * @field: the fields, NULL for a field that the event does not have
 * @number: the same fields, if they are numbers
 */
struct event_fields {
	struct tep_event *event;
	bool native;
	struct tep_format_field *field[EVENT_FIELDS];
	struct event_number number[EVENT_FIELDS];
};

/**
 * event_fields_find - look up the fields of an event, unless @fields already contains them
 * @fields: filled in
 * @event: the event; if it differs from @fields->event, the fields are looked up again
 */
void event_fields_find(struct event_fields *fields, struct tep_event *event);

/**
 * event_field_read - read a number from a record, in host byte order
 * @fields: fields of the record's event
 * @which: the field
 * @record: the record, which may be shorter than the event format says
 * @value: set to the number; unchanged on error
 *
 * Return: 0, or -1 if the event has no such field or the record is too short.
 */
static inline int event_field_read(const struct event_fields *fields, enum event_field which,
				   const struct tep_record *record, uint64_t *value)
{
	const struct event_number number = fields->number[which];
	const char *bytes = (const char *)record->data + number.offset;
	uint32_t v32;
	uint16_t v16;

	/* Do not call tep_read_number(), because this function reads fields of every row. */
	if (!number.size || record->size - number.size < number.offset)
		return -1;
	if (!fields->native)
		*value = tep_read_number(fields->event->tep, bytes, number.size);
	else if (number.size == 8)
		memcpy(value, bytes, sizeof(*value));
	else if (number.size == 4)
		*value = (memcpy(&v32, bytes, sizeof(v32)), v32);
	else if (number.size == 2)
		*value = (memcpy(&v16, bytes, sizeof(v16)), v16);
	else
		*value = *(const uint8_t *)bytes;
	return 0;
}

/**
 * event_field_bytes - find the bytes of an array in a record
 * @fields: fields of the record's event
 * @which: the field, which may have a dynamic length
 * @record: the record, which may be shorter than the event format says
 * @len: set to the number of bytes
 *
 * Return: the bytes, NULL if the event has no such field or the record is too short.
 */
const void *event_field_bytes(const struct event_fields *fields, enum event_field which,
			      const struct tep_record *record, unsigned int *len);

/**
 * skb_event_read - decode a record of a record_skb event
 * @fields: fields of the event
 * @kind: kind of the event
 * @record: the record
 * @out: filled in; missing fields are 0 if they only describe the packet
 *
 * Return: 0, or -1 if the position of the event in the graph cannot be read. After -1, the caller must drop
 * the state of the task, because its next rows cannot be assigned to a packet.
 */
int skb_event_read(const struct event_fields *fields, enum event_kind kind,
		   const struct tep_record *record, struct skb_event *out);

/* Read the further fields of a packet, drop, rule, limit, program or reset event; missing fields are 0. */
void packet_facts_read(const struct event_fields *fields, const struct tep_record *record,
		       struct packet_facts *facts);
void drop_facts_read(const struct event_fields *fields, const struct tep_record *record,
		     struct drop_facts *facts);
/* Read the fields of a sched event. Return: false if the event cannot be read. */
bool sched_facts_read(const struct event_fields *fields, const struct tep_record *record,
		      struct sched_facts *facts);
/* Read the fields of a netns event. Return: false if the event cannot be read. */
bool netns_facts_read(const struct event_fields *fields, const struct tep_record *record,
		      struct netns_facts *facts);
void rule_facts_read(const struct event_fields *fields, const struct tep_record *record,
		     struct rule_facts *facts);
void limit_facts_read(const struct event_fields *fields, const struct tep_record *record,
		      struct limit_facts *facts);
void program_facts_read(const struct event_fields *fields, const struct tep_record *record,
			struct program_facts *facts);
void decision_facts_read(const struct event_fields *fields, const struct tep_record *record,
			 struct decision_facts *facts);
void reset_facts_read(const struct event_fields *fields, const struct tep_record *record,
		      struct reset_facts *facts);

#endif /* _RECORD_SKB_EVENT_H */
