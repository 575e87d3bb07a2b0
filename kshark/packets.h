/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * packets.h - the packets of a stream: their rows, and where they were worked for
 *
 * Rows are known by what KernelShark calls them, struct kshark_entry. What is written in C++ reads
 * this too.
 */
#ifndef _RECORD_SKB_KSHARK_PACKETS_H
#define _RECORD_SKB_KSHARK_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kshark_entry;

/**
 * struct packet - one packet
 * @number: its number
 * @flow: its flow's number, 0 if not known
 * @dir: where it was seen first: 0 unknown, 1 receive, 2 transmit
 * @len: bytes as it was seen first, from the network header on
 * @tcp_flags: of TCP, likewise
 * @is_tcp: whether it is
 * @text: "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000", as it was seen first
 * @cpus: those it was worked for on, a bit each; those from 63 on share the last
 * @first: its first row
 * @last: its last
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
	const struct kshark_entry *first, *last;
};

/**
 * struct packets - packets of a stream
 * @v: in the order of their numbers
 * @n: how many
 */
struct packets {
	struct packet *v;
	size_t n, room;
};

/**
 * struct stay - a packet within one graph of one task on one CPU; in a flow's lane, all of it
 * @number: which packet
 * @flow: its flow's number, 0 if not known
 * @cpu: where
 * @pid: likewise
 * @first: its first row there
 * @last: its last
 * @level: within how many others of the same view it is
 * @back: in a flow's lane: it goes to where the first packet came from
 */
struct stay {
	uint32_t number;
	uint32_t flow;
	int cpu;
	int pid;
	const struct kshark_entry *first, *last;
	unsigned int level;
	bool back;
};

enum view_of { VIEW_CPU, VIEW_TASK, VIEW_FLOW };

/**
 * struct view - what of a stream is looked at
 * @of: a CPU, a task or a flow
 * @id: which
 * @from: time, of the first row
 * @to: and of the last
 * @bin: what is shorter is not told apart
 */
struct view {
	enum view_of of;
	int id;
	int64_t from, to, bin;
};

/* NULL if there is none with this number. */
const struct packet *packets_find(const struct packets *packets, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif /* _RECORD_SKB_KSHARK_PACKETS_H */
