// SPDX-License-Identifier: GPL-2.0
/* explanations.c - find why packets were dropped and calls failed, and a command that shows the cause */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "escape.h"
#include "hash_table.h"
#include "model/call_causes.h"
#include "model/explanations.h"
#include "model/packet_copies.h"
#include "model/packet_headers.h"

/* Maximum number of nested calls in a task. */
#define MAX_OPEN 8

/* A socket call that opened a graph. */
struct call {
	uint64_t func;
	struct flow flow;
	uint32_t flow_number;
	uint8_t dir;
	uint32_t netns;
	uint32_t dropped; /* number of a packet that the same task dropped during the call */
	int error;	  /* error of a nested call, if this call returned the same error */
};

struct task {
	struct call open[MAX_OPEN];
	unsigned int nr;
	/*
	 * Failed calls that tried to open an ICMP socket [0] or an ICMPv6 socket [1]. They failed because
	 * the task lacked the right to open it.
	 */
	struct failed *denied[2];
};

/* Calls that failed in the same way. */
struct failed {
	struct failed_call call;
	uint64_t func;
	struct failed *next;
};

/* The last nftables rule that dropped an skb or passed it to a program. */
struct ruled {
	uint32_t number;
	const struct rule_facts *rule;
};

/*
 * State of nf_hook_slow(), and the last function that it called, in a task or in a softirq that interrupted
 * the task.
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
 * Steps of TCP with one packet. A step is known because one of its functions was called for the packet.
 * Together, the steps tell why TCP freed the packet.
 */
enum tcp_step {
	STEP_LISTENER = 1,  /* a SYN came to a listener */
	STEP_HANDSHAKE = 2, /* a packet came for a half-open connection: the SYN was answered */
	STEP_TIME_WAIT = 4, /* a packet came for a connection that is closed */
	STEP_CLOSES = 8,    /* the packet ended a connection, or the data of its other end */
	STEP_RECEIVED = 16, /* TCP received the packet */
	STEP_SOCKET = 32,   /* TCP gave it to a socket, or put it into the socket's backlog */
};

struct tcp_steps {
	uint32_t number;
	unsigned int steps; /* enum tcp_step */
};

struct rule {
	struct rule_facts facts;
	struct rule *next;
};

/* The text of an nftables rule. */
struct said {
	struct rule_text rule;
	struct said *next;
};

/* A text about a BPF program, which is the same for all packets that the program drops. */
struct program_text {
	struct program_text *next;
	char text[];
};

struct explanations {
	struct drop_evidence *evidence; /* NULL for none */
	struct packets **packets;
	struct names *names;
	struct rule *rules; /* without duplicates */
	struct said *texts;
	struct program_text *programs; /* without duplicates */
	struct table ruled;  /* struct ruled by packet and copy */
	struct table hooked; /* struct hooked by packet and copy */
	struct table hooks;  /* struct hook by PID and softirq */
	struct table tasks;  /* by PID */
	struct table steps;  /* struct tcp_steps by packet */
	struct table failed; /* struct failed */
	struct readers *readers;
	struct failed *first, **last;
	bool any_rule; /* the recording contains rule events */
};

static bool is_in_no_call(const void *thing)
{
	const struct task *task = thing;

	return !task->nr && !task->denied[0] && !task->denied[1];
}

static bool is_in_no_hook(const void *thing)
{
	return !((const struct hook *)thing)->in;
}

/*
 * Return: true if the object belongs to a forgotten packet. Each object in these tables begins with the
 * number of its packet. The number is set to 0 when the packet is forgotten.
 */
static bool is_forgotten(const void *thing)
{
	return !*(const uint32_t *)thing;
}

struct explanations *explanations_create(struct packets **packets)
{
	struct explanations *explanations = calloc(1, sizeof(*explanations));

