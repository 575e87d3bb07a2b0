// SPDX-License-Identifier: GPL-2.0
/* explanation_events.c - collect the rules, calls and netfilter hooks that explain drops and failed calls */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/packet_copies.h"
#include "model/explanation_state.h"

/* Rules */

struct table_key explanations_skb_key(uint32_t number, uint32_t copy)
{
	return (struct table_key){ .number = (uint64_t)number << 32 | copy };
}

static const struct rule_facts *remember_rule(struct explanations *explanations,
					      const struct rule_facts *facts)
{
	struct table_key key = { .number = hash_bytes(HASH_BEGIN, facts, sizeof(*facts)) };
	struct rule_facts *rule;

	for (; (rule = table_find(&explanations->rules, key)); key.number++) {
		if (!memcmp(rule, facts, sizeof(*facts)))
			return rule;
	}
	rule = malloc(sizeof(*rule));
	/* Copy the padding, too, because it is part of the hash. */
	if (rule)
		memcpy(rule, facts, sizeof(*rule));
	return table_add(&explanations->rules, key, rule);
}

static void explanations_handle_rule(void *data, const struct moment *at,
				     const struct packet_ruled *packet)
{
	const struct table_key key = explanations_skb_key(packet->event->pkt, packet->event->copy);
	const struct rule_facts *facts = &packet->facts;
	struct explanations *explanations = data;
	struct ruled *ruled;

	(void)at;
	explanations->any_rule = true;
	if ((facts->verdict != RULE_DROP && facts->verdict != RULE_QUEUE) ||
	    (facts->type != RULE_RULE && facts->type != RULE_POLICY))
		return;
	ruled = table_find(&explanations->ruled, key);
	if (!ruled)
		ruled = table_add(&explanations->ruled, key, calloc(1, sizeof(*ruled)));
	if (ruled)
		*ruled = (struct ruled){ packet->event->pkt, remember_rule(explanations, facts) };
}

/* Return: the text of the same rule as @like; NULL if there is none. @key is set to the key of this rule. */
static struct rule_text *find_rule_text(const struct explanations *explanations,
					const struct rule_text *like, struct table_key *key)
{
	const uint64_t numbers = like->handle ^ (uint64_t)like->netns << 32 ^ like->family;
	struct rule_text *text;

	*key = (struct table_key){
		.number = hash_text(hash_text(HASH_BEGIN ^ numbers, like->table), like->chain),
	};
	for (; (text = table_find(&explanations->texts, *key)); key->number++) {
		if (text->netns == like->netns && text->family == like->family &&
		    text->handle == like->handle && !strcmp(text->table, like->table) &&
		    !strcmp(text->chain, like->chain))
			return text;
	}
	return NULL;
}

static void explanations_handle_rule_text(void *data, const struct moment *at,
					  const struct rule_text *rule)
{
	struct explanations *explanations = data;
	struct table_key key;
	struct rule_text *text = find_rule_text(explanations, rule, &key);

	(void)at;
	if (!text)
		text = table_add(&explanations->texts, key, malloc(sizeof(*text)));
	if (text)
		*text = *rule;
}

const struct rule_text *explanations_rule_text(const struct explanations *explanations,
					       const struct rule_facts *rule)
{
	struct rule_text like = {
		.netns = rule->netns,
		.family = rule->family,
		.handle = rule->handle,
	};
	struct table_key key;

	snprintf(like.table, sizeof(like.table), "%s", rule->table);
	snprintf(like.chain, sizeof(like.chain), "%s", rule->chain);
	return find_rule_text(explanations, &like, &key);
}

/* Calls */

static struct task *task_of(struct explanations *explanations, const struct moment *at, bool add)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct task *task = at->softirq ? NULL : table_find(&explanations->tasks, key);

	if (!task && add && !at->softirq)
		task = table_add(&explanations->tasks, key, calloc(1, sizeof(*task)));
	return task;
}

static void explanations_handle_call(void *data, const struct moment *at,
				     const struct skb_event *event)
{
	struct task *task = task_of(data, at, true);

	readers_add(((struct explanations *)data)->readers, at, event);
	if (!task || task->nr == MAX_OPEN)
		return;
	task->open[task->nr++] = (struct call){
		.func = event->func,
		.flow = event->flow,
		.flow_number = event->flow_number,
		.dir = event->dir,
		.netns = event->netns,
	};
}

