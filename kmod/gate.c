// SPDX-License-Identifier: GPL-2.0
/*
 * gate.c - the two functions a packet is led through
 *
 * function_graph records what is below record_skb_gate() and nothing below record_skb_shut_gate(). A gate
 * is entered in place of a function, with that function's arguments in the registers and its caller's
 * return address on the stack; it calls the function and returns what that returned. It can stand in for
 * any function whose arguments are all in registers and whose result is in one.
 *
 * This is the only file of the module that is compiled for ftrace.
 */
#include <linux/compiler.h>

#include "frame.h"
#include "gate.h"

#define DEFINE_GATE(name)								\
noinline unsigned long name(unsigned long a0, unsigned long a1, unsigned long a2,	\
			    unsigned long a3, unsigned long a4, unsigned long a5)	\
{											\
	unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, frame_enter());		\
											\
	frame_leave(ret);								\
	return ret;									\
}

DEFINE_GATE(record_skb_gate)
DEFINE_GATE(record_skb_shut_gate)

/* The gates are compiled to less than this; nothing else of ours calls a probe point. */
#define GATE_SIZE	512

/**
 * gate_is_caller() - whether a call comes from a gate
 * @ip: the call's return address
 */
notrace bool gate_is_caller(unsigned long ip)
{
	return ip - (unsigned long)record_skb_gate < GATE_SIZE ||
	       ip - (unsigned long)record_skb_shut_gate < GATE_SIZE;
}
