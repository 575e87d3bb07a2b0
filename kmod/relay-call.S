/* SPDX-License-Identifier: GPL-2.0 */
/*
 * relay-call.S - what a function of the graph calls first: nothing is done for a task that pauses the graph
 *
 * Entered by the call at the function's start, it leaves all registers as they are. Where the task does not
 * pause the graph it goes on in function_graph's own trampoline, as if the function had called that. By a
 * return: what is made at run time has no endbr.
 */
#include <linux/linkage.h>
#include <asm/asm.h>
#include <asm/asm-offsets.h>
#include <asm/nospec-branch.h>
#include <asm/percpu.h>
#include <asm/unwind_hints.h>

#include "compat/graph-hand-on.h"

#if COMPAT_GRAPH_TAKES_CALLS
SYM_FUNC_START(relay_call)
	pushq	%rax
	movq	PER_CPU_VAR(pcpu_hot + X86_current_task), %rax
	cmpl	$0, relay_pause_offset(%rax)
	popq	%rax
	je	1f
	RET
1:
	pushq	record_skb_relay_target(%rip)
	UNWIND_HINT_FUNC
SYM_INNER_LABEL(relay_nobody, SYM_L_GLOBAL)
	RET
SYM_FUNC_END(relay_call)
_ASM_NOKPROBE(relay_call)
#endif
