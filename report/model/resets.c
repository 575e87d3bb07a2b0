// SPDX-License-Identifier: GPL-2.0
/* resets.c - find the origin of a TCP reset or an ICMP error: the task and the function that sent it */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/explanations.h"
#include "model/packet_headers.h"
#include "model/resets.h"

/* Number of resets and ICMP errors that are remembered. */
#ifndef MAX_RESETS
#define MAX_RESETS 65536
#endif

/*
 * Number of packets that are remembered because the kernel answers them with a reset. They are needed until
 * this reset is seen.
 */
#define MAX_ANSWERS 64

/* Maximum time from a packet until a socket receives the reset that answers this packet. */
#define MAX_ANSWER_NS 1000000000ull

/* Maximum number of nested functions that are remembered. */
#define MAX_OPEN 8

/* An open function of the call graph that can tell why a reset is sent. */
struct open {
	int depth;
	enum reset_cause cause;
};

/* Data of an event record_skb:reset, which tells the reason of a reset. @ts is the time of the event. */
struct told {
	uint64_t ts;
	struct flow flow;
	enum reset_cause cause;
	char reason[RESET_REASON_LEN + 1];
	uint8_t probes;
	uint32_t user_timeout;
	uint32_t unread_bytes;
	uint32_t answers;
};

/*
 * struct context - what a task, or a softirq that interrupted the task, is doing
 * @sent: the last reset that the task has sent, if its record_skb:reset event has not come yet
 * @told: a record_skb:reset event, if its reset has not been sent yet
 * @freed: the last TCP segment with data that was freed in the current socket call
 * @freed_flow: addresses and ports of this segment
 */
struct context {
	uint32_t sent;
	struct told *told;
	struct open open[MAX_OPEN];
	unsigned int nr;
	bool in_call;
	uint64_t call;
	uint32_t freed;
	struct flow freed_flow;
};

/* The last reset or ICMP error that a socket received. */
struct last {
	uint32_t packet;
};

struct resets {
	struct names *names;
	const struct packets *packets; /* NULL if packets cannot be looked up */
	struct table contexts;	       /* table of struct context, by task and softirq */
	struct table numbers;	       /* table of struct reset, by number of the packet */
	struct table sockets;	       /* table of struct last, by flow and local port */
	struct reset *
		*ring; /* the newest resets and ICMP errors; a new one replaces the oldest one */
	size_t nr;
	/*
	 * The newest answers to packets. A reset may be sent in a network namespace that is not recorded. The
	 * recording then only shows where the reset was received, and the answers tell why it was sent.
	 */
	struct told answers[MAX_ANSWERS];
	size_t nr_answers;
};

static bool is_idle(const void *thing)
{
	const struct context *context = thing;

	return !context->nr && !context->in_call && !context->sent && !context->told;
}

static bool is_forgotten(const void *thing)
{
	return !((const struct reset *)thing)->packet;
}

struct resets *resets_create(void)
{
	struct resets *resets = calloc(1, sizeof(*resets));

	if (!resets)
		return NULL;
	resets->contexts.idle = is_idle;
	resets->numbers.idle = is_forgotten;
	resets->ring = calloc(MAX_RESETS, sizeof(*resets->ring));
	if (resets->ring)
		return resets;
	free(resets);
	return NULL;
}

static void forget_contexts(struct resets *resets)
{
	struct context *context;
	size_t i = 0;

	while ((context = table_next(&resets->contexts, &i))) {
		free(context->told);
		context->told = NULL;
		context->sent = 0;
		context->nr = 0;
		context->in_call = false;
		context->freed = 0;
	}
}

void resets_free(struct resets *resets)
{
	if (!resets)
		return;
	forget_contexts(resets);
	table_free(&resets->contexts);
	table_free(&resets->numbers);
	table_free(&resets->sockets);
	free(resets->ring);
	free(resets);
}

void resets_set_names(struct resets *resets, struct names *names)
{
	resets->names = names;
}

