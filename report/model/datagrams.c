// SPDX-License-Identifier: GPL-2.0
/* datagrams.c - follow UDP datagrams from the call that sends them to the call that receives them */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/datagrams.h"
#include "model/packet_copies.h"
#include "model/packet_headers.h"
#include "model/stream_pieces.h"
#include "record_skb.h"

/*
 * A flow. Direction 0 is the direction of its first datagram. @oldest and @newest are the ends of the list of
 * the datagrams that were not passed on yet.
 */
struct datagram_flow {
	struct flow opener;
	struct byte_stream streams[2];
	uint64_t next[2];      /* position of the next datagram */
	uint64_t latest[2][2]; /* length and hash of the latest datagram */
	struct datagram *oldest, *newest;
};

/*
 * The outermost call of a task. @written and @read are lists of the datagrams that the call has sent or
 * received.
 */
struct datagram_call {
	bool is_open, sends;
	struct byte_call call;
	struct datagram *written, *read;
};

/* A datagram. */
struct datagram {
	struct segment_seen seen; /* times of the datagram before it reached the receiver's socket */
	struct datagram_flow *flow;
	unsigned int dir;
	uint64_t hash;
	struct byte_call write, read;
	uint32_t copy;	  /* number of the copy that the socket got */
	uint64_t arrived; /* time when the socket got the copy */
	/* several sockets got a copy, or a socket got the datagram in several parts */
	bool has_copies;
	bool is_repeated; /* the previous datagram had the same bytes */
	bool is_taken; /* freed outside of a receiving call: an unknown call had read it before */
	bool is_freed; /* all its skbs have been freed */
	bool is_writing, is_reading, is_read, is_passed;
	struct datagram *next_written, *next_read; /* the next datagram of the same call */
	struct datagram *older, *newer;		   /* the list of its flow */
};

static bool is_passed(const void *thing)
{
	const struct datagram *datagram = thing;

	return datagram->is_passed && !datagram->is_writing && !datagram->is_reading;
}

static bool is_in_no_call(const void *thing)
{
	return !((const struct datagram_call *)thing)->is_open;
}

void datagrams_init(struct datagrams *datagrams, piece_fn *piece, void *data,
		    unsigned int *nr_streams)
{
	*datagrams = (struct datagrams){
		.piece = piece,
		.data = data,
		.nr_streams = nr_streams,
		.packets.idle = is_passed,
		.tasks.idle = is_in_no_call,
	};
}

void datagrams_free(struct datagrams *datagrams)
{
	table_free(&datagrams->flows);
	table_free(&datagrams->packets);
	table_free(&datagrams->tasks);
}

/* Flows */

static void add_streams(struct datagrams *datagrams, struct datagram_flow *flow,
			const struct skb_event *event)
{
	const unsigned int nr = *datagrams->nr_streams;

	flow->opener = event->flow;
	for (unsigned int dir = 0; dir < 2; dir++)
		flow->streams[dir] = (struct byte_stream){
			.number = nr + 1 + dir,
			.peer = nr + 2 - dir,
			.flow_number = event->flow_number,
			.begins = true,
			.has_datagrams = true,
			/* If the ports do not show the client, it is the sender of the first datagram. */
			.is_client = flow_source_asks(&event->flow) == !dir,
		};
	*datagrams->nr_streams += 2;
}

static void append(struct datagram_flow *flow, struct datagram *datagram)
{
	datagram->older = flow->newest;
	if (flow->newest)
		flow->newest->newer = datagram;
	else
		flow->oldest = datagram;
	flow->newest = datagram;
}

static void unlink_datagram(struct datagram_flow *flow, struct datagram *datagram)
{
	if (datagram->older)
		datagram->older->newer = datagram->newer;
	else
		flow->oldest = datagram->newer;
	if (datagram->newer)
		datagram->newer->older = datagram->older;
	else
		flow->newest = datagram->older;
}

