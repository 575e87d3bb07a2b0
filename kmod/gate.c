// SPDX-License-Identifier: GPL-2.0
/*
 * gate.c - the function a packet is led through
 *
 * function_graph records what is below record_skb_gate() and nothing else. It is entered in place
 * of a function, with that function's arguments in the registers and its caller's return address
 * on the stack; it calls the function and returns what that returned.
 *
 * This is the only file of the module that is compiled for ftrace.
 */
#include <linux/compiler.h>

#include "frame.h"
#include "gate.h"
#include "leave.h"

noinline unsigned long record_skb_gate(unsigned long a0, unsigned long a1, unsigned long a2,
				       unsigned long a3, unsigned long a4, unsigned long a5)
{
	unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, frame_call());

	leave_graph(ret);
	return ret;
}

/*
 * Each recording that shares has its own, by which function_graph tells them apart. They must not be the same
 * function to the compiler.
 */
#define GATE(n)                                                                        \
	noinline unsigned long record_skb_gate_##n(unsigned long a0, unsigned long a1, \
						   unsigned long a2, unsigned long a3, \
						   unsigned long a4, unsigned long a5) \
	{                                                                              \
		unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, frame_call());   \
                                                                                       \
		asm volatile("" ::"i"(n));                                             \
		leave_graph(ret);                                                      \
		return ret;                                                            \
	}

/* What is kept out of one recording's graph, while another's goes on. */
#define HIDE(n)                                                                        \
	noinline unsigned long record_skb_hide_##n(unsigned long a0, unsigned long a1, \
						   unsigned long a2, unsigned long a3, \
						   unsigned long a4, unsigned long a5) \
	{                                                                              \
		unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, frame_call());   \
                                                                                       \
		asm volatile("" ::"i"(n));                                             \
		leave(ret);                                                            \
		return ret;                                                            \
	}

GATE(1)
GATE(2)
GATE(3)
GATE(4)
HIDE(1)
HIDE(2)
HIDE(3)
HIDE(4)

/* A call that costs what recording it costs. */
noinline void record_skb_nothing(void)
{
	barrier();
}

/* The root of a graph that has nothing else in it. */
noinline void record_skb_calibration(int calls)
{
	int i;

	for (i = 0; i < calls; i++)
		record_skb_nothing();
}
