/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reader.h - read a trace.dat and report what happens to packets, as a stream of calls to observers
 *
 * The reader opens the file, merges the rows of all CPUs by time, and decodes them. For each function of the
 * graph, the reader finds the packet that the function processes, and the duration. No row stays in memory
 * after the observers have processed it.
 */
#ifndef _RECORD_SKB_READER_H
#define _RECORD_SKB_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <event-parse.h>

#include "err.h"
#include "event.h"
#include "input/trace_marker.h"
#include "input/function_names.h"
#include "input/source_lines.h"
#include "model/sched_waits.h"

/**
 * struct ring_end - the event that ended a ring recording (record_skb:stop)
 * @is: the recording is a ring, and its record_skb:stop event was read; if false, the other members are 0
 * @by: enum record_skb_by
 * @pkt: number of the packet that ended the ring, 0 if no packet did
 * @copy: number of the copy of @pkt
 * @ts: time of the event
 *
 * The beginning of a ring recording may be overwritten.
 */
struct ring_end {
	bool is;
	uint8_t by;
	uint32_t pkt, copy;
	uint64_t ts;
};

/**
 * struct moment - where and when something happened
 * @ts: time of the trace clock, in nanoseconds
 * @cpu: the CPU
 * @pid: the task that was running
 * @comm: name of the task
 * @softirq: true if the CPU was in softirq context. In this case, a softirq has interrupted the task @pid
 * @hosts_before: in joined recordings: number of hosts that the event's packet passed before this host. The
 *	clocks of the hosts differ a little, so the events of the next host can seem to begin too early
 * @waits: the times up to @ts in which tasks slept or waited for a CPU
 */
struct moment {
	uint64_t ts;
	int cpu;
	int pid;
	const char *comm;
	bool softirq;
	uint8_t hosts_before;
	const struct sched_waits *waits;
};

/**
 * struct packet_seen - a packet reached a probe point (record_skb:packet)
 * @event: the packet and the copy
 * @facts: the other fields of the event
 * @point: the function that is the probe point
 * @within: number of the packet that the task's innermost open function is processing when the event happens;
 *	0 for none
 * @placed: the position of the event in the call graph is known; false if earlier rows were lost
 */
struct packet_seen {
	const struct skb_event *event;
	struct packet_facts facts;
	const struct name *point;
	uint32_t within;
	bool placed;
};

/*
 * Return: true if the function at the probe point writes the length into the IP header. The length in the
 * header is not valid before the function has done so.
 */
bool writes_len(const struct packet_seen *seen);

/* Return: the length of the packet in bytes, from the start of the network header. */
uint32_t packet_len(const struct packet_seen *seen);

/**
 * struct packet_dropped - the kernel dropped a packet (record_skb:drop)
 * @event: the packet and the copy
 * @facts: the drop reason
 * @place: the function that dropped the packet, NULL if not known
 * @offset: offset in @place at which the drop happened; 0 if it is not known
 * @address: address of the drop in the recorded kernel
 * @lines: source lines of the recorded kernel, for packet_dropped_line()
 * @says_why: the drop reason tells why the packet was dropped, and is not a general one
 * @at_work: the task's innermost open function is processing this packet
 */
struct packet_dropped {
	const struct skb_event *event;
	struct drop_facts facts;
	const struct name *place;
	uint32_t offset;
	uint64_t address;
	struct source_lines *lines;
	bool says_why;
	bool at_work;
};

/* Return: the source line of the drop, written to @line; NULL if it is not known. */
const char *packet_dropped_line(const struct packet_dropped *packet, char line[SOURCE_LINE_LEN]);

/**
 * struct packet_ended - an skb of a packet was freed without a drop (record_skb:end)
 * @event: the packet and the copy
 * @at_work: the task's innermost open function is processing this packet
 */
struct packet_ended {
	const struct skb_event *event;
	bool at_work;
};

/**
 * struct packet_ruled - an nftables rule decided about a packet (record_skb:rule)
 * @event: the packet and the copy
 * @facts: the rule and its verdict
 */
struct packet_ruled {
	const struct skb_event *event;
	struct rule_facts facts;
};

/**
 * struct packet_limited - a queue or limit causes the drop or end of a packet (record_skb:limit). The event
 * of the drop or the end follows this event
 * @event: the packet and the copy
 * @facts: the queue or limit, and its value
 */
struct packet_limited {
	const struct skb_event *event;
	struct limit_facts facts;
};

/**
 * struct packet_program - a BPF program has run on a packet or a call (record_skb:program)
 * @event: the event; its packet number is 0 if the program gets no packet
 * @pkt: number of the packet; 0 if the program belongs to a socket call
 * @copy: number of the copy
 * @facts: the program and its result
 */
struct packet_program {
	const struct skb_event *event;
	uint32_t pkt, copy;
	struct program_facts facts;
};

/**
 * struct packet_decided - the kernel has decided about the path of a packet (record_skb:decision)
 * @pkt: number of the packet; 0 if the decision belongs to a socket call
 * @copy: number of the copy
 * @facts: the decision
 * @by: the function that has decided; NULL for a route
 * @socket: for RECORD_SKB_DECISION_TAP, the process that has the packet socket; NULL if it is not known
 */
