/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_FTRACE_H
#define RECORD_SKB_COMPAT_FTRACE_H

#include <linux/ftrace.h>
#include <linux/version.h>

/*
 * Before 6.2, an ftrace_regs is read through pt_regs (94d095ffa0e1, "ftrace: abstract
 * DYNAMIC_FTRACE_WITH_ARGS accesses"). Remove this when the support for Linux 6.1 ends.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define ftrace_regs_get_argument(fregs, n)	       regs_get_kernel_argument(&(fregs)->regs, n)
#define ftrace_regs_set_instruction_pointer(fregs, ip) ftrace_instruction_pointer_set(fregs, ip)
#endif

/* Read the arguments that are in registers. */
static __always_inline void compat_read_arguments(unsigned long *arg, struct ftrace_regs *fregs)
{
	arg[0] = ftrace_regs_get_argument(fregs, 0);
	arg[1] = ftrace_regs_get_argument(fregs, 1);
	arg[2] = ftrace_regs_get_argument(fregs, 2);
	arg[3] = ftrace_regs_get_argument(fregs, 3);
	arg[4] = ftrace_regs_get_argument(fregs, 4);
	arg[5] = ftrace_regs_get_argument(fregs, 5);
}

/* Flag that an ftrace_ops needs if its callback changes the instruction pointer. */
#ifdef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
#define COMPAT_FTRACE_OPS_REGS 0
#else
#define COMPAT_FTRACE_OPS_REGS FTRACE_OPS_FL_SAVE_REGS
#endif

#endif
