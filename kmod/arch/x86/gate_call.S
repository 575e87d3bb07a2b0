/* SPDX-License-Identifier: GPL-2.0 */
/*
 * gate_call.S - call a function that may not be the target of an indirect call
 *
 * On CPUs that enforce IBT, the kernel removes the endbr instruction from functions that are never called
 * through a pointer. An indirect call of such a function traps, but a return instruction to its address does
 * not. The probed function is entered at its ftrace site, where the call would have continued without the
 * redirection.
 */
#include <linux/linkage.h>
#include <asm/nospec-branch.h>
#include <asm/unwind_hints.h>

/* unsigned long gate_call(a0, ..., a5, unsigned long target): the seventh argument is on the stack. */
SYM_FUNC_START(gate_call)
	pushq	8(%rsp)
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(gate_call)
