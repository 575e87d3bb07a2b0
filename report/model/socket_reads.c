// SPDX-License-Identifier: GPL-2.0
/* socket_reads.c - remember when each socket was last read */
#include <stdlib.h>

#include "hash_table.h"
#include "model/socket_reads.h"

/* The current socket call of a task. */
struct call {
	bool is_open;
	uint64_t func;
	uint32_t flow_number;
	uint16_t port;
	uint8_t proto;
	bool receives;
};

struct socket_reads {
	struct table calls; /* table of struct call, by task */
	struct table times; /* table of the times of the last reads, by flow, protocol and port */
};

static bool is_over(const void *thing)
{
	return !((const struct call *)thing)->is_open;
}

struct socket_reads *socket_reads_create(void)
{
	struct socket_reads *reads = calloc(1, sizeof(*reads));

	if (reads)
		reads->calls.idle = is_over;
	return reads;
}

void socket_reads_free(struct socket_reads *reads)
{
	if (!reads)
		return;
	table_free(&reads->calls);
	table_free(&reads->times);
	free(reads);
}

/*
 * Return: the key of a socket. The key of an unconnected socket has the flow number 0, because such a socket
 * has no flow.
 */
static struct table_key socket_key(uint32_t flow_number, uint8_t proto, uint16_t port)
{
	return (struct table_key){
		.number = (uint64_t)flow_number << 32 | (uint32_t)proto << 16 | port,
	};
}

static void reads_handle_call(void *data, const struct moment *at, const struct skb_event *event)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct socket_reads *reads = data;
	struct call *call;

	if (at->softirq)
		return;
	call = table_find(&reads->calls, key);
	if (!call)
		call = table_add(&reads->calls, key, calloc(1, sizeof(*call)));
	if (call)
		*call = (struct call){
			.is_open = true,
			.func = event->func,
			.flow_number = event->flow_number,
			.port = event->flow.sport,
			.proto = event->flow.proto,
			.receives = event->dir == RECORD_SKB_DIR_RX,
		};
}

static void call_returned(void *data, const struct moment *at, const struct skb_event *event)
{
	struct socket_reads *reads = data;
	struct call *call =
		at->softirq ? NULL :
			      table_find(&reads->calls, table_task_key(at->pid, at->cpu, NULL));
	struct table_key key;
	uint64_t *time;

	if (!call || !call->is_open || call->func != event->func)
		return;
	call->is_open = false;
	if (!call->receives || event->ret < 0)
		return;
	key = socket_key(call->flow_number, call->proto, call->port);
	time = table_find(&reads->times, key);
	if (!time)
		time = table_add(&reads->times, key, calloc(1, sizeof(*time)));
	if (time)
		*time = at->ts;
}

const struct observer socket_reads_observer = { .called = reads_handle_call,
						.call_returned = call_returned };

static bool was_read(const struct socket_reads *reads, struct table_key key, uint64_t ts)
{
	const uint64_t *time = table_find(&reads->times, key);

	return time && *time >= ts;
}

bool socket_reads_since(const struct socket_reads *reads, uint32_t flow_number,
			const struct flow *flow, uint64_t ts)
{
	return was_read(reads, socket_key(flow_number, flow->proto, flow->dport), ts) ||
	       was_read(reads, socket_key(0, flow->proto, flow->dport), ts);
}
