/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_ARCH_H
#define RECORD_SKB_ARCH_H

/*
 * The differences between the architectures. Each arch/NAME/arch.h defines:
 *
 * arch_noendbr - attribute of a function that is never called through a pointer
 * arch_site_entry() - address at which a function is entered so that its ftrace site is executed
 * arch_site_find() - find the ftrace site of the function at a kprobe
 * arch_is_site_offset() - check the distance of an ftrace site from the start of its function
 */
#if defined(CONFIG_X86_64)
#include "x86/arch.h"
#elif defined(CONFIG_ARM64) && !defined(CONFIG_CPU_BIG_ENDIAN)
#include "arm64/arch.h"
#else
#error "this architecture is not supported"
#endif

/* Call @target with these arguments. Only gates use this. Return: return value of @target. */
unsigned long gate_call(unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
			unsigned long a4, unsigned long a5, unsigned long target);

/* The trampolines of the probe points (probe_entry.S). They exist only if COMPAT_GRAPH_TAKES_CALLS is set. */
extern const char probe_entry[], probe_watch_entry[];
/*
 * The trampoline of function_graph.c, relay_call, exists only if COMPAT_GRAPH_TAKES_CALLS is set.
 * relay_nobody is a return instruction inside the trampoline. As long as the ftrace_ops of function_graph is
 * not found, the trampoline jumps to relay_nobody.
 */
extern const char relay_call[], relay_nobody[];

#endif
