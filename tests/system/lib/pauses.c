// SPDX-License-Identifier: GPL-2.0
/*
 * pauses.c - a test module that counts the tasks for which function_graph is paused
 *
 * The parameter "now" has three numbers, "COUNTED PAUSED ODD". COUNTED is the number of all tasks,
 * including idle tasks. PAUSED is the number of paused tasks. ODD is the number of tasks whose pause count
 * should never occur; for example, it is negative.
 */
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

struct counts {
	unsigned int tasks;
	unsigned int paused;
	unsigned int odd;
};

static struct task_struct *(*idle_of)(int cpu);

static void count(struct counts *counts, const struct task_struct *task)
{
	const int pauses = atomic_read(&task->tracing_graph_pause);

	counts->tasks++;
	counts->paused += pauses != 0;
	counts->odd += pauses < 0 || (pauses & 0xffff) > 1;
}

static int get_now(char *text, const struct kernel_param *kp)
{
	struct task_struct *process, *task;
	struct counts counts = {};
	int cpu;

	rcu_read_lock();
	for_each_process_thread(process, task)
		count(&counts, task);
	rcu_read_unlock();
	for_each_online_cpu(cpu)
		count(&counts, idle_of(cpu));
	return sprintf(text, "%u %u %u\n", counts.tasks, counts.paused, counts.odd);
}

static const struct kernel_param_ops now_ops = { .get = get_now };
module_param_cb(now, &now_ops, NULL, 0444);

static int __init pauses_init(void)
{
	struct kprobe kp = { .symbol_name = "idle_task", .flags = KPROBE_FLAG_DISABLED };
	int err = register_kprobe(&kp);

	if (err)
		return err;
	idle_of = (void *)kp.addr;
	unregister_kprobe(&kp);
	return 0;
}

static void __exit pauses_exit(void) {}

module_init(pauses_init);
module_exit(pauses_exit);

MODULE_DESCRIPTION("Counts tasks with function_graph paused, for the system tests of record_skb");
MODULE_LICENSE("GPL");
