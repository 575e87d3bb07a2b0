/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_ARCH_ARM64_H
#define RECORD_SKB_ARCH_ARM64_H

#include <asm/insn.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/types.h>

/*
 * Before Linux 6.2, ftrace on arm64 does not pass the arguments to an ftrace_ops that changes the instruction
 * pointer, and ftrace_instruction_pointer_set() does nothing.
 */
#ifndef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#error "on arm64, record-skb needs Linux 6.2 or later"
#endif

/* Empty: a function may keep its landing pad (BTI) even if it is never called through a pointer. */
#define arch_noendbr

/*
 * The ftrace site is the second of two instructions: "mov x9, x30" saves the return address, and the site,
 * "bl", overwrites it. Both have to be executed. A function may have a landing pad (BTI) in front of them.
 */
static inline unsigned long arch_site_entry(unsigned long ip)
{
	return ip - AARCH64_INSN_SIZE;
}

static inline bool arch_is_site_offset(unsigned long offset)
{
	return offset == AARCH64_INSN_SIZE || offset == 2 * AARCH64_INSN_SIZE;
}

/*
 * Find the ftrace site of a function. The kernel does not move a kprobe to the site, but only two addresses
 * are possible. Ask ftrace to add each of them to the filter of an ftrace_ops: ftrace refuses an address that
 * is not a site. The ftrace_ops is never registered.
 *
 * Return: 0, -EOPNOTSUPP if the function has no site, or -ENOMEM.
 */
static inline int arch_site_find(const struct kprobe *kp, unsigned long *ip)
{
	static struct ftrace_ops asking;
	unsigned long offset;
	int err;

	for (offset = AARCH64_INSN_SIZE; offset <= 2 * AARCH64_INSN_SIZE;
	     offset += AARCH64_INSN_SIZE) {
		*ip = (unsigned long)kp->addr + offset;
		err = ftrace_set_filter_ip(&asking, *ip, 0, 1);
		if (!err)
			ftrace_set_filter(&asking, NULL, 0, 1);
		if (!err || err == -ENOMEM)
			return err;
	}
	return -EOPNOTSUPP;
}

#endif
