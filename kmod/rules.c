// SPDX-License-Identifier: GPL-2.0
/*
 * rules.c - which rule of nftables decided on a packet
 *
 * As long as somebody wants traces (nft_trace_enabled), nf_tables calls __nft_trace_packet() for each
 * verdict of a rule or policy, whatever packet it is. That looks for the packet's nf_trace bit before it
 * tells anybody: we look at its arguments instead, and neither set the bit nor does anything go to those
 * who monitor traces.
 */
#include <linux/module.h>
#include <linux/skbuff.h>

#include "compat/nftrace.h"
#include "emit.h"
#include "recording.h"
#include "rules.h"
#include "track.h"

#if IS_ENABLED(CONFIG_NF_TABLES)
#include <net/netfilter/nf_tables_core.h>

/* Of nf_tables, which stays as long as this is not NULL. Guarded by session_lock. */
static struct static_key_false *wanted;

/*
 * rules_hold() - from now on verdicts of rules are told; until rules_release()
 *
 * Nothing of ours needs nf_tables to be there: it is looked up.
 *
 * Return: false without it: then there are no rules.
 */
bool rules_hold(void)
{
	wanted = symbol_get(nft_trace_enabled);
	if (wanted)
		static_branch_inc(wanted);
	return wanted;
}

/* May be called when nothing is held. */
void rules_release(void)
{
	if (!wanted)
		return;
	static_branch_dec(wanted);
	symbol_put(nft_trace_enabled);
	wanted = NULL;
}

static void fill_record(struct rule_record *r, const struct compat_nft_step *step)
{
	const struct nft_verdict *verdict = step->verdict;

	r->family = step->chain->table->family;
	r->table = step->chain->table->name;
	r->chain = step->chain->name;
	r->hook = step->pkt->state->hook;
	r->netns = step->pkt->state->net->ns.inum;
	if (step->type == NFT_TRACETYPE_POLICY) {
		r->verdict = step->base->policy;
		return;
	}
	if (step->rule && !step->rule->is_last)
		r->handle = step->rule->handle;
	/* An error may be in the upper half. */
	r->verdict = (int)verdict->code < 0 ? (int)verdict->code :
					      (int)(verdict->code & NF_VERDICT_MASK);
	if (r->verdict == NFT_JUMP || r->verdict == NFT_GOTO)
		r->to = verdict->chain->name;
}

/**
 * rule_seen() - at __nft_trace_packet()
 * @of: the recording
 * @fregs: with what it was called
 *
 * Preemption is off.
 */
void rule_seen(const struct recording *of, struct ftrace_regs *fregs)
{
	struct rule_record r = { .to = "" };
	struct compat_nft_step step;
	struct match m;

	if (!compat_nft_step(fregs, &step) || !step.chain)
		return;
	/* Whoever has stolen it may have freed it by now: it may be another's skb. */
	if (step.type == NFT_TRACETYPE_RULE && step.verdict->code == NF_STOLEN)
		return;
	r.skb = step.pkt->skb;
	if (!track_find(of->track, r.skb, &m))
		return;
	r.type = step.type;
	fill_record(&r, &step);
	emit_rule(of, &r, &m);
}
#else
bool rules_hold(void)
{
	return false;
}

void rules_release(void) {}

void rule_seen(const struct recording *of, struct ftrace_regs *fregs) {}
#endif
