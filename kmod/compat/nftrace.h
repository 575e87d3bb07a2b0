/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_NFTRACE_H
#define RECORD_SKB_COMPAT_NFTRACE_H

#include <linux/version.h>
#include <net/netfilter/nf_tables.h>

#include "probes.h"

/*
 * struct compat_nft_step - the arguments of __nft_trace_packet(): one step through the rules
 * @pkt: the packet
 * @verdict: verdict of the rule; not valid if the policy of a base chain decides
 * @rule: the rule; NULL if a policy decides; the marker after the last rule if the packet has reached the end
 *	of a chain
 * @chain: chain of the rule
 * @base: base chain that the hook called
 * @type: NFT_TRACETYPE_*
 */
struct compat_nft_step {
	const struct nft_pktinfo *pkt;
	const struct nft_verdict *verdict;
	const struct nft_rule_dp *rule;
	const struct nft_chain *chain;
	const struct nft_base_chain *base;
	unsigned int type;
};

/*
 * NFT_STEP_FIRST is the name of the structure that the first argument points to. Up to 6.3, this is a struct
 * nft_traceinfo with all fields. From 6.4 on, the fields are arguments. No argument has the chain then, so
 * the chain is found through the marker after its last rule. This change is 46df417544f4 ("netfilter:
 * nf_tables: do not store rule in traceinfo structure") and the commits before it. Remove this when the
 * support for Linux 6.1 ends.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define NFT_STEP_FIRST "nft_traceinfo"

/*
 * Return: the packet; NULL if the packet entered the chain before tracing was enabled, because the kernel did
 * not fill in the arguments then.
 */
static inline const struct nft_pktinfo *compat_nft_packet(const struct hit *hit)
{
	const struct nft_traceinfo *info = (void *)hit->arg[0];

	return info->trace ? info->pkt : NULL;
}

static inline void compat_nft_step(const struct hit *hit, struct compat_nft_step *step)
{
	const struct nft_traceinfo *info = (void *)hit->arg[0];

	*step = (struct compat_nft_step){
		.pkt = info->pkt,
		.verdict = info->verdict,
		.rule = info->rule,
		.chain = (void *)hit->arg[1],
		.base = info->basechain,
		.type = (u8)hit->arg[2],
	};
}
#else
#define NFT_STEP_FIRST "nft_pktinfo"

static inline const struct nft_pktinfo *compat_nft_packet(const struct hit *hit)
{
	const struct nft_traceinfo *info = (void *)hit->arg[3];

	return info->trace ? (const void *)hit->arg[0] : NULL;
}

/* Find the chain of a rule. This visits all later rules of the chain, which may be thousands. */
static inline const struct nft_chain *compat_nft_chain(const struct nft_rule_dp *rule,
						       const struct nft_base_chain *base)
{
	if (!rule)
		return &base->chain;
	while (!rule->is_last)
		rule = nft_rule_next(rule);
	return container_of(rule, struct nft_rule_dp_last, end)->chain;
}

static inline void compat_nft_step(const struct hit *hit, struct compat_nft_step *step)
{
	const struct nft_traceinfo *info = (void *)hit->arg[3];
	const struct nft_rule_dp *rule = (void *)hit->arg[2];

	*step = (struct compat_nft_step){
		.pkt = (void *)hit->arg[0],
		.verdict = (void *)hit->arg[1],
		.rule = rule,
		.chain = compat_nft_chain(rule, info->basechain),
		.base = info->basechain,
		.type = (u8)hit->arg[4],
	};
}
#endif

#endif