/* Append the datagram to its flow. The report shows the addresses in @event. */
static void set_flow(struct datagrams *datagrams, struct datagram *datagram,
		     const struct skb_event *event, uint32_t len)
{
	const struct table_key key = { .number = event->flow_number };
	struct datagram_flow *flow = table_find(&datagrams->flows, key);
	enum flow_way way;
	uint64_t *latest;
	unsigned int dir;

	if (!flow) {
		flow = table_add(&datagrams->flows, key, calloc(1, sizeof(*flow)));
		if (!flow) {
			datagrams->failed = true;
			return;
		}
		add_streams(datagrams, flow, event);
	}
	way = flow_way(&flow->opener, &event->flow);
	if (way == WAY_UNKNOWN)
		return;
	dir = way == WAY_BACK;
	if (!flow->streams[dir].flow.family)
		flow->streams[dir].flow = event->flow;
	latest = flow->latest[dir];
	datagram->is_repeated = datagram->hash && latest[0] == len && latest[1] == datagram->hash;
	latest[0] = len;
	latest[1] = datagram->hash;
	datagram->flow = flow;
	datagram->dir = dir;
	datagram->seen.from = flow->next[dir];
	datagram->seen.to = flow->next[dir] + len;
	flow->next[dir] += len;
	append(flow, datagram);
}

/* Return: a hash of the payload; 0 if the recording does not contain the whole payload. */
static uint64_t hash_payload(const struct packet_facts *facts, uint32_t headers, uint32_t len)
{
	uint64_t hash = 14695981039346656037u;

	if (!facts->data || headers + len > facts->data_len)
		return 0;
	for (uint32_t i = headers; i < headers + len; i++)
		hash = (hash ^ facts->data[i]) * 1099511628211u;
	return hash;
}

/* Passing datagrams on to the piece function */

/* Return: the earliest known time of the datagram. */
static uint64_t first_time(const struct datagram *datagram)
{
	const uint64_t *times = datagram->seen.times;

	if (datagram->write.begun)
		return datagram->write.begun;
	for (enum byte_time time = 0; time < BYTE_TIMES; time++) {
		if (times[time])
			return times[time];
	}
	return 0;
}

/* @at_end is true if no later event can show that the datagram was read. */
static void pass(struct datagrams *datagrams, struct datagram *datagram, bool at_end)
{
	struct datagram_flow *flow = datagram->flow;
	const struct segment_seen *seen = &datagram->seen;
	struct byte_piece piece = {
		.from = seen->from,
		.to = seen->to,
		.write = datagram->write.begun ? &datagram->write : NULL,
		.read = datagram->is_read && !datagram->has_copies ? &datagram->read : NULL,
		.packet = seen->packet,
		.resent = datagram->is_repeated,
		.is_unsure = datagrams->lossy,
		.ended = at_end && !datagram->is_reading && !datagram->has_copies &&
			 !datagram->is_taken,
	};

	datagram->is_passed = true;
	unlink_datagram(flow, datagram);
	piece.all_before = flow->oldest ? first_time(flow->oldest) : UINT64_MAX;
	memcpy(piece.times, seen->times, sizeof(piece.times));
	piece.times[BYTE_RESENT] = piece.times[BYTE_SENT];
	piece.times[BYTE_ARRIVED] = piece.times[BYTE_IN_ORDER] = datagram->arrived;
	byte_piece_finish(&piece);
	datagrams->piece(datagrams->data, &flow->streams[datagram->dir], &piece);
}

/*
 * Pass the datagram on if it was read or freed, and the calls that write and read it have returned. A freed
 * datagram without a flow has not reached a socket, for example because it ended in a tunnel. It is not a
 * datagram of a task.
 */
static void pass_if_done(struct datagrams *datagrams, struct datagram *datagram)
{
	if (datagram->is_passed || datagram->is_writing || datagram->is_reading)
		return;
	if (datagram->flow && (datagram->is_read || datagram->is_freed))
		pass(datagrams, datagram, !datagram->is_read);
	else
		datagram->is_passed = datagram->is_freed;
}

/* Note that an skb of the datagram was freed. */
static void note_free(struct datagrams *datagrams, struct datagram *datagram)
{
	const struct packet *packet;

	if (!datagrams->store)
		return;
	packet = packets_find(datagrams->store, datagram->seen.packet);
	datagram->is_freed = !packet || copies_have_ended(packet);
	pass_if_done(datagrams, datagram);
}

