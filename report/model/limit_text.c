// SPDX-License-Identifier: GPL-2.0
/* limit_text.c - describe the queue or limit that was exceeded, and the setting to change */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "escape.h"
#include "hash_table.h"
#include "model/limit_text.h"
#include "model/packet_headers.h"

const char *limit_name(unsigned int kind)
{
	static const char *const names[RECORD_SKB_LIMITS] = {
		[RECORD_SKB_LIMIT_ACCEPT_QUEUE] = "accept queue",
		[RECORD_SKB_LIMIT_RECEIVE_BUFFER] = "receive buffer",
		[RECORD_SKB_LIMIT_BACKLOG] = "socket backlog",
		[RECORD_SKB_LIMIT_QDISC] = "device queue",
		[RECORD_SKB_LIMIT_NEIGHBOUR] = "neighbour queue",
		[RECORD_SKB_LIMIT_CONNTRACK] = "conntrack table",
		[RECORD_SKB_LIMIT_CPU_BACKLOG] = "CPU backlog",
		[RECORD_SKB_LIMIT_MTU] = "MTU",
		[RECORD_SKB_LIMIT_TTL] = "TTL",
	};

	return kind < RECORD_SKB_LIMITS ? names[kind] : NULL;
}

#define READER_LEN (ESCAPED_LEN(TASK_NAME_LEN) + 48)
/*
 * Return: words for the program that reads from the socket. The recorded calls show which task has read from
 * this port, but later another program may have taken the port.
 */
static const char *words_reader(char *buf, const struct reader_task *reader)
{
	char name[ESCAPED_LEN(TASK_NAME_LEN)];

	if (reader)
		snprintf(buf, READER_LEN, "its program (last seen: %s-%d)",
			 escape_text(name, sizeof(name), reader->name),
			 hosts_pid_of_task(reader->pid));
	else
		snprintf(buf, READER_LEN, "its program");
	return buf;
}

#define DEVICE_LEN (ESCAPED_LEN(DEVICE_NAME_LEN) + 1)
static const char *words_device(char *buf, const struct limited *limited)
{
	snprintf(buf, DEVICE_LEN, "%s", "the device");
	return limited->device ? escape_text(buf, DEVICE_LEN, limited->device) : buf;
}

/* Describe how full the queues of a socket were. */
static void words_socket(char *buf, size_t size, const struct limit_facts *limit,
			 const struct limited *limited, const struct reader_task *task)
{
	const unsigned long long used = limit->used, most = limit->limit;
	char reader[READER_LEN], port[16] = "the socket", of[64];

	words_reader(reader, task);
	if (limited->port)
		snprintf(port, sizeof(port), "port %u", limited->port);
	switch (limit->kind) {
	case RECORD_SKB_LIMIT_ACCEPT_QUEUE:
		snprintf(
			buf, size,
			"the accept queue of %s was full (%llu of %llu): %s accepts too slowly, or "
			"net.core.somaxconn and listen() are too small",
			port, used, most, reader);
		break;
	case RECORD_SKB_LIMIT_RECEIVE_BUFFER:
		snprintf(
			buf, size,
			"the receive buffer of %s was full (%llu of %llu bytes of memory, and the "
			"packet needs %u): %s reads too slowly, or SO_RCVBUF and net.core.rmem_max "
			"are too small",
			port, used, most, limit->needs, reader);
		break;
	case RECORD_SKB_LIMIT_BACKLOG:
		if (most)
			snprintf(of, sizeof(of), "%llu of %llu bytes of memory", used, most);
		else
			snprintf(of, sizeof(of), "%llu bytes of memory", used);
		snprintf(
			buf, size,
			"the backlog of %s was full (%s waited, and the packet needs %u): its program "
			"had the socket locked, or SO_RCVBUF is too small",
			port, of, limit->needs);
		break;
	}
}

static void words_device_limit(char *buf, size_t size, const struct limit_facts *limit,
			       const struct limited *limited)
{
	const unsigned long long used = limit->used, most = limit->limit;
	char device[DEVICE_LEN];

	words_device(device, limited);
	switch (limit->kind) {
	case RECORD_SKB_LIMIT_QDISC:
		snprintf(
			buf, size,
			"the queueing discipline: the queue of %s was full (%llu of %llu packets): "
			"%s sends too slowly, or the limit (tc) or txqueuelen is too small",
			device, used, most, device);
		break;
	case RECORD_SKB_LIMIT_NEIGHBOUR:
		snprintf(buf, size,
			 "the neighbour's queue on %s was full (%llu of %llu bytes of memory, and "
			 "another packet did not fit): the neighbour answers too slowly, or "
			 "unres_qlen_bytes is too small",
			 device, used, most);
		break;
	case RECORD_SKB_LIMIT_MTU:
		snprintf(
			buf, size,
			"the MTU of the way out is %llu, and the packet has %llu bytes and must not "
			"be fragmented (%s)",
			most, used, limited->family == FLOW_INET6 ? "forwarded IPv6" : "DF");
		break;
	}
}

