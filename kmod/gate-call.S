/* SPDX-License-Identifier: GPL-2.0 */
/*
 * gate-call.S - call a function at an address that nobody meant to be called by address
 *
 * Where the CPU enforces IBT the kernel takes the endbr away from functions whose address nobody
 * takes, and an indirect call to one of them traps. A return to it does not. The probe point is
 * entered at its ftrace site, which is where the redirected call would have gone.
 */
#include <linux/linkage.h>
#include <asm/nospec-branch.h>
#include <asm/unwind_hints.h>

/* unsigned long gate_call(a0, ..., a5, unsigned long target): target comes on the stack. */
SYM_FUNC_START(gate_call)
	pushq	8(%rsp)
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(gate_call)
