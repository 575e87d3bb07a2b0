// SPDX-License-Identifier: GPL-2.0
/*
 * unanswered.c - remember for each flow the request that has no answer yet
 *
 * One end of a flow is the client: the sender of the SYN. If no SYN was seen, but only one end has an
 * ephemeral port, the client is this end. Otherwise, the client of a UDP or ICMP flow is the sender of the
 * first packet that was seen. For TCP, this would be a guess, because recording may begin in the middle of a
 * connection. Therefore such a TCP flow is not checked.
 *
 * A request is a SYN, data, or an ICMP echo request. New data replaces an earlier request, because the
 * server may need the last byte before it can answer. Every packet from the server answers all earlier
 * requests, except a TCP acknowledgement without data. An ICMP error about the flow is an answer too.
 *
 * The table is indexed by the number of the flow. If two flows need the same slot, the newer one takes it.
 * Numbers are consecutive, so the table holds the newest flows.
 */
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>
#include <net/tcp.h>

#include "notrace_lock.h"
#include "unanswered.h"
#include "recording.h"
#include "counters.h"
#include "skb_table.h"
#include "flow_tuple.h"

#define PLACES 8192
/* The first ephemeral port, according to the default of ip_local_port_range. */
#define CONNECTS_FROM 32768

/*
 * struct question - the request for which the client of a flow is waiting for an answer
 * @flow: number of the flow, 0 for a free slot
 * @end: for TCP, the sequence number after the last byte of the request
 * @asked: time of the request in nanoseconds; 0 if no request is unanswered
 * @asker: address of the client
 * @port: port of the client
 * @any: true if the client has sent a request on this flow, so that @end is valid
 * @m: numbers of the packet with the request
 */
struct question {
	u32 flow;
	u32 end;
	u64 asked;
	struct in6_addr asker;
	u16 port;
	bool any;
	struct match m;
};

struct unanswered {
	struct question slots[PLACES];
};

static struct notrace_locks locks = HIDDEN_LOCKS;

/*
 * struct said - the meaning of a packet for its receiver
 * @opens: the packet opens a connection
 * @asks: the packet is a request if the client sent it
 * @answers: the packet is an answer if the server sent it
 * @end: for TCP, the sequence number after the last byte of the packet
 */
struct said {
	bool opens, asks, answers;
	u32 end;
};

static bool is_echo_request(const struct tuple *t)
{
	return t->icmp_type == (t->family == AF_INET ? ICMP_ECHO : ICMPV6_ECHO_REQUEST);
}

static struct said said_by(const struct tuple *t, u32 payload)
{
	struct said said = { .asks = t->has_ports || is_echo_request(t), .answers = true };

	if (t->proto != IPPROTO_TCP)
		return said;
	said.opens = (t->tcp_flags & (TCPHDR_SYN | TCPHDR_ACK)) == TCPHDR_SYN;
	said.asks = said.opens || payload;
	said.answers = payload || t->tcp_flags & (TCPHDR_SYN | TCPHDR_FIN | TCPHDR_RST);
	said.end = t->seq + payload + said.opens;
	return said;
}

static bool ports_tell(const struct tuple *t)
{
	return (t->sport >= CONNECTS_FROM) != (t->dport >= CONNECTS_FROM);
}

static bool tells_who_asks(const struct tuple *t)
{
	return t->proto != IPPROTO_TCP || t->tcp_flags & TCPHDR_SYN || ports_tell(t);
}

static bool source_asks(const struct tuple *t, const struct said *said)
{
	if (said->opens)
		return true;
	if (t->proto == IPPROTO_TCP && t->tcp_flags & TCPHDR_SYN)
		return false;
	return !ports_tell(t) || t->sport >= CONNECTS_FROM;
}

/*
 * Start using a slot for a new flow, or for a new connection with the same flow number. The caller holds
 * the slot's lock.
 */
static void take_slot(struct question *q, u32 flow, const struct tuple *t, const struct said *said)
{
	const bool source = source_asks(t, said);

	if (q->asked && q->flow != flow)
		stat_inc(&recording_alone()->stats, STAT_LOST_FLOWS);
	*q = (struct question){
		.flow = flow,
		.asker = source ? t->saddr : t->daddr,
		.port = source ? t->sport : t->dport,
	};
}

