/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_HRTIMER_H
#define RECORD_SKB_COMPAT_HRTIMER_H

#include <linux/hrtimer.h>
#include <linux/version.h>

/*
 * From 6.13 on, hrtimer_setup() also sets the function ("hrtimers: Introduce hrtimer_setup() to replace
 * hrtimer_init()"); 6.15 has no hrtimer_init(). Remove this when the support for Linux 6.12 ends.
 */
static inline void compat_hrtimer_setup(struct hrtimer *timer,
					enum hrtimer_restart (*function)(struct hrtimer *))
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	timer->function = function;
#else
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
#endif
}

#endif