/* Return: a hash (FNV-1a) of the addresses and ports. */
static uint64_t hash_of_flow(const struct flow *flow)
{
	uint64_t hash = 0xcbf29ce484222325ull ^ flow->proto ^ (uint64_t)flow->sport << 16 ^
			(uint64_t)flow->dport << 32;

	for (size_t i = 0; i < sizeof(flow->saddr); i++) {
		hash = (hash ^ flow->saddr[i]) * 0x100000001b3ull;
		hash = (hash ^ flow->daddr[i]) * 0x100000001b3ull;
	}
	return hash;
}

static bool has_same_ends(const struct flow *a, const struct flow *b)
{
	return a->family == b->family && a->proto == b->proto && a->sport == b->sport &&
	       a->dport == b->dport && !memcmp(a->saddr, b->saddr, sizeof(a->saddr)) &&
	       !memcmp(a->daddr, b->daddr, sizeof(a->daddr));
}

/*
 * Return: true if both calls failed in the same way. Such calls are reported as one failure with a number of
 * calls.
 */
static bool is_same_failure(const struct failed *failed, const struct call *call)
{
	return failed->func == call->func && failed->call.error == call->error &&
	       failed->call.flow_number == call->flow_number && failed->call.netns == call->netns &&
	       !failed->call.dropped == !call->dropped &&
	       failed->program.type == call->program.type &&
	       failed->program.id == call->program.id &&
	       failed->program.result == call->program.result &&
	       failed->program.to == call->program.to &&
	       failed->program.to_index == call->program.to_index &&
	       has_same_ends(&failed->call.flow, &call->flow);
}

/*
 * Return: true if a call of @function with this error has failed. With the other errors, the program waits
 * or tries again. The errors from 512 on do not leave the kernel. shutdown() of a connection that has ended
 * fails in each program that closes both directions.
 */
static bool is_failure(int error, const char *function)
{
	if (error == ENOTCONN && function && !strcmp(function, "__sys_shutdown"))
		return false;
	return error && error != EAGAIN && error != EINTR && error != EINPROGRESS &&
	       error != EALREADY && error < 512;
}

static struct failed *add_failed(struct explanations *explanations, const struct moment *at,
				 const struct call *call)
{
	const struct name *name = names_of(explanations->names, call->func);
	const struct cause *cause = cause_of_error(call->error, name ? name->text : NULL);
	struct table_key key = { .number = hash_of_flow(&call->flow) ^ call->func ^ call->error };
	struct failed *failed;

	if (!cause && !call->program.type) {
		explanations->other_calls += is_failure(call->error, name ? name->text : NULL);
		return NULL;
	}
	key.number ^= (uint64_t)call->program.id << 32 ^ call->program.to_index;
	/* If another failure has the same key, try the next numbers. */
	for (; (failed = table_find(&explanations->failed, key)); key.number++) {
		if (is_same_failure(failed, call)) {
			failed->call.nr++;
			return failed;
		}
	}
	failed = table_add(&explanations->failed, key, calloc(1, sizeof(*failed)));
	if (!failed)
		return NULL;
	failed->func = call->func;
	failed->call = (struct failed_call){
		.ts = at->ts,
		.nr = 1,
		.flow = call->flow,
		.flow_number = call->flow_number,
		.netns = call->netns,
		.function = name ? name->text : NULL,
		.error = call->error,
		.dir = call->dir,
		.dropped = call->dropped,
		.cause = cause,
		.sent_flow = call->sent_flow,
		.sent_port = call->sent_port,
	};
	failed->program = call->program;
	if (call->program.type)
		failed->call.program = &failed->program;
	*explanations->last = failed;
	explanations->last = &failed->next;
	return failed;
}

static bool opens_socket(const struct explanations *explanations, const struct call *call)
{
	const struct name *name = names_of(explanations->names, call->func);

	return name && !strcmp(name->text, "__sys_socket");
}

/*
 * The ping program first tries to open a kind of socket that needs no privilege. If that fails, it tries the
 * other kind of socket. If this succeeds, ping works. So do not report the first failure.
 */
static void note_ping_socket(struct explanations *explanations, struct task *task,
			     const struct call *call, struct failed *failed)
{
	struct failed **denied = &task->denied[call->flow.proto == FLOW_ICMPV6];

	if ((call->flow.proto != FLOW_ICMP && call->flow.proto != FLOW_ICMPV6) ||
	    !opens_socket(explanations, call))
		return;
	if (call->error == EACCES || call->error == EPERM) {
		*denied = failed;
	} else if (!call->error && *denied) {
		(*denied)->call.nr--;
		*denied = NULL;
	}
}

/*
 * Return: true if a program of a sockmap has passed the data of a call directly to a receiving socket. Such
 * data never become a packet.
 */
