/* SPDX-License-Identifier: GPL-2.0 */
/* resets.h - find the origin of a TCP reset or an ICMP error: the task and the function that sent it */
#ifndef _RECORD_SKB_RESETS_H
#define _RECORD_SKB_RESETS_H

#include "model/cause_command.h"
#include "model/packets.h"

/* Reasons to send a reset, as far as the call graph shows them. */
enum reset_cause {
	RESET_UNKNOWN,
	RESET_CLOSE,	  /* close() with unread data */
	RESET_DISCONNECT, /* close() with SO_LINGER and a linger time of 0, or connect(AF_UNSPEC) */
	RESET_ABORT,	  /* the socket was destroyed, as by ss -K */
	RESET_LISTENER,	  /* close() of a listener with connections in its accept queue */
	/* answer to a packet for which no socket exists, or that does not belong to the connection */
	RESET_NO_SOCKET,
	RESET_REJECT,	 /* an nftables or iptables rule with "reject" */
	RESET_TIMER,	 /* a TCP timer expired */
	RESET_KEEPALIVE, /* the peer did not answer keepalive probes */
	RESET_FIN_WAIT,	 /* closed here, but the peer did not close in time */
	RESET_ORPHANS,	 /* too many sockets without a process, or not enough memory */
};

/**
 * struct reset - the origin of a TCP reset or an ICMP error
 * @packet: number of the packet
 * @ts: time of the first event of the packet
 * @flow_number: number of the packet's flow
 * @flow: headers of the packet
 * @is_tcp: the packet is a TCP reset; if false, it is an ICMP error
 * @came_in: true if the recording only shows that this machine received the packet; false if this machine
 *	sent or forwarded it
 * @is_local: this machine has made the packet. If false and @came_in is false, it may have forwarded it
 * @cause: why the packet was sent
 * @reason: the kernel's own reason, not escaped; empty if the recording does not have it
 * @probes: RESET_KEEPALIVE: number of probes that were not answered
 * @user_timeout: RESET_KEEPALIVE: TCP_USER_TIMEOUT in milliseconds, 0 if it is not set
 * @unread: RESET_CLOSE: number of a packet with data that close() has freed without reading; 0 if it is not
 *	known
 * @unread_bytes: RESET_CLOSE: number of bytes that were received and not read; 0 if it is not known
 * @answers: number of the packet to which this reset or ICMP error is the answer; 0 for none, or if it is not
 *	known
 * @pid: the task that sent the packet in process context; 0 if a softirq sent it
 * @comm: name of this task, not escaped
 * @call: the socket call that sent the packet; NULL for none, or if it is not known
 */
struct reset {
	uint32_t packet;
	uint64_t ts;
	uint32_t flow_number;
	struct flow flow;
	bool is_tcp, came_in, is_local;
	enum reset_cause cause;
	char reason[RESET_REASON_LEN + 1];
	uint8_t probes;
	uint32_t user_timeout;
	uint32_t unread, unread_bytes;
	uint32_t answers;
	int pid;
	char comm[TASK_NAME_LEN + 1];
	const struct name *call;
};

struct failed_call;
struct resets;

struct resets *resets_create(void);
void resets_free(struct resets *resets);
/* Set the names of the trace's functions, before the trace is read. */
void resets_set_names(struct resets *resets, struct names *names);

/*
 * Optional: set @packets, so that texts can describe the packet that was answered by a reset or an ICMP
 * error.
 */
void resets_set_packets(struct resets *resets, const struct packets *packets);

/* This observer collects the resets. Pass it to reader_add_observer(), with the struct resets as data. */
extern const struct observer resets_observer;

/*
 * The functions below return a pointer that is valid until the next event is passed to resets_observer,
 * because only the newest resets are kept.
 */
/* Return: the origin of the packet @number; NULL if the packet is neither a reset nor an ICMP error. */
const struct reset *resets_find(const struct resets *resets, uint32_t number);
/*
 * Return: the last reset or ICMP error that one end of a flow received; NULL if this end received none. The
 * end has the port @flow->sport.
 */
const struct reset *resets_of_socket(const struct resets *resets, uint32_t flow_number,
				     const struct flow *flow);
/* Return: the reset or ICMP error that made the call fail; NULL if the recording does not contain it. */
const struct reset *resets_of_call(const struct resets *resets, const struct failed_call *call);

#define RESET_LEN 640
/*
 * Format the origin: "sent by nginx-812 in __sys_close: …". If @with_numbers is false, the text describes a
 * group of packets, so it leaves out numbers that differ between these packets.
 */
const char *words_reset(char *buf, const struct reset *reset, bool with_numbers);

/*
 * Write the command that shows the cause of a reset on the machine that sent it to @buf of COMMAND_LEN bytes.
 * Return: @buf; NULL if no command shows the cause.
 */
const char *reset_command(char *buf, const struct reset *reset);

#endif
