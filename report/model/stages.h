/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stages.h - find when each packet reached each stage of its path, and where it waited in between
 *
 * A stage is a part of the kernel that processes packets, such as a qdisc or a socket. The probe points
 * that a packet reaches determine its stage.
 */
#ifndef _RECORD_SKB_STAGES_H
#define _RECORD_SKB_STAGES_H

#include "hosts/hosts.h"
#include "model/packets.h"
#include "model/tcp_send_queue.h"

enum stage {
	STAGE_NONE,
	STAGE_CALL,
	STAGE_OUTPUT,
	STAGE_QDISC,
	STAGE_DRIVER,
	STAGE_RECEIVE,
	STAGE_PROTOCOL,
	STAGE_FORWARD,
	STAGE_SOCKET,
	STAGE_READER,
	STAGES,
};

const char *stage_name(enum stage stage);
/* Return: the stage that a packet reaches at a probe point. */
enum stage stage_of(const struct name *point, enum record_skb_dir dir);

/**
 * struct step - the way from one stage to the next
 * @from: first stage, enum stage
 * @to: second stage, enum stage
 * @from_host: host of @from
 * @to_host: host of @to. If hosts_clock_error() does not know the error of the time between the two hosts,
 *	the step is left out
 * @copy: number of the copy
 * @at: time of the arrival at @to
 * @ns: time from the packet's arrival at @from to its arrival at @to
 */
struct step {
	uint8_t from, to;
	uint8_t from_host, to_host;
	uint32_t copy;
	uint64_t at, ns;
};

/* Return: the error of @step->ns. It is 0 if both stages are on the same host. */
static inline uint64_t step_clock_error(const struct step *step)
{
	return hosts_clock_error(step->from_host, step->to_host);
}

/**
 * struct rest - a period in which no task processed the packet
 * @ns: duration; 0 if the packet never waited
 * @at: time of the end of the wait
 * @copy: number of the copy that continued afterwards
 * @state: state of the copy when the wait began, enum fate_state
 * @after: function that processed the packet before the wait
 * @before: probe point that the packet reached after the wait
 * @device: device of the packet during the wait
 * @from_host: host on which the wait began
 * @to_host: host on which the wait ended
 * @waited: time within the period in which the next task was asleep or had no CPU; 0 if a softirq processed
 *	the packet next
 */
struct rest {
	uint64_t ns, at;
	uint32_t copy;
	enum fate_state state;
	const struct name *after, *before;
	uint16_t device;
	uint8_t from_host, to_host;
	struct waited waited;
};

/* Return: the error of @rest->ns. It is 0 if the wait began and ended on the same host. */
static inline uint64_t rest_clock_error(const struct rest *rest)
{
	return hosts_clock_error(rest->from_host, rest->to_host);
}

/**
 * struct visit - the path of one copy
 * @copy: number of the copy
 * @delivered: time when a socket got the copy, 0 if none did
 * @in_order: time from which on the reader could take the copy, because all earlier bytes of the TCP
 *	stream had arrived; 0 if the recording does not prove it. For other protocols than TCP, it is
 *	@delivered
 * @read: time when the reader took the copy out of the socket's queue, 0 if unknown
 * @awaited: the reader was in the receiving call at the time @in_order
 * @partly: another call has read from the socket between @in_order and @read. It may have read a part
 *	of the copy
 * @waited: time between @in_order and @read in which the reader was asleep or had no CPU
 */
struct visit {
	uint32_t copy;
	uint64_t delivered, in_order, read;
	bool awaited, partly;
	struct waited waited;
	/* Only the code that reads the recording uses the members below. */
	enum stage stage;
	uint64_t since;
	unsigned int host; /* host of @since, in joined recordings */
	unsigned int open; /* number of open functions with a probe point that process the copy */
	uint64_t left;	   /* time when the last open function returned */
	unsigned int left_host; /* host of @left */
};

/**
 * struct way - the path of one packet
 * @steps: steps of all its copies
 * @nr_steps: number of elements in @steps
 * @visits: one element for each copy
 * @nr_visits: number of elements in @visits
 * @longest: the longest wait of the packet
 * @called: time when the socket call that created the packet began; 0 if no call did, or if it is not known
 * @pid: the task that made the socket call, 0 if no call created the packet
 * @comm: name of the task that made the socket call
 * @first_of_call: the packet is the first packet that the socket call created
 * @waited: time in which this task was asleep or had no CPU before it created the packet. The time begins
 *	with the previous packet of the call, or with the call
 * @held: for TCP data: the reason why the data were not sent earlier
 */
struct way {
	struct step *steps;
	unsigned int nr_steps;
	struct visit *visits;
	unsigned int nr_visits;
	struct rest longest;
	uint64_t called;
	int pid;
	char comm[TASK_NAME_LEN + 1];
	bool first_of_call;
	struct waited waited;
	struct held held;
};

struct stages;

struct stages *stages_new(void);
void stages_free(struct stages *stages);
void stages_set_packets(struct stages *stages, const struct packets *packets);

/*
 * Add stages_before_observer before packets_observer, and stages_after_observer after it. Both observers need
 * the struct stages as data.
 */
extern const struct observer stages_before_observer;
extern const struct observer stages_after_observer;

/*
 * Return: the path of a packet that is being printed; NULL if the path is unknown. Steps and waits in which
 * rows were lost are left out.
 */
const struct way *stages_way(const struct stages *stages, uint32_t number);
/* Return: the last time of a packet, including the time when a reader took a copy. @way may be NULL. */
static inline uint64_t way_end(const struct packet *packet, const struct way *way)
{
	uint64_t last = packet->last;

	for (unsigned int i = 0; way && i < way->nr_visits; i++) {
		if (way->visits[i].read > last)
			last = way->visits[i].read;
	}
	return last;
}

/*
 * Return: the error of the time from the beginning of a packet to way_end(); CLOCK_ERROR_UNKNOWN if it is not
 * known.
 */
static inline uint64_t way_clock_error(const struct packet *packet, const struct way *way)
{
	unsigned int host = packet->last_host;
	uint64_t last = packet->last;

	for (unsigned int i = 0; way && i < way->nr_visits; i++) {
		if (way->visits[i].read <= last)
			continue;
		last = way->visits[i].read;
		host = way->visits[i].host;
	}
	return hosts_clock_error(packet->first_host, host);
}

/* Return: the time of the newest event that was read. */
uint64_t stages_newest(const struct stages *stages);
/* Return: the lost rows of the recording. */
const struct lost_events *stages_losses(const struct stages *stages);

/* Release the data of a packet. */
void stages_forget(struct stages *stages, uint32_t number);

#endif
