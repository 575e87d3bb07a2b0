// SPDX-License-Identifier: LGPL-2.1
/*
 * event.c - decode records of record_skb events into numbers in host byte order
 *
 * The trace may come from a machine with another word size or byte order, and from another version of the
 * module. The record may be truncated. Therefore the position and size of each field are read from the event
 * format in the trace.
 */
#include <stdio.h>
#include <string.h>

#include "escape.h"
#include "event.h"

#define ETHERTYPE_ARP 0x0806

/* clang-format off */
const struct event_name event_names[EVENT_KINDS] = {
	[EVENT_PACKET]		= { RECORD_SKB_MODULE, "packet" },
	[EVENT_OTHER]		= { RECORD_SKB_MODULE, "other" },
	[EVENT_CALL]		= { RECORD_SKB_MODULE, "call" },
	[EVENT_RETURN]		= { RECORD_SKB_MODULE, "return" },
	[EVENT_DROP]		= { RECORD_SKB_MODULE, "drop" },
	[EVENT_COPY]		= { RECORD_SKB_MODULE, "copy" },
	[EVENT_END]		= { RECORD_SKB_MODULE, "end" },
	[EVENT_RULE]		= { RECORD_SKB_MODULE, "rule" },
	[EVENT_LIMIT]		= { RECORD_SKB_MODULE, "limit" },
	[EVENT_PROGRAM]		= { RECORD_SKB_MODULE, "program" },
	[EVENT_DECISION]	= { RECORD_SKB_MODULE, "decision" },
	[EVENT_RESET]		= { RECORD_SKB_MODULE, "reset" },
	[EVENT_ENTRY]		= { "ftrace", "funcgraph_entry" },
	[EVENT_RETADDR_ENTRY]	= { "ftrace", "fgraph_retaddr_entry" },
	[EVENT_EXIT]		= { "ftrace", "funcgraph_exit" },
};

static const char *const field_names[EVENT_FIELDS] = {
	[FIELD_PID]		= "common_pid",
	[FIELD_FLAGS]		= "common_flags",
	[FIELD_PKT]		= "pkt",
	[FIELD_COPY]		= "copy",
	[FIELD_FROM]		= "from",
	[FIELD_KIND]		= "kind",
	[FIELD_FUNC]		= "func",
	[FIELD_SKB]		= "skb",
	[FIELD_HOW]		= "how",
	[FIELD_RET]		= "ret",
	[FIELD_FAMILY]		= "family",
	[FIELD_PROTO]		= "proto",
	[FIELD_SADDR]		= "saddr",
	[FIELD_DADDR]		= "daddr",
	[FIELD_ICMP_TYPE]	= "icmp_type",
	[FIELD_ICMP_CODE]	= "icmp_code",
	[FIELD_ICMP_ID]		= "icmp_id",
	[FIELD_ETHERTYPE]	= "ethertype",
	[FIELD_RECORDING]	= "recording",
	[FIELD_DEPTH]		= "depth",
	[FIELD_FLOW]		= "flow",
	[FIELD_DIR]		= "dir",
	[FIELD_LEN]		= "len",
	[FIELD_NET_LEN]		= "net_len",
	[FIELD_TCP_FLAGS]	= "tcp_flags",
	[FIELD_SEQ]		= "seq",
	[FIELD_ACK]		= "ack",
	[FIELD_DEV]		= "dev",
	[FIELD_NETNS]		= "netns",
	[FIELD_DATA]		= "data",
	[FIELD_LOCATION]	= "location",
	[FIELD_REASON]		= "reason",
	[FIELD_NAME]		= "name",
	[FIELD_REAL]		= "real",
	[FIELD_QDISC]		= "qdisc",
	[FIELD_QDISC_REASON]	= "qdisc_reason",
	[FIELD_HANDLE]		= "handle",
	[FIELD_VERDICT]		= "verdict",
	[FIELD_TYPE]		= "type",
	[FIELD_HOOK]		= "hook",
	[FIELD_TABLE]		= "table",
	[FIELD_CHAIN]		= "chain",
	[FIELD_FIRST]		= "first",
	[FIELD_LACKS_POINTS]	= "lacks_points",
	[FIELD_BY]		= "by",
	[FIELD_WHAT]		= "what",
	[FIELD_TASK]		= "task",
	[FIELD_OTHER]		= "other",
	[FIELD_OTHER_NAME]	= "other_name",
	[FIELD_SWITCHES]	= "switches",
	[FIELD_OVERRUN]		= "overrun",
	[FIELD_CALL]		= "call",
	[FIELD_WRITE_SEQ]	= "write_seq",
	[FIELD_COPIED_SEQ]	= "copied_seq",
	[FIELD_HAS_STREAM]	= "has_stream",
	[FIELD_MSG_FLAGS]	= "msg_flags",
	[FIELD_TLS]		= "tls",
	[FIELD_TLS_PLAIN]	= "tls_plain",
	[FIELD_TLS_RECORDS]	= "tls_records",
	[FIELD_USED]		= "used",
	[FIELD_LIMIT]		= "limit",
	[FIELD_NEEDS]		= "needs",
	[FIELD_SHARED]		= "shared",
	[FIELD_COOKIE]		= "cookie",
	[FIELD_DETAIL]		= "detail",
	[FIELD_SAMPLE]		= "sample",
	[FIELD_ID]		= "id",
	[FIELD_RESULT]		= "result",
	[FIELD_TAG]		= "tag",
	[FIELD_CANDIDATES]	= "candidates",
	[FIELD_TO]		= "to",
	[FIELD_TO_INDEX]	= "to_index",
	[FIELD_TO_MAP]		= "to_map",
	[FIELD_TO_DEV]		= "to_dev",
	[FIELD_CT]		= "ct",
	[FIELD_CT_STATUS]	= "ct_status",
	[FIELD_BRIDGED]		= "bridged",
	[FIELD_DEV_KIND]	= "dev_kind",
	[FIELD_NUMBER]		= "number",
	[FIELD_VIA]		= "via",
	[FIELD_CALLERS]		= "callers",
	[FIELD_STATE]		= "state",
	[FIELD_PROBES]		= "probes",
	[FIELD_USER_TIMEOUT]	= "user_timeout",
	[FIELD_UNREAD]		= "unread",
	[FIELD_CALLTIME]	= "calltime",
	[FIELD_RETTIME]		= "rettime",
	[FIELD_EVENT_TYPE]	= "common_type",
};
/* clang-format on */

