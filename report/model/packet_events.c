// SPDX-License-Identifier: GPL-2.0
/* packet_events.c - collect the events of each packet and of its copies into one struct packet */
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "model/device_path.h"
#include "model/packet_copies.h"
#include "model/packet_waits.h"
#include "model/packet_headers.h"
#include "model/packet_store.h"
#include "model/programs.h"

/*
 * Return: the copy number, or 0 if the event has none. Older recordings have no copy numbers, and skbs that
 * the module does not track have none. A packet without copy numbers is treated as a single skb.
 */
static uint32_t known_number(uint32_t copy)
{
	return copy == RECORD_SKB_COPY_UNKNOWN ? 0 : copy;
}

static struct fate_function function_of(const struct name *name)
{
	return (struct fate_function){ .id = name, .facts = name ? name->facts : NULL };
}

static bool is_syn(const struct copy *copy)
{
	return (copy->tcp_flags_now & (TCP_SYN | TCP_ACK)) == TCP_SYN;
}

/* Return: true if the copy is a request, to which the kernel normally replies at once. */
static bool is_answered_at_once(const struct copy *copy)
{
	return is_syn(copy) || is_request(&copy->flow_now);
}

static struct fate_packet fate_packet(const struct packet *packet, const struct copy *copy)
{
	return (struct fate_packet){
		.payload = copy->payload_now,
		.tracked = copy->tracked,
		.asks = is_answered_at_once(copy),
		.answered = packet->answered,
		.for_socket = is_icmp_error(&copy->flow_now) ||
			      (is_syn(copy) && copy->payload_now > 0),
		.lacks_points = packet->lacks_points,
	};
}

/* The path of a packet */

/*
 * Return: true if the skb may be a retransmission. Each transmission by TCP, and each reception from a
 * device, uses a new skb with a new packet number. Copies have the number of their packet, so they are not
 * retransmissions. Untracked skbs get a new number at each probe point, so a retransmission cannot be
 * recognised.
 */
static bool may_be_again(const struct copy *copy, const struct packet_seen *seen)
{
	const struct flow *flow = &seen->event->flow;

	return !copy->streamed && !copy->number && copy->tracked && copy->payload_now >= 0 &&
	       flow->proto == PROTO_TCP && flow->sport && flow->dport;
}

/* Check for a retransmission at the first probe point where the headers are complete. */
static void see_segment(struct packets *packets, struct copy *copy, const struct packet_seen *seen)
{
	const struct segment segment = {
		.flow = &seen->event->flow,
		.netns = seen->facts.netns,
		.device = copy->dir == RECORD_SKB_DIR_RX && copy->path.n ?
				  copy->path.hops[0].device :
				  NO_DEVICE,
		.flags = seen->facts.tcp_flags,
		.seq = seen->facts.seq,
		.payload = copy->payload_now,
	};

	if (!may_be_again(copy, seen))
		return;
	copy->streamed = true;
	copy->again = tcp_coverage_add(packets->segments, &segment);
}

static void see_first(struct copy *copy, const struct moment *at, const struct packet_seen *seen)
{
	copy->seen = true;
	copy->first = at->ts;
	copy->skb = seen->event->skb;
	copy->tracked = seen->event->copy != RECORD_SKB_COPY_UNKNOWN;
	copy->flow = seen->event->flow;
	copy->dir = seen->event->dir;
	copy->payload = copy->payload_now = -1;
	copy->len = packet_len(seen);
	copy->tcp_flags = seen->facts.tcp_flags;
	copy->seq = seen->facts.seq;
	copy->ack = seen->facts.ack;
}

/*
 * Return: true if both flows were read from the same IP headers. A tunnel adds or removes outer headers, so
 * both ends of the flow change. NAT changes only one end at a time.
 */
static bool is_same_packet(const struct flow *one, const struct flow *other)
{
	return one->family == other->family && one->proto == other->proto &&
	       ((one->sport == other->sport &&
		 !memcmp(one->saddr, other->saddr, sizeof(one->saddr))) ||
		(one->dport == other->dport &&
		 !memcmp(one->daddr, other->daddr, sizeof(one->daddr))));
}