static bool is_asker(const struct question *q, const struct tuple *t)
{
	return q->port == t->sport && ipv6_addr_equal(&q->asker, &t->saddr);
}

static bool is_new(const struct question *q, const struct tuple *t, const struct said *said)
{
	if (t->proto == IPPROTO_TCP)
		return !q->any || (s32)(said->end - q->end) > 0;
	return !q->asked;
}

/*
 * Store a request, or match an answer to the stored request. The caller holds the slot's lock.
 *
 * Return: true if the answer came later than @limit_ns after the request; @late is then set to the packet
 * with the request.
 */
static bool note_or_match(struct question *q, const struct tuple *t, const struct said *said,
			  const struct match *m, u64 limit_ns, struct match *late)
{
	const bool asks = is_asker(q, t);
	const u64 now = ktime_get_mono_fast_ns();
	bool is_late;

	if (asks ? !said->asks || !is_new(q, t, said) : !said->answers)
		return false;
	is_late = q->asked && now - q->asked >= limit_ns;
	if (is_late)
		*late = q->m;
	WRITE_ONCE(q->asked, asks ? now : 0);
	if (asks) {
		q->any = true;
		q->end = said->end;
		q->m = *m;
	}
	return is_late;
}

/**
 * unanswered_hear() - check a new packet for being a request or an answer
 * @q: the table of requests
 * @flow: tuple of the packet; for an ICMP error, tuple of the packet that the ICMP error quotes
 * @own: tuple of the packet itself
 * @payload: for TCP, number of bytes after the TCP header
 * @m: numbers of the packet
 * @limit_ns: time limit for an answer
 * @late: set to the packet with the request if this packet is a late answer
 *
 * Context: any but NMI.
 *
 * Return: true if the packet is an answer that comes too late.
 */
bool unanswered_hear(struct unanswered *q, const struct tuple *flow, const struct tuple *own,
		     u32 payload, const struct match *m, u64 limit_ns, struct match *late)
{
	const struct said said = said_by(own, payload);
	const u32 place = m->flow % PLACES;
	struct question *question = &q->slots[place];
	unsigned long flags;
	bool is_late = false;

	/* Fragments after the first have no ports, so their flow is unknown. */
	if (!m->flow || !m->pkt || !own->transport_read || (!said.asks && !said.answers))
		return false;
	flags = notrace_lock(&locks, place);
	if ((question->flow != m->flow || (said.opens && said.end != question->end)) &&
	    tells_who_asks(flow))
		take_slot(question, m->flow, flow, &said);
	if (question->flow == m->flow)
		is_late = note_or_match(question, own, &said, m, limit_ns, late);
	notrace_unlock(&locks, place, flags);
	return is_late;
}

static bool is_old(const struct unanswered *q, u32 place, u64 now, u64 limit_ns, struct match *late)
{
	const struct question *question = &q->slots[place];
	const u64 asked = READ_ONCE(question->asked);
	unsigned long flags;
	bool is_late;

	if (!asked || asked > now || now - asked < limit_ns)
		return false;
	flags = notrace_lock(&locks, place);
	is_late = question->asked == asked;
	if (is_late)
		*late = question->m;
	notrace_unlock(&locks, place, flags);
	return is_late;
}

/**
 * unanswered_find_old() - find a request that was not answered within the time limit
 * @q: the table of requests
 * @limit_ns: time limit for an answer
 * @late: set to the packet with the request
 *
 * Return: true if there is such a request.
 */
bool unanswered_find_old(const struct unanswered *q, u64 limit_ns, struct match *late)
{
	const u64 now = ktime_get_mono_fast_ns();
	u32 place;

	for (place = 0; place < PLACES; place++)
		if (is_old(q, place, now, limit_ns, late))
			return true;
	return false;
}

/* Clear the table. No callback may use it now. */
void unanswered_forget_all(struct unanswered *q)
{
	memset(q, 0, sizeof(*q));
}

/* Return: an empty table, or NULL if memory is short. */
struct unanswered *unanswered_new(void)
{
	return vzalloc(sizeof(struct unanswered));
}

void unanswered_free(struct unanswered *q)
{
	vfree(q);
}