/* The place of a field comes from the file, so it can be anything. */
static struct event_number number_of(const struct tep_format_field *field)
{
	struct event_number number = { 0 };

	if (!field || field->offset < 0 ||
	    field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC))
		return number;
	switch (field->size) {
	case 1:
	case 2:
	case 4:
	case 8:
		number.offset = field->offset;
		number.size = field->size;
	}
	return number;
}

void event_fields_find(struct event_fields *fields, struct tep_event *event)
{
	int i;

	if (fields->event == event)
		return;
	for (i = 0; i < EVENT_FIELDS; i++) {
		fields->field[i] = tep_find_any_field(event, field_names[i]);
		fields->number[i] = number_of(fields->field[i]);
	}
	fields->event = event;
	fields->native = tep_is_file_bigendian(event->tep) == tep_is_local_bigendian(event->tep);
}

static const void *field_bytes(const struct tep_format_field *field,
			       const struct tep_record *record, unsigned int size)
{
	if (!field || field->offset < 0 || field->size < 0 || (unsigned int)field->size < size)
		return NULL;
	if (field->offset > record->size || record->size - field->offset < field->size)
		return NULL;
	return (const char *)record->data + field->offset;
}

const void *event_field_bytes(const struct event_fields *fields, enum event_field which,
			      const struct tep_record *record, unsigned int *len)
{
	const struct tep_format_field *field = fields->field[which];
	const void *bytes = field_bytes(field, record, 1);
	unsigned int place, offset;

	if (!bytes || !(field->flags & TEP_FIELD_IS_ARRAY))
		return NULL;
	if (!(field->flags & TEP_FIELD_IS_DYNAMIC)) {
		*len = field->size;
		return bytes;
	}
	/* A dynamic array has its length in the upper half of the field and its offset in the lower half. */
	if (field->size != 4)
		return NULL;
	place = tep_read_number(fields->event->tep, bytes, 4);
	offset = place & 0xffff;
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		offset += field->offset + field->size;
	*len = place >> 16;
	if (offset > (unsigned int)record->size || *len > record->size - offset)
		return NULL;
	return (const char *)record->data + offset;
}

static uint64_t read_or_0(const struct event_fields *fields, enum event_field which,
			  const struct tep_record *record)
{
	uint64_t value = 0;

	event_field_read(fields, which, record, &value);
	return value;
}

