/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FRAME_H
#define RECORD_SKB_FRAME_H

#include <linux/preempt.h>
#include <linux/types.h>

#include "busy.h"
#include "compat/trace_recursion.h"
#include "track.h"

/* What the innermost gate of a task means for the call graph. */
enum frame_state {
	FRAME_NONE,	/* in no gate: nothing is recorded */
	FRAME_ENTERING, /* on the way into the gate: what interrupts is not below it yet */
	FRAME_OPEN,	/* below the gate everything is recorded */
	FRAME_SHUT,	/* what is inside an unrelated packet is not */
	FRAME_HIDING, /* the same, of what interrupts the way into a gate: there may be no graph yet */
};

/*
 * struct frame - one gate entered and not yet left
 * @state: what it means for the graph
 * @calling: the gate is calling @func through its ftrace site, which has not seen the call yet
 * @level: interrupt_context_level() of the gate
 * @says_return: what the function returns is said
 * @copies: as in struct point: what the function returns are copies of @skb
 * @unpaused: it has ended the pause that everybody is in, for its own task
 * @last: when it is left, the ring ends
 * @target: where the gate calls
 * @func: the function it stands in for: the probe point as ftrace names it
 * @skb: the packet, as an address only: it may be gone; NULL for a call
 * @of: its numbers; for a call the packet is 0
 * @call: the call's number, 0 for a packet
 * @epoch: of the arming that it belongs to
 * @fd: of the socket that a call is on, -1 if none
 * @arg: for a list, which argument it is
 */
struct frame {
	enum frame_state state;
	bool calling;
	u8 level;
	bool says_return;
	u8 copies;
	bool unpaused;
	bool last;
	unsigned long target;
	unsigned long func;
	const struct sk_buff *skb;
	struct match of;
	u32 call;
	u32 epoch;
	int fd;
	u32 arg;
};

int frame_init(void);
void frame_exit(void);
bool frame_mark_graph(u32 epoch);
bool frame_push(const struct frame *frame);
void frame_pin(void);

struct frame *frame_find_innermost(void);
struct task_struct;
bool frame_is_around(const struct task_struct *task, u32 epoch);

/* How many gates are entered and not left, on the whole machine. */
static inline unsigned int frame_inside(void)
{
	return atomic_read(&record_skb_busy.inside);
}

/*
 * The innermost gate that the current context is inside, of whatever arming; NULL if none. What interrupts us
 * leaves it as it was.
 */
static inline struct frame *frame_innermost(void)
{
	return frame_inside() ? frame_find_innermost() : NULL;
}

/*
 * FRAME_NONE too for the gate of an earlier arming, around which there is no graph any more. The graph is
 * open as soon as function_graph has seen the gate, before the gate itself can say so: what an interrupt
 * brings then is below it. As it leaves a gate of its own that opened a graph, function_graph might forget
 * the one around.
 */
static inline enum frame_state frame_state_of(const struct frame *frame, u32 epoch)
{
	if (!frame || frame->epoch != epoch)
		return FRAME_NONE;
	if (frame->state == FRAME_ENTERING && compat_graph_has_begun())
		return FRAME_OPEN;
	return frame->state;
}

static inline enum frame_state frame_current(u32 epoch)
{
	return frame_state_of(frame_innermost(), epoch);
}

/**
 * frame_takes_call() - whether a call comes from the gate that stands in for the function
 * @frame: the gate
 * @func: the function called, as ftrace names it
 * @epoch: of what is armed
 *
 * It is asked of each call at the function's ftrace site, and says so once: what the function
 * itself calls or ends with by a jump is another call. An interrupt that comes before the gate's
 * call has reached the site is of another level.
 */
static inline bool frame_takes_call(struct frame *frame, unsigned long func, u32 epoch)
{
	if (!frame->calling || frame->func != func || frame->epoch != epoch ||
	    frame->level != interrupt_context_level())
		return false;
	frame->calling = false;
	return true;
}

/* For the gates. */
const struct frame *frame_top(void);
unsigned long frame_call(void);
void frame_pop(bool pause);

#endif