static bool is_redirected(const struct program_facts *program)
{
	return program->type == PROGRAM_SK_MSG && program->to == RECORD_SKB_TO_RECEIVER;
}

/* Return: true if a call returns this error because of a packet that has arrived. */
static bool is_from_peer(int error)
{
	return error == ECONNRESET || error == ECONNREFUSED || error == EPIPE;
}

static void explanations_handle_call_return(void *data, const struct moment *at,
					    const struct skb_event *event)
{
	struct task *task = task_of(data, at, false);
	const int error = (int)event->ret < 0 ? -(int)event->ret : 0;
	struct failed *failed = NULL;
	struct call *call;

	/*
	 * If nested calls are still open when this call returns, the recording lacks their return events.
	 * Remove these calls.
	 */
	while (task && task->nr) {
		call = &task->open[--task->nr];
		if (call->func != event->func)
			continue;
		if (task->nr && error)
			task->open[task->nr - 1].error = error;
		if (error && error != call->error) {
			call->error = error;
			if (is_from_peer(error))
				call->dropped = 0;
			/* If the call returned an error, the redirect is not the reason for this error. */
			if (is_redirected(&call->program))
				call->program.type = 0;
			failed = add_failed(data, at, call);
		} else if (!error && !call->has_passed && is_redirected(&call->program)) {
			add_failed(data, at, call);
		}
		note_ping_socket(data, task, call, failed);
		return;
	}
}

/* Note that a BPF program has refused or redirected the innermost call of the task. */
static void explanations_handle_program(void *data, const struct moment *at,
					const struct packet_program *run)
{
	struct task *task = run->pkt || at->softirq ? NULL : task_of(data, at, false);
	struct call *call = task && task->nr ? &task->open[task->nr - 1] : NULL;

	if (call && (program_refuses(&run->facts) || is_redirected(&run->facts)))
		call->program = run->facts;
	else if (call && run->facts.type == PROGRAM_SK_MSG)
		call->has_passed = true;
}

/* Netfilter */

static struct table_key hook_key(const struct moment *at)
{
	static const char softirq;

	return table_task_key(at->pid, at->cpu, at->softirq ? &softirq : NULL);
}

/*
 * Return: true if the function frees a dropped packet. nf_hook_slow() calls it after a hook function has
 * decided to drop the packet.
 */
static bool throws_away(const struct name *name)
{
	return !strncmp(name->text, "kfree_skb", strlen("kfree_skb")) ||
	       !strcmp(name->text, "sk_skb_reason_drop");
}

/*
 * Return: the step (enum tcp_step) that TCP takes when it calls this function; 0 if the function belongs to
 * no step.
 */
static unsigned int step_of(const char *function)
{
	static const struct {
		const char *function;
		enum tcp_step step;
	} steps[] = {
		{ "tcp_conn_request", STEP_LISTENER },
		{ "tcp_check_req", STEP_HANDSHAKE },
		{ "tcp_timewait_state_process", STEP_TIME_WAIT },
		{ "tcp_done", STEP_CLOSES },
		{ "tcp_time_wait", STEP_CLOSES },
		{ "tcp_fin", STEP_CLOSES },
		{ "tcp_reset", STEP_CLOSES },
		{ "tcp_v4_rcv", STEP_RECEIVED },
		{ "tcp_v6_rcv", STEP_RECEIVED },
		{ "tcp_v4_do_rcv", STEP_SOCKET },
		{ "tcp_v6_do_rcv", STEP_SOCKET },
		{ "tcp_add_backlog", STEP_SOCKET },
		{ "ip_protocol_deliver_rcu", STEP_CALLED },
		{ "ip6_protocol_deliver_rcu", STEP_CALLED },
	};

	if (strncmp(function, "tcp_", strlen("tcp_")) && strncmp(function, "ip", strlen("ip")))
		return 0;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (!strcmp(function, steps[i].function))
			return steps[i].step;
	}
	return 0;
}

static void note_step(struct explanations *explanations, const struct function *function)
{
	const struct table_key key = { .number = function->pkt };
	const unsigned int step = function->pkt ? step_of(function->name->text) : 0;
	struct tcp_steps *steps = step ? table_find(&explanations->steps, key) : NULL;

	if (step && !steps)
		steps = table_add(&explanations->steps, key, calloc(1, sizeof(*steps)));
	if (steps) {
		steps->number = function->pkt;
		steps->steps |= step;
	}
}

