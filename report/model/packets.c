// SPDX-License-Identifier: GPL-2.0
/* packets.c - collect the events of each packet and of its copies into one struct packet */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "model/packet_copies.h"
#include "model/device_path.h"
#include "model/packet_headers.h"
#include "model/packets.h"
#include "model/tcp_coverage.h"
#include "hash_table.h"

/* Number of packets kept in memory; must be a power of two. */
#ifndef MAX_PACKETS
#define MAX_PACKETS 131072
#endif

/*
 * While a recording runs, a packet is passed to the output when it has had no event for this time:
 * SETTLED_NS if the packet has ended, PATIENCE_NS otherwise.
 */
#define SETTLED_NS  10000000ull
#define PATIENCE_NS 5000000000ull
/* No packet stays in memory for this long, so losses that are older than this are forgotten. */
#define FORGOTTEN_NS (4 * PATIENCE_NS)

/*
 * Time to wait for the first event of a packet number, or for the return event of a function without a graph.
 * The module writes these events within microseconds, so an event that is missing after this time was lost.
 */
#define LATE_NS 1000000000ull

/*
 * An open packet that was removed from the ring to make room for a newer one. @packet is NULL after the
 * packet was passed to the output.
 */
struct old_packet {
	struct packet *packet;
};

struct packets {
	const struct output *output;
	void *output_data;
	struct captured_frames *frames; /* NULL if no frames are needed */
	struct packet **ring;		/* indexed by packet number modulo MAX_PACKETS */
	struct devices *devices;
	struct lost_events losses;
	struct tcp_coverage *segments;
	uint64_t incomplete;
	uint32_t highest; /* highest packet number seen */
	uint64_t shown;
	/*
	 * Used only if packets are passed to the output before the end of the file. @gone has the numbers of
	 * the packets that were passed on, indexed by number modulo MAX_PACKETS. @first is the lowest number
	 * that was not passed on yet.
	 */
	uint32_t *gone;
	uint32_t first;
	/* packets are passed on in the order of their numbers, after their last change */
	bool in_order;
	struct table
		old; /* struct old_packet: open packets followed by MAX_PACKETS newer ones, by number */
};

struct packets *packets_new(const struct output *output, void *data, struct captured_frames *frames)
{
	struct packets *packets = calloc(1, sizeof(*packets));

	if (!packets)
		return NULL;
	packets->output = output;
	packets->output_data = data;
	packets->frames = frames;
	packets->ring = calloc(MAX_PACKETS, sizeof(*packets->ring));
	packets->devices = devices_new();
	packets->segments = tcp_coverage_new();
	if (!packets->ring || !packets->devices || !packets->segments) {
		packets_free(packets);
		return NULL;
	}
	return packets;
}

static void free_packet(struct packet *packet)
{
	if (!packet)
		return;
	copies_free(packet);
	free(packet);
}

void packets_free(struct packets *packets)
{
	struct old_packet *old;
	size_t at = 0;

	if (!packets)
		return;
	for (size_t i = 0; packets->ring && i < MAX_PACKETS; i++)
		free_packet(packets->ring[i]);
	while ((old = table_next(&packets->old, &at)))
		free_packet(old->packet);
	table_free(&packets->old);
	free(packets->ring);
	free(packets->gone);
	devices_free(packets->devices);
	tcp_coverage_free(packets->segments);
	lost_events_free(&packets->losses);
	free(packets);
}

void packets_set_netns_names(struct packets *packets, const struct netns_names *names)
{
	devices_set_netns_names(packets->devices, names);
}

const struct devices *packets_devices(const struct packets *packets)
{
	return packets->devices;
}

const struct lost_events *packets_losses(const struct packets *packets)
{
	return &packets->losses;
}

uint64_t packets_incomplete(const struct packets *packets)
{
	return packets->incomplete;
}

uint64_t packets_missing(const struct packets *packets)
{
	return packets->highest > packets->shown ? packets->highest - packets->shown : 0;
}