void resets_set_packets(struct resets *resets, const struct packets *packets)
{
	resets->packets = packets;
}

/* Contexts */

static struct context *context_of(struct resets *resets, const struct moment *at, bool add)
{
	static const char softirq;
	const struct table_key key =
		table_task_key(at->pid, at->cpu, at->softirq ? &softirq : NULL);
	struct context *context = table_find(&resets->contexts, key);

	if (!context && add)
		context = table_add(&resets->contexts, key, calloc(1, sizeof(*context)));
	return context;
}

static enum reset_cause cause_of(const char *function)
{
	static const struct {
		const char *function;
		enum reset_cause cause;
	} causes[] = {
		{ "tcp_close", RESET_CLOSE },
		{ "__tcp_close", RESET_CLOSE },
		{ "tcp_disconnect", RESET_DISCONNECT },
		{ "tcp_abort", RESET_ABORT },
		{ "inet_csk_listen_stop", RESET_LISTENER },
		{ "tcp_v4_send_reset", RESET_NO_SOCKET },
		{ "tcp_v6_send_reset", RESET_NO_SOCKET },
		{ "nf_send_reset", RESET_REJECT },
		{ "nf_send_reset6", RESET_REJECT },
		{ "nf_send_unreach", RESET_REJECT },
		{ "nf_send_unreach6", RESET_REJECT },
		{ "tcp_out_of_resources", RESET_TIMER },
		{ "tcp_write_timer", RESET_TIMER },
		{ "tcp_write_timer_handler", RESET_TIMER },
		{ "tcp_keepalive_timer", RESET_TIMER },
	};
	const bool may_be = !strncmp(function, "tcp_", 4) || !strncmp(function, "__tcp_", 6) ||
			    !strncmp(function, "nf_", 3) || !strncmp(function, "inet_csk_", 9);

	/* The compiler may add a suffix to the name of a function, such as ".isra.0". */
	for (size_t i = 0; may_be && i < sizeof(causes) / sizeof(causes[0]); i++) {
		const size_t len = strlen(causes[i].function);

		if (!strncmp(function, causes[i].function, len) &&
		    (!function[len] || function[len] == '.'))
			return causes[i].cause;
	}
	return RESET_UNKNOWN;
}

static void pop(struct context *context, int depth)
{
	while (context && context->nr && context->open[context->nr - 1].depth >= depth)
		context->nr--;
}

static void resets_handle_exit(void *data, const struct moment *at, const struct function *function)
{
	pop(context_of(data, at, false), function->depth);
}

static void resets_handle_call(void *data, const struct moment *at, const struct skb_event *event)
{
	struct context *context = at->softirq ? NULL : context_of(data, at, true);

	if (context) {
		context->in_call = true;
		context->call = event->func;
		context->freed = 0;
	}
}

static void resets_handle_call_return(void *data, const struct moment *at,
				      const struct skb_event *event)
{
	struct context *context = at->softirq ? NULL : context_of(data, at, false);

	if (context && context->call == event->func) {
		context->in_call = false;
		context->freed = 0;
	}
}

static void resets_handle_loss(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	(void)at;
	(void)from;
	(void)count;
	forget_contexts(data);
}

/* Packets */

static struct table_key packet_key(uint32_t number)
{
	return (struct table_key){ .number = number };
}

static struct table_key socket_key(uint32_t flow_number, uint16_t port)
{
	return (struct table_key){ .number = (uint64_t)flow_number << 16 | port };
}

static void note_socket(struct resets *resets, const struct reset *reset)
{
	/*
	 * The headers of an ICMP error have no ports. The error belongs to the only socket of the flow on
	 * this machine. The key of this socket has the port 0.
	 */
	const struct table_key key =
		socket_key(reset->flow_number, reset->is_tcp ? reset->flow.dport : 0);
	struct last *last = table_find(&resets->sockets, key);

	if (!last)
		last = table_add(&resets->sockets, key, calloc(1, sizeof(*last)));
	if (last)
		last->packet = reset->packet;
}

