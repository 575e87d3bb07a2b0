// SPDX-License-Identifier: GPL-2.0
/* tcp_send_queue.c - find how long TCP data waited in the sending socket, and what ended the wait */
#include <stdlib.h>
#include <string.h>

#include "model/packet_headers.h"
#include "hash_table.h"
#include "model/tcp_send_queue.h"

/* Value of @to in struct write, as long as the call has not returned. */
#define OPEN UINT64_MAX

/* The data that one call wrote. @from and @to are byte offsets in the stream. */
struct write {
	uint64_t from, to;
	uint64_t begun, ended;
	int pid;
	uint64_t func;
};

/* The highest acknowledged sequence number, and the right edge of the peer's receive window. */
struct allowed {
	uint32_t acked, edge;
	bool known;
};

/* One end of a connection, as a sender of data. */
struct sender {
	bool known, edge_known, over;
	uint32_t first;		/* sequence number of the first byte of the stream */
	uint64_t written, sent; /* bytes */
	uint64_t last_sent;
	struct write *writes; /* calls with unsent data; the last one may not have returned */
	unsigned int nr, space;
	/*
	 * Only @own_scale and @own_mss are from sent packets. The other members below are from received
	 * packets.
	 */
	int own_scale, scale;	   /* window scales; -1 if the option was not offered */
	unsigned int own_mss, mss; /* maximum segment sizes that both ends announced */
	struct allowed now, before;
	uint32_t came; /* number of the received packet that changed @before to @now */
};

struct tcp_send_queue {
	struct table senders;
};

static bool is_over(const void *thing)
{
	return ((const struct sender *)thing)->over;
}

struct tcp_send_queue *tcp_send_queue_new(void)
{
	struct tcp_send_queue *queue = calloc(1, sizeof(*queue));

	if (queue)
		queue->senders.idle = is_over;
	return queue;
}

void tcp_send_queue_free(struct tcp_send_queue *queue)
{
	struct sender *sender;
	size_t i = 0;

	if (!queue)
		return;
	while ((sender = table_next(&queue->senders, &i)))
		free(sender->writes);
	table_free(&queue->senders);
	free(queue);
}

/* Stop tracking a socket, because its state is not known any more. */
static void give_up(struct sender *sender)
{
	free(sender->writes);
	sender->writes = NULL;
	sender->nr = sender->space = 0;
	sender->known = false;
}

void tcp_send_queue_forget(struct tcp_send_queue *queue)
{
	struct sender *sender;
	size_t i = 0;

	while ((sender = table_next(&queue->senders, &i)))
		give_up(sender);
}

/*
 * Return: the key of one end of a connection, made from the addresses that this end sees. With NAT, both ends
 * see different addresses.
 */
static struct table_key key_of(const struct skb_event *event, bool receives)
{
	const struct flow *flow = &event->flow;
	const uint8_t *addr = receives ? flow->daddr : flow->saddr;
	const uint8_t *peer = receives ? flow->saddr : flow->daddr;
	uint32_t ports = receives ? (uint32_t)flow->dport << 16 | flow->sport :
				    (uint32_t)flow->sport << 16 | flow->dport;
	uint32_t hash = 2166136261u ^ ports;

	for (unsigned int i = 0; i < 16; i++)
		hash = ((hash ^ addr[i]) * 16777619u ^ peer[i]) * 16777619u;
	return (struct table_key){ .number = (uint64_t)event->flow_number << 32 | hash };
}

static struct sender *sender_of(struct tcp_send_queue *queue, const struct skb_event *event,
				bool receives, bool add)
{
	const struct table_key key = key_of(event, receives);
	struct sender *sender;

	if (event->flow.proto != PROTO_TCP || !event->flow_number)
		return NULL;
	sender = table_find(&queue->senders, key);
	if (sender || !add)
		return sender;
	sender = table_add(&queue->senders, key, calloc(1, sizeof(*sender)));
	if (sender)
		sender->own_scale = sender->scale = -1;
	return sender;
}

/* Calls */

static struct write *add_write(struct sender *sender)
{
	unsigned int space = sender->space ? sender->space * 2 : 4;
	struct write *writes;

	if (sender->nr == sender->space) {
		writes = realloc(sender->writes, space * sizeof(*writes));
		if (!writes)
			return NULL;
		sender->writes = writes;
		sender->space = space;
	}
	return &sender->writes[sender->nr++];
}

static struct write *open_write(const struct sender *sender)
{
	struct write *last = sender->nr ? &sender->writes[sender->nr - 1] : NULL;

	return last && last->to == OPEN ? last : NULL;
}

