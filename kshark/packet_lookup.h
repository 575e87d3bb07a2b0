/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * packet_lookup.h - packets of a stream, their rows, and the time spans to draw for them
 *
 * A row is identified by KernelShark's struct kshark_entry. C++ code includes this file, too.
 */
#ifndef _RECORD_SKB_KSHARK_PACKET_LOOKUP_H
#define _RECORD_SKB_KSHARK_PACKET_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kshark_entry;

/**
 * struct packet - one packet
 * @number: number of the packet
 * @flow: number of the packet's flow, 0 if unknown
 * @len: length from the start of the network header, at the first event
 * @dir: direction at the first event: 0 unknown, 1 receive, 2 transmit
 * @tcp_flags: TCP flags at the first event
 * @is_tcp: the packet is TCP
 * @text: text such as "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000", with the flow of the first event
 * @cpus: bit mask of the CPUs with events of the packet; bit 63 stands for CPU 63 and all higher CPUs
 * @first: row of the first event
 * @last_event: row of the last event
 * @last_drop: row of the last drop of the packet or of one of its copies, NULL without a drop
 * @dropped: the packet was dropped, as reported by set_dropped() of struct plugin_api
 */
struct packet {
	uint32_t number;
	uint32_t flow;
	uint32_t len;
	uint8_t dir;
	uint8_t tcp_flags;
	bool is_tcp;
	char *text;
	uint64_t cpus;
	const struct kshark_entry *first, *last_event, *last_drop;
	bool dropped;
};

/**
 * struct packet_list - packets of a stream
 * @v: sorted by number
 * @n: number of packets
 * @capacity: allocated entries
 */
struct packet_list {
	struct packet *v;
	size_t n, capacity;
};

/**
 * struct packet_span - the time that a packet spends in one graph of one task on one CPU
 * @number: number of the packet
 * @flow: number of the packet's flow, 0 if unknown
 * @cpu: the CPU
 * @pid: the task
 * @first: first row of the packet in this graph
 * @last: last row of the packet in this graph
 * @level: number of other packet spans in the same plot that enclose this span
 * @back: in a flow plot: the packet goes in the direction opposite to the first packet of the flow
 *
 * In a flow plot, a span extends from the first to the last row of the packet.
 */
struct packet_span {
	uint32_t number;
	uint32_t flow;
	int cpu;
	int pid;
	const struct kshark_entry *first, *last;
	unsigned int level;
	bool back;
};

/* The place in the plots at which a packet was dropped. */
struct packet_drop {
	uint32_t number;
	const struct kshark_entry *entry;
};

/**
 * struct request_bar - a request of a flow, as trace-cmd report-skb --requests reports it
 * @flow: number of the flow
 * @packet: number of the packet that brought the last byte of the request, 0 if not known
 * @begun: time when the request began
 * @ended: time when its response ended
 * @part: name of the longest part, such as "application"; empty if not known
 */
struct request_bar {
	uint32_t flow, packet;
	int64_t begun, ended;
	char part[16];
};

enum view_kind { VIEW_CPU, VIEW_TASK, VIEW_FLOW };

/**
 * struct view - a plot and its visible time range
 * @kind: plot of a CPU, a task or a flow
 * @id: number of the CPU, task or flow
 * @from: time of the first visible row
 * @to: time of the last visible row
 * @bin: duration of one bin of the plot; a shorter duration cannot be shown
 */
struct view {
	enum view_kind kind;
	int id;
	int64_t from, to, bin;
};

/* Return: the packet with this number; NULL if there is no such packet. */
struct packet *packet_list_find(const struct packet_list *packets, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif /* _RECORD_SKB_KSHARK_PACKET_LOOKUP_H */
