// SPDX-License-Identifier: GPL-2.0
/*
 * resolve.c - from a function's name to the address that ftrace knows it by
 *
 * kprobes look a name up for modules; one registered disabled changes nothing in the kernel. Taking
 * it away waits for an RCU grace period, so they are kept and taken away together.
 *
 * Called with session_lock held, which guards what is kept.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/slab.h>

#include "resolve.h"

static struct kprobe *kept[256];
static unsigned int nr_kept;

static int look_up(struct kprobe want, unsigned long *ip)
{
	struct kprobe *kp;
	int err;

	want.flags = KPROBE_FLAG_DISABLED;
	kp = kmemdup(&want, sizeof(want), GFP_KERNEL);
	if (!kp)
		return -ENOMEM;
	err = register_kprobe(kp);
	if (err) {
		kfree(kp);
		return err == -ENOENT || err == -ENOMEM ? err : -EOPNOTSUPP;
	}
	*ip = (unsigned long)kp->addr;
	/* It is registered by its address; the name is the caller's. */
	kp->symbol_name = NULL;
	if (nr_kept == ARRAY_SIZE(kept))
		resolve_done();
	kept[nr_kept++] = kp;
	return kp->flags & KPROBE_FLAG_FTRACE ? 0 : -EOPNOTSUPP;
}

/**
 * resolve() - look a kernel or module function up
 * @func: its name
 * @ip: set to where ftrace has the function
 *
 * Call resolve_done() when the last one is looked up.
 *
 * Return: 0; -ENOENT if there is no such function; -EOPNOTSUPP if ftrace does not have it, or
 * kprobes will not have it (its text is part of the tracing itself); -ENOMEM.
 */
int resolve(const char *func, unsigned long *ip)
{
	return look_up((struct kprobe){ .symbol_name = func }, ip);
}

/**
 * resolve_address() - resolve() for a function that is known by its address
 * @func: where it starts
 * @ip: as there
 */
int resolve_address(unsigned long func, unsigned long *ip)
{
	return look_up((struct kprobe){ .addr = (kprobe_opcode_t *)func }, ip);
}

/* Take away what the look-ups left in the kernel. */
void resolve_done(void)
{
	unsigned int i;

	if (!nr_kept)
		return;
	unregister_kprobes(kept, nr_kept);
	for (i = 0; i < nr_kept; i++)
		kfree(kept[i]);
	nr_kept = 0;
}
