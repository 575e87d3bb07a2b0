// SPDX-License-Identifier: GPL-2.0
/*
 * stretch.c - a test module that delays the gate for 100 us, with interrupts disabled. The delay is before
 * the gate calls the probed function.
 *
 * A kprobe event in tracefs cannot do this, because tracefs only accepts functions that ftrace can trace.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static int wait(struct kprobe *kp, struct pt_regs *regs)
{
	udelay(100);
	return 0;
}

static struct kprobe probe = { .symbol_name = "record_skb:gate_stack_call", .pre_handler = wait };

static int __init stretch_init(void)
{
	return register_kprobe(&probe);
}

static void __exit stretch_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(stretch_init);
module_exit(stretch_exit);
MODULE_LICENSE("GPL");