/*
 * Return: true if rows were lost during the life of the packet. If the packet has no end event, its life
 * lasts until the end of the recording.
 */
static bool loses_rows(const struct lost_events *losses, const struct packet *packet)
{
	uint64_t until = packet->last > packet->told ? packet->last : packet->told;

	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (!packet->copies[i]->fate.ended)
			until = UINT64_MAX;
	}
	return lost_events_touch(losses, packet->first, until);
}

/*
 * Return: true if the function_graph entry of a probe point was lost. An entry can also be missing because
 * the user excluded the function. So an entry counts as lost only if function_graph reported missing calls.
 */
static bool lacks_lines(const struct lost_events *losses, const struct packet *packet)
{
	return packet->announced > packet->entered &&
	       lost_events_lack_calls(losses, packet->first,
				      packet->last > packet->told ? packet->last : packet->told);
}

static void finish_packet(struct packets *packets, struct packet *packet)
{
	packet->incomplete |= loses_rows(&packets->losses, packet) ||
			      lacks_lines(&packets->losses, packet);
	copies_judge(packet);
	/* Do not output a packet that was not seen at any probe point: there is nothing to show. */
	if (packet->nr_copies && packet->first) {
		packets->incomplete += packet->incomplete;
		packets->shown++;
		packets->output->packet(packets->output_data, packet);
	}
	free_packet(packet);
}

static struct table_key number_key(uint32_t number)
{
	return (struct table_key){ .number = number };
}

static struct packet *find_packet(struct packets *packets, uint32_t number)
{
	struct packet *packet = packets->ring[number % MAX_PACKETS];
	const struct old_packet *old;

	if (packet && packet->number == number)
		return packet;
	old = packets->old.nr ? table_find(&packets->old, number_key(number)) : NULL;
	return old ? old->packet : NULL;
}

bool packets_is_gone(const struct packets *packets, uint32_t number)
{
	return packets->gone && packets->gone[number % MAX_PACKETS] == number;
}

/* Return: true if a later event may still change the packet, because one of its skbs was not freed yet. */
static bool is_open(const struct packet *packet)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (packet->copies[i]->tracked && !packet->copies[i]->fate.ended)
			return true;
	}
	return packet->open_graphs;
}

/*
 * Free a slot of the ring for a newer packet. If packets are passed on in order, a packet that is still open
 * moves to the table @old.
 */
static void clear_slot(struct packets *packets, struct packet **slot)
{
	struct old_packet *old;

	if (packets->in_order && is_open(*slot)) {
		old = table_add(&packets->old, number_key((*slot)->number),
				calloc(1, sizeof(*old)));
		if (old) {
			old->packet = *slot;
			*slot = NULL;
			return;
		}
	}
	finish_packet(packets, *slot);
	*slot = NULL;
}

static struct packet *find_or_add(struct packets *packets, uint32_t number)
{
	struct packet **slot = &packets->ring[number % MAX_PACKETS], *packet;

	if (packets_is_gone(packets, number))
		return NULL;
	packet = find_packet(packets, number);
	if (packet)
		return packet;
	/* If MAX_PACKETS newer packets have followed, this packet was already passed to the output. */
	if ((*slot && (*slot)->number > number) ||
	    (packets->in_order && number < packets->highest &&
	     packets->highest - number >= MAX_PACKETS))
		return NULL;
	if (*slot)
		clear_slot(packets, slot);
	*slot = calloc(1, sizeof(**slot));
	if (!*slot)
		return NULL;
	(*slot)->number = number;
	if (number > packets->highest)
		packets->highest = number;
	return *slot;
}

const struct packet *packets_find(const struct packets *packets, uint32_t number)
{
	return find_packet((struct packets *)packets, number);
}

bool packets_come_live(struct packets *packets)
{
	packets->gone = calloc(MAX_PACKETS, sizeof(*packets->gone));
	packets->first = 1;
	return packets->gone;
}