void datagrams_end(struct datagrams *datagrams)
{
	struct datagram *datagram;
	size_t i = 0;

	while ((datagram = table_next(&datagrams->packets, &i))) {
		if (!datagram->is_passed && datagram->flow)
			pass(datagrams, datagram, true);
	}
}

/* Calls */

/* Return: the outermost call of the running task; NULL if the task is in no call. */
static struct datagram_call *call_of(const struct datagrams *datagrams, const struct moment *at)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct datagram_call *call = at->softirq ? NULL : table_find(&datagrams->tasks, key);

	return call && call->is_open ? call : NULL;
}

/* End a call. @ended is the time when the call returned; 0 if the recording does not contain its return. */
static void end_call(struct datagrams *datagrams, struct datagram_call *call, uint64_t ended,
		     bool moved)
{
	struct datagram *datagram, *next;

	call->is_open = false;
	for (datagram = call->written; datagram; datagram = next) {
		next = datagram->next_written;
		datagram->is_writing = false;
		datagram->write.ended = ended;
		pass_if_done(datagrams, datagram);
	}
	for (datagram = call->read; datagram; datagram = next) {
		next = datagram->next_read;
		datagram->is_reading = false;
		datagram->is_read = ended && moved;
		datagram->read = call->call;
		datagram->read.from = datagram->seen.from;
		datagram->read.to = datagram->seen.to;
		datagram->read.ended = ended;
		pass_if_done(datagrams, datagram);
	}
	call->written = call->read = NULL;
}

void datagrams_called(struct datagrams *datagrams, const struct moment *at,
		      const struct skb_event *event)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct datagram_call *call;

	if (at->softirq)
		return;
	call = table_find(&datagrams->tasks, key);
	if (!call)
		call = table_add(&datagrams->tasks, key, calloc(1, sizeof(*call)));
	if (!call) {
		datagrams->failed = true;
		return;
	}
	end_call(datagrams, call, 0, false);
	if (event->dir == RECORD_SKB_DIR_NONE)
		return;
	*call = (struct datagram_call){
		.is_open = true,
		.sends = event->dir == RECORD_SKB_DIR_TX,
		.call = {
			.begun = at->ts,
			.pid = at->pid,
			.func = event->func,
			.outer = event->func,
		},
	};
	snprintf(call->call.comm, sizeof(call->call.comm), "%s", at->comm ? at->comm : "");
}

void datagrams_call_returned(struct datagrams *datagrams, const struct moment *at,
			     const struct skb_event *event)
{
	struct datagram_call *call = call_of(datagrams, at);

	if (call && call->call.func == event->func)
		end_call(datagrams, call, at->ts, event->ret >= 0);
}

void datagrams_lose(struct datagrams *datagrams)
{
	struct datagram_call *call;
	size_t i = 0;

	datagrams->lossy = true;
	while ((call = table_next(&datagrams->tasks, &i)))
		end_call(datagrams, call, 0, false);
}

/* Packets */

static struct datagram *find_datagram(const struct datagrams *datagrams, uint32_t packet)
{
	return table_find(&datagrams->packets, (struct table_key){ .number = packet });
}

/* Note the call that wrote the datagram, if the datagram was first seen inside a call that sends. */
static void note_write(struct datagrams *datagrams, const struct moment *at,
		       struct datagram *datagram, const struct skb_event *event, uint32_t len)
{
	struct datagram_call *call = call_of(datagrams, at);

	if (!call || !call->sends || event->dir != RECORD_SKB_DIR_TX)
		return;
	set_flow(datagrams, datagram, event, len);
	if (!datagram->flow)
		return;
	datagram->write = call->call;
	datagram->write.from = datagram->seen.from;
	datagram->write.to = datagram->seen.to;
	datagram->is_writing = true;
	datagram->next_written = call->written;
	call->written = datagram;
}

