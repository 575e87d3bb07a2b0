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

static int look_up(struct kprobe kp, struct kprobe **lookup)
{
	struct kprobe *own;
	int err;

	kp.flags = KPROBE_FLAG_DISABLED;
	own = kmemdup(&kp, sizeof(kp), GFP_KERNEL);
	if (!own)
		return -ENOMEM;
	err = register_kprobe(own);
	if (err) {
		kfree(own);
		return err == -ENOENT || err == -ENOMEM ? err : -EOPNOTSUPP;
	}
	*lookup = own;
	return 0;
}

/**
 * resolve() - look a kernel or module function up
 * @func: its name; has to stay until resolve_done()
 * @lookup: set to a kprobe whose addr is where ftrace has the function; for resolve_done()
 *
 * Return: 0; -ENOENT if there is no such function; -EOPNOTSUPP if kprobes will not have it (its
 * text is part of the tracing itself); -ENOMEM.
 */
int resolve(const char *func, struct kprobe **lookup)
{
	return look_up((struct kprobe) { .symbol_name = func }, lookup);
}

/**
 * resolve_address() - resolve() for a function that is known by its address
 * @func: where it starts
 * @lookup: as there
 */
int resolve_address(unsigned long func, struct kprobe **lookup)
{
	return look_up((struct kprobe) { .addr = (kprobe_opcode_t *)func }, lookup);
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
