/* SPDX-License-Identifier: GPL-2.0 */
/*
 * packets.h - collect the events of each packet and of its copies into one struct packet
 *
 * Some outputs can use packets before the end of the trace. Such an output gets a packet when no later row
 * can change the packet. Other outputs get a packet when 131,072 newer packets have come, or at the end.
 * Therefore the memory in use does not grow with the length of the trace.
 */
#ifndef _RECORD_SKB_PACKETS_H
#define _RECORD_SKB_PACKETS_H

#include "hosts/hosts.h"
#include "model/packet_decisions.h"
#include "model/devices.h"
#include "model/programs.h"
#include "verdict.h"
#include "model/captured_frames.h"
#include "input/lost_events.h"
#include "input/reader.h"

enum verdict {
	VERDICT_UNKNOWN, /* the recording has no event that shows the end */
	VERDICT_QUEUED,	 /* the packet was in a queue when it was last seen */
	VERDICT_DELIVERED,
	VERDICT_CONSUMED,
	VERDICT_FORWARDED,
	VERDICT_SENT,
	VERDICT_LOST, /* the packet did not arrive at the next host, as the recording of that host proves */
	VERDICT_COPIED, /* the packet continued only as copies */
	VERDICT_TAPPED, /* the copy was made for a packet socket and delivered to it */
	VERDICT_DROPPED,
	/* dropped or consumed; the function that freed it does not show which */
	VERDICT_FREED,
	VERDICTS,
};

/**
 * struct hop - a device that a copy passed through
 * @device: number of the device
 * @hosts_before: number of hosts that the packet passed before the host with the device
 * @is_route: the device is only known from the route, which may still change
 * @was_sent: a frame was captured that this device transmitted
 */
struct hop {
	uint16_t device;
	uint8_t hosts_before;
	bool is_route, was_sent;
};

/**
 * struct path - the devices that a copy passed through
 * @hops: the devices, in order. Those of one host are consecutive
 * @n: number of entries in @hops
 * @capacity: allocated entries in @hops
 * @decisions: what the kernel has decided about the way of the copy, and of the copies from which it was made
 */
struct path {
	struct hop *hops;
	unsigned int n, capacity;
	struct decisions decisions;
};

/**
 * struct outcome - how the path of a copy ended
 * @verdict: the kind of end
 * @where: the function where the copy ended; NULL if not known
 * @device: the device that sends the copy or has it in its queue; otherwise NO_DEVICE
 * @host: the host where the copy was last seen
 * @missed_at: for VERDICT_LOST: the host where the copy did not arrive
 * @reason: drop reason, as the kernel names it; empty if the copy was not dropped. If the packet sockets did
 *	not get a copy that was made for them, the reason is PACKET_SOCK_ERROR, even on older kernels without
 *	this reason
 * @limit: the queue or limit that was exceeded; its kind is RECORD_SKB_LIMIT_NONE if it is not known
 * @program: the element of the copy's programs that dropped the copy; NULL if no program did. If the verdict
 *	is unknown: the XDP program that ran last on a frame that never had an skb
 */
struct outcome {
	enum verdict verdict;
	const struct name *where;
	uint16_t device;
	uint8_t host, missed_at;
	const char *reason;
	struct limit_facts limit;
	const struct program_facts *program;
};

/**
 * struct copy - one skb of a packet
 * @number: number of the copy; 0 for the skb that matched
 * @from: number of the copy from which this copy was made
 * @kind: how the copy was made: enum record_skb_copy_kind
 * @seen: the copy reached a probe point. If false, only the members above and @outcome are set
 * @first: time when the copy was first seen
 * @last: time of the last event of the copy
 * @flow: addresses and ports at the first probe point of the copy
 * @flow_now: addresses and ports at the last probe point of the copy
 * @len: bytes from the start of the network header, at the first probe point of the copy
 * @payload: bytes after the TCP or UDP header; -1 if not known
 * @tcp_flags: TCP flags
 * @seq: TCP sequence number
 * @ack: TCP acknowledgement number
 * @message: number that message_of() has returned for the copy, 0 if not known
 * @again: retransmission: all bytes of this TCP segment were already seen in another packet
 * @dir: enum record_skb_dir, at the first probe point of the copy
 * @path: the devices that the copy passed through. The path begins with the path of the copy from which this
 *	copy was made
 * @outcome: how the path of the copy ended
 * @programs: the BPF programs that have run on the copy
 * @frames: positions of the captured frames of this copy, if frames are collected
 * @nr_frames: number of entries in @frames
 */