/*
 * Read a struct sockaddr_in or sockaddr_in6 of the traced machine. The family is in the byte order of that
 * machine; the port and the address are in network byte order.
 */
static int read_sockaddr(const struct event_fields *fields, enum event_field which,
			 const struct tep_record *record, unsigned int family, uint8_t *addr,
			 uint16_t *port)
{
	bool v6 = family == FLOW_INET6;
	const uint8_t *bytes = field_bytes(fields->field[which], record, v6 ? 24 : 8);

	if (!bytes || tep_read_number(fields->event->tep, bytes, 2) != family)
		return -1;
	*port = bytes[2] << 8 | bytes[3];
	if (v6)
		memcpy(addr, bytes + 8, 16);
	else
		memcpy(addr, bytes + 4, 4);
	return 0;
}

/*
 * Read the addresses and the operation of an ARP packet. Only ARP for IPv4 over Ethernet is decoded, because
 * other kinds are rare.
 */
static void read_arp(const struct event_fields *fields, const struct tep_record *record,
		     struct flow *flow)
{
	static const uint8_t kind[] = { 0, 1, 8, 0, 6, 4 };
	enum { OPERATION = 6, SENDER = 14, TARGET = 24, ARP_LEN = 28 };
	unsigned int len;
	const uint8_t *data = event_field_bytes(fields, FIELD_DATA, record, &len);

	if (!data || len < ARP_LEN || memcmp(data, kind, sizeof(kind)))
		return;
	flow->arp = data[OPERATION] << 8 | data[OPERATION + 1];
	memcpy(flow->saddr, data + SENDER, 4);
	memcpy(flow->daddr, data + TARGET, 4);
}

/* Return: true for a later fragment of an IPv4 packet, because such a fragment has no ICMP header. */
static bool is_later_fragment(const uint8_t *data, unsigned int len)
{
	return len >= 20 && data[0] >> 4 == 4 && (data[6] & 0x1f || data[7]);
}

static void read_icmp(const struct event_fields *fields, const struct tep_record *record,
		      struct flow *flow)
{
	uint64_t type, code, id;
	unsigned int len;
	const uint8_t *data = event_field_bytes(fields, FIELD_DATA, record, &len);

	if ((data && is_later_fragment(data, len)) ||
	    event_field_read(fields, FIELD_ICMP_TYPE, record, &type) ||
	    event_field_read(fields, FIELD_ICMP_CODE, record, &code) ||
	    event_field_read(fields, FIELD_ICMP_ID, record, &id))
		return;
	/*
	 * ICMPv6 does not have a type 0. The module reports this type if a packet has no ICMPv6 header, for
	 * example in a later fragment.
	 */
	if (flow->proto == FLOW_ICMPV6 && !type)
		return;
	flow->has_icmp = true;
	flow->icmp_type = type;
	flow->icmp_code = code;
	flow->icmp_id = id;
}

static void read_flow(const struct event_fields *fields, const struct tep_record *record,
		      struct flow *flow)
{
	unsigned int family = read_or_0(fields, FIELD_FAMILY, record);
	uint64_t proto;

	flow->ethertype = read_or_0(fields, FIELD_ETHERTYPE, record);
	if (flow->ethertype == ETHERTYPE_ARP)
		read_arp(fields, record, flow);
	if (family != FLOW_INET && family != FLOW_INET6)
		return;
	/*
	 * Report neither end if only one end is known, because such a flow would look like a complete one.
	 */
	if (event_field_read(fields, FIELD_PROTO, record, &proto) ||
	    read_sockaddr(fields, FIELD_SADDR, record, family, flow->saddr, &flow->sport) ||
	    read_sockaddr(fields, FIELD_DADDR, record, family, flow->daddr, &flow->dport))
		return;
	flow->family = family;
	flow->proto = proto;
	if (proto == FLOW_ICMP || proto == FLOW_ICMPV6)
		read_icmp(fields, record, flow);
}

static int read_place(const struct event_fields *fields, enum event_kind kind,
		      const struct tep_record *record, struct skb_event *out)
{
	uint64_t value;

	/*
	 * Drop, copy and end events do not assign lines of the function graph to a packet. So such an event
	 * can be used even if it has no address of a function.
	 */
	if (kind >= PLACING_EVENTS)
		out->func =
			read_or_0(fields, kind == EVENT_DROP ? FIELD_LOCATION : FIELD_FUNC, record);
	else if (event_field_read(fields, FIELD_FUNC, record, &out->func))
		return -1;
	if (kind != EVENT_OTHER && kind != EVENT_CALL) {
		if (event_field_read(fields, FIELD_PKT, record, &value))
			return -1;
		out->pkt = value;
	}
	if (kind == EVENT_PACKET || kind == EVENT_CALL) {
		if (event_field_read(fields, FIELD_HOW, record, &value) ||
		    value > RECORD_SKB_HOW_HIDDEN)
			return -1;
		out->how = value;
	}
	if (kind == EVENT_RETURN) {
		if (event_field_read(fields, FIELD_RET, record, &value))
			return -1;
		out->ret = value;
	}
	return 0;
}

