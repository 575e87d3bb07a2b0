/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_FTRACE_H
#define RECORD_SKB_COMPAT_FTRACE_H

#include <linux/ftrace.h>
#include <linux/version.h>

/*
 * Before 6.2 (94d095ffa0e1, "ftrace: abstract DYNAMIC_FTRACE_WITH_ARGS accesses") an ftrace_regs
 * was read through pt_regs. Goes when 6.1 does.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#include <linux/ptrace.h>
#define ftrace_regs_get_argument(fregs, n)	       regs_get_kernel_argument(&(fregs)->regs, n)
#define ftrace_regs_set_instruction_pointer(fregs, ip) ftrace_instruction_pointer_set(fregs, ip)
#endif

#endif
