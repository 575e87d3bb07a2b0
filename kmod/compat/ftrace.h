/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_FTRACE_H
#define RECORD_SKB_COMPAT_FTRACE_H

#include <linux/ftrace.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/version.h>

/*
 * Before 6.2 (94d095ffa0e1, "ftrace: abstract DYNAMIC_FTRACE_WITH_ARGS accesses") an ftrace_regs
 * was read through pt_regs. Goes when 6.1 does.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define ftrace_regs_get_argument(fregs, n)	       regs_get_kernel_argument(&(fregs)->regs, n)
#define ftrace_regs_set_instruction_pointer(fregs, ip) ftrace_instruction_pointer_set(fregs, ip)
#endif

/* What the ftrace_ops has to ask for whose callback changes where the call goes. */
#ifdef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
#define COMPAT_FTRACE_OPS_REGS 0
#else
#define COMPAT_FTRACE_OPS_REGS FTRACE_OPS_FL_SAVE_REGS
#endif

/*
 * Where an argument stands in an ftrace_regs: in all these kernels it begins with struct pt_regs (x86-64).
 */
static inline u32 compat_argument_offset(u32 n)
{
	static const u8 offsets[] = {
		offsetof(struct pt_regs, di), offsetof(struct pt_regs, si),
		offsetof(struct pt_regs, dx), offsetof(struct pt_regs, cx),
		offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
	};

	return offsets[n];
}

#endif