/*
 * Return: the reason why a reset is sent. The innermost function decides, because tcp_close() calls
 * tcp_disconnect(). There is one exception: when a listener is closed, it calls tcp_disconnect() for the
 * connections in its accept queue. The reason is then the closing of the listener.
 */
static enum reset_cause innermost_cause(const struct context *context)
{
	for (unsigned int i = 0; i < context->nr; i++) {
		if (context->open[i].cause == RESET_LISTENER)
			return RESET_LISTENER;
	}
	return context->nr ? context->open[context->nr - 1].cause : RESET_UNKNOWN;
}

/*
 * Return: the reason for a reset that the timer function @function sends. In the state FIN_WAIT2, the timer
 * ends connections whose socket is closed, and sends keepalive probes for the others. Before it sends a reset
 * for lack of an answer, it has sent a probe. A closed socket may have sent probes before it was closed.
 */
static enum reset_cause timer_cause(const char *function, const struct reset_facts *facts)
{
	enum { FIN_WAIT2 = 5 };

	if (strncmp(function, "tcp_keepalive_timer", 19))
		return RESET_ORPHANS;
	if (facts->state != FIN_WAIT2 || !strcmp(facts->name, "TCP_KEEPALIVE_TIMEOUT"))
		return RESET_KEEPALIVE;
	return !facts->probes || !strcmp(facts->name, "TCP_STATE") ? RESET_FIN_WAIT : RESET_TIMER;
}

/*
 * Return: the reason why a reset is sent, from the functions that called each other. As in the call graph,
 * the innermost function decides, but a listener has precedence. A softirq may have interrupted a task, so
 * functions outside of the softirq do not count.
 */
static enum reset_cause cause_of_callers(const struct packet_reset *seen)
{
	enum reset_cause found = RESET_UNKNOWN;

	for (unsigned int i = 0; i < RECORD_SKB_RESET_CALLERS && seen->callers[i]; i++) {
		const char *function = seen->callers[i]->text;
		enum reset_cause cause = cause_of(function);

		if (!strcmp(function, "handle_softirqs") || !strcmp(function, "__do_softirq"))
			break;
		if (cause == RESET_TIMER)
			cause = timer_cause(function, &seen->facts);
		if (found == RESET_UNKNOWN || cause == RESET_LISTENER)
			found = cause;
	}
	return found;
}

static bool has_same_ends(const struct flow *a, const struct flow *b)
{
	const size_t len = a->family == FLOW_INET6 ? 16 : 4;

	return a->family == b->family && a->proto == b->proto && a->sport == b->sport &&
	       a->dport == b->dport && !memcmp(a->saddr, b->saddr, len) &&
	       !memcmp(a->daddr, b->daddr, len);
}

static void apply_told(struct reset *reset, const struct told *told)
{
	reset->is_local = true;
	if (told->cause)
		reset->cause = told->cause;
	memcpy(reset->reason, told->reason, sizeof(reset->reason));
	reset->probes = told->probes;
	reset->user_timeout = told->user_timeout;
	reset->unread_bytes = told->cause == RESET_CLOSE ? told->unread_bytes : 0;
	if (told->answers)
		reset->answers = told->answers;
}

static struct told tell(const struct moment *at, const struct packet_reset *seen)
{
	const struct reset_facts *facts = &seen->facts;
	struct told told = {
		.ts = at->ts,
		.flow = seen->event->flow,
		.cause = cause_of_callers(seen),
		.probes = facts->probes,
		.user_timeout = facts->user_timeout,
		.unread_bytes = facts->unread,
		.answers = seen->event->pkt,
	};

	if (!facts->name[0] && facts->reason)
		snprintf(told.reason, sizeof(told.reason), "%u", facts->reason);
	else if (strcmp(facts->name, "NOT_SPECIFIED"))
		snprintf(told.reason, sizeof(told.reason), "%s", facts->name);
	return told;
}

static void note_answer(struct resets *resets, const struct told *told)
{
	resets->answers[resets->nr_answers++ % MAX_ANSWERS] = *told;
}