static bool is_idle(const void *thing)
{
	return !((const struct old_packet *)thing)->packet;
}

bool packets_come_in_order(struct packets *packets)
{
	packets->in_order = packets_come_live(packets);
	packets->old.idle = is_idle;
	return packets->in_order;
}

static bool has_ended(const struct packet *packet)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (!packet->copies[i]->fate.ended)
			return false;
	}
	return !packet->open_graphs && packet->nr_copies;
}

/*
 * Return: true if no more rows of the packet are expected. Rows of its call graph can still follow after the
 * end of a packet, so wait for some time after its last row.
 */
static bool can_be_handed_on(const struct packet *packet, uint64_t now)
{
	const uint64_t since = packet->last > packet->first ? packet->last : packet->first;

	return packet->first && now > since + (has_ended(packet) ? SETTLED_NS : PATIENCE_NS);
}

static void hand_on(struct packets *packets, uint32_t number)
{
	struct packet **slot = &packets->ring[number % MAX_PACKETS];

	finish_packet(packets, *slot);
	*slot = NULL;
	packets->gone[number % MAX_PACKETS] = number;
}

void packets_hand_on(struct packets *packets, uint64_t now)
{
	bool all = true;

	if (packets->highest >= packets->first + MAX_PACKETS)
		packets->first = packets->highest - MAX_PACKETS + 1;
	for (uint32_t number = packets->first; number <= packets->highest; number++) {
		struct packet *packet = find_packet(packets, number);

		if (packet && can_be_handed_on(packet, now)) {
			hand_on(packets, number);
			packet = NULL;
		}
		/* The next rows may still contain a packet with this number. */
		all &= !packet && packets_is_gone(packets, number);
		packets->first += all;
	}
	lost_events_forget(&packets->losses, now > FORGOTTEN_NS ? now - FORGOTTEN_NS : 0);
}

/* Return: time of the last event of the packet. */
static uint64_t end_of(const struct packet *packet)
{
	const uint64_t last = packet->last > packet->first ? packet->last : packet->first;

	return packet->told > last ? packet->told : last;
}

/*
 * Return: true if none of the rows that are still to be read can change the packet. Its skbs have been
 * freed, and its call graphs have ended. Losses and missing calls that are found later begin after its end.
 * If a probe point has no graph entry, there is no exit row, and a return event may still follow. Then the
 * packet is final after LATE_NS.
 */
static bool is_final(const struct packet *packet, const struct read_state *state)
{
	const bool lacks_entries = packet->announced > packet->entered;
	const uint64_t end = end_of(packet);

	if (!has_ended(packet) || state->now <= end + (lacks_entries ? LATE_NS : SETTLED_NS))
		return false;
	/* Rows that are lost after this can only make the packet incomplete. */
	return packet->incomplete ||
	       (end < state->losses_from && (!lacks_entries || end < state->calls_from));
}

/*
 * Return: the lowest number of a packet in memory; 0 without one, or if a packet with a lower number
 * may still follow.
 */
static uint32_t next_number(const struct packets *packets, const struct read_state *state)
{
	uint32_t number = packets->first;
	const struct packet *packet;

	while (number <= packets->highest && packets_is_gone(packets, number))
		number++;
	packet = packets->ring[number % MAX_PACKETS];
	if (packet && packet->number == number)
		return number;
	for (; number <= packets->highest; number++) {
		packet = packets->ring[number % MAX_PACKETS];
		if (packet && packet->number == number)
			return state->now > end_of(packet) + LATE_NS ? number : 0;
	}
	return 0;
}

static void pass_old_packets(struct packets *packets, const struct read_state *state)
{
	struct old_packet *old;
	size_t i = 0;

	while (packets->old.nr && (old = table_next(&packets->old, &i))) {
		if (!old->packet || !is_final(old->packet, state))
			continue;
		finish_packet(packets, old->packet);
		old->packet = NULL;
	}
}