struct copy {
	uint32_t number;
	uint32_t from;
	uint8_t kind;
	bool seen;
	uint64_t first, last;
	struct flow flow, flow_now;
	uint32_t len;
	int32_t payload;
	uint8_t tcp_flags;
	uint32_t seq, ack;
	uint64_t message;
	bool again;
	uint8_t dir;
	struct path path;
	struct outcome outcome;
	struct programs programs;
	size_t *frames;
	unsigned int nr_frames;
	/* Only the code that collects events uses the members below. */
	unsigned int frames_capacity;
	int32_t payload_now; /* payload length at the last probe point of the copy */
	uint8_t tcp_flags_now;
	struct fate fate;
	struct connection connection; /* TCP flags at the last probe point of the copy */
	bool tracked;
	uint8_t hosts_before; /* number of hosts that the copy passed before the host that has seen it last */
	bool streamed; /* tcp_coverage_add() was called for the copy */
	bool missed;   /* the copy did not arrive at the next host */
	bool shown;    /* copies_judge() keeps the copy, because it is shown */
	uint64_t skb;
};

#define WAIT_ERROR_UNKNOWN UINT32_MAX

/**
 * struct packet - all that the recording contains about one packet
 * @number: number of the packet
 * @flow_number: number of the flow, 0 if not known
 * @first: time of the first event of the packet
 * @last: time of the last event or of the last function that processed the packet
 * @first_host: host of @first, in joined recordings
 * @last_host: host of @last
 * @stack_ns: time that functions spent on the packet, without the gate functions of the module
 * @wait_ns: total time between the call graphs of the packet, in which no function processed it
 * @calls: number of functions that were entered for the packet
 * @wait_error: error of @wait_ns, from the clocks of different hosts; WAIT_ERROR_UNKNOWN if it is not known
 * @slowest: the function with the longest self time, NULL if no function of the packet has returned
 * @slowest_ns: self time of @slowest
 * @slowest_waited: the part of @slowest_ns in which the task was not running
 * @copies: the skbs of the packet, sorted by number; the first one is the skb that matched. When the packet
 *	is complete, copies that are not shown are removed
 * @nr_copies: number of entries in @copies
 * @decided: the copy that determines the outcome of the packet
 * @answered: the kernel sent a reply while it processed the packet
 * @incomplete: rows were lost during the life of the packet, or calls that processed it are missing
 * @missing: number of missing calls that were made for the packet
 * @lacks_points: the recording lacks a probe point where packets are delivered, so the end of the packet does
 *	not prove that the kernel consumed it
 * @chosen: packets_choose() was called for the packet
 */
struct packet {
	uint32_t number;
	uint32_t flow_number;
	uint64_t first, last;
	uint64_t stack_ns, wait_ns;
	uint64_t calls;
	const struct name *slowest;
	uint64_t slowest_ns;
	struct waited slowest_waited;
	struct copy **copies;
	unsigned int nr_copies;
	uint8_t first_host, last_host;
	const struct copy *decided;
	uint64_t missing;
	bool answered;
	bool incomplete;
	bool lacks_points;
	bool chosen;
	uint32_t wait_error;
	/* Only the code that collects events uses the members below. */
	uint64_t told; /* time of the last drop, copy or end event of the packet */
	unsigned int capacity;
	/*
	 * Numbers of entries of probe points in call graphs. @announced counts the entries that packet events
	 * announce. @entered counts the entries that were read from the graph.
	 */
	uint64_t announced, entered;
	unsigned int open_graphs; /* number of open call graphs that process the packet */
	uint8_t idle_host;	  /* host of @idle_since */
	uint64_t idle_since;	  /* when the last open call graph was closed, 0 if none was */
};

/**
 * struct output - one format of the report
 * @begin: called before the first packet; may be NULL
 * @packet: called for each selected packet, in the order of their numbers. Only packets that lived very long
 *	come later
 * @other: called for each packet that is not selected, in the order of their numbers; may be NULL
 * @end: called after the last packet; may be NULL
 */