struct packet_decided {
	uint32_t pkt, copy;
	struct decision_facts facts;
	const struct name *by;
	const struct netns_name *socket;
};

/**
 * struct packet_reset - this machine sends a TCP reset (record_skb:reset). If the reset answers a packet,
 * this event comes before the reset is sent, otherwise after it was sent
 * @event: the packet that the reset answers, and the addresses of the reset
 * @facts: the kernel's reason and the state of the socket
 * @callers: names of the functions in @facts, NULL for an unknown one
 */
struct packet_reset {
	const struct skb_event *event;
	struct reset_facts facts;
	const struct name *callers[RECORD_SKB_RESET_CALLERS];
};

/**
 * struct function_left - the function of a probe point returned (record_skb:return)
 * @event: the packet, the copy and the returned value. Older recordings have no copy number
 * @name: the function
 */
struct function_left {
	const struct skb_event *event;
	const struct name *name;
};

/**
 * struct function - a function of the graph that was entered, left or abandoned
 * @name: name of the function
 * @depth: depth in the call graph
 * @pkt: the packet that the function processes; 0 for a socket call or if the packet is not known
 * @copy: number of the copy, if @point is set
 * @point: the function is a probe point, and this call has the skb as an argument
 * @starts: the function is the root of a call graph of the packet. Before this call, the packet waited in a
 *	queue, or another task processed it
 * @total: duration in ns; only for the callback left
 * @self: the part of @total outside of nested recorded functions; only for the callback left
 * @waited: the part of @self in which the task was not running, as far as known; only for the callback left
 * @lost: only for the callback abandoned: true if the exit row was lost; false if it is out of order, or if
 *	the file ends before it
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
 * struct calls_missing - calls that have no rows, because function_graph's return stack was full
 * @calls: number of missing calls
 * @from: time of the last row of the task before these calls
 * @pkt: a packet that the task was processing, 0 for none
 * @again: the same missing calls were already reported for another packet, because the task was processing
 *	several packets in nested functions
 */
struct calls_missing {
	uint64_t calls;
	uint64_t from;
	uint32_t pkt;
	bool again;
};

/**
 * struct observer - callbacks for the events of the stream
 *
 * Each callback may be NULL. Each call of @entered is followed by one call of @left for the same function. If
 * rows are missing, one call of @abandoned follows instead. In this call, @total and @self are not set.
 */
struct observer {
	void (*packet)(void *data, const struct moment *at, const struct packet_seen *packet);
	void (*dropped)(void *data, const struct moment *at, const struct packet_dropped *packet);
	void (*ruled)(void *data, const struct moment *at, const struct packet_ruled *packet);
	void (*limited)(void *data, const struct moment *at, const struct packet_limited *packet);
	void (*program)(void *data, const struct moment *at, const struct packet_program *packet);
	void (*decided)(void *data, const struct moment *at, const struct packet_decided *packet);
	void (*reset)(void *data, const struct moment *at, const struct packet_reset *reset);
	void (*rule_said)(void *data, const struct moment *at, const struct rule_text *rule);
	void (*copied)(void *data, const struct moment *at, const struct skb_event *event);
	void (*ended)(void *data, const struct moment *at, const struct packet_ended *packet);
	void (*returned)(void *data, const struct moment *at, const struct function_left *left);
	/*
	 * A socket call that opened a call graph began (@called) or returned (@call_returned). Calls without
	 * a graph of their own are not reported.
	 */
	void (*called)(void *data, const struct moment *at, const struct skb_event *event);
	void (*call_returned)(void *data, const struct moment *at, const struct skb_event *event);
	/*
	 * A call that moves data of a TCP stream began (@stream_called) or returned (@stream_returned). Calls
	 * inside another call are also reported. For the same event, @call_returned is called after
	 * @stream_returned.
	 */
	void (*stream_called)(void *data, const struct moment *at, const struct skb_event *event);
	void (*stream_returned)(void *data, const struct moment *at, const struct skb_event *event);
	void (*entered)(void *data, const struct moment *at, const struct function *function);
	void (*left)(void *data, const struct moment *at, const struct function *function);
	void (*abandoned)(void *data, const struct moment *at, const struct function *function);
	/* @real is the time of this event since 1970, in nanoseconds. */
	void (*wall_clock)(void *data, const struct moment *at, uint64_t real);
	/*
	 * Only for joined recordings: the copy left its host at this moment, but did not arrive at the host
	 * @to.
	 */
	void (*missed)(void *data, const struct moment *at, const struct skb_event *event,
		       unsigned int to);
	/* Before this moment, a process other than the recorder consumed rows of the trace buffer. */
	void (*read_by_others)(void *data, const struct moment *at);
	/*
	 * Calls are missing. This callback is called once for each packet that the task was processing. The
	 * packet of the innermost function comes first.
	 */
	void (*missing)(void *data, const struct moment *at, const struct calls_missing *missing);
	/*
	 * Rows of a CPU were lost. @count is the number of lost rows, 0 if it is not known. @from is the time
	 * of the last row of the CPU before the loss.
	 */
	void (*lost)(void *data, const struct moment *at, uint64_t from, uint64_t count);
};