void packets_pass_final(struct packets *packets, const struct read_state *state)
{
	uint32_t number;

	if (packets->highest >= MAX_PACKETS && packets->first <= packets->highest - MAX_PACKETS)
		packets->first = packets->highest - MAX_PACKETS + 1;
	pass_old_packets(packets, state);
	while ((number = next_number(packets, state))) {
		packets->first = number;
		if (!is_final(packets->ring[number % MAX_PACKETS], state))
			return;
		hand_on(packets, number);
		packets->first++;
	}
}

bool packets_is_final(const struct packets *packets, uint32_t number,
		      const struct read_state *state)
{
	const struct packet *packet = packets_find(packets, number);

	return packet ? is_final(packet, state) : packets_is_gone(packets, number);
}

bool packets_has_before(const struct packets *packets, uint64_t ts)
{
	const struct packet *packet;
	struct old_packet *old;
	size_t i = 0;

	while ((old = table_next(&packets->old, &i))) {
		if (old->packet && old->packet->first <= ts)
			return true;
	}
	for (uint32_t number = packets->first; number && number <= packets->highest; number++) {
		packet = packets->ring[number % MAX_PACKETS];
		if (packet && packet->number == number && packet->first <= ts)
			return true;
	}
	return false;
}

void packets_choose(struct packets *packets, uint32_t number)
{
	struct packet *packet = find_packet(packets, number);

	if (packet)
		packet->chosen = true;
}

static int by_number(const void *a, const void *b)
{
	const struct packet *const *x = a, *const *y = b;

	return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

static int by_number_of_old(const void *a, const void *b)
{
	const struct old_packet *const *x = a, *const *y = b;

	return by_number(&(*x)->packet, &(*y)->packet);
}

/* Pass the open packets that were removed from the ring to the output. */
static void end_old_packets(struct packets *packets)
{
	struct old_packet **sorted = calloc(packets->old.nr + 1, sizeof(*sorted)), *old;
	size_t i = 0, n = 0;

	while ((old = table_next(&packets->old, &i))) {
		if (old->packet && sorted)
			sorted[n++] = old;
	}
	if (n)
		qsort(sorted, n, sizeof(*sorted), by_number_of_old);
	for (i = 0; i < n; i++) {
		finish_packet(packets, sorted[i]->packet);
		sorted[i]->packet = NULL;
	}
	free(sorted);
}

void packets_end(struct packets *packets)
{
	size_t n = 0;

	for (size_t i = 0; i < MAX_PACKETS; i++) {
		struct packet *packet = packets->ring[i];

		packets->ring[i] = NULL;
		if (packet)
			packets->ring[n++] = packet;
	}
	end_old_packets(packets);
	qsort(packets->ring, n, sizeof(*packets->ring), by_number);
	for (size_t i = 0; i < n; i++) {
		finish_packet(packets, packets->ring[i]);
		packets->ring[i] = NULL;
	}
}

/*
 * Return: the copy number to use. Older recordings have no copy numbers, and skbs that the module does not
 * track have none, either. Such a packet is treated as a single skb.
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

/* Return: true if the copy is a request to which the kernel normally replies at once. */
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
 * retransmissions. Untracked skbs get a new number at each probe point, so it is not known if they are
 * retransmissions.
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
		.device = copy->dir == RECORD_SKB_DIR_RX && copy->path.n ? copy->path.hops[0] :
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
 * Update the copy from its headers at this probe point. These may be the headers of a tunnel. The first
 * functions of the transmit path are called before the headers are written.
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
	/*
	 * The report shows the flow at the first probe point. So take the length only from headers of the
	 * same flow.
	 */
	if (copy->payload < 0 && payload >= 0 && is_same_packet(flow, &copy->flow)) {
		copy->payload = payload;
		copy->len = packet_len(seen);
	}
}

/*
 * Detect a reply. A new outgoing packet is a reply if the task is processing an incoming packet with the
 * same addresses in reverse order.
 */