/*
 * Update the copy from its headers at this probe point. They may be the headers of a tunnel. They may also be
 * incomplete, because the first functions of the transmit path are called before the headers are written.
 */
static void see_headers(struct copy *copy, const struct packet_seen *seen)
{
	const struct flow *flow = &seen->event->flow;
	const int32_t payload =
		writes_len(seen) ? -1 : payload_len(flow, seen->facts.data, seen->facts.data_len);

	if (flow->proto == PROTO_SCTP)
		copy->payload_now = sctp_data_len(flow, seen->facts.data, seen->facts.data_len);
	else if (payload >= 0 || flow->proto != copy->flow_now.proto)
		copy->payload_now = payload;
	copy->tcp_flags_now = seen->facts.tcp_flags;
	copy->flow_now = *flow;
	if (!copy->message && !writes_len(seen) && is_same_packet(flow, &copy->flow))
		copy->message = message_of(flow, seen->facts.data, seen->facts.data_len);
	/* The report shows the flow at the first probe point, so take only the length of this flow. */
	if (copy->payload < 0 && payload >= 0 && is_same_packet(flow, &copy->flow)) {
		copy->payload = payload;
		copy->len = packet_len(seen);
	}
}

/*
 * Detect a reply. A new outgoing packet is a reply if the task is processing an incoming packet at this time.
 * In addition, the addresses of both packets must be the same in reverse order.
 */
static void see_answer(struct packets *packets, const struct packet_seen *seen)
{
	struct packet *asked = seen->within ? packets_find_open(packets, seen->within) : NULL;
	struct packet *reply = packets_find_open(packets, seen->event->pkt);

	/*
	 * Do nothing if the reply or its segments were seen before. A large reply is split into segments, and
	 * these are known before the reply itself is seen.
	 */
	if (!asked || seen->event->dir != RECORD_SKB_DIR_TX || (reply && reply->first))
		return;
	for (unsigned int i = 0; i < asked->nr_copies; i++) {
		const struct copy *copy = asked->copies[i];

		asked->answered |= !copy->fate.goes_out &&
				   is_answer(&seen->event->flow, &copy->flow_now);
	}
}

/* Decisions about the path of a packet */

/*
 * Return: the decisions that were made for the socket call of the task; NULL if there are none. If @add is
 * true, the function adds an empty list if there is none. In a softirq, it always returns NULL.
 */
static struct decisions *lookups_of(struct packets *packets, const struct moment *at, bool add)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct decisions *lookups = at->softirq ? NULL : table_find(&packets->lookups, key);

	if (!lookups && add && !at->softirq)
		lookups = table_add(&packets->lookups, key, calloc(1, sizeof(*lookups)));
	return lookups;
}

/* Give the packet the decisions of its socket call, which looks up the route before it creates the packet. */
static void take_lookups(struct packets *packets, struct copy *copy, const struct moment *at)
{
	struct decisions *lookups = lookups_of(packets, at, false);

	if (lookups && copy->dir == RECORD_SKB_DIR_TX && !copy->number)
		decisions_take(&copy->path.decisions, lookups, true);
}

static void packets_handle_decision(void *data, const struct moment *at,
				    const struct packet_decided *decided)
{
	struct decision decision = {
		.facts = decided->facts,
		.at = at->ts,
		.by = decided->by,
		.socket = decided->socket,
	};
	struct packets *packets = data;
	struct decisions *lookups;
	struct packet *packet;
	struct copy *copy;

	if (!decided->pkt) {
		lookups = lookups_of(packets, at, true);
		if (lookups)
			decisions_add(lookups, &decision);
		return;
	}
	packet = packets_find_open(packets, decided->pkt);
	copy = packet ? copies_find(packet, known_number(decided->copy)) : NULL;
	if (!copy || !copy->seen)
		return;
	decision.hop = path_end_of_host(&copy->path, at->hosts_before);
	decision.is_reverse = decision_is_reverse(&decided->facts, &copy->flow_now);
	decisions_add(&copy->path.decisions, &decision);
	/* The event has no drop reason. Use the reason that newer kernels give for such drops. */
	if (decision_is_tap_loss(&decided->facts) && fate_tap_lost(&copy->fate))
		copy->outcome.reason = "PACKET_SOCK_ERROR";
}