void tcp_send_queue_handle_call(struct tcp_send_queue *queue, const struct moment *at,
				const struct skb_event *call)
{
	struct sender *sender =
		call->dir == RECORD_SKB_DIR_TX ? sender_of(queue, call, false, false) : NULL;
	struct write *write;

	if (!sender || !sender->known)
		return;
	/* If two calls write to a socket at the same time, the order of their bytes is not known. */
	write = open_write(sender) ? NULL : add_write(sender);
	if (!write) {
		give_up(sender);
		return;
	}
	*write = (struct write){
		.from = sender->written,
		.to = OPEN,
		.begun = at->ts,
		.pid = at->pid,
		.func = call->func,
	};
}

/*
 * Handle the return of a call. The return event does not name the socket, so search all sockets for an open
 * call of this task and this function.
 */
void tcp_send_queue_handle_return(struct tcp_send_queue *queue, const struct moment *at,
				  const struct skb_event *call)
{
	struct sender *sender;
	struct write *write;
	size_t i = 0;

	while ((sender = table_next(&queue->senders, &i))) {
		write = open_write(sender);
		if (!write || write->pid != at->pid || write->func != call->func)
			continue;
		if ((int)call->ret > 0)
			sender->written += (unsigned int)call->ret;
		write->to = sender->written;
		write->ended = at->ts;
		if (write->from == write->to || sender->sent >= write->to)
			sender->nr--;
		return;
	}
}

/* Received packets */

/* Return: the TCP header in the recorded bytes of a packet; NULL if it is incomplete. */
static const uint8_t *tcp_header(const struct packet_seen *seen, unsigned int *len)
{
	const uint8_t *data = seen->facts.data;
	unsigned int at = 40;

	if (!data || seen->facts.data_len < 20)
		return NULL;
	if (data[0] >> 4 == 4)
		at = (data[0] & 15) * 4;
	if (at + 20 > seen->facts.data_len)
		return NULL;
	*len = (data[at + 12] >> 4) * 4;
	return *len >= 20 && at + *len <= seen->facts.data_len ? data + at : NULL;
}

/* Return: the data of the TCP option with this kind and length; NULL if the packet does not have it. */
static const uint8_t *option_of(const uint8_t *header, unsigned int len, uint8_t kind,
				unsigned int own)
{
	for (unsigned int i = 20; i < len && header[i];) {
		if (header[i] == 1) {
			i++;
			continue;
		}
		if (i + 1 >= len || header[i + 1] < 2)
			break;
		if (header[i] == kind && i + 1 + own < len)
			return header + i + 2;
		i += header[i + 1];
	}
	return NULL;
}

/* Return: the value of the window scale option; -1 if the packet does not have the option. */
static int scale_of(const uint8_t *header, unsigned int len)
{
	const uint8_t *scale = option_of(header, len, 3, 1);

	return !scale ? -1 : *scale > 14 ? 14 : *scale;
}

/* Return: the maximum segment size; if the packet lacks the option, the default of RFC 9293. */
static unsigned int mss_of(const uint8_t *header, unsigned int len)
{
	const uint8_t *mss = option_of(header, len, 2, 2);

	return mss ? mss[0] << 8 | mss[1] : 536;
}

void tcp_send_queue_handle_receive(struct tcp_send_queue *queue, const struct packet_seen *seen)
{
	const bool syn = seen->facts.tcp_flags & TCP_SYN;
	struct sender *sender = sender_of(queue, seen->event, true, syn);
	const uint8_t *header;
	unsigned int len, scale;

	/* A packet passes several probe points of TCP. Handle it only at the first one. */
	if (!sender || sender->came == seen->event->pkt)
		return;
	header = tcp_header(seen, &len);
	if (!header) {
		give_up(sender);
		return;
	}
	if (syn) {
		sender->scale = scale_of(header, len);
		sender->mss = mss_of(header, len);
		sender->edge_known = true;
	}
	sender->before = sender->now;
	sender->came = seen->event->pkt;
	if (!(seen->facts.tcp_flags & TCP_ACK))
		return;
	scale = syn || sender->own_scale < 0 || sender->scale < 0 ? 0 : sender->scale;
	sender->now = (struct allowed){
		.acked = seen->facts.ack,
		.edge = seen->facts.ack + ((header[14] << 8 | header[15]) << scale),
		.known = sender->edge_known,
	};
	/*
	 * If the acknowledgement number is lower than before, a later packet has overtaken this packet, so
	 * ignore its values.
	 */
	if (sender->before.known && (int32_t)(sender->now.acked - sender->before.acked) < 0)
		sender->now = sender->before;
}

/* Sent packets */

/*
 * Return: the payload length of a packet, from the length that the kernel gives: the IP header may not be
 * written yet.
 */
static int64_t payload_of(const struct packet_seen *seen, const uint8_t *header, unsigned int len)
{
	return (int64_t)seen->facts.net_len - (header - seen->facts.data) - len;
}

