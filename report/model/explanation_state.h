/* SPDX-License-Identifier: GPL-2.0 */
/*
 * explanation_state.h - data that explanation_events.c collects, for the explanations of drops in
 * explanations.c
 */
#ifndef _RECORD_SKB_EXPLANATION_STATE_H
#define _RECORD_SKB_EXPLANATION_STATE_H

#include "hash_table.h"
#include "model/explanations.h"

/* Maximum number of nested calls in a task. */
#define MAX_OPEN 8

/* A socket call that opened a graph. */
struct call {
	uint64_t func;
	struct flow flow;
	uint32_t flow_number;
	uint8_t dir;
	uint32_t netns;
	uint32_t dropped; /* number of the last packet that the same task dropped during the call */
	/* flow and source port of the last packet that the same task sent during the call */
	uint32_t sent_flow;
	uint16_t sent_port;
	int error; /* an error that a nested call has returned; the cause is reported for the nested call */
	/*
	 * The BPF program that refused the call or redirected its data. Its type is 0 if no program did so.
	 */
	struct program_facts program;
	bool has_passed; /* a program of a sockmap has not redirected all data of the call */
};

struct task {
	struct call open[MAX_OPEN];
	unsigned int nr;
	/*
	 * Failed calls that tried to open an ICMP socket [0] or an ICMPv6 socket [1]. They failed because the
	 * task had no right to do so.
	 */
	struct failed *denied[2];
};

/* Calls that failed in the same way. */
struct failed {
	struct failed_call call;
	uint64_t func;
	struct program_facts program; /* of call.program */
	struct failed *next;
};

/* The last nftables rule that dropped an skb or passed it to a program. */
struct ruled {
	uint32_t number;
	const struct rule_facts *rule;
};

/*
 * State of nf_hook_slow() in a task, or in a softirq that interrupted the task. @last is the function that
 * nf_hook_slow() has called last.
 */
struct hook {
	bool in;
	int depth; /* depth of nf_hook_slow() in the graph */
	const struct name *last;
};

/* The netfilter hook function that dropped an skb. */
struct hooked {
	uint32_t number;
	const struct name *by;
};

/*
 * Steps that TCP has taken with a packet. A step is known if one of its functions was called for the packet.
 * The steps together show why TCP freed the packet.
 */
enum tcp_step {
	STEP_LISTENER = 1,  /* a SYN came to a listener */
	STEP_HANDSHAKE = 2, /* a packet came for a half-open connection (SYN answered) */
	STEP_TIME_WAIT = 4, /* a packet came for a connection in the state TIME-WAIT */
	STEP_CLOSES = 8,    /* the packet has ended a connection, or has a FIN or RST */
	STEP_RECEIVED = 16, /* TCP received the packet */
	STEP_SOCKET = 32,   /* TCP gave the packet to a socket, or to the socket's backlog */
	/* IP called TCP. The function is no probe point, so the recording has more than those. */
	STEP_CALLED = 64,
};

struct tcp_steps {
	uint32_t number;
	unsigned int steps; /* enum tcp_step */
};

struct explanations {
	struct drop_evidence *evidence; /* NULL if no evidence is collected */
	struct packets **packets;
	struct names *names;
	/*
	 * Objects by a hash of their contents, without duplicates. If another object has the same hash, the
	 * next numbers are the keys.
	 */
	struct table rules;    /* struct rule_facts */
	struct table texts;    /* struct rule_text by the rule */
	struct table composed; /* texts about BPF programs and NAT */

	struct table ruled;  /* struct ruled by packet and copy */
	struct table hooked; /* struct hooked by packet and copy */
	struct table hooks;  /* struct hook by PID and softirq */
	struct table tasks;  /* by PID */
	struct table steps;  /* struct tcp_steps by packet */
	struct table failed; /* struct failed */
	struct readers *readers;
	struct failed *first, **last;
	uint64_t other_calls; /* failed calls that are not in @failed */
	bool any_rule;	      /* the recording contains rule events */
};

/* Return: the key of an skb in the tables. */
struct table_key explanations_skb_key(uint32_t number, uint32_t copy);

/* Return: the recorded text of a rule; NULL if the recording has none. */
const struct rule_text *explanations_rule_text(const struct explanations *explanations,
					       const struct rule_facts *rule);

/*
 * Return: true if a packet is on its way out. A packet on its way in does not belong to a call that sends. It
 * can be received during the call, for example from the backlog of the socket.
 */
bool explanations_goes_out(const struct explanations *explanations, uint32_t number,
			   uint32_t copy_number);

#endif
