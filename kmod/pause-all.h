/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PAUSE_ALL_H
#define RECORD_SKB_PAUSE_ALL_H

#include <linux/types.h>

#include "pause.h"

int pause_all_start(u32 epoch);
void pause_all_stop(void);
void pause_all_copying(void);
void pause_all_copied(void);
void pause_all_join(void);
bool pause_all_is_on(u32 epoch);

int pause_all_init(void);

/* The current context comes by, and no gate opens. Preemption is off. */
static inline void pause_all_met(void)
{
	if (!pause_is_marked(current))
		pause_all_join();
}

#endif
