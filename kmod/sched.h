/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SCHED_H
#define RECORD_SKB_SCHED_H

int sched_init(void);
int sched_start(void);
void sched_stop(void);

#endif