static void read_copy(const struct event_fields *fields, const struct tep_record *record,
		      struct skb_event *out)
{
	uint64_t value;

	out->copy = event_field_read(fields, FIELD_COPY, record, &value) ? RECORD_SKB_COPY_UNKNOWN :
									   value;
	out->from = event_field_read(fields, FIELD_FROM, record, &value) ? RECORD_SKB_COPY_UNKNOWN :
									   value;
	out->copy_kind = read_or_0(fields, FIELD_KIND, record);
}

/* Read the positions of a socket call in the streams of its socket. Older recordings do not have them. */
static void read_stream(const struct event_fields *fields, const struct tep_record *record,
			struct skb_event *out)
{
	uint64_t msg_flags;

	out->call = read_or_0(fields, FIELD_CALL, record);
	out->has_stream = read_or_0(fields, FIELD_HAS_STREAM, record) != 0;
	out->write_seq = read_or_0(fields, FIELD_WRITE_SEQ, record);
	out->copied_seq = read_or_0(fields, FIELD_COPIED_SEQ, record);
	out->has_msg_flags = !event_field_read(fields, FIELD_MSG_FLAGS, record, &msg_flags);
	out->msg_flags = out->has_msg_flags ? msg_flags : 0;
	out->tls = read_or_0(fields, FIELD_TLS, record);
	out->tls_plain = read_or_0(fields, FIELD_TLS_PLAIN, record);
	out->tls_records = read_or_0(fields, FIELD_TLS_RECORDS, record);
}

int skb_event_read(const struct event_fields *fields, enum event_kind kind,
		   const struct tep_record *record, struct skb_event *out)
{
	uint64_t overrun;

	memset(out, 0, sizeof(*out));
	out->kind = kind;
	if (read_place(fields, kind, record, out))
		return -1;
	read_copy(fields, record, out);
	out->skb = read_or_0(fields, FIELD_SKB, record);
	out->flow_number = read_or_0(fields, FIELD_FLOW, record);
	out->dir = read_or_0(fields, FIELD_DIR, record);
	out->recording = read_or_0(fields, FIELD_RECORDING, record);
	out->says_overrun = !event_field_read(fields, FIELD_OVERRUN, record, &overrun);
	out->overrun = out->says_overrun ? overrun : 0;
	if (kind == EVENT_CALL || kind == EVENT_RETURN)
		read_stream(fields, record, out);
	if (kind == EVENT_CALL)
		out->netns = read_or_0(fields, FIELD_NETNS, record);
	if (kind == EVENT_PACKET || kind == EVENT_CALL || kind == EVENT_RESET)
		read_flow(fields, record, &out->flow);
	return 0;
}

/*
 * Copy a text out of a record. A text that fills its whole field has no terminator. Each packet event has two
 * texts, so this function does not use snprintf(), which is slow.
 */
static void read_text(const struct event_fields *fields, enum event_field which,
		      const struct tep_record *record, char *text, size_t size)
{
	unsigned int len;
	const char *bytes = event_field_bytes(fields, which, record, &len);

	if (!bytes)
		return;
	len = strnlen(bytes, len < size ? len : size - 1);
	memcpy(text, bytes, len);
	text[len] = '\0';
}

void packet_facts_read(const struct event_fields *fields, const struct tep_record *record,
		       struct packet_facts *facts)
{
	uint64_t first, net_len;