static void see_answer(struct packets *packets, const struct packet_seen *seen)
{
	struct packet *asked = seen->within ? find_packet(packets, seen->within) : NULL;
	struct packet *reply = find_packet(packets, seen->event->pkt);

	/*
	 * Do nothing if the reply was seen before, or if its segments were: a large reply is split, and the
	 * segments are known before the reply itself is seen.
	 */
	if (!asked || seen->event->dir != RECORD_SKB_DIR_TX || (reply && reply->first))
		return;
	for (unsigned int i = 0; i < asked->nr_copies; i++) {
		const struct copy *copy = asked->copies[i];

		asked->answered |= !copy->fate.goes_out &&
				   is_answer(&seen->event->flow, &copy->flow_now);
	}
}

static void packets_handle_probe(void *data, const struct moment *at,
				 const struct packet_seen *seen)
{
	const struct fate_function point = function_of(seen->point);
	struct packets *packets = data;
	struct packet *packet;
	struct copy *copy;

	see_answer(packets, seen);
	packet = find_or_add(packets, seen->event->pkt);
	copy = packet ? copies_find_or_add(packet, known_number(seen->event->copy)) : NULL;
	if (!copy)
		return;
	if (!packet->first) {
		packet->first = at->ts;
		packet->incomplete |= seen->facts.seen_before;
	}
	if (!copy->seen)
		see_first(copy, at, seen);
	see_headers(copy, seen);
	if (!packet->flow_number)
		packet->flow_number = seen->event->flow_number;
	packet->incomplete |= !seen->placed;
	packet->announced += seen->event->how != RECORD_SKB_HOW_HIDDEN;
	packet->lacks_points |= seen->facts.lacks_points;
	packet->last = copy->last = at->ts;
	copy->outcome.host = hosts_of_cpu(at->cpu);
	copy->programs.is_last = false;
	device_path_add(packets->devices, packets->frames, copy, at, seen);
	see_segment(packets, copy, seen);
	fate_seen(&copy->fate, &point, seen->event->dir);
}

/* The end of a packet */

static void packets_handle_drop(void *data, const struct moment *at,
				const struct packet_dropped *dropped)
{
	const struct fate_function place = function_of(dropped->place);
	struct packet *packet = find_packet(data, dropped->event->pkt);
	struct copy *copy = packet ? copies_find(packet, known_number(dropped->event->copy)) : NULL;
	const struct program_facts *program;
	struct fate_packet about;

	if (!copy)
		return;
	packet->told = at->ts;
	copy->outcome.host = hosts_of_cpu(at->cpu);
	about = fate_packet(packet, copy);
	program = programs_dropping(&copy->programs);
	if (fate_dropped(&copy->fate, &place, dropped->says_why || program, dropped->at_work,
			 &about)) {
		packet->last = copy->last = at->ts;
		strcpy(copy->outcome.reason, dropped->facts.why);
		copy->outcome.program = program;
	}
}

/*
 * Handle the last event of a frame that never had an skb. The program has dropped the frame, or the driver
 * sends it out again.
 */
static void end_frame(const struct packet *packet, struct copy *copy)
{
	const struct fate_packet about = fate_packet(packet, copy);

	copy->outcome.program = copy->programs.n ? &copy->programs.v[copy->programs.n - 1] : NULL;
	if (programs_dropping(&copy->programs))
		fate_dropped(&copy->fate, &copy->fate.at, true, true, &about);
	copy->fate.ended = true;
}

static void packets_handle_program(void *data, const struct moment *at,
				   const struct packet_program *run)
{
	struct packet *packet = find_or_add(data, run->event->pkt);
	struct copy *copy = packet ? copies_find_or_add(packet, known_number(run->event->copy)) :
				     NULL;

	if (!copy || copy->fate.ended)
		return;
	packet->told = at->ts;
	programs_add(&copy->programs, &run->facts);
	if (!run->event->skb)
		end_frame(packet, copy);
}