	if (!explanations)
		return NULL;
	explanations->packets = packets;
	explanations->tasks.idle = is_in_no_call;
	explanations->hooks.idle = is_in_no_hook;
	explanations->ruled.idle = is_forgotten;
	explanations->hooked.idle = is_forgotten;
	explanations->steps.idle = is_forgotten;
	explanations->last = &explanations->first;
	explanations->readers = readers_create();
	if (explanations->readers)
		return explanations;
	free(explanations);
	return NULL;
}

void explanations_free(struct explanations *explanations)
{
	struct program_text *program;
	struct rule *rule;
	struct said *text;

	if (!explanations)
		return;
	while ((text = explanations->texts)) {
		explanations->texts = text->next;
		free(text);
	}
	while ((program = explanations->programs)) {
		explanations->programs = program->next;
		free(program);
	}
	while ((rule = explanations->rules)) {
		explanations->rules = rule->next;
		free(rule);
	}
	readers_free(explanations->readers);
	table_free(&explanations->ruled);
	table_free(&explanations->hooked);
	table_free(&explanations->hooks);
	table_free(&explanations->tasks);
	table_free(&explanations->steps);
	table_free(&explanations->failed);
	free(explanations);
}

void explanations_set_evidence(struct explanations *explanations, struct drop_evidence *evidence)
{
	explanations->evidence = evidence;
}

void explanations_set_names(struct explanations *explanations, struct names *names)
{
	explanations->names = names;
}

/* Rules */

static struct table_key skb_key(uint32_t number, uint32_t copy)
{
	return (struct table_key){ .number = (uint64_t)number << 32 | copy };
}

static const struct rule_facts *remember_rule(struct explanations *explanations,
					      const struct rule_facts *facts)
{
	struct rule *rule;

	for (rule = explanations->rules; rule; rule = rule->next) {
		if (!memcmp(&rule->facts, facts, sizeof(*facts)))
			return &rule->facts;
	}
	rule = calloc(1, sizeof(*rule));
	if (!rule)
		return NULL;
	rule->facts = *facts;
	rule->next = explanations->rules;
	explanations->rules = rule;
	return &rule->facts;
}

