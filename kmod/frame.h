/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FRAME_H
#define RECORD_SKB_FRAME_H

#include <linux/preempt.h>
#include <linux/types.h>

#include "busy.h"
#include "compat/trace_recursion.h"
#include "pause.h"
#include "recording.h"
#include "track.h"

/* What the innermost gate of a task means for the call graph. */
enum frame_state {
	FRAME_NONE,	/* in no gate: nothing is recorded */
	FRAME_ENTERING, /* on the way into the gate: what interrupts is not below it yet */
	FRAME_OPEN,	/* below the gate everything is recorded */
	FRAME_SHUT,	/* what is inside an unrelated packet is not */
	FRAME_HIDING, /* the same, and it cannot be let in: there may be no graph yet, or it is another's */
	FRAME_LIFTING, /* on the way into what lifts the pause of all: nothing is recorded of anybody */
};

/* A function that can stand in for any other whose arguments are all in registers. */
typedef unsigned long gate_fn(unsigned long a0, unsigned long a1, unsigned long a2,
			      unsigned long a3, unsigned long a4, unsigned long a5);

/* Which gate a call is led through. */
enum gate {
	GATE_NONE,   /* it goes on as it is */
	GATE_OPEN,   /* a graph begins */
	GATE_SHUT,   /* it is kept out of the open graph around it */
	GATE_RESUME, /* it is let into that graph again */
	GATE_RETURN, /* the graph goes on, and what the function returns is said */
	GATE_LIST,   /* a list of packets: in pieces */
	GATE_HIDE,   /* it is kept out of one recording's graph, and not out of others' */
	GATE_LIFT,   /* nobody's graph: what pauses all of them is lifted for as long */
};

/*
 * struct frame - one gate entered and not yet left
 * @gate: which
 * @recording: whose; NULL of a gate that is of none
 * @state: what it means for the graph
 * @looking: a packet is looked at, inside the gate; what is called for that is nobody's
 * @calling: the gate is calling @func through its ftrace site, which has not seen the call yet
 * @level: interrupt_context_level() of the gate
 * @says_return: what the function returns is said
 * @copies: as in struct point: what the function returns are copies of @skb
 * @unpaused: it has ended the pause that everybody is in, for its own task
 * @last: when it is left, the ring ends
 * @again: the pause that it lifts is taken up again
 * @target: where the gate calls, if it calls no other gate
 * @entry: where the gate itself begins, if another gate calls it
 * @func: the function it stands in for: the probe point as ftrace names it
 * @skb: the packet, as an address only: it may be gone; NULL for a call
 * @of: its numbers; for a call the packet is 0
 * @call: the call's number, 0 for a packet
 * @epoch: of the arming that it belongs to
 * @fd: of the socket that a call is on, -1 if none
 * @arg: for a list, which argument it is
 */
struct frame {
	enum gate gate;
	struct recording *recording;
	enum frame_state state;
	bool looking;
	bool calling;
	u8 level;
	bool says_return;
	u8 copies;
	bool unpaused;
	bool last;
	bool again;
	unsigned long target;
	unsigned long entry;
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

/* struct stacked - a frame among its task's, and among those that are entered one after the other */
struct stacked;

struct stacked *frame_mark(void);
u32 frame_take(const struct stacked *mark, struct stacked **chain, u32 max);
struct stacked *frame_make(const struct frame *frame);
struct frame *frame_of(struct stacked *s);
bool frame_enter(struct stacked **chain, u32 nr);
void frame_let_go(struct stacked **chain, u32 nr);

struct frame *frame_find_innermost(void);
enum frame_state frame_find_state(u32 epoch);
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
 * What the innermost gate of an arming means; FRAME_NONE if the current context is in none of it, and for the
 * gate of an earlier arming, around which there is no graph any more. The graph is open as soon as
 * function_graph has seen the gate, before the gate itself can say so: what an interrupt brings then is below
 * it. As it leaves a gate of its own that opened a graph, function_graph might forget the one around.
 */
static inline enum frame_state frame_state_of(const struct frame *frame)
{
	if (frame->state == FRAME_ENTERING && compat_graph_has_begun())
		return FRAME_OPEN;
	return frame->state;
}

static inline enum frame_state frame_current(u32 epoch)
{
	return frame_inside() ? frame_find_state(epoch) : FRAME_NONE;
}

/*
 * Of a gate's own frame. Where recordings share, the graph of another may be open around, whatever this one
 * means.
 */
static inline enum frame_state frame_around(const struct frame *frame)
{
	if (recordings_share())
		return pause_is_marked(current) ? FRAME_NONE : FRAME_OPEN;
	return recording_has(frame->recording, frame->epoch) ? frame_state_of(frame) : FRAME_NONE;
}

/**
 * frame_takes_call() - whether a call comes from the gate that stands in for the function
 * @frame: the gate
 * @func: the function called, as ftrace names it
 *
 * It is asked of each call at the function's ftrace site, and says so once: what the function
 * itself calls or ends with by a jump is another call. An interrupt that comes before the gate's
 * call has reached the site is of another level.
 */
static inline bool frame_takes_call(struct frame *frame, unsigned long func)
{
	if (!frame->calling || frame->func != func || frame->level != interrupt_context_level() ||
	    !recording_has(frame->recording, frame->epoch))
		return false;
	frame->calling = false;
	return true;
}

/* For the gates. */
const struct frame *frame_top(void);
unsigned long frame_call(void);
void frame_pop(bool pause);

#endif
