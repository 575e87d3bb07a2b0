// SPDX-License-Identifier: GPL-2.0
/*
 * nft_rules.c - record which nftables rule decided on a packet
 *
 * While the static key nft_trace_enabled is on, nf_tables calls __nft_trace_packet() for each verdict of a
 * rule or policy, for every packet. That function sends a netlink message only for packets with the
 * nf_trace bit. The module reads the arguments of this function and does not set the nf_trace bit.
 * Therefore `nft monitor trace` does not show the packets of the recording.
 */
#include <linux/module.h>
#include <linux/skbuff.h>

#include "compat/nftrace.h"
#include "trace_emit.h"
#include "recording.h"
#include "nft_rules.h"
#include "skb_table.h"

#if IS_ENABLED(CONFIG_NF_TABLES)
#include <net/netfilter/nf_tables_core.h>

/*
 * The static key nft_trace_enabled while the module holds it, otherwise NULL. Holding the key also keeps
 * the module nf_tables loaded. Protected by session_lock.
 */
static struct static_key_false *wanted;

/*
 * nft_rules_hold() - make nf_tables call __nft_trace_packet() until nft_rules_release()
 *
 * The key is looked up at run time, so the module does not depend on nf_tables.
 *
 * Return: false if nf_tables is not loaded; then there are no rules.
 */
bool nft_rules_hold(void)
{
	wanted = symbol_get(nft_trace_enabled);
	if (wanted)
		static_branch_inc(wanted);
	return wanted;
}

/* Undo nft_rules_hold(). This does nothing if the static key is not held. */
void nft_rules_release(void)
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
	/* NF_DROP can carry an errno in the upper 16 bits. */
	r->verdict = (int)verdict->code < 0 ? (int)verdict->code :
					      (int)(verdict->code & NF_VERDICT_MASK);
	if (r->verdict == NFT_JUMP || r->verdict == NFT_GOTO)
		r->to = verdict->chain->name;
}

/**
 * nft_rules_seen() - emit an event for a verdict on a packet of the recording
 * @of: the recording
 * @hit: the call
 *
 * The caller disables preemption.
 */
void nft_rules_seen(const struct recording *of, const struct hit *hit)
{
	struct rule_record r = { .to = "" };
	struct compat_nft_step step;
	struct match m;

	if (!compat_nft_step(hit, &step) || !step.chain)
		return;
	/* A stolen skb may have been freed already, and its address may belong to another packet. */
	if (step.type == NFT_TRACETYPE_RULE && step.verdict->code == NF_STOLEN)
		return;
	r.skb = step.pkt->skb;
	if (!skb_table_find(of->track, r.skb, &m))
		return;
	r.type = step.type;
	fill_record(&r, &step);
	emit_rule(of, &r, &m);
}
#else
bool nft_rules_hold(void)
{
	return false;
}

void nft_rules_release(void) {}

void nft_rules_seen(const struct recording *of, const struct hit *hit) {}
#endif