static void explanations_handle_rule(void *data, const struct moment *at,
				     const struct packet_ruled *packet)
{
	const struct table_key key = skb_key(packet->event->pkt, packet->event->copy);
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

static void explanations_handle_rule_text(void *data, const struct moment *at,
					  const struct rule_text *rule)
{
	struct said *said = malloc(sizeof(*said));
	struct explanations *explanations = data;

	(void)at;
	if (!said)
		return;
	said->rule = *rule;
	said->next = explanations->texts;
	explanations->texts = said;
}

static const struct rule_text *text_of(const struct explanations *explanations,
				       const struct rule_facts *rule)
{
	const struct said *said;

	for (said = explanations->texts; said; said = said->next) {
		if (said->rule.netns == rule->netns && said->rule.family == rule->family &&
		    said->rule.handle == rule->handle && !strcmp(said->rule.table, rule->table) &&
		    !strcmp(said->rule.chain, rule->chain))
			return &said->rule;
	}
	return NULL;
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

/* Return: true if both calls failed in the same way. Such calls are reported together. */
static bool is_same_failure(const struct failed *failed, const struct call *call)
{
	return failed->func == call->func && failed->call.error == call->error &&
	       failed->call.flow_number == call->flow_number && failed->call.netns == call->netns &&
	       !failed->call.dropped == !call->dropped &&
	       has_same_ends(&failed->call.flow, &call->flow);
}

static struct failed *add_failed(struct explanations *explanations, const struct moment *at,
				 const struct call *call)
{
	const struct name *name = names_of(explanations->names, call->func);
	const struct cause *cause = cause_of_error(call->error, name ? name->text : NULL);
	struct table_key key = { .number = hash_of_flow(&call->flow) ^ call->func ^ call->error };
	struct failed *failed;

	if (!cause)
		return NULL;
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
	};
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
 * The ping program first tries a kind of socket that needs no rights. If that fails, but the next kind of
 * socket is granted, ping works. In this case, the first failure is not reported.
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

static void explanations_handle_call_return(void *data, const struct moment *at,
					    const struct skb_event *event)
{
	struct task *task = task_of(data, at, false);
	const int error = (int)event->ret < 0 ? -(int)event->ret : 0;
	struct failed *failed = NULL;
	struct call *call;

	/*
	 * Nested calls that are still open when this call returns have lost their return events: remove
	 * them.
	 */
	while (task && task->nr) {
		call = &task->open[--task->nr];
		if (call->func != event->func)
			continue;
		if (task->nr && error)
			task->open[task->nr - 1].error = error;
		if (error && error != call->error) {
			call->error = error;
			failed = add_failed(data, at, call);
		}
		note_ping_socket(data, task, call, failed);
		return;
	}
}

/* Netfilter */

static struct table_key hook_key(const struct moment *at)
{
	static const char softirq;

	return table_task_key(at->pid, at->cpu, at->softirq ? &softirq : NULL);
}

/*
 * Return: true if the function drops packets. nf_hook_slow() calls it after a netfilter hook function has
 * decided to drop the packet.
 */
static bool throws_away(const struct name *name)
{
	return !strncmp(name->text, "kfree_skb", strlen("kfree_skb")) ||
	       !strcmp(name->text, "sk_skb_reason_drop");
}

/* Return: the TCP step (enum tcp_step) that a call of this function proves; 0 if it proves none. */
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
	};

	if (strncmp(function, "tcp_", strlen("tcp_")))
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
 * Note which hook function dropped a packet. nf_hook_slow() dropped it, but the hook function that it called
 * last made the decision.
 */
static void dropped_in_hook(struct explanations *explanations, const struct moment *at,
			    const struct packet_dropped *packet)
{
	const struct hook *hook = table_find(&explanations->hooks, hook_key(at));
	const struct table_key key = skb_key(packet->event->pkt, packet->event->copy);
	struct hooked *hooked;

	if (!hook || !hook->in || !hook->last || !packet->place ||
	    strcmp(packet->place->text, "nf_hook_slow"))
		return;
	hooked = table_add(&explanations->hooked, key, calloc(1, sizeof(*hooked)));
	if (hooked)
		*hooked = (struct hooked){ packet->event->pkt, hook->last };
}

/*
 * Return: @copy, if its location is known. If @copy reached no probe point, return the copy from which it
 * was made, because it has the same location.
 */
const struct copy *last_seen_copy(const struct packet *packet, const struct copy *copy)
{
	const struct copy *from = copy;

	for (unsigned int i = 0; i < packet->nr_copies && from && !from->seen; i++)
		from = copies_find(packet, from->from);
	return from && from->seen ? from : packet->copies[0];
}

/*
 * Return: true for a sent packet. A packet that is received during a call, for example from the backlog of
 * the socket, does not belong to the call.
 */
static bool goes_out(const struct explanations *explanations, uint32_t number, uint32_t copy_number)
{
	const struct packet *packet = packets_find(*explanations->packets, number);

	return packet && packet->nr_copies &&
	       last_seen_copy(packet, copies_find(packet, copy_number))->fate.goes_out;
}

static void explanations_handle_drop(void *data, const struct moment *at,
				     const struct packet_dropped *packet)
{
	struct task *task = task_of(data, at, false);
	bool is_sent = goes_out(data, packet->event->pkt, packet->event->copy);

	for (unsigned int i = 0; is_sent && task && i < task->nr; i++)
		task->open[i].dropped = packet->event->pkt;
	dropped_in_hook(data, at, packet);
}

const struct observer explanations_observer = {
	.ruled = explanations_handle_rule,
	.rule_said = explanations_handle_rule_text,
	.called = explanations_handle_call,
	.call_returned = explanations_handle_call_return,
	.dropped = explanations_handle_drop,
	.entered = explanations_handle_entry,
};

/* Names of netfilter */

static const char *family_name(unsigned int family)
{
	static const char *const names[] = {
		[1] = "inet", [2] = "ip", [3] = "arp", [5] = "netdev", [7] = "bridge", [10] = "ip6",
	};

	return family < sizeof(names) / sizeof(names[0]) && names[family] ? names[family] : "?";
}

static const char *hook_name(const struct rule_facts *rule)
{
	static const char *const inet[] = {
		"prerouting", "input", "forward", "output", "postrouting", "ingress",
	};
	static const char *const arp[] = { "input", "output", "forward" };
	static const char *const netdev[] = { "ingress", "egress" };

	switch (rule->family) {
	case 3:
		return rule->hook < 3 ? arp[rule->hook] : "?";
	case 5:
		return rule->hook < 2 ? netdev[rule->hook] : "?";
	default:
		return rule->hook < 6 ? inet[rule->hook] : "?";
	}
}

/*
 * Return: true if the nft command accepts the name. nft has no quotes for names, so some objects cannot be
 * named in a command.
 */
static bool nft_can_name(const char *name)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
	static const char others[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-/";

	return *name && strchr(letters, *name) && strspn(name, others) == strlen(name);
}

#define NFT_TEXT_LEN (ESCAPED_LEN(RULE_NAME_LEN) + 2)
/* Return: the name, quoted if it could be confused with the surrounding words. */
static const char *nft_text(char *buf, const char *name)
{
	char text[ESCAPED_LEN(RULE_NAME_LEN)];

	snprintf(buf, NFT_TEXT_LEN, nft_can_name(name) ? "%s" : "\"%s\"",
		 escape_text(text, sizeof(text), name));
	return buf;
}

static bool is_echo_request(const struct flow *flow)
{
	return flow->has_icmp && flow->icmp_type == (flow->proto == FLOW_ICMPV6 ? 128 : 8);
}

/* Return: true if TCP freed the packet itself, before a socket or a half-open connection had it. */
static bool is_freed_early(unsigned int steps, const char *func)
{
	return steps == STEP_RECEIVED && func &&
	       (!strcmp(func, "tcp_v4_rcv") || !strcmp(func, "tcp_v6_rcv"));
}

/*
 * The kernel often frees a processed packet in the same way as an ignored one. Examples of processed packets
 * are an ARP request for another host, an ICMPv6 message (up to Linux 6.3), and the last packet of a
 * connection. So a drop is reported only if there is a sign of it, such as a missing answer.
 *
 * Return: the possible cause of a drop; NULL if there is no sign of a drop.
 */
static const struct cause *possible_cause(const struct explanations *explanations,
					  const struct packet *packet, const struct copy *copy)
{
	const struct tcp_steps *called =
		table_find(&explanations->steps, (struct table_key){ .number = packet->number });
	const unsigned int steps = called ? called->steps : 0;
	const struct flow *flow = &last_seen_copy(packet, copy)->flow_now;
	const unsigned int flags = last_seen_copy(packet, copy)->tcp_flags_now;
	const char *func = copy->outcome.where ? copy->outcome.where->text : NULL;

	/*
	 * A fragment is freed together with the packet that it is a part of. That packet has its own
	 * verdict.
	 */
	if (func && !strncmp(func, "skb_release_data", strlen("skb_release_data")))
		return NULL;
	if (flow->arp || flow->proto == FLOW_ICMP || flow->proto == FLOW_ICMPV6)
		return is_echo_request(flow) && !packet->answered ?
			       cause_of_freed(FREED_ECHO, func) :
			       NULL;
	if (flow->proto != PROTO_TCP || !flow->family)
		return cause_of_freed(FREED_OTHER, func);
	if (!packet->incomplete && is_freed_early(steps, func))
		return cause_of_freed(FREED_EARLY, func);
	if ((flags & (TCP_SYN | TCP_ACK)) == TCP_SYN)
		return packet->answered ? NULL : cause_of_freed(FREED_SYN, func);
	if (steps & STEP_HANDSHAKE && !(flags & TCP_RST))
		return cause_of_freed(FREED_HANDSHAKE, func);
	if (flags & (TCP_RST | TCP_FIN) || steps & (STEP_CLOSES | STEP_TIME_WAIT))
		return NULL;
	/*
	 * If tcp_rcv_state_process() frees an acknowledgement without data, the connection has ended. An
	 * acknowledgement that fails in a handshake is not freed there, but in the caller.
	 */
	if (func && !strncmp(func, "tcp_rcv_state_process", strlen("tcp_rcv_state_process")) &&
	    last_seen_copy(packet, copy)->payload_now <= 0)
		return NULL;
	return cause_of_freed(FREED_TCP, func);
}

/* Explanations */

static uint32_t printed_netns(const struct explanations *explanations, uint32_t netns)
{
	/* The namespace tells the host, too. */
	return !hosts_count() && devices_one_netns(packets_devices(*explanations->packets)) ? 0 :
											      netns;
}

static void explain_by_cause(struct explanation *explanation, const struct cause *cause,
			     const struct about *about, uint32_t netns)
{
	explanation->says = cause->says;
	if (!cause_command(explanation->command, cause, about))
		explanation->command[0] = '\0';
	else if (!cause->global)
		explanation->netns = netns;
}

/*
 * Like explain_by_cause(), for a packet. If the recording contains the value of the limit that decided, add
 * this value to the explanation.
 */
static void explain_packet_by_cause(const struct explanations *explanations,
				    struct explanation *explanation, const struct cause *cause,
				    const struct copy *copy, const struct about *about,
				    uint32_t netns)
{
	const struct limit_facts *limit = &copy->outcome.limit;

	explain_by_cause(explanation, cause, about, netns);
	if (!limit->kind || limit->kind != cause->limit)
		return;
	explanation->limit = *limit;
	explanation->limited = (struct limited){
		.family = about->flow->family,
		.proto = about->flow->proto,
		.port = about->receives ? about->flow->dport : about->flow->sport,
		.device = about->device,
		.reader = readers_find(explanations->readers, about->flow),
	};
	explanation->says = limit_name(limit->kind);
}

static void explain_by_rule(struct explanation *explanation, const struct rule_facts *rule,
			    uint32_t netns)
{
	char command[2 * RULE_NAME_LEN + 64] = "";

	explanation->rule = rule;
	explanation->netns = netns;
	if (nft_can_name(rule->table) && nft_can_name(rule->chain))
		snprintf(command, sizeof(command), "nft -a list chain %s %s %s",
			 family_name(rule->family), rule->table, rule->chain);
	if (!*command || strlen(command) >= COMMAND_LEN)
		snprintf(command, sizeof(command), "nft -a list ruleset %s",
			 family_name(rule->family));
	strcpy(explanation->command, command);
}

static void explain_without_rule(const struct explanations *explanations,
				 struct explanation *explanation, const struct packet *packet,
				 const struct copy *copy, const struct about *about, uint32_t netns)
{
	const struct hooked *hooked =
		table_find(&explanations->hooked, skb_key(packet->number, copy->number));
	const struct cause *cause = hooked ? cause_of_hook(hooked->by->text) : NULL;

	if (cause) {
		explain_packet_by_cause(explanations, explanation, cause, copy, about, netns);
		return;
	}
	if (packet->incomplete)
		explanation->says = "netfilter; entries were lost, maybe those that say which rule";
	else if (explanations->any_rule)
		explanation->says =
			"netfilter, but no rule of nftables: conntrack, iptables-legacy, or a program "
			"(NFQUEUE, BPF)";
	else
		explanation->says =
			"netfilter; which rule is not in the recording: record-skb --why records it";
	strcpy(explanation->command, "nft -a list ruleset");
	explanation->netns = netns;
}

static void explain_by_reason(const struct explanations *explanations,
			      struct explanation *explanation, const struct packet *packet,
			      const struct copy *copy, const struct about *about, uint32_t netns)
{
	const char *reason = copy->outcome.reason;
	const char *func = copy->outcome.where ? copy->outcome.where->text : NULL;
	const struct drop_evidence *evidence = explanations->evidence;
	const struct cause *cause = NULL;
	const char *words = NULL;

	if (evidence)
		cause = drop_evidence_cause(evidence, packet->number, copy->number);
	cause = cause_of_addresses(cause, reason, func, about->flow);
	if (!cause) {
		cause = cause_of_drop(reason, func);
		if (evidence && !cause_is_known(reason, func))
			words = drop_evidence_words(evidence, packet->number, copy->number);
	}
	explain_packet_by_cause(explanations, explanation, cause, copy, about, netns);
	if (words) {
		explanation->says = words;
		explanation->location =
			drop_evidence_location(evidence, packet->number, copy->number);
		explanation->source = drop_evidence_source(evidence, packet->number, copy->number);
	}
}

/* Return: @text, at the same address for the same text; NULL if there is not enough memory. */
static const char *remember_program(struct explanations *explanations, const char *text)
{
	struct program_text *program;

	for (program = explanations->programs; program; program = program->next) {
		if (!strcmp(program->text, text))
			return program->text;
	}
	program = malloc(sizeof(*program) + strlen(text) + 1);
	if (!program)
		return NULL;
	strcpy(program->text, text);
	program->next = explanations->programs;
	explanations->programs = program;
	return program->text;
}

static void explain_by_program(const struct explanations *explanations,
			       struct explanation *explanation, const struct program_facts *program)
{
	char name[PROGRAM_TEXT_LEN], text[PROGRAM_TEXT_LEN + 64];
	const char *result = program_result(program);

	snprintf(text, sizeof(text), "the %s, which returned %s", words_program(name, program),
		 result ? result : "?");
	explanation->says = remember_program((struct explanations *)explanations, text);
	if (!explanation->says)
		explanation->says = "a BPF program";
	snprintf(explanation->command, sizeof(explanation->command), "bpftool prog show id %u",
		 program->id);
}

static void explain_drop(const struct explanations *explanations, const struct packet *packet,
			 const struct copy *copy, const struct about *about, uint32_t netns,
			 struct explanation *explanation)
{
	const struct ruled *ruled =
		table_find(&explanations->ruled, skb_key(packet->number, copy->number));
	const struct rule_facts *rule = ruled ? ruled->rule : NULL;
	const char *reason = copy->outcome.reason;
	const char *func = copy->outcome.where ? copy->outcome.where->text : NULL;
	const bool is_filtered = !strncmp(reason, "NETFILTER_", strlen("NETFILTER_"));

	if (copy->outcome.program)
		explain_by_program(explanations, explanation, copy->outcome.program);
	else if (rule && rule->verdict == RULE_QUEUE ? func && !strcmp(func, "nf_queue") :
						  rule && is_filtered)
		explain_by_rule(explanation, rule, printed_netns(explanations, rule->netns));
	else if (!is_filtered)
		explain_by_reason(explanations, explanation, packet, copy, about, netns);
	else
		explain_without_rule(explanations, explanation, packet, copy, about, netns);
}

bool explain_copy(const struct explanations *explanations, const struct packet *packet,
		  const struct copy *copy, struct explanation *explanation)
{
	const struct copy *seen = last_seen_copy(packet, copy);
	const struct device *device = seen->path.n ?
					      devices_get(packets_devices(*explanations->packets),
							  seen->path.hops[seen->path.n - 1]) :
					      NULL;
	const struct about about = {
		.flow = &seen->flow_now,
		.device = device ? device->name : NULL,
		.receives = !seen->fate.goes_out,
	};
	const uint32_t netns = printed_netns(explanations, device ? device->netns : 0);
	const struct cause *cause;

	*explanation = (struct explanation){ 0 };
	if (copy->outcome.verdict != VERDICT_FREED) {
		explain_drop(explanations, packet, copy, &about, netns, explanation);
		return true;
	}
	cause = possible_cause(explanations, packet, copy);
	if (cause)
		explain_packet_by_cause(explanations, explanation, cause, copy, &about, netns);
	return cause;
}

void explain_call(const struct explanations *explanations, const struct failed_call *call,
		  struct explanation *explanation)
{
	const struct about about = {
		.flow = &call->flow,
		.receives = call->dir == RECORD_SKB_DIR_RX,
	};

	*explanation = (struct explanation){ 0 };
	if (call->dropped) {
		explanation->by_packet = call->dropped;
		explanation->says = "its packet was dropped";
	} else {
		explain_by_cause(explanation, call->cause, &about,
				 printed_netns(explanations, call->netns));
	}
}

void explanations_each_call(const struct explanations *explanations, failed_call_callback *each,
			    void *data)
{
	for (const struct failed *failed = explanations->first; failed; failed = failed->next) {
		if (failed->call.nr)
			each(data, &failed->call);
	}
}

static void forget_packet(struct table *table, struct table_key key)
{
	uint32_t *number = table_find(table, key);

	if (number)
		*number = 0;
}

void explanations_forget(struct explanations *explanations, const struct packet *packet)
{
	if (explanations->evidence)
		drop_evidence_forget(explanations->evidence, packet);
	forget_packet(&explanations->steps, (struct table_key){ .number = packet->number });
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct table_key key = skb_key(packet->number, packet->copies[i]->number);

		forget_packet(&explanations->ruled, key);
		forget_packet(&explanations->hooked, key);
	}
}

