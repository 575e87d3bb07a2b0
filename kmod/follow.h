/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FOLLOW_H
#define RECORD_SKB_FOLLOW_H

#include <linux/types.h>

struct follow;
struct stats;
struct task_struct;

int follow_init(void);
struct follow *follow_new(struct stats *stats);
void follow_free(struct follow *f);
int follow_start(struct follow *f, bool children);
void follow_stop(struct follow *f);
int follow_pid(struct follow *f, pid_t pid);
bool follow_current(struct follow *f);
void follow_each(struct follow *f, void (*visit)(struct task_struct *task, const void *data),
		 const void *data);

#endif
