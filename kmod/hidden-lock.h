/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_HIDDEN_LOCK_H
#define RECORD_SKB_HIDDEN_LOCK_H

#include <linux/irqflags.h>
#include <linux/spinlock.h>

/*
 * Spin locks for what callbacks write: neither lockdep nor the tracers see them, for those may be who
 * called us. The innermost of all locks; an NMI must not take one.
 */
struct hidden_locks {
	arch_spinlock_t lock[64];
};

#define HIDDEN_LOCKS                                               \
	{                                                          \
		.lock = { [0 ... 63] = __ARCH_SPIN_LOCK_UNLOCKED } \
	}

/* The lock of a bucket. Return: for hidden_unlock(). */
static inline unsigned long hidden_lock(struct hidden_locks *locks, u32 bucket)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	arch_spin_lock(&locks->lock[bucket % ARRAY_SIZE(locks->lock)]);
	return flags;
}

static inline void hidden_unlock(struct hidden_locks *locks, u32 bucket, unsigned long flags)
{
	arch_spin_unlock(&locks->lock[bucket % ARRAY_SIZE(locks->lock)]);
	raw_local_irq_restore(flags);
}

#endif
