// SPDX-License-Identifier: GPL-2.0
/*
 * resolve.c - from a function's name to its address
 *
 * kprobes look a name up for modules; one registered disabled changes nothing in the kernel. Taking
 * it away waits for an RCU grace period, so the lookups are kept and taken away together.
 */
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/slab.h>

#include "resolve.h"

/**
 * resolve() - look a kernel or module function up
 * @func: its name
 * @lookup: set to a kprobe whose addr is the function's; for resolve_done()
 *
 * Return: 0; -ENOENT if there is no such function; -EOPNOTSUPP if kprobes will not have it (its text is
 * part of the tracing itself); -ENOMEM.
 */
int resolve(const char *func, struct kprobe **lookup)
{
	struct kprobe *kp = kzalloc(sizeof(*kp), GFP_KERNEL);
	int err;

	if (!kp)
		return -ENOMEM;
	kp->symbol_name = func;
	kp->flags = KPROBE_FLAG_DISABLED;
	err = register_kprobe(kp);
	if (err) {
		kfree(kp);
		return err == -ENOENT || err == -ENOMEM ? err : -EOPNOTSUPP;
	}
	*lookup = kp;
	return 0;
}

/**
 * resolve_done() - take lookups away
 * @lookups: of resolve(); freed
 * @nr: how many
 */
void resolve_done(struct kprobe **lookups, int nr)
{
	int i;

	if (!nr)
		return;
	unregister_kprobes(lookups, nr);
	for (i = 0; i < nr; i++)
		kfree(lookups[i]);
}
