/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reader.h - a trace.dat as a stream of what happens to packets
 *
 * Opens the file, puts the CPUs' rows in order, decodes them, and says of each function whose it is
 * and how long it took. Nothing is kept of a row once it has been handed on.
 */
#ifndef _REPORT_SKB_READER_H
#define _REPORT_SKB_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <event-parse.h>

#include "err.h"
#include "event.h"
#include "graph-cost.h"
#include "marker.h"
#include "names.h"
#include "waits.h"

/**
 * struct ring_end - what ended a ring (record_skb:stop), of which the beginning may be written over
 * @is: it is one, and the row was read
 * @by: enum record_skb_by
 * @pkt: the packet that did, 0 if none did
 * @copy: which of its skbs
 * @ts: when
 */
struct ring_end {
	bool is;
	uint8_t by;
	uint32_t pkt, copy;
	uint64_t ts;
};

/**
 * struct moment - where and when something happened
 * @ts: nanoseconds of the trace's clock
 * @cpu: where
 * @pid: the task that was running
 * @comm: its name
 * @softirq: in softirq, on top of whatever the task did
 * @waits: when tasks were asleep, and when they had no CPU, until now
 */
struct moment {
	uint64_t ts;
	int cpu;
	int pid;
	const char *comm;
	bool softirq;
	const struct waits *waits;
};

/**
 * struct packet_seen - a packet stands at a probe point (record_skb:packet)
 * @event: whom it is about
 * @facts: what else is said of it
 * @point: the function

 * @within: the packet that the innermost function open in this task is working for, 0 if there is none
 * @placed: it is known where in the graph; if not, rows before it are lost
 */
struct packet_seen {
	const struct skb_event *event;
	struct packet_facts facts;
	const struct name *point;
	uint32_t within;
	bool placed;
};

/* Whether its IP header says no length yet, or anything: the function is there to write it. */
bool writes_len(const struct packet_seen *seen);

/* Its bytes from the network header on. */
uint32_t packet_len(const struct packet_seen *seen);

/**
 * struct packet_dropped - the kernel throws a packet away (record_skb:drop)
 * @event: whom it is about
 * @facts: why
 * @place: the function that does, NULL if not known
 * @says_why: the kernel gives a reason
 * @at_work: somebody is working for the packet now
 */
struct packet_dropped {
	const struct skb_event *event;
	struct drop_facts facts;
	const struct name *place;
	bool says_why;
	bool at_work;
};

/**
 * struct packet_ended - a packet's skb is no more, and nobody calls that a loss (record_skb:end)
 * @event: whom it is about
 * @at_work: somebody is working for the packet now
 */
struct packet_ended {
	const struct skb_event *event;
	bool at_work;
};

/**
 * struct packet_ruled - a rule of nftables says what becomes of a packet (record_skb:rule)
 * @event: whom it is about
 * @facts: which rule, and what
 */
struct packet_ruled {
	const struct skb_event *event;
	struct rule_facts facts;
};

/**
 * struct function_left - what a probe point's function returned (record_skb:return)
 * @event: whom it is about; an older recording does not say which copy
 * @name: the function
 */
struct function_left {
	const struct skb_event *event;
	const struct name *name;
};

/**
 * struct function - a function of the graph, entered or left
 * @name: which
 * @depth: how deep
 * @pkt: the packet it works for; 0: a socket call, or nobody that we know
 * @copy: which of its skbs, where @point is set
 * @point: it is a probe point, and was given this very skb
 * @starts: the packet was somewhere else before
 * @total: when left: how long it took, in ns
 * @self: when left: the part of it not in functions of the graph below
 * @waited: when left: what its task did not work of that part, as far as it is known
 * @lost: when abandoned: rows are lost; otherwise its end is only out of order, or behind the last row
 */
struct function {
	const struct name *name;
	int depth;
	uint32_t pkt;
	uint32_t copy;
	bool point;
	bool starts;
	uint64_t total, self;
	struct waited waited;
	bool lost;
};

/**
 * struct sink - who wants to know
 *
 * Each may be NULL. @left comes for each function that @entered came for, but if rows are missing
 * there is @abandoned instead, with neither @total nor @self.
 */
struct sink {
	void (*packet)(void *data, const struct moment *at, const struct packet_seen *packet);
	void (*dropped)(void *data, const struct moment *at, const struct packet_dropped *packet);
	void (*ruled)(void *data, const struct moment *at, const struct packet_ruled *packet);
	void (*rule_said)(void *data, const struct moment *at, const struct rule_text *rule);
	void (*copied)(void *data, const struct moment *at, const struct skb_event *event);
	void (*ended)(void *data, const struct moment *at, const struct packet_ended *packet);
	void (*returned)(void *data, const struct moment *at, const struct function_left *left);
	/* A call on a socket begins, and ends: of those that opened a graph. */
	void (*called)(void *data, const struct moment *at, const struct skb_event *event);
	void (*call_returned)(void *data, const struct moment *at, const struct skb_event *event);
	void (*entered)(void *data, const struct moment *at, const struct function *function);
	void (*left)(void *data, const struct moment *at, const struct function *function);
	void (*abandoned)(void *data, const struct moment *at, const struct function *function);
	/* What time of day it is then, in nanoseconds since 1970. */
	void (*wall_clock)(void *data, const struct moment *at, uint64_t real);
	/* Until then somebody else than the recorder has read rows. */
	void (*read_by_others)(void *data, const struct moment *at);
	/* @count is 0 if not known, @from the time of the CPU's last row before. */
	void (*lost)(void *data, const struct moment *at, uint64_t from, uint64_t count);
};

#define MAX_SINKS 6

struct reader;

/**
 * reader_open - open a trace
 * @path: the file
 * @err: why not
 *
 * Returns NULL if it cannot be read or has no events of record_skb.
 */
struct reader *reader_open(const char *path, struct err *err);
void reader_close(struct reader *reader);

/* At most MAX_SINKS; they are told in this order. */
void reader_add_sink(struct reader *reader, const struct sink *sink, void *data);

/* Durations of functions without what recording them cost, from now on. */
void reader_take_off(struct reader *reader, const struct graph_cost *cost);

/* The trace's names, for sinks. */
struct names *reader_names(struct reader *reader);
/* What ended it, if it is a ring: known when reader_run() is through. */
const struct ring_end *reader_ring_end(const struct reader *reader);
/*
 * Whether the wall clock of the beginning comes before all other events of ours: it does not in what was
 * cut off in front, nor in what a crash ended and was written over before, of which there is no count. Older
 * recordings, which have no such event, are taken for whole.
 */
bool reader_has_beginning(const struct reader *reader);

/**
 * reader_begin - read rows that come one by one
 * @tep: of their trace; must outlive the reader
 * @cpus: of the machine
 * @err: why not
 *
 * Instead of reader_open() and reader_run(). Returns NULL if there are no events of record_skb.
 */
struct reader *reader_begin(struct tep_handle *tep, int cpus, struct err *err);
/* The next, in the order of time. */
void reader_row(struct reader *reader, const struct tep_record *record);
/* There are no more. */
void reader_end(struct reader *reader);

/* Read it all, once. A recording that is cut short ends where it is. */
void reader_run(struct reader *reader);

#endif
