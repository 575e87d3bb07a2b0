/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe_entry.S - the trampolines of the probe points, called at the start of each probed function
 *
 * ftrace's own trampoline saves and restores the registers, which costs more than the prefilter. Therefore
 * these trampolines run the prefilter first, which rejects nearly every call. If the prefilter does not
 * reject a call, they jump to ftrace's trampoline, with the stack as if the probed function had called
 * ftrace's trampoline directly. The jump is a return instruction, because trampolines that ftrace creates at
 * run time do not start with an endbr.
 *
 * As in the trampolines of BPF, %rax, %r10 and %r11 are free at the start of a function.
 *
 * ftrace enters the trampolines with direct calls, so they need no endbr.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/asm.h>
#include <asm/nospec-branch.h>
#include <asm/unwind_hints.h>

/*
 * The trampoline of probe points where only tracked packets and tasks inside a gate matter. While
 * record_skb_busy is 0, no packet is tracked and no task is inside a gate, so the trampoline rejects the call
 * at once.
 */
SYM_FUNC_START(probe_watch_entry)
	ANNOTATE_NOENDBR
	cmpq	$0, record_skb_busy(%rip)
	jne	probe_entry
	RET
SYM_FUNC_END(probe_watch_entry)
_ASM_NOKPROBE(probe_watch_entry)

SYM_FUNC_START(probe_entry)
	ANNOTATE_NOENDBR
	/*
	 * Pass a copy of the return address as the seventh argument of prefilter_rejects(), because a
	 * function may overwrite its arguments on the stack.
	 */
	pushq	(%rsp)
	call	prefilter_rejects
	popq	%r10
	testb	%al, %al
	je	1f
	RET
1:
	pushq	record_skb_probe_target(%rip)
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(probe_entry)
_ASM_NOKPROBE(probe_entry)