/*
 * When a socket call begins or returns, forget earlier route lookups of the task. They belong to a call that
 * has ended, although its return event may be lost.
 */
static void packets_handle_call(void *data, const struct moment *at, const struct skb_event *event)
{
	struct decisions *lookups = lookups_of(data, at, false);

	(void)event;
	if (lookups)
		decisions_free(lookups);
}

/* Note how the connection and the addresses of the copy have changed since its last probe point. */
static void see_decisions(struct packets *packets, struct copy *copy, const struct moment *at,
			  const struct packet_seen *seen)
{
	const struct flow *flow = &seen->event->flow;
	struct decision decision = { .at = at->ts, .by = seen->point, .hop = copy->path.n };
	const struct translation translation = {
		.flow_number = seen->event->flow_number,
		.netns = seen->facts.netns,
		.device = devices_add(packets->devices, seen->facts.dev, seen->facts.netns),
		.point = seen->point,
		.before = copy->flow,
		.now = *flow,
	};

	connection_see(&copy->connection, &seen->facts, &decision, &copy->path.decisions);
	/*
	 * New addresses do not always mean NAT. A tunnel changes both ends, and the first functions of TCP
	 * run before the headers are written.
	 */
	if (!copy->flow_now.family || !is_same_packet(flow, &copy->flow))
		return;
	if (is_same_packet(flow, &copy->flow_now) && !is_same_flow(flow, &copy->flow_now))
		decisions_add_translation(&copy->path.decisions, &decision, &copy->flow_now, flow,
					  seen->facts.ct_status);
	if (!copy->number && translation.flow_number)
		translations_see(packets->translations, &translation, &decision,
				 &copy->path.decisions);
}

static void packets_handle_probe(void *data, const struct moment *at,
				 const struct packet_seen *seen)
{
	const struct fate_function point = function_of(seen->point);
	struct packets *packets = data;
	struct packet *packet;
	struct copy *copy;

	see_answer(packets, seen);
	packet = packets_find_or_add(packets, seen->event->pkt);
	copy = packet ? copies_find_or_add(packet, known_number(seen->event->copy)) : NULL;
	if (!copy)
		return;
	if (!packet->first) {
		packet->first = at->ts;
		packet->first_host = hosts_of_cpu(at->cpu);
		packet->incomplete |= seen->facts.seen_before;
	}
	if (!copy->seen) {
		see_first(copy, at, seen);
		take_lookups(packets, copy, at);
	}
	if (!packet->flow_number)
		packet->flow_number = seen->event->flow_number;
	packet->incomplete |= !seen->placed;
	packet->announced += seen->event->how != RECORD_SKB_HOW_HIDDEN;
	packet->lacks_points |= seen->facts.lacks_points;
	packet_see_last(packet, at);
	copy->last = at->ts;
	/*
	 * The clocks of two hosts differ a little. If the next host has already seen the copy, this row shows
	 * an earlier state of the copy, so take only the device from it.
	 */
	if (at->hosts_before < copy->hosts_before) {
		device_path_add(packets->devices, packets->frames, copy, at, seen);
		return;
	}
	copy->hosts_before = at->hosts_before;
	see_decisions(packets, copy, at, seen);
	see_headers(copy, seen);
	copy->outcome.host = hosts_of_cpu(at->cpu);
	copy->programs.n_passed = copy->programs.n;
	device_path_add(packets->devices, packets->frames, copy, at, seen);
	see_segment(packets, copy, seen);
	fate_seen(&copy->fate, &point, seen->event->dir);
}

/* The end of a packet */

static void packets_handle_drop(void *data, const struct moment *at,
				const struct packet_dropped *dropped)
{
	const struct fate_function place = function_of(dropped->place);
	struct packets *packets = data;
	struct packet *packet = packets_find_open(packets, dropped->event->pkt);
	struct copy *copy = packet ? copies_find(packet, known_number(dropped->event->copy)) : NULL;
	const struct program_facts *program;
	struct fate_packet about;

	if (!copy)
		return;
	packet->told = at->ts;
	copy->outcome.host = hosts_of_cpu(at->cpu);
	about = fate_packet(packet, copy);
	/* If this is a second event about the same drop, keep the program that the first event has found. */
	if (copy->fate.ended && !strcmp(copy->outcome.reason, dropped->facts.why))
		program = copy->outcome.program;
	else
		program = programs_dropping(&copy->programs, dropped->facts.why);
	if (fate_dropped(&copy->fate, &place, dropped->says_why || program, dropped->at_work,
			 &about)) {
		packet_see_last(packet, at);
		copy->last = at->ts;
		copy->outcome.reason = packets_keep_reason(packets, dropped->facts.why);
		copy->outcome.program = program;
	}
}

