// SPDX-License-Identifier: GPL-2.0
/* why.c - why each packet was dropped and each call refused, and the command that shows it */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "causes.h"
#include "copies.h"
#include "table.h"
#include "why.h"
#include "words.h"

/* Calls that are open in a task, one in the other. */
#define MAX_OPEN 8

/* A socket call that opened a graph. */
struct call {
	uint64_t func;
	struct flow flow;
	uint32_t flow_number;
	uint8_t dir;
	uint32_t netns;
	uint32_t dropped; /* a packet that was dropped meanwhile in the same task */
	int error;	  /* of one inside it, which it hands on */
};

struct task {
	struct call open[MAX_OPEN];
	unsigned int nr;
};

/* A call that was refused. */
struct refused {
	uint64_t ts;
	struct call call;
	const struct cause *cause;
	const struct name *name;
	struct refused *next;
};

/* The last rule that dropped one skb, or gave it to a program. */
struct ruled {
	const struct rule_facts *rule;
};

/* Which function of netfilter's hook was called last in a task, or in the softirq on top of it. */
struct hook {
	bool in;
	int depth; /* of nf_hook_slow() */
	const struct name *last;
};

/* The one that dropped one skb. */
struct hooked {
	const struct name *by;
};

struct rule {
	struct rule_facts facts;
	struct rule *next;
};

/* What a rule says. */
struct said {
	struct rule_text rule;
	struct said *next;
};

struct why {
	uint32_t number;
	const struct chosen *chosen;
	struct packets **packets;
	struct names *names;
	struct rule *rules; /* each once */
	struct said *texts;
	struct table ruled;  /* struct ruled by packet and copy */
	struct table hooked; /* struct hooked by packet and copy */
	struct table hooks;  /* struct hook by pid, and softirq */
	struct table tasks;  /* by pid */
	struct refused *first, **last;
	bool any_rule; /* the recording has rules */
	bool found;
	uint64_t said;
};

static bool is_in_no_call(const void *thing)
{
	return !((const struct task *)thing)->nr;
}

static bool is_in_no_hook(const void *thing)
{
	return !((const struct hook *)thing)->in;
}

struct why *why_new(uint32_t number, const struct chosen *chosen, struct packets **packets)
{
	struct why *why = calloc(1, sizeof(*why));

	if (!why)
		return NULL;
	why->number = number;
	why->chosen = chosen;
	why->packets = packets;
	why->tasks.idle = is_in_no_call;
	why->hooks.idle = is_in_no_hook;
	why->last = &why->first;
	return why;
}

void why_free(struct why *why)
{
	struct refused *refused;
	struct rule *rule;
	struct said *text;

	if (!why)
		return;
	while ((refused = why->first)) {
		why->first = refused->next;
		free(refused);
	}
	while ((text = why->texts)) {
		why->texts = text->next;
		free(text);
	}
	while ((rule = why->rules)) {
		why->rules = rule->next;
		free(rule);
	}
	table_free(&why->ruled);
	table_free(&why->hooked);
	table_free(&why->hooks);
	table_free(&why->tasks);
	free(why);
}

void why_set_names(struct why *why, struct names *names)
{
	why->names = names;
}

bool why_found(const struct why *why)
{
	return why->found;
}

/* Rules */

static struct table_key skb_key(uint32_t number, uint32_t copy)
{
	return (struct table_key){ .number = (uint64_t)number << 32 | copy };
}

static const struct rule_facts *remembered(struct why *why, const struct rule_facts *facts)
{
	struct rule *rule;

	for (rule = why->rules; rule; rule = rule->next) {
		if (!memcmp(&rule->facts, facts, sizeof(*facts)))
			return &rule->facts;
	}
	rule = calloc(1, sizeof(*rule));
	if (!rule)
		return NULL;
	rule->facts = *facts;
	rule->next = why->rules;
	why->rules = rule;
	return &rule->facts;
}

