/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PAUSE_ALL_H
#define RECORD_SKB_PAUSE_ALL_H

#include <linux/types.h>

#include "pause.h"

int pause_all_start(void);
void pause_all_stop(void);
void pause_all_copying(void);
void pause_all_copied(void);
void pause_all_join(void);
bool pause_all_is_on(void);

int pause_all_init(void);

/* Whether everybody is paused. */
extern bool record_skb_paused;

/* Whether pause_all_join() has nothing to do. */
static inline bool pause_all_is_settled(void)
{
	return pause_is_marked(current) || !READ_ONCE(record_skb_paused);
}

/* The current context comes by, and no gate opens. Preemption is off. */
static inline void pause_all_met(void)
{
	if (!pause_all_is_settled())
		pause_all_join();
}

#endif
