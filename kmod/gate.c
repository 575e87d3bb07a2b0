// SPDX-License-Identifier: GPL-2.0
/*
 * gate.c - the gates: functions that are called in place of a probed function
 *
 * function_graph records only calls below record_skb_gate(). The gate is entered in place of a probed
 * function. The registers contain the arguments of the probed function, and the return address on the stack
 * is that of its caller. The gate calls the probed function and returns its return value.
 *
 * This is the only file of the module that is compiled for ftrace, so that ftrace can trace the gates.
 */
#include <linux/compiler.h>

#include "gate_stack.h"
#include "gate.h"
#include "gate_return.h"

noinline unsigned long record_skb_gate(unsigned long a0, unsigned long a1, unsigned long a2,
				       unsigned long a3, unsigned long a4, unsigned long a5)
{
	unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, gate_stack_call());

	gate_leave_graph(ret);
	return ret;
}

/*
 * Each recording that runs at the same time as others has its own gate, and its function_graph records only
 * calls below this gate. The asm statement keeps the compiler from merging the gates into one function.
 */
#define GATE(n)                                                                           \
	noinline unsigned long record_skb_gate_##n(unsigned long a0, unsigned long a1,    \
						   unsigned long a2, unsigned long a3,    \
						   unsigned long a4, unsigned long a5)    \
	{                                                                                 \
		unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, gate_stack_call()); \
                                                                                          \
		asm volatile("" ::"i"(n));                                                \
		gate_leave_graph(ret);                                                    \
		return ret;                                                               \
	}

/* A gate that hides calls from the graph of one recording. The graphs of other recordings continue. */
#define HIDE(n)                                                                           \
	noinline unsigned long record_skb_hide_##n(unsigned long a0, unsigned long a1,    \
						   unsigned long a2, unsigned long a3,    \
						   unsigned long a4, unsigned long a5)    \
	{                                                                                 \
		unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, gate_stack_call()); \
                                                                                          \
		asm volatile("" ::"i"(n));                                                \
		gate_leave(ret);                                                          \
		return ret;                                                               \
	}

GATE(1)
GATE(2)
GATE(3)
GATE(4)
HIDE(1)
HIDE(2)
HIDE(3)
HIDE(4)

/* probe_hooks.c attaches to this function. No code calls it. */
noinline void record_skb_anchor(void)
{
	barrier();
}

/* fgraph_users.c attaches to this function. No code calls it. */
noinline void record_skb_nothing(void)
{
	barrier();
}