static void ruled(void *data, const struct moment *at, const struct packet_ruled *packet)
{
	const struct table_key key = skb_key(packet->event->pkt, packet->event->copy);
	const struct rule_facts *facts = &packet->facts;
	struct why *why = data;
	struct ruled *ruled;

	(void)at;
	why->any_rule = true;
	if ((facts->verdict != RULE_DROP && facts->verdict != RULE_QUEUE) ||
	    (facts->type != RULE_RULE && facts->type != RULE_POLICY))
		return;
	ruled = table_find(&why->ruled, key);
	if (!ruled)
		ruled = table_add(&why->ruled, key, calloc(1, sizeof(*ruled)));
	if (ruled)
		ruled->rule = remembered(why, facts);
}

static void rule_said(void *data, const struct moment *at, const struct rule_text *rule)
{
	struct said *said = malloc(sizeof(*said));
	struct why *why = data;

	(void)at;
	if (!said)
		return;
	said->rule = *rule;
	said->next = why->texts;
	why->texts = said;
}

static const struct rule_text *text_of(const struct why *why, const struct rule_facts *rule)
{
	const struct said *said;

	for (said = why->texts; said; said = said->next) {
		if (said->rule.netns == rule->netns && said->rule.family == rule->family &&
		    said->rule.handle == rule->handle && !strcmp(said->rule.table, rule->table) &&
		    !strcmp(said->rule.chain, rule->chain))
			return &said->rule;
	}
	return NULL;
}

/* Calls */

static struct task *task_of(struct why *why, const struct moment *at, bool add)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct task *task = at->softirq ? NULL : table_find(&why->tasks, key);

	if (!task && add && !at->softirq)
		task = table_add(&why->tasks, key, calloc(1, sizeof(*task)));
	return task;
}

static void called(void *data, const struct moment *at, const struct skb_event *event)
{
	struct task *task = task_of(data, at, true);

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

static void is_refused(struct why *why, const struct moment *at, const struct call *call)
{
	const struct name *name = names_of(why->names, call->func);
	const struct cause *cause = cause_of_error(call->error, name ? name->text : NULL);
	struct refused *refused = cause ? calloc(1, sizeof(*refused)) : NULL;

	if (!refused)
		return;
	refused->cause = cause;
	refused->ts = at->ts;
	refused->call = *call;
	refused->name = name;
	*why->last = refused;
	why->last = &refused->next;
}

static void call_returned(void *data, const struct moment *at, const struct skb_event *event)
{
	struct task *task = task_of(data, at, false);
	const int error = (int)event->ret < 0 ? -(int)event->ret : 0;
	struct call *call;

	/* Of those that are still there, the ends are lost. */
	while (task && task->nr) {
		call = &task->open[--task->nr];
		if (call->func != event->func)
			continue;
		if (task->nr && error)
			task->open[task->nr - 1].error = error;
		if (error && error != call->error) {
			call->error = error;
			is_refused(data, at, call);
		}
		return;
	}
}

/* Netfilter */

static struct table_key hook_key(const struct moment *at)
{
	static const char softirq;

	return table_task_key(at->pid, at->cpu, at->softirq ? &softirq : NULL);
}

/* nf_hook_slow() itself, behind what a function of the hook has said. */
static bool throws_away(const struct name *name)
{
	return !strncmp(name->text, "kfree_skb", strlen("kfree_skb")) ||
	       !strcmp(name->text, "sk_skb_reason_drop");
}

static void entered(void *data, const struct moment *at, const struct function *function)
{
	struct why *why = data;
	const struct table_key key = hook_key(at);
	struct hook *hook = table_find(&why->hooks, key);

	if (!strcmp(function->name->text, "nf_hook_slow")) {
		if (!hook)
			hook = table_add(&why->hooks, key, calloc(1, sizeof(*hook)));
		if (hook)
			*hook = (struct hook){ .in = true, .depth = function->depth };
	} else if (hook && hook->in) {
		if (function->depth == hook->depth + 1 && !throws_away(function->name))
			hook->last = function->name;
		hook->in = function->depth > hook->depth;
	}
}

/* What it called last has said that the packet is to be dropped. */
static void dropped_in_hook(struct why *why, const struct moment *at,
			    const struct packet_dropped *packet)
{
	const struct hook *hook = table_find(&why->hooks, hook_key(at));
	const struct table_key key = skb_key(packet->event->pkt, packet->event->copy);
	struct hooked *hooked;

	if (!hook || !hook->in || !hook->last || !packet->place ||
	    strcmp(packet->place->text, "nf_hook_slow"))
		return;
	hooked = table_add(&why->hooked, key, calloc(1, sizeof(*hooked)));
	if (hooked)
		hooked->by = hook->last;
}

/* Where it was last: a copy that was seen nowhere was there where it was made. */
static const struct copy *last_seen(const struct packet *packet, const struct copy *copy)
{
	const struct copy *from = copy;

	for (unsigned int i = 0; i < packet->nr_copies && from && !from->seen; i++)
		from = copies_find(packet, from->from);
	return from && from->seen ? from : packet->copies[0];
}

/* What comes in meanwhile, as from a socket's backlog, is none of the call's. */
static bool goes_out(const struct why *why, uint32_t number, uint32_t copy_number)
{
	const struct packet *packet = packets_find(*why->packets, number);

	return packet && packet->nr_copies &&
	       last_seen(packet, copies_find(packet, copy_number))->fate.goes_out;
}

static void dropped(void *data, const struct moment *at, const struct packet_dropped *packet)
{
	struct task *task = task_of(data, at, false);
	bool is_sent = goes_out(data, packet->event->pkt, packet->event->copy);

	for (unsigned int i = 0; is_sent && task && i < task->nr; i++)
		task->open[i].dropped = packet->event->pkt;
	dropped_in_hook(data, at, packet);
}

const struct sink why_sink = {
	.ruled = ruled,
	.rule_said = rule_said,
	.called = called,
	.call_returned = call_returned,
	.dropped = dropped,
	.entered = entered,
};

/* Words */

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

/* As nft wants a name, and the shell. */
static const char *nft_name(char *buf, const char *name)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-/";
	const bool is_plain = strspn(name, plain) == strlen(name) &&
			      (name[0] < '0' || name[0] > '9');

	snprintf(buf, RULE_NAME_LEN + 5, is_plain ? "%s" : "'\"%s\"'", name);
	return buf;
}