#define MAX_OBSERVERS 10

struct reader;

/**
 * reader_open - open a trace
 * @path: name of the trace file
 * @err: set on failure
 *
 * Return: the reader; NULL if the file cannot be read or has no record_skb events.
 */
struct reader *reader_open(const char *path, struct err *err);
void reader_close(struct reader *reader);

/* Add an observer, at most MAX_OBSERVERS. Observers are called in the order in which they were added. */
void reader_add_observer(struct reader *reader, const struct observer *observer, void *data);

/* Return: the function names of the trace, for use by observers. */
struct names *reader_names(struct reader *reader);
/* Return: the names of network namespaces. The reader can find more names while it reads the trace. */
const struct netns_names *reader_netns_names(const struct reader *reader);
/* Return: the event that ended the ring, if the recording is a ring. Valid after reader_run(). */
const struct ring_end *reader_ring_end(const struct reader *reader);
/*
 * Return: true if the recording contains its beginning. A recording begins with a wall_clock event, before
 * all other record_skb events. If this event is not the first one, the beginning was cut off or overwritten.
 * For example, a ring buffer that was read after a crash has no count of overwritten rows. Older recordings
 * never have a wall_clock event and are treated as complete.
 */
bool reader_has_beginning(const struct reader *reader);
/*
 * Return: the time at which the module stopped matching packets. Later rows belong to calls that had begun
 * before. If the file does not have this time, or was not read to its end, return the time of the last row
 * that was read.
 */
uint64_t reader_last(const struct reader *reader);
/*
 * Return: system, host, release and architecture, separated by blanks; NULL if the trace does not have
 * them.
 */
const char *reader_machine(const struct reader *reader);
/*
 * Return: what the module did not record, without the time. Use this function after the last row was read. It
 * is not known for a ring.
 */
struct module_losses reader_module_losses(const struct reader *reader);
/*
 * Return: the arguments of record-skb, as words of a shell; NULL if they are not known, as for a ring or
 * for several hosts.
 */
const char *reader_arguments(const struct reader *reader);
/*
 * Return: the identification of a recording with corrected times, see input_synced_id(); 0 for other
 * recordings.
 */
uint64_t reader_synced_id(const struct reader *reader);
/*
 * Return: N of --sample 1/N, with which only one of N flows was recorded; 0 or 1 for all flows. Valid after
 * reader_run().
 */
uint32_t reader_sample(const struct reader *reader);
/* Return: the number of CPUs. */
int reader_cpus(const struct reader *reader);

/* Print the files with debug information in which source lines were looked up. */
void reader_print_source_files(FILE *out, const struct reader *reader);

/**
 * reader_begin - open a reader that gets its rows from the caller, by reader_row()
 * @tep: event formats of the trace; must outlive the reader
 * @cpus: number of CPUs of the machine
 * @err: set on failure
 *
 * Use this function, reader_row() and reader_end() instead of reader_open() and reader_run() if the rows do
 * not come from a file.
 *
 * Return: the reader; NULL on failure, for example if there are no record_skb events.
 */
struct reader *reader_begin(struct tep_handle *tep, int cpus, struct err *err);
/* Process the next row. Rows must be sorted by time. */
void reader_row(struct reader *reader, const struct tep_record *record);
/* Finish the recording after its last row. */
void reader_end(struct reader *reader);

/**
 * struct read_state - how far a trace was read
 * @now: time of the last row
 * @losses_from: losses that were not reported yet begin at this time or later
 * @calls_from: missing calls that were not reported yet begin at this time or later
 */
struct read_state {
	uint64_t now, losses_from, calls_from;
};

/* A step function, see reader_set_step(). Return: false if no more rows are needed. */
typedef bool reader_step(void *data, const struct read_state *state);

/**
 * reader_set_step - call a function from time to time while the file is read
 * @reader: reader of a file, before reader_run()
 * @step: the function
 * @data: passed to @step
 */
void reader_set_step(struct reader *reader, reader_step *step, void *data);
/*
 * Return: true if the reader can tell, before the end of the file, that a packet has ended. Valid after
 * reader_set_step(). Returns false for older recordings, because they lack the necessary events. Also returns
 * false if the clock does not count nanoseconds, because times between rows are then not known.
 */
bool reader_can_stream(const struct reader *reader);
/* Return: true if the step function has ended reader_run(), so the rest of the file was not read. */
bool reader_was_stopped(const struct reader *reader);
/* Return: true if libtracecmd could not read the rest of a CPU. The rest was reported as a loss. */
bool reader_ended_early(const struct reader *reader);
/* Return: time of the last row in the file, 0 if it is not known. Valid after reader_set_step(). */
uint64_t reader_file_end(const struct reader *reader);

/*
 * Read the whole file, or read until the step function returns false. Call this function only once. A
 * truncated recording ends at its last complete row.
 */
void reader_run(struct reader *reader);

#endif
