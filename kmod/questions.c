// SPDX-License-Identifier: GPL-2.0
/*
 * questions.c - of each flow, the packet that its other end has not answered yet
 *
 * One end of a flow asks: who sent a SYN. Where none was seen, who has a port of those that are for
 * connecting, if the other end has none of them. Else whoever was seen first, but not of TCP, where that may
 * be in the middle of a connection. What asks is a SYN, data, or an ICMP echo request, and all data that is
 * new is asked again: an answer may need the last of it. Whatever the other end says is an answer to all that
 * was asked before, but for acknowledgements of TCP alone. So is an ICMP error about it.
 *
 * By the flow's number, and the newest of two flows in one place: numbers are given in turn, so it is the
 * newest flows that are known.
 */
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>
#include <net/tcp.h>

#include "hidden-lock.h"
#include "questions.h"
#include "recording.h"
#include "stats.h"
#include "track.h"
#include "tuple.h"

#define PLACES 8192
/* From here on ports are for connecting, by default (ip_local_port_range). */
#define CONNECTS_FROM 32768

/*
 * struct question - what a flow's one end waits for
 * @flow: its number, 0 if there is none here
 * @end: of TCP, the sequence number behind all that was asked
 * @asked: when, in nanoseconds; 0 if nothing is, or all is answered
 * @asker: who asks: address and port
 * @port: of @asker
 * @any: it has asked before: @end is set
 * @m: the packet
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

struct questions {
	struct question of[PLACES];
};

static struct hidden_locks locks = HIDDEN_LOCKS;

/*
 * struct said - what a packet says to the other end
 * @opens: that a connection begins
 * @asks: if it is who asks, this is a question
 * @answers: if it is not, this is an answer
 * @end: of TCP, the sequence number behind it
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

/* With its place locked: a flow comes, or begins anew. */
static void take(struct question *q, u32 flow, const struct tuple *t, const struct said *said)
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

/* With its place locked. Return: whether what was asked has waited for too long. */
static bool hear(struct question *q, const struct tuple *t, const struct said *said,
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
 * questions_hear() - a packet is seen for the first time
 * @q: what is waited for
 * @flow: its flow's tuple: its own, or of what it quotes
 * @own: its own
 * @payload: of TCP, the bytes behind its header
 * @m: its numbers
 * @limit_ns: how long an answer may take
 * @late: set to what was asked, if this is the answer and comes later
 *
 * Any context but NMI.
 *
 * Return: whether it does.
 */
bool questions_hear(struct questions *q, const struct tuple *flow, const struct tuple *own,
		    u32 payload, const struct match *m, u64 limit_ns, struct match *late)
{
	const struct said said = said_by(own, payload);
	const u32 place = m->flow % PLACES;
	struct question *question = &q->of[place];
	unsigned long flags;
	bool is_late = false;

	/* Of a later fragment it is not known whose it is. */
	if (!m->flow || !m->pkt || !own->transport_read || (!said.asks && !said.answers))
		return false;
	flags = hidden_lock(&locks, place);
	if ((question->flow != m->flow || (said.opens && said.end != question->end)) &&
	    tells_who_asks(flow))
		take(question, m->flow, flow, &said);
	if (question->flow == m->flow)
		is_late = hear(question, own, &said, m, limit_ns, late);
	hidden_unlock(&locks, place, flags);
	return is_late;
}

static bool is_old(const struct questions *q, u32 place, u64 now, u64 limit_ns, struct match *late)
{
	const struct question *question = &q->of[place];
	const u64 asked = READ_ONCE(question->asked);
	unsigned long flags;
	bool is_late;

	if (!asked || asked > now || now - asked < limit_ns)
		return false;
	flags = hidden_lock(&locks, place);
	is_late = question->asked == asked;
	if (is_late)
		*late = question->m;
	hidden_unlock(&locks, place, flags);
	return is_late;
}

/**
 * questions_find_old() - look for one that has waited for too long
 * @q: what is waited for
 * @limit_ns: how long an answer may take
 * @late: set to it
 */
bool questions_find_old(const struct questions *q, u64 limit_ns, struct match *late)
{
	const u64 now = ktime_get_mono_fast_ns();
	u32 place;

	for (place = 0; place < PLACES; place++)
		if (is_old(q, place, now, limit_ns, late))
			return true;
	return false;
}

/* While nobody hears. */
void questions_forget_all(struct questions *q)
{
	memset(q, 0, sizeof(*q));
}

/* NULL if there is no memory. */
struct questions *questions_new(void)
{
	return vzalloc(sizeof(struct questions));
}

void questions_free(struct questions *q)
{
	vfree(q);
}