/* Text of explanations */

/* A buffer to which text is appended; text beyond EXPLANATION_LEN bytes is cut off. */
struct text {
	char *buf;
	size_t len;
};

static void __attribute__((format(printf, 2, 3)))
append_text(struct text *text, const char *format, ...)
{
	const size_t space = EXPLANATION_LEN - text->len;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text->buf + text->len, space, format, args);
	va_end(args);
	if (n > 0)
		text->len += (size_t)n < space ? (size_t)n : space - 1;
}

/*
 * Add the text of a rule. Note that the text may be of another rule: if a table is deleted and created
 * again, a new rule can get the old handle.
 */
static void add_rule_text(struct text *text, const struct rule_text *rule)
{
	char escaped[ESCAPED_LEN(RULE_TEXT_LEN)];

	if (rule)
		append_text(text, " (%s%s)",
			    rule->is_sure ? "" :
					    "the rules changed during the recording; at its end: ",
			    escape_text(escaped, sizeof(escaped), rule->text));
}

static void add_rule(struct text *text, const struct explanations *explanations,
		     const struct rule_facts *rule)
{
	char table[NFT_TEXT_LEN], chain[NFT_TEXT_LEN];

	append_text(text, "netfilter, hook %s: table %s %s, chain %s: ", hook_name(rule),
		    family_name(rule->family), nft_text(table, rule->table),
		    nft_text(chain, rule->chain));
	if (rule->type == RULE_POLICY) {
		append_text(text, "its policy");
		return;
	}
	append_text(text, "the rule with handle %llu", (unsigned long long)rule->handle);
	add_rule_text(text, text_of(explanations, rule));
	if (rule->verdict == RULE_QUEUE)
		append_text(text, ": to a queue that no program has, or that is full");
}

const char *words_explanation(char *buf, const struct explanations *explanations,
			      const struct explanation *explanation)
{
	struct text text = { .buf = buf };

	*buf = '\0';
	if (explanation->rule)
		add_rule(&text, explanations, explanation->rule);
	else if (explanation->limit.kind)
		words_limit(buf, EXPLANATION_LEN, &explanation->limit, &explanation->limited);
	else
		append_text(&text, "%s", explanation->says);
	return buf;
}