/*
 * Handle the last event of a frame that never had an skb. Either an XDP program has dropped the frame, or the
 * driver sends the frame out again.
 */
static void end_frame(const struct packet *packet, struct copy *copy)
{
	const struct fate_packet about = fate_packet(packet, copy);

	copy->outcome.program = copy->programs.n ? &copy->programs.v[copy->programs.n - 1] : NULL;
	if (programs_dropping(&copy->programs, ""))
		fate_dropped(&copy->fate, &copy->fate.at, true, true, &about);
	copy->fate.ended = true;
}

static void packets_handle_program(void *data, const struct moment *at,
				   const struct packet_program *run)
{
	struct packet *packet = run->pkt ? packets_find_or_add(data, run->pkt) : NULL;
	struct copy *copy = packet ? copies_find_or_add(packet, known_number(run->copy)) : NULL;

	if (!copy || copy->fate.ended)
		return;
	packet->told = at->ts;
	programs_add(&copy->programs, &run->facts);
	if (run->event->pkt && !run->event->skb)
		end_frame(packet, copy);
}

static void packets_handle_limit(void *data, const struct moment *at,
				 const struct packet_limited *limited)
{
	struct packet *packet = packets_find_open(data, limited->event->pkt);
	struct copy *copy = packet ? copies_find(packet, known_number(limited->event->copy)) : NULL;

	(void)at;
	if (copy)
		copy->outcome.limit = limited->facts;
}

static void packets_handle_copy(void *data, const struct moment *at, const struct skb_event *event)
{
	struct packet *packet = packets_find_or_add(data, event->pkt);

	if (!packet)
		return;
	packet->told = at->ts;
	copies_made(packet, event);
}

static void packets_handle_end(void *data, const struct moment *at,
			       const struct packet_ended *ended)
{
	struct packet *packet = packets_find_open(data, ended->event->pkt);
	struct copy *copy = packet ? copies_find(packet, known_number(ended->event->copy)) : NULL;
	const struct copy *from;
	struct fate_packet about;

	if (!copy)
		return;
	packet->told = at->ts;
	about = fate_packet(packet, copy);
	/*
	 * If a copy reached no probe point, use the headers of the skb from which the copy was made: they are
	 * the same.
	 */
	from = copy->seen ? NULL : copies_find(packet, copy->from);
	if (from)
		about.for_socket = fate_packet(packet, from).for_socket;
	fate_ended(&copy->fate, ended->at_work, &about);
}

static void packets_handle_missed(void *data, const struct moment *at,
				  const struct skb_event *event, unsigned int to)
{
	struct packet *packet = packets_find_open(data, event->pkt);
	struct copy *copy = packet ? copies_find(packet, known_number(event->copy)) : NULL;

	(void)at;
	if (!copy)
		return;
	copy->missed = true;
	copy->outcome.missed_at = to;
}

/*
 * Return: the copy to which the return event belongs; NULL if it is not found. If the event has no copy
 * number, find the copy by the address of the skb. If the event has no address either, use the newest copy
 * that was seen last at this function.
 */
static struct copy *copy_of_return(const struct packet *packet, const struct function_left *left)
{
	const struct skb_event *event = left->event;

	if (event->copy != RECORD_SKB_COPY_UNKNOWN)
		return copies_find(packet, event->copy);
	for (unsigned int i = packet->nr_copies; i > 0; i--) {
		struct copy *copy = packet->copies[i - 1];

		if (event->skb ? copy->skb == event->skb : copy->fate.at.id == left->name)
			return copy;
	}
	return NULL;
}