static void begin_sender(struct sender *sender, const struct packet_seen *seen,
			 const uint8_t *header, unsigned int len)
{
	/* Ignore a SYN with a known sequence number, because it is a retransmission. */
	if (sender->known && sender->first == seen->facts.seq + 1)
		return;
	sender->known = true;
	sender->first = seen->facts.seq + 1;
	sender->written = sender->sent = 0;
	sender->nr = 0;
	sender->over = false;
	sender->own_scale = scale_of(header, len);
	sender->own_mss = mss_of(header, len);
}

/* Return: the call that wrote the next byte to send; NULL if the call is not known. */
static struct write *write_of_next(struct sender *sender)
{
	struct write *write = sender->writes;

	return sender->nr && write->from <= sender->sent && sender->sent < write->to ? write : NULL;
}

static void forget_sent(struct sender *sender)
{
	unsigned int n = 0;

	while (n < sender->nr && sender->writes[n].to <= sender->sent)
		n++;
	sender->nr -= n;
	memmove(sender->writes, sender->writes + n, sender->nr * sizeof(*sender->writes));
}

static uint64_t later_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static enum released what_let_go(const struct sender *sender, const struct write *write,
				 const struct moment *at, uint32_t within, uint32_t end)
{
	const bool came = within && within == sender->came;
	const struct allowed *before = came ? &sender->before : &sender->now;

	if (before->known && (int32_t)(end - before->edge) > 0)
		return RELEASED_WINDOW;
	if (came)
		return before->known ? RELEASED_ACK : RELEASED_AT_ONCE;
	if (at->softirq || !at->pid)
		return RELEASED_TIMER;
	return write->to == OPEN && write->pid == at->pid ? RELEASED_SEND_BUFFER : RELEASED_CALL;
}

/*
 * Return: true if the segment is smaller than the largest segment that is possible with a TCP header of this
 * length.
 */
static bool is_partial(const struct sender *sender, uint64_t payload, unsigned int len)
{
	const unsigned int mss = sender->own_mss < sender->mss ? sender->own_mss : sender->mss;

	return payload + len < mss + 20;
}

static struct held how_held(struct sender *sender, const struct moment *at,
			    const struct packet_seen *seen, uint64_t payload, bool partial,
			    uint32_t within)
{
	const struct write *write = write_of_next(sender);
	const bool came = within && within == sender->came;
	const struct allowed *before = came ? &sender->before : &sender->now;
	struct held held = { RELEASED_AT_ONCE };

	if (!write)
		return held;
	held.written = write->begun;
	held.since = later_of(write->ended ? write->ended : write->begun, sender->last_sent);
	held.partial = partial && sender->sent + payload >= sender->written;
	held.unacked = before->acked != sender->first + (uint32_t)sender->sent;
	held.released = what_let_go(sender, write, at, within, seen->facts.seq + payload);
	held.by = came ? within : 0;
	/* In the normal case, the data did not wait: the call that wrote them also sends them. */
	if (held.released == RELEASED_SEND_BUFFER && sender->last_sent < write->begun)
		held.released = RELEASED_AT_ONCE;
	return held;
}

/* Handle a sent segment with data. If the data were not sent before, find out what they waited for. */
static struct held goes_on(struct sender *sender, const struct moment *at,
			   const struct packet_seen *seen, uint64_t payload, bool partial,
			   uint32_t within)
{
	const int32_t ahead = seen->facts.seq - sender->first - (uint32_t)sender->sent;
	struct held held = { RELEASED_AT_ONCE };

	/* Ignore a retransmission. */
	if (ahead < 0)
		return held;
	if (!ahead)
		held = how_held(sender, at, seen, payload, partial, within);
	if (!held.written) {
		give_up(sender);
		return held;
	}
	sender->sent += payload;
	sender->last_sent = at->ts;
	forget_sent(sender);
	return held;
}

uint32_t tcp_send_queue_last_received(struct tcp_send_queue *queue, const struct packet_seen *seen)
{
	const struct sender *sender = sender_of(queue, seen->event, false, false);

	return sender ? sender->came : 0;
}

struct held tcp_send_queue_handle_send(struct tcp_send_queue *queue, const struct moment *at,
				       const struct packet_seen *seen, uint32_t within)
{
	const bool syn = seen->facts.tcp_flags & TCP_SYN;
	struct sender *sender = sender_of(queue, seen->event, false, syn);
	struct held held = { RELEASED_AT_ONCE };
	const uint8_t *header;
	unsigned int len;
	int64_t payload;

	header = sender ? tcp_header(seen, &len) : NULL;
	if (!header)
		return held;
	if (syn)
		begin_sender(sender, seen, header, len);
	payload = payload_of(seen, header, len);
	if (sender->known && payload > 0 && !syn)
		held = goes_on(sender, at, seen, payload, is_partial(sender, payload, len), within);
	if (seen->facts.tcp_flags & TCP_FIN) {
		give_up(sender);
		sender->over = true;
	}
	return held;
}
