// SPDX-License-Identifier: GPL-2.0
/*
 * late.c - a test module that delays a function. The parameter "of" is the name of the function. Its next
 * call by the program "steps" takes "ms" milliseconds longer. With "softirq=1", the softirqs of this CPU
 * start "ms" milliseconds late instead. With "dies=1", the kernel panics in the call.
 */
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

static char *of;
module_param(of, charp, 0444);
static unsigned int ms;
module_param(ms, uint, 0444);
static bool softirq;
module_param(softirq, bool, 0444);
static bool dies;
module_param(dies, bool, 0444);
static atomic_t calls;

static void be_late(void)
{
	const u64 end = ktime_get_ns() + (u64)ms * NSEC_PER_MSEC;

	while (ktime_get_ns() < end)
		cpu_relax();
}

static void first_of_all(struct tasklet_struct *unused)
{
	be_late();
}

static DECLARE_TASKLET(tasklet, first_of_all);

static int called(struct kprobe *kp, struct pt_regs *regs)
{
	if (strcmp(current->comm, "steps") || atomic_inc_return(&calls) != 1)
		return 0;
	if (dies)
		panic("late");
	if (softirq)
		tasklet_hi_schedule(&tasklet);
	else
		be_late();
	return 0;
}

static struct kprobe probe = { .pre_handler = called };

static int __init late_init(void)
{
	probe.symbol_name = of;
	return register_kprobe(&probe);
}

static void __exit late_exit(void)
{
	unregister_kprobe(&probe);
	tasklet_kill(&tasklet);
}

module_init(late_init);
module_exit(late_exit);
MODULE_LICENSE("GPL");