void words_limit(char *buf, size_t size, const struct limit_facts *limit,
		 const struct limited *limited, const struct reader_task *reader)
{
	const unsigned long long used = limit->used, most = limit->limit;

	*buf = '\0';
	switch (limit->kind) {
	case RECORD_SKB_LIMIT_ACCEPT_QUEUE:
	case RECORD_SKB_LIMIT_RECEIVE_BUFFER:
	case RECORD_SKB_LIMIT_BACKLOG:
		words_socket(buf, size, limit, limited, reader);
		break;
	case RECORD_SKB_LIMIT_QDISC:
	case RECORD_SKB_LIMIT_NEIGHBOUR:
	case RECORD_SKB_LIMIT_MTU:
		words_device_limit(buf, size, limit, limited);
		break;
	case RECORD_SKB_LIMIT_CONNTRACK:
		snprintf(
			buf, size,
			"netfilter, conntrack: its table was full (%llu of %llu connections): "
			"net.netfilter.nf_conntrack_max is too small, or connections stay too long",
			used, most);
		break;
	case RECORD_SKB_LIMIT_CPU_BACKLOG:
		snprintf(
			buf, size,
			"the CPU's backlog was full (%llu of %llu packets): the CPU is too busy, or "
			"net.core.netdev_max_backlog is too small",
			used, most);
		break;
	case RECORD_SKB_LIMIT_TTL:
		snprintf(buf, size,
			 "forwarding: its %s had run out (%llu, and a router needs at least 2)",
			 limited->family == FLOW_INET6 ? "hop limit" : "TTL", used);
		break;
	}
}

/* Finding the tasks that receive */

struct readers {
	struct table of_ports;	     /* struct reader_task by namespace, protocol and local port */
	struct table of_connections; /* struct reader_task by flow and local port */
};

struct readers *readers_create(void)
{
	return calloc(1, sizeof(struct readers));
}

void readers_free(struct readers *readers)
{
	if (!readers)
		return;
	table_free(&readers->of_ports);
	table_free(&readers->of_connections);
	free(readers);
}

static struct table_key port_key(uint32_t netns, uint8_t proto, uint16_t port)
{
	return (struct table_key){ .number = (uint64_t)netns << 32 | (uint32_t)proto << 16 | port };
}

/* The key of one end of a connection. Both ends can be on this host, so the key contains the local port. */
static struct table_key connection_key(uint32_t flow, uint16_t port)
{
	return (struct table_key){ .number = (uint64_t)flow << 16 | port };
}

/*
 * Note the address of the socket. If the task has sockets with several addresses, keep the first one, and
 * readers_find() does not find the task for the others.
 */
static void note_address(struct reader_task *task, const struct flow *flow)
{
	static const uint8_t any[16];

	if (task->has_address || !memcmp(flow->saddr, any, sizeof(any)))
		return;
	task->has_address = true;
	memcpy(task->address, flow->saddr, sizeof(task->address));
}

/*
 * Note that a task receives from a port or a connection. Several tasks can do so. In this case, it is not
 * known which of them reads a packet. The PID is then -1, and readers_find() finds no task.
 *
 * Return: the task; NULL if there are several, or without memory.
 */
static struct reader_task *note_task(struct table *table, struct table_key key,
				     const struct moment *at)
{
	struct reader_task *task = table_find(table, key);

	if (!task)
		task = table_add(table, key, calloc(1, sizeof(*task)));
	if (!task || task->pid < 0)
		return NULL;
	if (task->pid && task->pid != at->pid) {
		task->pid = -1;
		return NULL;
	}
	task->pid = at->pid;
	snprintf(task->name, sizeof(task->name), "%s", at->comm);
	return task;
}

void readers_add(struct readers *readers, const struct moment *at, const struct skb_event *event)
{
	const struct flow *flow = &event->flow;
	struct reader_task *task;

	if (event->dir != RECORD_SKB_DIR_RX || !flow->sport || at->softirq || !at->comm)
		return;
	if (flow->dport) {
		if (event->flow_number)
			note_task(&readers->of_connections,
				  connection_key(event->flow_number, flow->sport), at);
		return;
	}
	task = note_task(&readers->of_ports, port_key(event->netns, flow->proto, flow->sport), at);
	if (task)
		note_address(task, flow);
}

const struct reader_task *readers_find(const struct readers *readers, const struct limited *limited,
				       bool port_is_shared)
{
	const struct reader_task *task;

	if (port_is_shared) {
		task = table_find(&readers->of_connections,
				  connection_key(limited->flow, limited->dport));
		return limited->flow && task && task->pid > 0 ? task : NULL;
	}
	task = table_find(&readers->of_ports,
			  port_key(limited->netns, limited->proto, limited->dport));
	if (!limited->netns || !task || task->pid <= 0)
		return NULL;
	if (task->has_address &&
	    memcmp(task->address, limited->address, sizeof(task->address)) != 0)
		return NULL;
	return task;
}
