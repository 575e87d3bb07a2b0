/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GATE_STACK_H
#define RECORD_SKB_GATE_STACK_H

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "counters.h"
#include "compat/trace_recursion.h"
#include "task_pause.h"
#include "recording.h"
#include "skb_table.h"
#include "stream_positions.h"

/* State of the call graph inside the innermost gate of a task. */
enum frame_state {
	FRAME_NONE,	/* the task is inside no gate: none of its calls is recorded */
	FRAME_ENTERING, /* the task enters the gate: interrupts below it are not recorded yet */
	FRAME_OPEN,	/* every call below the gate is recorded */
	FRAME_SHUT,	/* the gate handles an unrelated packet or call: nothing is recorded */
	FRAME_HIDING,	/* calls are not recorded, and GATE_RESUME cannot reopen the graph */
	FRAME_LIFTING,	/* the task is about to enter a GATE_LIFT: no recording records anything */
};

/*
 * A gate: a function that can be called in place of any function that has all its arguments in
 * registers.
 */
typedef unsigned long gate_fn(unsigned long a0, unsigned long a1, unsigned long a2,
			      unsigned long a3, unsigned long a4, unsigned long a5);

/* Kind of gate that a call passes through. */
enum gate {
	GATE_NONE,   /* the call passes through no gate and is not changed */
	GATE_OPEN,   /* open a graph for the call */
	GATE_SHUT,   /* hide the call from the open graph around it */
	GATE_RESUME, /* inside a GATE_SHUT, show the call in the graph again */
	GATE_RETURN, /* leave the graph as it is, and report the return value of the function */
	GATE_LIST,   /* split a list of packets, and call the function for each piece */
	GATE_HIDE,   /* hide the call from the graph of one recording only */
	GATE_LIFT,   /* open no graph; lift the pause that hides the call from all recordings */
};

/*
 * struct gate_frame - stack frame of a gate that a task has entered and not left yet
 * @gate: kind of the gate
 * @recording: the recording that the gate belongs to; NULL if the gate belongs to no single recording
 * @state: state of the call graph inside the gate
 * @in_callback: a callback of the module is running inside the gate; functions that the callback calls are
 *	not recorded
 * @calling: the gate is calling @func through its ftrace site, and ftrace has not reported this call to the
 *	module yet
 * @level: interrupt_context_level() of the gate
 * @report_return: emit an event with the return value of the function
 * @copies: not 0 if the function returns copies of @skb, may refuse @skb, or runs an XDP program; the value
 *	is that of struct point
 * @unpaused: the task had the pause mark (graph_pause.c), and the gate removed the mark from the task
 * @last: the ring stops when this gate is left
 * @again: for a GATE_LIFT, pause the graph again when the gate is left
 * @target: address of the code that the gate calls, unless the gate calls another gate
 * @entry: address of the gate's own function, which another gate calls to enter this gate
 * @func: the function that the gate replaces, as the address of its ftrace site
 * @skb: address of the packet's skb, which may have been freed; NULL for a socket call
 * @socket: for a socket call, the socket. The member sk is NULL for a packet, and also if the socket may be
 *	gone when the function returns.
 * @packet: numbers of the packet; for a socket call, the packet number is 0
 * @call: number of the socket call, 0 for a packet
 * @epoch: epoch of the active configuration that the gate belongs to
 * @fd: file descriptor that was passed to the socket call, -1 if none
 * @arg: for a GATE_LIST, index of the argument that is the list; for POINT_REFUSES_CGROUP, the third argument
 *	of the function, which is the kind of the programs
 * @programs: for POINT_REFUSES_*, the programs of the cgroup or the socket when the gate was entered, which
 *	are only compared; for POINT_RUNS_XDP, the program
 * @xdp: for POINT_RUNS_XDP, the frame that the program gets
 * @overrun: for a gate that opens a graph, the value of graph_overrun() when overruns below the gate were
 *	counted last; for a GATE_SHUT, the value of graph_overrun() to restore
 */
struct gate_frame {
	enum gate gate;
	struct recording *recording;
	enum frame_state state;
	bool in_callback;
	bool calling;
	u8 level;
	bool report_return;
	u8 copies;
	bool unpaused;
	bool last;
	bool again;
	unsigned long target;
	unsigned long entry;
	unsigned long func;
	const struct sk_buff *skb;
	struct call_socket socket;
	struct match packet;
	u32 call;
	u32 epoch;
	int fd;
	u32 arg;
	const void *programs;
	const struct xdp_buff *xdp;
	int overrun;
};

int gate_stack_init(void);
void gate_stack_exit(void);
bool gate_stack_mark_graph(u32 epoch);
bool gate_stack_push(const struct gate_frame *frame);
void gate_stack_pin(void);
u32 gate_stack_count_graphs(const struct recording *r, u32 epoch);
void gate_stack_count_all_overruns(struct recording *r, u32 epoch);

