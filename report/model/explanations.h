/* SPDX-License-Identifier: GPL-2.0 */
/* explanations.h - find why packets were dropped and calls failed, and a command that shows the cause */
#ifndef _RECORD_SKB_EXPLANATIONS_H
#define _RECORD_SKB_EXPLANATIONS_H

#include "model/cause_command.h"
#include "model/drop_evidence.h"
#include "model/limit_text.h"
#include "model/packets.h"

/**
 * struct explanation - why a packet was dropped or a call failed
 * @says: the cause in words; NULL if @rule is set
 * @location: function and offset of the drop, if @says has them as evidence; NULL otherwise
 * @source: source line of @location; NULL if it is not known, or if @location is NULL
 * @rule: the nftables rule that dropped the packet; NULL for other causes
 * @by_packet: number of the dropped packet that made the call fail; 0 for other causes
 * @limit: the queue or limit that was exceeded; its kind is RECORD_SKB_LIMIT_NONE if its value is not known
 * @limited: the packet that the limit concerns; valid if @limit has a kind
 * @is_harmless: TCP drops such packets in normal operation without losing data: they are probes or duplicates
 * @netns: network namespace in which @command has to run; 0 if it can run in any namespace
 * @command: command that shows the cause; empty without a command
 *
 * Explanations with the same @says and @rule have the same cause, even if their @limit differs.
 */
struct explanation {
	const char *says;
	const char *location;
	const char *source;
	const struct rule_facts *rule;
	uint32_t by_packet;
	struct limit_facts limit;
	struct limited limited;
	bool is_harmless;
	uint32_t netns;
	char command[COMMAND_LEN];
};

/**
 * struct failed_call - a socket call that failed, or several calls that failed in the same way. It is also
 * used for calls without an error, if a program of a sockmap has redirected their data
 * @ts: time when the call returned; for several calls, the time of the first return
 * @nr: number of calls
 * @flow: addresses and ports of the socket
 * @flow_number: number of the flow, 0 if not known
 * @netns: network namespace of the socket
 * @function: name of the function; NULL if it is not known
 * @error: errno value; 0 if the data were redirected, so that they never became a packet
 */
struct failed_call {
	uint64_t ts, nr;
	struct flow flow;
	uint32_t flow_number, netns;
	const char *function;
	int error;
	/* Only failed_call_explain() uses the members below. */
	uint8_t dir;
	uint32_t dropped;
	const struct cause *cause;
	/* Flow and source port of a packet that the first of the calls sent; 0 for none. */
	uint32_t sent_flow;
	uint16_t sent_port;
	/* The BPF program that refused the call or redirected its data; NULL if none did. */
	const struct program_facts *program;
};

#define CALL_END_LEN 128
/* Format how a call ended: "__sys_sendto returned -EPERM". */
const char *words_call_end(char *buf, const struct failed_call *call);

struct explanations;

typedef void failed_call_callback(void *data, const struct failed_call *call);

/**
 * explanations_create - begin to collect the causes
 * @packets: address of a pointer to struct packets, which knows the device names. The pointer must be set
 *	before the first packet
 */
struct explanations *explanations_create(struct packets **packets);
void explanations_free(struct explanations *explanations);
/* Set the names of the trace's functions, before the trace is read. */
void explanations_set_names(struct explanations *explanations, struct names *names);

/*
 * Set @evidence, the last calls before each drop, which is shown for drops without a known cause. @evidence
 * must outlive @explanations.
 */
void explanations_set_evidence(struct explanations *explanations, struct drop_evidence *evidence);

/*
 * This observer collects the causes. Pass it to reader_add_observer(), with the struct explanations as data.
 */
extern const struct observer explanations_observer;

/*
 * Explain why a copy was dropped or freed.
 *
 * Return: false if the copy was freed without any sign of a drop. In this case, @explanation is empty.
 */
bool explain_copy(const struct explanations *explanations, const struct packet *packet,
		  const struct copy *copy, struct explanation *explanation);
/* Explain a failed call. */
void explain_call(const struct explanations *explanations, const struct failed_call *call,
		  struct explanation *explanation);
/*
 * Return: the number of calls that failed with an error that explanations_each_call() does not report. Errors
 * that only ask the program to wait or to try again do not count.
 */
uint64_t explanations_other_calls(const struct explanations *explanations);
/* Call @each for all failed calls, in order of time. Use this function after the last row was read. */
void explanations_each_call(const struct explanations *explanations, failed_call_callback *each,
			    void *data);

/*
 * Return: @copy, if it has reached a probe point. Otherwise, return the copy from which it was made, because
 * @copy is still at the same place.
 */
const struct copy *last_seen_copy(const struct packet *packet, const struct copy *copy);

/* Release the data about a packet. */
void explanations_forget(struct explanations *explanations, const struct packet *packet);

#define EXPLANATION_LEN 4096
/*
 * Write the explanation as text, with escaped names. Call this function after the last row was read, because
 * the texts of rules are at the end of the recording. @buf has EXPLANATION_LEN bytes.
 */
const char *words_explanation(char *buf, const struct explanations *explanations,
			      const struct explanation *explanation);

#endif
