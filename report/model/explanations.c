// SPDX-License-Identifier: GPL-2.0
/* explanations.c - find why packets were dropped and calls failed, and a command that shows the cause */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "escape.h"
#include "model/call_causes.h"
#include "model/explanation_state.h"
#include "model/explanations.h"
#include "model/packet_headers.h"
#include "model/translated_answers.h"

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
 * Return: true if the element belongs to a forgotten packet. Each element of these tables begins with the
 * number of its packet. When the packet is forgotten, this number is set to 0.
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
	if (!explanations)
		return;
	readers_free(explanations->readers);
	table_free(&explanations->rules);
	table_free(&explanations->texts);
	table_free(&explanations->composed);
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

/* Names of netfilter's objects */

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

#define NFT_TEXT_LEN (ESCAPED_LEN(RULE_NAME_LEN) + 2)
/* Return: the name. It is quoted if a reader could take it for other words of the sentence. */
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

/*
 * Return: true if TCP freed the packet before a socket or a half-open connection got it. Most of these steps
 * are not recorded with --detail path, so nothing is known then.
 */
static bool is_freed_early(unsigned int steps, const char *func)
{
	return steps == (STEP_RECEIVED | STEP_CALLED) && func &&
	       (!strcmp(func, "tcp_v4_rcv") || !strcmp(func, "tcp_v6_rcv"));
}

/*
 * The kernel frees some processed packets in the same way as dropped ones: ARP requests for other hosts,
 * ICMPv6 messages (up to Linux 6.3), and the last packet of a connection. So a drop is reported only if there
 * is a sign of it, such as a missing answer.
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
	 * A fragment is freed together with the packet to which it belongs. This packet has a verdict of its
	 * own.
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
	 * If tcp_rcv_state_process() frees an acknowledgement without data, the connection has ended. If an
	 * acknowledgement fails in a handshake, another function frees it: the caller of
	 * tcp_rcv_state_process().
	 */
	if (func && !strncmp(func, "tcp_rcv_state_process", strlen("tcp_rcv_state_process")) &&
	    last_seen_copy(packet, copy)->payload_now <= 0)
		return NULL;
	return cause_of_freed(FREED_TCP, func);
}

/* Explanations */

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
 * Explain the drop of a packet by a cause, as explain_by_cause() does. If the recording contains the value of
 * the limit that was exceeded, add this value.
 */
static void explain_packet_by_cause(struct explanation *explanation, const struct cause *cause,
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
		.dport = about->flow->dport,
		.netns = netns,
		.device = about->device,
	};
	memcpy(explanation->limited.address, about->flow->daddr,
	       sizeof(explanation->limited.address));
	explanation->says = limit_name(limit->kind);
}

static void explain_by_rule(struct explanation *explanation, const struct rule_facts *rule,
			    uint32_t netns)
{
	explanation->rule = rule;
	explanation->netns = netns;
	nft_command(explanation->command, rule->family, rule->table, rule->chain);
}

/*
 * The cause of a drop by netfilter if the recording has no rule that dropped the packet. If the recording has
 * no rules at all, words_explanation() replaces this text.
 */
static const char without_rule[] =
	"netfilter, but no rule of nftables that was recorded: as conntrack, iptables-legacy, a security "
	"module, or a program (NFQUEUE, BPF)";

static void explain_without_rule(const struct explanations *explanations,
				 struct explanation *explanation, const struct packet *packet,
				 const struct copy *copy, const struct about *about, uint32_t netns)
{
	const struct hooked *hooked = table_find(
		&explanations->hooked, explanations_skb_key(packet->number, copy->number));
	const struct name *by = packet->incomplete ? NULL : copy->outcome.where;
	const struct cause *cause;

	if (hooked)
		by = hooked->by;
	cause = by ? cause_of_hook(by->text) : NULL;
	if (cause) {
		explain_packet_by_cause(explanation, cause, copy, about, netns);
		return;
	}
	if (packet->incomplete)
		explanation->says = "netfilter; entries were lost, maybe those that say which rule";
	else
		explanation->says = without_rule;
	nft_command(explanation->command, 0, "", "");
	explanation->netns = netns;
}

/*
 * Return: true for an acknowledgement without data that a later packet has overtaken, which happens if
 * packets of a connection are processed by several CPUs. The later packet acknowledges as much.
 */
