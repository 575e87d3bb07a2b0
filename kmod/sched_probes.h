/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SCHED_PROBES_H
#define RECORD_SKB_SCHED_PROBES_H

int sched_probes_init(void);
int sched_probes_start(void);
void sched_probes_stop(void);

#endif