static void packets_handle_return(void *data, const struct moment *at,
				  const struct function_left *left)
{
	const struct fate_function function = function_of(left->name);
	struct packet *packet = packets_find_open(data, left->event->pkt);
	struct copy *copy = packet ? copy_of_return(packet, left) : NULL;
	struct fate_packet about;

	(void)at;
	if (!copy)
		return;
	about = fate_packet(packet, copy);
	fate_left(&copy->fate, &function, &left->event->ret, &about);
}

static void point_left(struct packet *packet, const struct function *function)
{
	const struct fate_function left = function_of(function->name);
	struct copy *copy = copies_find(packet, known_number(function->copy));
	struct fate_packet about;

	if (!copy)
		return;
	about = fate_packet(packet, copy);
	fate_left(&copy->fate, &left, NULL, &about);
	for (unsigned int i = 0; copy->fate.copied && i < packet->nr_copies; i++) {
		struct copy *made = packet->copies[i];

		if (made->number && made->from == copy->number)
			fate_maker_left(&made->fate, &left, &about);
	}
}

/* The times of a packet */

static void packets_handle_entry(void *data, const struct moment *at,
				 const struct function *function)
{
	struct packet *packet = function->pkt ? packets_find_open(data, function->pkt) : NULL;

	if (!packet)
		return;
	if (function->starts)
		packet_begin_graph(packet, at);
	packet_see_last(packet, at);
	packet->entered += function->point;
	if (function->name->gate)
		return;
	packet->calls++;
}

static void packets_handle_exit(void *data, const struct moment *at,
				const struct function *function)
{
	struct packet *packet = function->pkt ? packets_find_open(data, function->pkt) : NULL;

	if (!packet)
		return;
	packet_see_last(packet, at);
	if (function->starts)
		packet_end_graph(packet, at);
	if (function->point)
		point_left(packet, function);
	if (function->name->gate)
		return;
	packet->stack_ns += function->self;
	if (!packet->slowest || function->self > packet->slowest_ns) {
		packet->slowest = function->name;
		packet->slowest_ns = function->self;
		packet->slowest_waited = function->waited;
	}
}

static void packets_handle_abandoned(void *data, const struct moment *at,
				     const struct function *function)
{
	struct packet *packet = function->pkt ? packets_find_open(data, function->pkt) : NULL;

	if (!packet)
		return;
	packet->incomplete |= function->lost;
	if (function->starts)
		packet_end_graph(packet, at);
}

static void packets_handle_loss(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	struct packets *packets = data;
	struct loss loss = { .cpu = at->cpu, .from = from, .to = at->ts, .count = count };

	lost_events_add(&packets->losses, &loss);
}

static void packets_handle_missing(void *data, const struct moment *at,
				   const struct calls_missing *calls)
{
	struct packets *packets = data;
	struct packet *packet = calls->pkt ? packets_find_open(packets, calls->pkt) : NULL;
	const struct missing missing = {
		.cpu = at->cpu,
		.from = calls->from,
		.to = at->ts,
		.calls = calls->calls,
		.pkt = calls->pkt,
	};

	if (packet)
		packet->incomplete = true;
	if (calls->again)
		return;
	lost_events_add_missing(&packets->losses, &missing);
	if (packet)
		packet->missing += calls->calls;
}

/*
 * Note a loss on all CPUs before this moment, because another process consumed rows. Let the loss begin at
 * the time 1: a loss that begins at 0 counts as the overwritten part of a ring.
 */
static void packets_handle_other_reader(void *data, const struct moment *at)
{
	struct packets *packets = data;
	struct loss loss = { .cpu = -1, .from = 1, .to = at->ts };

	lost_events_add(&packets->losses, &loss);
}

const struct observer packets_observer = {
	.decided = packets_handle_decision,
	.called = packets_handle_call,
	.call_returned = packets_handle_call,
	.packet = packets_handle_probe,
	.dropped = packets_handle_drop,
	.limited = packets_handle_limit,
	.program = packets_handle_program,
	.copied = packets_handle_copy,
	.ended = packets_handle_end,
	.missed = packets_handle_missed,
	.returned = packets_handle_return,
	.entered = packets_handle_entry,
	.left = packets_handle_exit,
	.abandoned = packets_handle_abandoned,
	.missing = packets_handle_missing,
	.lost = packets_handle_loss,
	.read_by_others = packets_handle_other_reader,
};