/* Note that the kernel answers a packet with a reset. The call graph shows that. */
static void note_graph_answer(struct resets *resets, const struct moment *at, uint32_t number)
{
	const struct packet *packet = resets->packets ? packets_find(resets->packets, number) :
							NULL;
	struct told told = { .ts = at->ts, .cause = RESET_NO_SOCKET, .answers = number };

	if (!packet || !packet->nr_copies)
		return;
	told.flow = flow_reversed(&packet->copies[0]->flow);
	note_answer(resets, &told);
}

static void resets_handle_entry(void *data, const struct moment *at,
				const struct function *function)
{
	const enum reset_cause cause = cause_of(function->name->text);
	struct context *context = context_of(data, at, cause != RESET_UNKNOWN);

	if (cause == RESET_NO_SOCKET && function->pkt)
		note_graph_answer(data, at, function->pkt);
	if (!context)
		return;
	pop(context, function->depth);
	if (cause != RESET_UNKNOWN && context->nr < MAX_OPEN)
		context->open[context->nr++] = (struct open){ function->depth, cause };
}

/*
 * A reset was received, and the recording does not show where it was sent. Find the packet that the reset
 * answers. Ignore old answers, because they may belong to an earlier connection with the same addresses.
 */
static void find_answer(const struct resets *resets, struct reset *reset)
{
	const size_t n = resets->nr_answers < MAX_ANSWERS ? resets->nr_answers : MAX_ANSWERS;

	for (size_t i = 1; i <= n; i++) {
		const struct told *told = &resets->answers[(resets->nr_answers - i) % MAX_ANSWERS];

		if (reset->ts > told->ts + MAX_ANSWER_NS ||
		    !has_same_ends(&reset->flow, &told->flow))
			continue;
		reset->came_in = false;
		apply_told(reset, told);
		return;
	}
}

/*
 * Handle the event record_skb:reset. If the reset answers a packet, it is sent after this event. Any other
 * reset was sent before this event.
 */
static void resets_handle_reset(void *data, const struct moment *at,
				const struct packet_reset *seen)
{
	struct context *context = context_of(data, at, true);
	const struct told told = tell(at, seen);
	struct reset *reset;

	if (!context)
		return;
	if (!seen->event->skb) {
		reset = table_find(&((struct resets *)data)->numbers, packet_key(context->sent));
		if (context->sent && reset && has_same_ends(&reset->flow, &told.flow))
			apply_told(reset, &told);
		context->sent = 0;
		return;
	}
	note_answer(data, &told);
	if (!context->told)
		context->told = malloc(sizeof(*context->told));
	if (context->told)
		*context->told = told;
}

/*
 * Add the data of the event record_skb:reset to a reset that this machine sends. If the event has not come
 * yet, note the reset for resets_handle_reset().
 */
static void connect_told(struct resets *resets, const struct moment *at, struct reset *reset)
{
	struct context *context = context_of(resets, at, true);

	if (!context)
		return;
	if (context->told && has_same_ends(&reset->flow, &context->told->flow))
		apply_told(reset, context->told);
	else
		context->sent = reset->packet;
	free(context->told);
	context->told = NULL;
}

/* Note the task, the call and the reason of a reset. */
static void note_sender(struct resets *resets, struct reset *reset, const struct moment *at,
			uint32_t within)
{
	const struct context *context = context_of(resets, at, false);

	struct flow data;

	reset->answers = within;
	if (context)
		reset->cause = innermost_cause(context);
	if (context && context->freed) {
		data = flow_reversed(&context->freed_flow);
		if (has_same_ends(&reset->flow, &data))
			reset->unread = context->freed;
	}
	if (at->softirq || within)
		return;
	reset->pid = at->pid;
	snprintf(reset->comm, sizeof(reset->comm), "%s", at->comm ? at->comm : "");
	if (context && context->in_call)
		reset->call = names_of(resets->names, context->call);
}