static void packets_handle_limit(void *data, const struct moment *at,
				 const struct packet_limited *limited)
{
	struct packet *packet = find_packet(data, limited->event->pkt);
	struct copy *copy = packet ? copies_find(packet, known_number(limited->event->copy)) : NULL;

	(void)at;
	if (copy)
		copy->outcome.limit = limited->facts;
}

static void packets_handle_copy(void *data, const struct moment *at, const struct skb_event *event)
{
	struct packet *packet = find_or_add(data, event->pkt);

	if (!packet)
		return;
	packet->told = at->ts;
	copies_made(packet, event);
}

static void packets_handle_end(void *data, const struct moment *at,
			       const struct packet_ended *ended)
{
	struct packet *packet = find_packet(data, ended->event->pkt);
	struct copy *copy = packet ? copies_find(packet, known_number(ended->event->copy)) : NULL;
	const struct copy *from;
	struct fate_packet about;

	if (!copy)
		return;
	packet->told = at->ts;
	about = fate_packet(packet, copy);
	/* A copy that reached no probe point has the same headers as the skb from which it was made. */
	from = copy->seen ? NULL : copies_find(packet, copy->from);
	if (from)
		about.for_socket = fate_packet(packet, from).for_socket;
	fate_ended(&copy->fate, ended->at_work, &about);
}

static void packets_handle_missed(void *data, const struct moment *at,
				  const struct skb_event *event, unsigned int to)
{
	struct packet *packet = find_packet(data, event->pkt);
	struct copy *copy = packet ? copies_find(packet, known_number(event->copy)) : NULL;

	(void)at;
	if (!copy)
		return;
	copy->missed = true;
	copy->outcome.missed_at = to;
}

/*
 * Return: the copy to which the return event belongs; NULL if it is not found. If the event has no copy
 * number, the copy is found by the address of the skb. If the event has no address either, it is the copy
 * that reached this probe point last.
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
	struct packet *packet = find_packet(data, left->event->pkt);
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

static void begin_graph(struct packet *packet, const struct moment *at)
{
	if (!packet->open_graphs++ && packet->idle_since && at->ts > packet->idle_since)
		packet->wait_ns += at->ts - packet->idle_since;
}

static void end_graph(struct packet *packet, const struct moment *at)
{
	if (packet->open_graphs && !--packet->open_graphs)
		packet->idle_since = at->ts;
}

static void packets_handle_entry(void *data, const struct moment *at,
				 const struct function *function)
{
	struct packet *packet = function->pkt ? find_packet(data, function->pkt) : NULL;

	if (!packet)
		return;
	if (function->starts)
		begin_graph(packet, at);
	packet->last = at->ts;
	packet->entered += function->point;
	if (function->name->gate)
		return;
	packet->calls++;
}

static void packets_handle_exit(void *data, const struct moment *at,
				const struct function *function)
{
	struct packet *packet = function->pkt ? find_packet(data, function->pkt) : NULL;

	if (!packet)
		return;
	packet->last = at->ts;
	if (function->starts)
		end_graph(packet, at);
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
	struct packet *packet = function->pkt ? find_packet(data, function->pkt) : NULL;

	if (!packet)
		return;
	packet->incomplete |= function->lost;
	if (function->starts)
		end_graph(packet, at);
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
	struct packet *packet = calls->pkt ? find_packet(packets, calls->pkt) : NULL;
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
 * Record a loss on all CPUs for the time before now, because another process consumed rows. The loss begins
 * at 1, because a loss that begins at 0 is taken for the overwritten part of a ring.
 */
static void packets_handle_other_reader(void *data, const struct moment *at)
{
	struct packets *packets = data;
	struct loss loss = { .cpu = -1, .from = 1, .to = at->ts };

	lost_events_add(&packets->losses, &loss);
}

const struct observer packets_observer = {
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