static bool is_overtaken(const char *reason, const struct copy *seen)
{
	return (!strcmp(reason, "TCP_RFC7323_PAWS") || !strcmp(reason, "TCP_RFC7323_PAWS_ACK")) &&
	       seen->tcp_flags_now == TCP_ACK && !seen->payload_now;
}

static void explain_by_reason(const struct explanations *explanations,
			      struct explanation *explanation, const struct packet *packet,
			      const struct copy *copy, const struct about *about, uint32_t netns)
{
	const char *reason = copy->outcome.reason;
	const char *func = copy->outcome.where ? copy->outcome.where->text : NULL;
	const struct drop_evidence *evidence = explanations->evidence;
	const struct cause *cause = NULL;
	const struct copy *seen = last_seen_copy(packet, copy);
	const struct cause *probe =
		cause_of_probe(reason, func, seen->tcp_flags_now, seen->payload_now);
	const char *words = NULL;

	if (evidence)
		cause = drop_evidence_cause(evidence, packet->number, copy->number);
	cause = cause_of_addresses(cause, reason, func, about->flow);
	if (!cause) {
		cause = cause_of_drop(reason, func);
		if (evidence && !cause_is_known(reason, func))
			words = drop_evidence_words(evidence, packet->number, copy->number);
	}
	explain_packet_by_cause(explanation, probe ? probe : cause, copy, about, netns);
	explanation->is_harmless = probe || !strcmp(reason, "TCP_OLD_DATA") ||
				   is_overtaken(reason, seen);
	if (words && !probe) {
		explanation->says = words;
		explanation->location =
			drop_evidence_location(evidence, packet->number, copy->number);
		explanation->source = drop_evidence_source(evidence, packet->number, copy->number);
	}
}

/* Return: a copy of @text; NULL if there is not enough memory. Equal texts share one copy. */
static const char *remember_text(struct explanations *explanations, const char *text)
{
	struct table_key key = { .number = hash_text(HASH_BEGIN, text) };
	const char *known;

	for (; (known = table_find(&explanations->composed, key)); key.number++) {
		if (!strcmp(known, text))
			return known;
	}
	return table_add(&explanations->composed, key, strdup(text));
}

static void explain_by_program(const struct explanations *explanations,
			       struct explanation *explanation, const struct program_facts *program)
{
	char name[PROGRAM_TEXT_LEN], text[PROGRAM_TEXT_LEN + TARGET_TEXT_LEN + 64];
	char target[TARGET_TEXT_LEN];
	const char *result = program_result(program);
	const bool is_one_of = program->candidates > 1 && program->type != PROGRAM_SOCKET_FILTER;
	const char *the = is_one_of ? "" : "the ";

	words_program(name, program);
	if (program->candidates)
		snprintf(text, sizeof(text), "%s%s", the, name);
	else if (result)
		snprintf(text, sizeof(text), "the %s, which returned %s%s", name, result,
			 words_target(target, program));
	else
		snprintf(text, sizeof(text), "the %s, which returned %d", name, program->result);
	explanation->says = remember_text((struct explanations *)explanations, text);
	if (!explanation->says)
		explanation->says = "a BPF program";
	program_command(explanation->command, is_one_of ? 0 : program->id, is_one_of);
}

/*
 * Explain an answer that no socket takes because NAT did not change its addresses back. Return: false if that
 * is not the cause.
 */
static bool explain_by_nat(const struct explanations *explanations, struct explanation *explanation,
			   const struct packet *packet, const struct copy *copy)
{
	char text[TRANSLATED_LEN];

	if (strcmp(copy->outcome.reason, "NO_SOCKET") ||
	    !words_translated(text, *explanations->packets, packet, last_seen_copy(packet, copy)))
		return false;
	explanation->says = remember_text((struct explanations *)explanations, text);
	if (!explanation->says)
		return false;
	explanation->netns =
		translated_command(explanation->command, *explanations->packets, packet);
	return true;
}