static struct datagram *add_datagram(struct datagrams *datagrams, const struct moment *at,
				     const struct packet_seen *seen)
{
	const struct skb_event *event = seen->event;
	const struct packet_facts *facts = &seen->facts;
	const int32_t headers = headers_len(&event->flow, facts->data, facts->data_len);
	struct datagram *datagram;
	uint32_t len;

	/*
	 * If the packet was no datagram when it was seen first, a tunnel has added the UDP header later. So
	 * the packet is not a datagram of a task.
	 */
	if (facts->seen_before || event->flow.proto != PROTO_UDP || !event->flow_number ||
	    headers < 0 || packet_len(seen) <= (uint32_t)headers)
		return NULL;
	datagram = table_add(&datagrams->packets, (struct table_key){ .number = event->pkt },
			     calloc(1, sizeof(*datagram)));
	if (!datagram) {
		datagrams->failed = true;
		return NULL;
	}
	len = packet_len(seen) - headers;
	datagram->seen.packet = event->pkt;
	datagram->seen.copy = event->copy;
	datagram->hash = hash_payload(facts, headers, len);
	note_write(datagrams, at, datagram, event, len);
	return datagram;
}

/*
 * Return: true if the packet is at the function that puts it into the queue of its socket. The headers are
 * certain only at this function: in a tunnel, the packet had the headers of the tunnel before.
 */
static bool is_at_socket(const struct packet_seen *seen)
{
	return seen->event->dir == RECORD_SKB_DIR_RX && seen->event->flow.proto == PROTO_UDP &&
	       seen->point->facts && seen->point->facts->role == ROLE_TAKES;
}

static void note_arrival(struct datagrams *datagrams, const struct moment *at,
			 struct datagram *datagram, const struct packet_seen *seen)
{
	const struct packet_facts *facts = &seen->facts;
	const int32_t headers = headers_len(&seen->event->flow, facts->data, facts->data_len);

	if (!datagram->flow && seen->event->flow_number && headers >= 0 &&
	    packet_len(seen) > (uint32_t)headers)
		set_flow(datagrams, datagram, seen->event, packet_len(seen) - headers);
	if (datagram->arrived && datagram->copy != seen->event->copy)
		datagram->has_copies = true;
	datagram->copy = seen->event->copy;
	datagram->arrived = at->ts;
}

void datagrams_packet(struct datagrams *datagrams, const struct moment *at,
		      const struct packet_seen *seen)
{
	struct datagram *datagram = find_datagram(datagrams, seen->event->pkt);

	if (!datagram)
		datagram = add_datagram(datagrams, at, seen);
	if (!datagram || datagram->is_passed)
		return;
	segment_note_stage(&datagram->seen, stage_of(seen->point, seen->event->dir), at->ts);
	if (is_at_socket(seen))
		note_arrival(datagrams, at, datagram, seen);
}

void datagrams_dropped(struct datagrams *datagrams, const struct packet_dropped *dropped)
{
	struct datagram *datagram = find_datagram(datagrams, dropped->event->pkt);

	if (!datagram)
		return;
	if (datagram->copy == dropped->event->copy && !datagram->has_copies)
		datagram->arrived = 0;
	note_free(datagrams, datagram);
}

/*
 * Return: true if the call has read the datagram that ends. If a datagram ends in a receiving call, this call
 * has read it. There is an exception: the call may be processing the backlog of its socket.
 */
static bool is_read_by(const struct datagram_call *call, const struct packet_ended *ended)
{
	return call && !call->sends && !ended->at_work;
}

void datagrams_ended(struct datagrams *datagrams, const struct moment *at,
		     const struct packet_ended *ended)
{
	struct datagram *datagram = find_datagram(datagrams, ended->event->pkt);
	struct datagram_call *call = call_of(datagrams, at);

	if (!datagram)
		return;
	if (datagram->flow && datagram->arrived && datagram->copy == ended->event->copy &&
	    !datagram->is_reading && !datagram->is_read) {
		if (is_read_by(call, ended)) {
			datagram->is_reading = true;
			datagram->next_read = call->read;
			call->read = datagram;
		} else {
			datagram->is_taken = true;
		}
	}
	note_free(datagrams, datagram);
}