struct output {
	void (*begin)(void *data);
	void (*packet)(void *data, const struct packet *packet);
	void (*other)(void *data, const struct packet *packet);
	void (*end)(void *data);
};

/* Return: the error of @packet->wait_ns; CLOCK_ERROR_UNKNOWN if it is not known. */
static inline uint64_t packet_wait_error(const struct packet *packet)
{
	return packet->wait_error == WAIT_ERROR_UNKNOWN ? CLOCK_ERROR_UNKNOWN : packet->wait_error;
}

struct packets;

/**
 * packets_new - create a collector of packets
 * @output: receives each packet
 * @data: passed to the functions of @output
 * @frames: stores the captured frames; NULL if no frames are needed
 *
 * Return: the collector; NULL if there is not enough memory.
 */
struct packets *packets_new(const struct output *output, void *data,
			    struct captured_frames *frames);
void packets_free(struct packets *packets);

/* This observer collects the packets. Pass it to reader_add_observer(), with the struct packets as data. */
extern const struct observer packets_observer;

/* Set @chosen of the packet with this number, if the packet is known. */
void packets_choose(struct packets *packets, uint32_t number);
/* Return: the packet with this number, with the events read up to now; NULL if it is not known. */
const struct packet *packets_find(const struct packets *packets, uint32_t number);

/**
 * packets_come_live - prepare to pass packets to the output during a recording
 * @packets: the collector, before its first event
 *
 * Return: false if there is not enough memory.
 */
bool packets_come_live(struct packets *packets);

/**
 * packets_hand_on - pass the packets that have ended to the output
 * @packets: collector that was prepared by packets_come_live()
 * @now: time of the trace clock; all rows up to shortly before @now must have been read
 *
 * A packet that had no event for five seconds is passed to the output, too. Its later events are ignored.
 */
void packets_hand_on(struct packets *packets, uint64_t now);

/**
 * packets_come_in_order - prepare to pass packets to the output while a file is read
 * @packets: the collector, before its first event
 *
 * The file must have an event for the end of each skb, and the numbers of copies.
 *
 * Return: false if there is not enough memory.
 */
bool packets_come_in_order(struct packets *packets);

/**
 * packets_pass_final - pass packets to the output if no later row of the file can change them
 * @packets: collector that was prepared by packets_come_in_order()
 * @state: how far the file was read
 *
 * The packets are passed on in the order of their numbers, so a packet waits for all packets with lower
 * numbers. This wait ends when MAX_PACKETS newer packets have come.
 */
void packets_pass_final(struct packets *packets, const struct read_state *state);

/* Return: true if no later row can change the packet with this number. The packet must have been seen. */
bool packets_is_final(const struct packets *packets, uint32_t number,
		      const struct read_state *state);
/* Return: true if a packet that began at @time or earlier was not passed to the output yet. */
bool packets_has_before(const struct packets *packets, uint64_t ts);

/*
 * Return: true if the packet with this number was passed to the output. Later events of such a packet are
 * ignored.
 */
bool packets_is_gone(const struct packets *packets, uint32_t number);

/* Pass all remaining packets to the output. */
void packets_end(struct packets *packets);

/*
 * Return: the last change of the destination of a flow by NAT, with the addresses before and after it; NULL
 * if there was none.
 */
const struct translation *packets_find_dnat(const struct packets *packets, uint32_t flow_number);
const struct devices *packets_devices(const struct packets *packets);
/* Set the names of network namespaces, which must outlive @packets. */
void packets_set_netns_names(struct packets *packets, const struct netns_names *names);
const struct lost_events *packets_losses(const struct packets *packets);
/* Set what the module did not record, after the recording was read. */
void packets_set_module_losses(struct packets *packets, struct module_losses losses);
/* Return: the number of incomplete packets that were passed to the output. */
uint64_t packets_incomplete(const struct packets *packets);
/*
 * Return: the number of packets that matched but have no event in the file. Their numbers are missing among
 * the numbers up to the highest one in the file. Packets with higher numbers may be missing, too, but cannot
 * be counted.
 */
uint64_t packets_missing(const struct packets *packets);

#endif
