/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_NFTRACE_H
#define RECORD_SKB_COMPAT_NFTRACE_H

#include <linux/version.h>
#include <net/netfilter/nf_tables.h>

#include "ftrace.h"

/*
 * struct compat_nft_step - what __nft_trace_packet() is told of a step through the rules
 * @pkt: whose
 * @verdict: what the rule says; means nothing where a base chain's policy decides
 * @rule: NULL for a policy; the mark behind the last rule where a chain has ended
 * @chain: in which
 * @base: the chain that the hook has called
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
 * Up to 6.3 all is in struct nft_traceinfo, which is the first argument; from 6.4 on (46df417544f4,
 * "netfilter: nf_tables: do not store rule in traceinfo structure", and those before it) it is the arguments,
 * and the chain is what stands behind the last rule. Goes when 6.1 does. NFT_STEP_FIRST is the structure that
 * the first one points to.
 *
 * Return: false if the chain was entered before traces were wanted: then nothing is filled in.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define NFT_STEP_FIRST "nft_traceinfo"

static inline bool compat_nft_step(struct ftrace_regs *fregs, struct compat_nft_step *step)
{
	const struct nft_traceinfo *info = (void *)ftrace_regs_get_argument(fregs, 0);

	if (!info->trace)
		return false;
	*step = (struct compat_nft_step){
		.pkt = info->pkt,
		.verdict = info->verdict,
		.rule = info->rule,
		.chain = (void *)ftrace_regs_get_argument(fregs, 1),
		.base = info->basechain,
		.type = (u8)ftrace_regs_get_argument(fregs, 2),
	};
	return true;
}
#else
#define NFT_STEP_FIRST "nft_pktinfo"

static inline const struct nft_chain *compat_nft_chain(const struct nft_rule_dp *rule,
						       const struct nft_base_chain *base)
{
	if (!rule)
		return &base->chain;
	while (!rule->is_last)
		rule = nft_rule_next(rule);
	return container_of(rule, struct nft_rule_dp_last, end)->chain;
}

static inline bool compat_nft_step(struct ftrace_regs *fregs, struct compat_nft_step *step)
{
	const struct nft_traceinfo *info = (void *)ftrace_regs_get_argument(fregs, 3);
	const struct nft_rule_dp *rule = (void *)ftrace_regs_get_argument(fregs, 2);

	if (!info->trace)
		return false;
	*step = (struct compat_nft_step){
		.pkt = (void *)ftrace_regs_get_argument(fregs, 0),
		.verdict = (void *)ftrace_regs_get_argument(fregs, 1),
		.rule = rule,
		.chain = compat_nft_chain(rule, info->basechain),
		.base = info->basechain,
		.type = (u8)ftrace_regs_get_argument(fregs, 4),
	};
	return true;
}
#endif

#endif