static void print_command(const char *command, uint32_t netns)
{
	printf("    see: %s", command);
	if (netns)
		printf("    # in network namespace %u", netns);
	putchar('\n');
}

/* Handles begin anew where a table is made anew, so that another rule may have this one. */
static void print_rule_text(const struct rule_text *rule)
{
	if (rule)
		printf(" (%s%s)",
		       rule->is_sure ? "" : "rules were changed meanwhile; at the end it was: ",
		       rule->text);
}

static void print_rule(const struct why *why, const struct rule_facts *rule, uint32_t netns)
{
	char table[RULE_NAME_LEN + 5], chain[RULE_NAME_LEN + 5], command[2 * RULE_NAME_LEN + 64];

	printf("    netfilter, hook %s: table %s %s, chain %s: ", hook_name(rule),
	       family_name(rule->family), rule->table, rule->chain);
	if (rule->type == RULE_POLICY) {
		printf("its policy\n");
	} else {
		printf("the rule with handle %llu", (unsigned long long)rule->handle);
		print_rule_text(text_of(why, rule));
		printf("%s\n", rule->verdict == RULE_QUEUE ?
				       ": to a queue that no program has, or that is full" :
				       "");
	}
	snprintf(command, sizeof(command), "nft -a list chain %s %s %s", family_name(rule->family),
		 nft_name(table, rule->table), nft_name(chain, rule->chain));
	print_command(command, netns);
}

static void print_cause(const struct cause *cause, const struct about *about, uint32_t netns)
{
	char command[COMMAND_LEN];

	printf("    %s\n", cause->says);
	if (cause_command(command, cause, about))
		print_command(command, cause->global ? 0 : netns);
}

static void print_no_rule(const struct why *why, const struct packet *packet,
			  const struct copy *copy, const struct about *about, uint32_t netns)
{
	const struct hooked *hooked =
		table_find(&why->hooked, skb_key(packet->number, copy->number));
	const struct cause *cause = hooked ? cause_of_hook(hooked->by->text) : NULL;

	if (cause) {
		print_cause(cause, about, netns);
		return;
	}
	if (packet->incomplete)
		printf("    netfilter; entries were lost, maybe those that say which rule\n");
	else if (why->any_rule)
		printf("    netfilter, but no rule of nftables: conntrack, iptables-legacy, or a program "
		       "(NFQUEUE, BPF)\n");
	else
		printf("    netfilter; which rule is not in the recording: record-skb --why records it\n");
	print_command("nft -a list ruleset", netns);
}

