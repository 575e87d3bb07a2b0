/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FOLLOW_H
#define RECORD_SKB_FOLLOW_H

#include <linux/types.h>

struct task_struct;

int follow_init(void);
void follow_exit(void);
int follow_start(bool children);
void follow_stop(void);
int follow_pid(pid_t pid);
bool follow_current(void);
void follow_each(void (*visit)(struct task_struct *task, const void *data), const void *data);

#endif
