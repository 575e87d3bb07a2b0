/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FRAME_H
#define RECORD_SKB_FRAME_H

#include <linux/types.h>

struct point;

/* What the innermost gate of a task means for the call graph. */
enum frame_state {
	FRAME_NONE,		/* in no gate: nothing is recorded */
	FRAME_ENTERING,		/* on the way into the gate: what interrupts is not below it yet */
	FRAME_OPEN,		/* below the gate everything is recorded */
	FRAME_SHUT,		/* below the shut gate nothing is */
};

int frame_init(void);
void frame_exit(void);
enum frame_state frame_current(void);
bool frame_push(enum frame_state state, unsigned long target, unsigned long func, u32 pkt,
		u32 epoch);
unsigned int frame_inside(void);
void frame_pin(void);

/* For the gates only. */
unsigned long frame_enter(void);
void frame_leave(unsigned long ret);

#endif
