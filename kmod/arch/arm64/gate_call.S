/* SPDX-License-Identifier: GPL-2.0 */
/*
 * gate_call.S - call a function that may not be the target of an indirect branch
 *
 * On CPUs that enforce BTI, an indirect branch must reach a landing pad. A probed function is entered at or
 * after its ftrace site, which has no landing pad. A return instruction may go to any address. The function then
 * returns to the caller of gate_call(). The authentication of pointers and the shadow call stack are not
 * affected, because a function signs and saves its return address after the ftrace site.
 */
#include <linux/linkage.h>

/* unsigned long gate_call(a0, ..., a5, unsigned long target): all arguments are in registers. */
SYM_FUNC_START(gate_call)
	ret	x6
SYM_FUNC_END(gate_call)