static uint32_t said_netns(const struct devices *devices, uint32_t netns)
{
	return devices_one_netns(devices) ? 0 : netns;
}

static void explain(struct why *why, const struct packet *packet, const struct copy *copy)
{
	const struct devices *devices = packets_devices(*why->packets);
	const struct ruled *ruled = table_find(&why->ruled, skb_key(packet->number, copy->number));
	const struct rule_facts *rule = ruled ? ruled->rule : NULL;
	const struct copy *seen = last_seen(packet, copy);
	const struct device *device =
		seen->path.n ? devices_get(devices, seen->path.hops[seen->path.n - 1]) : NULL;
	const struct about about = {
		.flow = &seen->flow_now,
		.device = device ? device->name : NULL,
		.receives = !seen->fate.goes_out,
	};
	const char *reason = copy->outcome.reason;
	const char *func = copy->outcome.where ? copy->outcome.where->text : NULL;
	uint32_t netns = said_netns(devices, device ? device->netns : 0);
	bool is_filtered;

	is_filtered = !strncmp(reason, "NETFILTER_", strlen("NETFILTER_"));
	if (rule && rule->verdict == RULE_QUEUE ? func && !strcmp(func, "nf_queue") :
						  rule && is_filtered)
		print_rule(why, rule, said_netns(devices, rule->netns));
	else if (!is_filtered)
		print_cause(cause_of_drop(reason, func), &about, netns);
	else
		print_no_rule(why, packet, copy, &about, netns);
}

static void one_packet(void *data, const struct packet *packet)
{
	char number[NUMBER_LEN], time[TIME_LEN], flow[FLOW_TEXT_LEN], verdict[VERDICT_LEN];
	struct why *why = data;
	const struct devices *devices = packets_devices(*why->packets);
	bool was_dropped = false;

	if (why->number && packet->number != why->number)
		return;
	why->found = true;
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];

		if (copy->outcome.verdict != VERDICT_DROPPED)
			continue;
		printf("#%s %s  %s: %s\n", words_number(number, packet, copy),
		       words_time(time, copy->last ? copy->last : packet->last),
		       words_flow(flow, &last_seen(packet, copy)->flow_now),
		       words_outcome(verdict, &copy->outcome, devices));
		explain(why, packet, copy);
		was_dropped = true;
		why->said++;
	}
	if (why->number && !was_dropped)
		printf("#%u was not dropped: %s\n", packet->number,
		       words_verdict(verdict, packet, devices));
}

static bool is_asked_for(const struct why *why, const struct refused *refused)
{
	if (why->number)
		return false;
	if (why->chosen->by_flow)
		return refused->call.flow_number == why->chosen->flow;
	return !chosen_any(why->chosen);
}

static void print_refused(const struct why *why, const struct refused *refused)
{
	const struct about about = {
		.flow = &refused->call.flow,
		.receives = refused->call.dir == RECORD_SKB_DIR_RX,
	};
	char flow[FLOW_TEXT_LEN], time[TIME_LEN];

	flow_text_call(flow, &refused->call.flow);
	printf("%s  %s: %s returned -%s\n", words_time(time, refused->ts), flow,
	       refused->name ? refused->name->text : "?", strerrorname_np(refused->call.error));
	if (refused->call.dropped)
		printf("    its packet #%u was dropped: see there\n", refused->call.dropped);
	else
		print_cause(refused->cause, &about,
			    said_netns(packets_devices(*why->packets), refused->call.netns));
}

static void end(void *data)
{
	struct why *why = data;

	for (const struct refused *refused = why->first; refused; refused = refused->next) {
		if (!is_asked_for(why, refused))
			continue;
		print_refused(why, refused);
		why->said++;
	}
	if (!why->said && !why->number)
		printf("nothing was dropped, and no call refused\n");
}

const struct output why_output = { .packet = one_packet, .end = end };
