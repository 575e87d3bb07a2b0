/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Linux 6.11 moved struct bpf_redirect_info from a per-CPU variable to the current task (401cb7dae813).
 * Remove this file when the support for Linux 6.10 ends.
 */
#ifndef RECORD_SKB_COMPAT_BPF_REDIRECT_H
#define RECORD_SKB_COMPAT_BPF_REDIRECT_H

#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/version.h>

/*
 * Return: where the BPF program that has just returned wants to redirect the packet to; NULL if unknown. The
 * caller disables preemption and knows that the result of the program is a redirect.
 */
static inline const struct bpf_redirect_info *compat_redirect_info(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
	const struct bpf_net_context *context = current->bpf_net_context;

	return context && context->ri.kern_flags & BPF_RI_F_RI_INIT ? &context->ri : NULL;
#else
	return this_cpu_ptr(&bpf_redirect_info);
#endif
}

#endif
