/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_ARCH_X86_H
#define RECORD_SKB_ARCH_X86_H

#include <asm/ibt.h>
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/types.h>

#define arch_noendbr __noendbr

/* The ftrace site is a call instruction. */
static inline unsigned long arch_site_entry(unsigned long ip)
{
	return ip;
}

/* Nearly all ftrace sites come directly after the ENDBR instruction. */
static inline bool arch_is_site_offset(unsigned long offset)
{
	return offset == ENDBR_INSN_SIZE;
}

/*
 * The kernel moves a kprobe at the start of a function to the ftrace site. Return: 0, or -EOPNOTSUPP if
 * the function has no site.
 */
static inline int arch_site_find(const struct kprobe *kp, unsigned long *ip)
{
	*ip = (unsigned long)kp->addr;
	return kp->flags & KPROBE_FLAG_FTRACE ? 0 : -EOPNOTSUPP;
}

#endif