/* struct stacked_frame - a gate frame that is linked into the gate stack of its task */
struct stacked_frame;

struct stacked_frame *gate_stack_mark(void);
u32 gate_stack_take(const struct stacked_frame *mark, struct stacked_frame **chain, u32 max);
struct stacked_frame *gate_stack_make(const struct gate_frame *frame);
struct gate_frame *gate_stack_of(struct stacked_frame *s);
bool gate_stack_enter(struct stacked_frame **chain, u32 nr);
void gate_stack_let_go(struct stacked_frame **chain, u32 nr);

struct gate_frame *gate_stack_find_innermost(void);
enum frame_state gate_stack_find_state(u32 epoch);
struct task_struct;
bool gate_stack_is_around(const struct task_struct *task, u32 epoch);
bool gate_stack_has(const struct task_struct *task);
struct gate_frame *gate_stack_below(struct gate_frame *frame);

/*
 * For each hash value, the number of tasks with this hash that are inside a gate. The prefilter reads the
 * number of the current task's hash if any task may be inside a gate. Writes are rare: a number changes
 * only when a task enters its first gate or leaves its last one.
 */
#define FRAME_HINT_BITS 12

extern atomic_t record_skb_frame_hint[1 << FRAME_HINT_BITS];

static __always_inline atomic_t *gate_stack_hint(const struct task_struct *task)
{
	return &record_skb_frame_hint[hash_ptr(task, FRAME_HINT_BITS)];
}

/* Return: false if the current context is inside no gate; true if it may be. */
static __always_inline bool gate_stack_may_be_inside(void)
{
	return busy_with_gates() && atomic_read(gate_stack_hint(current));
}

/*
 * Return: frame of the innermost gate of the current context, or NULL if the context is inside no gate. The
 * gate may belong to an active or an earlier configuration. An interrupt leaves all gates that it enters
 * before it returns, so the result stays valid.
 */
static inline struct gate_frame *gate_stack_innermost(void)
{
	return gate_stack_may_be_inside() ? gate_stack_find_innermost() : NULL;
}

/*
 * Return: state of the call graph inside a gate. The graph is open as soon as function_graph has seen the
 * call of the gate. The gate sets @frame->state to FRAME_OPEN a moment later.
 *
 * If an interrupt comes in between, function_graph records it inside the graph. So the graph must count as
 * open already. Otherwise the interrupt might open a graph of its own, and at the end of that graph,
 * function_graph would forget the outer one.
 */
static inline enum frame_state gate_stack_state_of(const struct gate_frame *frame)
{
	if (frame->state == FRAME_ENTERING && compat_graph_has_begun())
		return FRAME_OPEN;
	return frame->state;
}

/*
 * Return: state of the call graph inside the innermost gate of the configuration @epoch; FRAME_NONE if the
 * task is inside no such gate. Gates of earlier configurations do not count, because no graph is open around
 * them any more.
 */
static inline enum frame_state gate_stack_current(u32 epoch)
{
	return gate_stack_may_be_inside() ? gate_stack_find_state(epoch) : FRAME_NONE;
}

/*
 * Return: FRAME_OPEN if a call graph is open around the code that leaves a gate. If several recordings are
 * active, this may be the graph of any of them. In that case, the graph counts as open if the task does not
 * have the pause mark.
 */
static inline enum frame_state gate_stack_around(const struct gate_frame *frame)
{
	if (recordings_share())
		return pause_is_marked(current) ? FRAME_NONE : FRAME_OPEN;
	return recording_has(frame->recording, frame->epoch) ? gate_stack_state_of(frame) :
							       FRAME_NONE;
}

/**
 * gate_stack_takes_call() - check if a call was made by the gate that replaces the function
 * @frame: frame of the gate
 * @func: address of the function's ftrace site
 *
 * The ftrace callback uses this for every call of the function. The result is true only once for each gate,
 * because later recursive calls and tail calls were not made by the gate. An interrupt may call the same
 * function before the gate's own call reaches the site. The interrupt level tells these two calls apart.
 *
 * Return: true if the gate made the call.
 */
static inline bool gate_stack_takes_call(struct gate_frame *frame, unsigned long func)
{
	if (!frame->calling || frame->func != func || frame->level != interrupt_context_level() ||
	    !recording_has(frame->recording, frame->epoch))
		return false;
	frame->calling = false;
	return true;
}

/* Functions that only the gates call. */
struct gate_frame *gate_stack_top(void);
unsigned long gate_stack_call(void);
void gate_stack_count_overrun(void);
void gate_stack_pop(bool pause);

#endif