static void explain_drop(const struct explanations *explanations, const struct packet *packet,
			 const struct copy *copy, const struct about *about, uint32_t netns,
			 struct explanation *explanation)
{
	const struct ruled *ruled = table_find(&explanations->ruled,
					       explanations_skb_key(packet->number, copy->number));
	const struct rule_facts *rule = ruled ? ruled->rule : NULL;
	const char *reason = copy->outcome.reason;
	const char *func = copy->outcome.where ? copy->outcome.where->text : NULL;
	const bool is_filtered = !strncmp(reason, "NETFILTER_", strlen("NETFILTER_"));
	const struct program_facts *program = copy->outcome.program;

	if (explain_by_nat(explanations, explanation, packet, copy))
		return;
	/* A classic filter has no id, so the command shows its socket instead. */
	if (program && program_is_classic(program) && program->candidates > 1)
		explain_by_reason(explanations, explanation, packet, copy, about, netns);
	else if (program && program_is_classic(program))
		explain_packet_by_cause(explanation, cause_of_drop("CLASSIC_FILTER", NULL), copy,
					about, netns);
	else if (program)
		explain_by_program(explanations, explanation, program);
	else if (rule && rule->verdict == RULE_QUEUE ? func && !strcmp(func, "nf_queue") :
						       rule && is_filtered)
		explain_by_rule(explanation, rule, rule->netns);
	else if (!is_filtered)
		explain_by_reason(explanations, explanation, packet, copy, about, netns);
	else
		explain_without_rule(explanations, explanation, packet, copy, about, netns);
}

bool explain_copy(const struct explanations *explanations, const struct packet *packet,
		  const struct copy *copy, struct explanation *explanation)
{
	const struct copy *seen = last_seen_copy(packet, copy);
	const struct device *device =
		seen->path.n ? devices_get(packets_devices(*explanations->packets),
					   seen->path.hops[seen->path.n - 1].device) :
			       NULL;
	const struct about about = {
		.flow = &seen->flow_now,
		.device = device ? device->name : NULL,
		.receives = !seen->fate.goes_out,
	};
	const uint32_t netns = device ? device->netns : 0;
	const struct cause *cause;

	*explanation = (struct explanation){ 0 };
	if (copy->outcome.verdict != VERDICT_FREED) {
		explain_drop(explanations, packet, copy, &about, netns, explanation);
		explanation->limited.flow = packet->flow_number;
		return true;
	}
	cause = possible_cause(explanations, packet, copy);
	if (cause)
		explain_packet_by_cause(explanation, cause, copy, &about, netns);
	explanation->limited.flow = packet->flow_number;
	return cause;
}

const char *words_call_end(char *buf, const struct failed_call *call)
{
	const char *function = call->function ? call->function : "?";

	if (call->error)
		snprintf(buf, CALL_END_LEN, "%.64s returned -%s", function,
			 strerrorname_np(call->error));
	else
		snprintf(buf, CALL_END_LEN, "%.64s: its data did not become a packet", function);
	return buf;
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
	} else if (call->program) {
		explain_by_program(explanations, explanation, call->program);
	} else {
		explain_by_cause(explanation, call->cause, &about, call->netns);
	}
}

uint64_t explanations_other_calls(const struct explanations *explanations)
{
	return explanations->other_calls;
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
		const struct table_key key =
			explanations_skb_key(packet->number, packet->copies[i]->number);

		forget_packet(&explanations->ruled, key);
		forget_packet(&explanations->hooked, key);
	}
}

/* The texts of explanations */

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
 * Add the text of a rule. If the rules have changed during the recording, say so: if a table is deleted and
 * created again, another rule can have the same handle.
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
		    nft_family(rule->family), nft_text(table, rule->table),
		    nft_text(chain, rule->chain));
	if (rule->type == RULE_POLICY) {
		append_text(text, "its policy");
		return;
	}
	append_text(text, "the rule with handle %llu", (unsigned long long)rule->handle);
	add_rule_text(text, explanations_rule_text(explanations, rule));
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
		words_limit(buf, EXPLANATION_LEN, &explanation->limit, &explanation->limited,
			    readers_find(explanations->readers, &explanation->limited,
					 explanation->limit.port_is_shared));
	else if (explanation->says == without_rule && !explanations->any_rule)
		append_text(&text, "netfilter: a rule, conntrack, a security module, or a program; "
				   "trace-cmd record-skb --why records rules");
	else
		append_text(&text, "%s", explanation->says);
	return buf;
}
