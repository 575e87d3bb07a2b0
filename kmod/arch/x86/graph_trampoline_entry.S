/* SPDX-License-Identifier: GPL-2.0 */
/*
 * graph_trampoline_entry.S - the trampoline of function_graph.c, called at the start of each traced
 * function
 *
 * The trampoline keeps all registers. If the current task has function_graph paused, the trampoline returns
 * to the traced function at once. Otherwise it jumps to function_graph's own trampoline, with the stack as if
 * the traced function had called function_graph's trampoline directly. The jump is a return instruction,
 * because trampolines that ftrace creates at run time do not start with an endbr. No indirect call
 * or jump leads to this trampoline either.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/asm.h>
#include <asm/asm-offsets.h>
#include <asm/nospec-branch.h>
#include <asm/percpu.h>
#include <asm/unwind_hints.h>

#include "compat/current_task.h"
#include "compat/graph-hand-on.h"

#if COMPAT_GRAPH_TAKES_CALLS
SYM_FUNC_START(relay_call)
	ANNOTATE_NOENDBR
	pushq	%rax
	movq	PER_CPU_VAR(COMPAT_CURRENT_TASK), %rax
	cmpl	$0, relay_pause_offset(%rax)
	popq	%rax
	je	1f
	RET
1:
	pushq	record_skb_relay_target(%rip)
	UNWIND_HINT_FUNC
SYM_INNER_LABEL(relay_nobody, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	RET
SYM_FUNC_END(relay_call)
_ASM_NOKPROBE(relay_call)
#endif