	memset(facts, 0, sizeof(*facts));
	facts->len = read_or_0(fields, FIELD_LEN, record);
	if (event_field_read(fields, FIELD_NET_LEN, record, &net_len))
		net_len = facts->len;
	facts->net_len = net_len;
	facts->tcp_flags = read_or_0(fields, FIELD_TCP_FLAGS, record);
	facts->seq = read_or_0(fields, FIELD_SEQ, record);
	facts->ack = read_or_0(fields, FIELD_ACK, record);
	facts->netns = read_or_0(fields, FIELD_NETNS, record);
	facts->seen_before = !event_field_read(fields, FIELD_FIRST, record, &first) && !first;
	facts->lacks_points = read_or_0(fields, FIELD_LACKS_POINTS, record);
	facts->ct = read_or_0(fields, FIELD_CT, record);
	facts->ct_status = read_or_0(fields, FIELD_CT_STATUS, record);
	facts->bridged = read_or_0(fields, FIELD_BRIDGED, record);
	read_text(fields, FIELD_DEV, record, facts->dev, sizeof(facts->dev));
	read_text(fields, FIELD_DEV_KIND, record, facts->dev_kind, sizeof(facts->dev_kind));
	facts->data = event_field_bytes(fields, FIELD_DATA, record, &facts->data_len);
	if (!facts->data)
		facts->data_len = 0;
}

void drop_facts_read(const struct event_fields *fields, const struct tep_record *record,
		     struct drop_facts *facts)
{
	char qdisc[QDISC_LEN + 1] = "", reason[QDISC_WHY_LEN + 1] = "", why[WHY_LEN];
	int len;

	memset(facts, 0, sizeof(*facts));
	facts->reason = read_or_0(fields, FIELD_REASON, record);
	read_text(fields, FIELD_NAME, record, facts->name, sizeof(facts->name));
	read_text(fields, FIELD_QDISC, record, qdisc, sizeof(qdisc));
	read_text(fields, FIELD_QDISC_REASON, record, reason, sizeof(reason));
	if (facts->name[0])
		len = snprintf(why, sizeof(why), "%s", facts->name);
	else
		len = snprintf(why, sizeof(why), "%u", facts->reason);
	if (qdisc[0])
		snprintf(why + len, sizeof(why) - len, " (%s%s%s)", qdisc, reason[0] ? " " : "",
			 reason);
	/* The kernel chose these names, but the file may have been forged. Escape them. */
	escape_text(facts->why, sizeof(facts->why), why);
}

void rule_facts_read(const struct event_fields *fields, const struct tep_record *record,
		     struct rule_facts *facts)
{
	memset(facts, 0, sizeof(*facts));
	facts->handle = read_or_0(fields, FIELD_HANDLE, record);
	facts->verdict = (int32_t)read_or_0(fields, FIELD_VERDICT, record);
	facts->type = read_or_0(fields, FIELD_TYPE, record);
	facts->family = read_or_0(fields, FIELD_FAMILY, record);
	facts->hook = read_or_0(fields, FIELD_HOOK, record);
	facts->netns = read_or_0(fields, FIELD_NETNS, record);
	read_text(fields, FIELD_TABLE, record, facts->table, sizeof(facts->table));
	read_text(fields, FIELD_CHAIN, record, facts->chain, sizeof(facts->chain));
}

bool netns_facts_read(const struct event_fields *fields, const struct tep_record *record,
		      struct netns_facts *facts)
{
	uint64_t kind;

	memset(facts, 0, sizeof(*facts));
	if (event_field_read(fields, FIELD_COOKIE, record, &facts->cookie) ||
	    event_field_read(fields, FIELD_KIND, record, &kind))
		return false;
	facts->kind = kind;
	facts->netns = read_or_0(fields, FIELD_NETNS, record);
	read_text(fields, FIELD_NAME, record, facts->name, sizeof(facts->name));
	read_text(fields, FIELD_DETAIL, record, facts->detail, sizeof(facts->detail));
	return true;
}

bool sched_facts_read(const struct event_fields *fields, const struct tep_record *record,
		      struct sched_facts *facts)
{
	uint64_t what, task, switches;

	memset(facts, 0, sizeof(*facts));
	if (event_field_read(fields, FIELD_WHAT, record, &what) || what > RECORD_SKB_SCHED_OTHER ||
	    event_field_read(fields, FIELD_TASK, record, &task) ||
	    event_field_read(fields, FIELD_SWITCHES, record, &switches))
		return false;
	facts->what = what;
	facts->task = (int32_t)task;
	facts->switches = switches;
	facts->other = (int32_t)read_or_0(fields, FIELD_OTHER, record);
	read_text(fields, FIELD_OTHER_NAME, record, facts->other_name, sizeof(facts->other_name));
	return true;
}