static void resets_handle_packet(void *data, const struct moment *at,
				 const struct packet_seen *seen)
{
	const struct flow *flow = &seen->event->flow;
	const bool is_tcp = flow->family && flow->proto == PROTO_TCP;
	struct resets *resets = data;
	struct reset *reset, **slot;

	if (is_tcp ? !(seen->facts.tcp_flags & TCP_RST) : !is_icmp_error(flow))
		return;
	if (table_find(&resets->numbers, packet_key(seen->event->pkt)))
		return;
	reset = table_add(&resets->numbers, packet_key(seen->event->pkt),
			  calloc(1, sizeof(*reset)));
	if (!reset)
		return;
	slot = &resets->ring[resets->nr++ % MAX_RESETS];
	if (*slot)
		(*slot)->packet = 0;
	*slot = reset;
	reset->packet = seen->event->pkt;
	reset->ts = at->ts;
	reset->flow_number = seen->event->flow_number;
	reset->flow = *flow;
	reset->is_tcp = is_tcp;
	reset->came_in = seen->event->dir != RECORD_SKB_DIR_TX || seen->facts.seen_before;
	/* A filter for a device or an address may match a forwarded packet only on its way out. */
	reset->is_local = writes_len(seen) || seen->within;
	if (!reset->came_in && seen->placed)
		note_sender(resets, reset, at, seen->within);
	if (reset->came_in && is_tcp)
		find_answer(resets, reset);
	else if (is_tcp)
		connect_told(resets, at, reset);
	if (reset->flow_number)
		note_socket(resets, reset);
}

/*
 * Note a TCP segment with data that is freed in a socket call. close() frees the segments that were not read.
 */
static void resets_handle_end(void *data, const struct moment *at, const struct packet_ended *ended)
{
	struct resets *resets = data;
	struct context *context = at->softirq ? NULL : context_of(resets, at, false);
	const struct packet *packet = NULL;

	if (context && context->in_call && resets->packets)
		packet = packets_find(resets->packets, ended->event->pkt);
	for (unsigned int i = 0; packet && i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];

		if (copy->number != ended->event->copy || !copy->seen ||
		    copy->flow_now.proto != PROTO_TCP || copy->payload_now <= 0)
			continue;
		context->freed = packet->number;
		context->freed_flow = copy->flow_now;
	}
}

const struct observer resets_observer = {
	.packet = resets_handle_packet,
	.reset = resets_handle_reset,
	.ended = resets_handle_end,
	.entered = resets_handle_entry,
	.left = resets_handle_exit,
	.abandoned = resets_handle_exit,
	.called = resets_handle_call,
	.call_returned = resets_handle_call_return,
	.lost = resets_handle_loss,
};

const struct reset *resets_find(const struct resets *resets, uint32_t number)
{
	const struct reset *reset = table_find(&resets->numbers, packet_key(number));

	return reset && reset->packet ? reset : NULL;
}

const struct reset *resets_of_socket(const struct resets *resets, uint32_t flow_number,
				     const struct flow *flow)
{
	const struct last *last =
		flow_number ? table_find(&resets->sockets, socket_key(flow_number, flow->sport)) :
			      NULL;

	if (!last && flow_number)
		last = table_find(&resets->sockets, socket_key(flow_number, 0));
	return last ? resets_find(resets, last->packet) : NULL;
}

const struct reset *resets_of_call(const struct resets *resets, const struct failed_call *call)
{
	const uint32_t flow_number = call->flow_number ? call->flow_number : call->sent_flow;
	const struct reset *reset = NULL;
	struct flow flow = call->flow;

	if (!call->flow_number)
		flow.sport = call->sent_port;
	switch (call->error) {
	case ECONNRESET:
	case ECONNREFUSED:
	case EPIPE:
	case EHOSTUNREACH:
	case ENETUNREACH:
	case EMSGSIZE:
		reset = resets_of_socket(resets, flow_number, &flow);
	}
	return reset && reset->ts <= call->ts ? reset : NULL;
}
