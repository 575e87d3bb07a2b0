/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FRAME_H
#define RECORD_SKB_FRAME_H

#include <linux/types.h>

/* What the innermost gate of a task means for the call graph. */
enum frame_state {
	FRAME_NONE,		/* in no gate: nothing is recorded */
	FRAME_ENTERING,		/* on the way into the gate: what interrupts is not below it yet */
	FRAME_OPEN,		/* below the gate everything is recorded */
	FRAME_SHUT,		/* what is inside a stranger is not */
};

/*
 * struct frame - one gate entered and not yet left
 * @state: what it means for the graph
 * @target: where the gate calls
 * @func: the function it stands in for: the probe point as ftrace names it
 * @pkt: the packet's number, 0 for a call
 * @epoch: of the session that pushed it
 * @fd: of the socket that a call is on, -1 if none
 * @arg: for a list, which argument it is
 */
struct frame {
	enum frame_state state;
	unsigned long target;
	unsigned long func;
	u32 pkt;
	u32 epoch;
	int fd;
	u32 arg;
};

int frame_init(void);
void frame_exit(void);
enum frame_state frame_current(u32 epoch);
bool frame_is_of(unsigned long func);
bool frame_push(const struct frame *frame);
const struct frame *frame_top(void);
unsigned int frame_inside(void);
void frame_pin(void);

/* For the gates only. */
unsigned long frame_enter(void);
void frame_leave(unsigned long ret);
void frame_pop(void);

#endif
