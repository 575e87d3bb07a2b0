/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PAUSE_ALL_H
#define RECORD_SKB_PAUSE_ALL_H

#include <linux/types.h>

int pause_all_start(u32 epoch);
void pause_all_stop(void);
void pause_all_copying(void);
void pause_all_copied(void);
void pause_all_met(void);
bool pause_all_is_on(u32 epoch);

int pause_all_init(void);

#endif