static void explanations_handle_entry(void *data, const struct moment *at,
				      const struct function *function)
{
	struct explanations *explanations = data;
	const struct table_key key = hook_key(at);
	struct hook *hook = table_find(&explanations->hooks, key);

	note_step(explanations, function);
	if (!strcmp(function->name->text, "nf_hook_slow")) {
		if (!hook)
			hook = table_add(&explanations->hooks, key, calloc(1, sizeof(*hook)));
		if (hook)
			*hook = (struct hook){ .in = true, .depth = function->depth };
	} else if (hook && hook->in) {
		if (function->depth == hook->depth + 1 && !throws_away(function->name))
			hook->last = function->name;
		hook->in = function->depth > hook->depth;
	}
}

/*
 * Note which hook function decided to drop a packet: the function that nf_hook_slow() called last.
 * nf_hook_slow() itself only frees the packet.
 */
static void dropped_in_hook(struct explanations *explanations, const struct moment *at,
			    const struct packet_dropped *packet)
{
	const struct hook *hook = table_find(&explanations->hooks, hook_key(at));
	const struct table_key key = explanations_skb_key(packet->event->pkt, packet->event->copy);
	struct hooked *hooked;

	if (!hook || !hook->in || !hook->last || !packet->place ||
	    strcmp(packet->place->text, "nf_hook_slow"))
		return;
	hooked = table_add(&explanations->hooked, key, calloc(1, sizeof(*hooked)));
	if (hooked)
		*hooked = (struct hooked){ packet->event->pkt, hook->last };
}

/*
 * Return: @copy, if it has reached a probe point. Otherwise, return the copy from which it was made, because
 * @copy is still at the same place.
 */
const struct copy *last_seen_copy(const struct packet *packet, const struct copy *copy)
{
	const struct copy *from = copy;

	for (unsigned int i = 0; i < packet->nr_copies && from && !from->seen; i++)
		from = copies_find(packet, from->from);
	return from && from->seen ? from : packet->copies[0];
}

bool explanations_goes_out(const struct explanations *explanations, uint32_t number,
			   uint32_t copy_number)
{
	const struct packet *packet = packets_find(*explanations->packets, number);

	return packet && packet->nr_copies &&
	       last_seen_copy(packet, copies_find(packet, copy_number))->fate.goes_out;
}

/*
 * Return: true if a packet that is dropped during a call can be the reason why the call fails. A call that
 * receives also sends packets, such as acknowledgements, but it does not fail if they are dropped. A packet
 * of another flow has only waited in a queue that the call has emptied.
 */
static bool may_fail_with(const struct call *call, const struct skb_event *dropped)
{
	return call->dir != RECORD_SKB_DIR_RX && (dropped->flow_number == call->flow_number ||
						  dropped->flow_number == call->sent_flow);
}

static void explanations_handle_drop(void *data, const struct moment *at,
				     const struct packet_dropped *packet)
{
	struct task *task = task_of(data, at, false);
	bool is_sent = explanations_goes_out(data, packet->event->pkt, packet->event->copy);

	for (unsigned int i = 0; is_sent && task && i < task->nr; i++) {
		if (may_fail_with(&task->open[i], packet->event))
			task->open[i].dropped = packet->event->pkt;
	}
	dropped_in_hook(data, at, packet);
}

/*
 * Return: true if another call has sent the packet. A call that sends may also empty the queue of the device,
 * in which packets of other sockets wait. These packets were seen before this call.
 */
static bool is_of_other_call(const struct call *call, const struct packet_seen *seen)
{
	const uint32_t flow_number = seen->event->flow_number;

	return seen->facts.seen_before && flow_number != call->flow_number &&
	       flow_number != call->sent_flow;
}

/*
 * Note the flow and the port of a packet that a call sends. connect() has no flow and no port when it begins.
 */
static void explanations_handle_packet(void *data, const struct moment *at,
				       const struct packet_seen *seen)
{
	const struct skb_event *event = seen->event;
	struct task *task =
		event->dir == RECORD_SKB_DIR_TX && !seen->within ? task_of(data, at, false) : NULL;

	for (unsigned int i = 0; task && i < task->nr; i++) {
		if (is_of_other_call(&task->open[i], seen))
			continue;
		task->open[i].sent_flow = event->flow_number;
		task->open[i].sent_port = event->flow.sport;
	}
}

const struct observer explanations_observer = {
	.packet = explanations_handle_packet,
	.ruled = explanations_handle_rule,
	.rule_said = explanations_handle_rule_text,
	.called = explanations_handle_call,
	.call_returned = explanations_handle_call_return,
	.program = explanations_handle_program,
	.dropped = explanations_handle_drop,
	.entered = explanations_handle_entry,
};
