/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_NOTRACE_LOCK_H
#define RECORD_SKB_NOTRACE_LOCK_H

#include <linux/irqflags.h>
#include <linux/spinlock.h>

/*
 * Spin locks for data that ftrace callbacks write. A callback may run inside lockdep or a tracer, so these
 * locks are invisible to lockdep and the tracers. No other lock may be taken while one of them is held. An
 * NMI must not take one of them.
 */
struct notrace_locks {
	arch_spinlock_t lock[64];
};

#define HIDDEN_LOCKS                                               \
	{                                                          \
		.lock = { [0 ... 63] = __ARCH_SPIN_LOCK_UNLOCKED } \
	}

/* Take the lock of a bucket and disable interrupts. Return: flags for notrace_unlock(). */
static inline unsigned long notrace_lock(struct notrace_locks *locks, u32 bucket)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	arch_spin_lock(&locks->lock[bucket % ARRAY_SIZE(locks->lock)]);
	return flags;
}

static inline void notrace_unlock(struct notrace_locks *locks, u32 bucket, unsigned long flags)
{
	arch_spin_unlock(&locks->lock[bucket % ARRAY_SIZE(locks->lock)]);
	raw_local_irq_restore(flags);
}

#endif