void limit_facts_read(const struct event_fields *fields, const struct tep_record *record,
		      struct limit_facts *facts)
{
	*facts = (struct limit_facts){
		.kind = read_or_0(fields, FIELD_KIND, record),
		.used = read_or_0(fields, FIELD_USED, record),
		.limit = read_or_0(fields, FIELD_LIMIT, record),
		.needs = read_or_0(fields, FIELD_NEEDS, record),
		.port_is_shared = read_or_0(fields, FIELD_SHARED, record),
	};
	if (facts->kind >= RECORD_SKB_LIMITS)
		*facts = (struct limit_facts){ 0 };
}

void program_facts_read(const struct event_fields *fields, const struct tep_record *record,
			struct program_facts *facts)
{
	unsigned int len;
	const uint8_t *tag = event_field_bytes(fields, FIELD_TAG, record, &len);

	memset(facts, 0, sizeof(*facts));
	facts->id = read_or_0(fields, FIELD_ID, record);
	facts->type = read_or_0(fields, FIELD_TYPE, record);
	facts->dir = read_or_0(fields, FIELD_DIR, record);
	facts->result = (int32_t)read_or_0(fields, FIELD_RESULT, record);
	facts->netns = read_or_0(fields, FIELD_NETNS, record);
	for (unsigned int i = 0; tag && i < len && i < RECORD_SKB_PROGRAM_TAG_LEN; i++)
		snprintf(facts->tag + 2 * i, 3, "%02x", tag[i]);
	read_text(fields, FIELD_NAME, record, facts->name, sizeof(facts->name));
	read_text(fields, FIELD_DEV, record, facts->dev, sizeof(facts->dev));
	facts->candidates = read_or_0(fields, FIELD_CANDIDATES, record);
	facts->to = read_or_0(fields, FIELD_TO, record);
	facts->to_index = read_or_0(fields, FIELD_TO_INDEX, record);
	facts->to_map = read_or_0(fields, FIELD_TO_MAP, record);
	read_text(fields, FIELD_TO_DEV, record, facts->to_dev, sizeof(facts->to_dev));
}

static void read_address(const struct event_fields *fields, enum event_field which,
			 const struct tep_record *record, struct address *address)
{
	static const uint8_t families[] = { FLOW_INET, FLOW_INET6 };

	for (size_t i = 0; i < sizeof(families); i++) {
		if (read_sockaddr(fields, which, record, families[i], address->bytes,
				  &address->port))
			continue;
		address->family = families[i];
		return;
	}
}

void decision_facts_read(const struct event_fields *fields, const struct tep_record *record,
			 struct decision_facts *facts)
{
	memset(facts, 0, sizeof(*facts));
	facts->kind = read_or_0(fields, FIELD_KIND, record);
	facts->family = read_or_0(fields, FIELD_FAMILY, record);
	facts->proto = read_or_0(fields, FIELD_PROTO, record);
	facts->netns = read_or_0(fields, FIELD_NETNS, record);
	facts->number = read_or_0(fields, FIELD_NUMBER, record);
	facts->table = read_or_0(fields, FIELD_TABLE, record);
	facts->result = (int32_t)read_or_0(fields, FIELD_RESULT, record);
	read_text(fields, FIELD_DEV, record, facts->dev, sizeof(facts->dev));
	read_address(fields, FIELD_SADDR, record, &facts->from);
	read_address(fields, FIELD_DADDR, record, &facts->to);
	read_address(fields, FIELD_VIA, record, &facts->via);
}

void reset_facts_read(const struct event_fields *fields, const struct tep_record *record,
		      struct reset_facts *facts)
{
	const struct tep_format_field *field = fields->field[FIELD_CALLERS];
	unsigned int len, n;
	const uint8_t *callers = event_field_bytes(fields, FIELD_CALLERS, record, &len);

	*facts = (struct reset_facts){
		.reason = read_or_0(fields, FIELD_REASON, record),
		.state = read_or_0(fields, FIELD_STATE, record),
		.probes = read_or_0(fields, FIELD_PROBES, record),
		.user_timeout = read_or_0(fields, FIELD_USER_TIMEOUT, record),
		.unread = read_or_0(fields, FIELD_UNREAD, record),
	};
	read_text(fields, FIELD_NAME, record, facts->name, sizeof(facts->name));
	if (!callers || (field->elementsize != 4 && field->elementsize != 8))
		return;
	n = len / field->elementsize;
	for (unsigned int i = 0; i < n && i < RECORD_SKB_RESET_CALLERS; i++)
		facts->callers[i] = tep_read_number(
			fields->event->tep, callers + i * field->elementsize, field->elementsize);
}
