// SPDX-License-Identifier: GPL-2.0
/* sched_waits.c - find when tasks were asleep, and when they were runnable without a CPU */
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/sched_waits.h"

/* Number of waits that are remembered for each task. */
#define REMEMBERED 128
/* Number of timeslices that are remembered for each CPU. */
#define MAX_TIMESLICES 64

enum interval_kind { ASLEEP, NO_CPU };

/*
 * A period in which a task was asleep or had no CPU. @by is the task that had the CPU, as in struct waited.
 */
struct interval {
	enum interval_kind kind;
	uint64_t from, to;
	int by;
	char by_name[TASK_NAME_LEN + 1];
};

/*
 * struct task - the waits of a task
 * @waiting: the task has not been running since @since, for the reason @kind
 * @switches: number of times that the task had left a CPU at the time @since
 * @intervals: the waits that have ended; at REMEMBERED elements, the oldest one is overwritten
 * @capacity: allocated elements of @intervals
 */
struct task {
	bool waiting;
	enum interval_kind kind;
	uint32_t switches;
	uint64_t since;
	struct interval *intervals;
	uint64_t nr, capacity;
};

/*
 * A period in which a task had a CPU. The recording has an event for the end of a period only if a recorded
 * task was waiting for the CPU at that time.
 */
struct timeslice {
	uint64_t end;
	int task;
	char name[TASK_NAME_LEN + 1];
};

struct cpu {
	struct timeslice timeslices[MAX_TIMESLICES];
	uint64_t nr;
};

struct sched_waits {
	struct table tasks; /* by PID */
	struct table cpus;  /* by number */
	uint64_t lost;	    /* time of the last lost rows */
};

struct sched_waits *sched_waits_new(void)
{
	return calloc(1, sizeof(struct sched_waits));
}

void sched_waits_free(struct sched_waits *waits)
{
	struct task *task;
	size_t i = 0;

	if (!waits)
		return;
	while ((task = table_next(&waits->tasks, &i)))
		free(task->intervals);
	table_free(&waits->tasks);
	table_free(&waits->cpus);
	free(waits);
}

static struct table_key key_of(int pid)
{
	return (struct table_key){ .number = (uint32_t)pid };
}

static struct task *task_of(struct sched_waits *waits, int pid)
{
	struct task *task = table_find(&waits->tasks, key_of(pid));

	if (!task)
		task = table_add(&waits->tasks, key_of(pid), calloc(1, sizeof(*task)));
	return task;
}

static void begin_wait(struct task *task, enum interval_kind kind, uint64_t ts,
		       const struct sched_facts *facts)
{
	task->waiting = true;
	task->kind = kind;
	task->switches = facts->switches;
	task->since = ts;
}

/*
 * Find the task that had the CPU for more than half of a wait that ends now. Of each period of a task on the
 * CPU, only the end is stored, because the period begins at the end of the previous one. So the beginning of
 * the oldest period is not known.
 */
static void find_running_task(struct interval *interval, const struct cpu *cpu)
{
	for (uint64_t i = cpu->nr; i && i + MAX_TIMESLICES > cpu->nr + 1; i--) {
		const struct timeslice *timeslice = &cpu->timeslices[(i - 1) % MAX_TIMESLICES];
		const struct timeslice *before = &cpu->timeslices[(i - 2) % MAX_TIMESLICES];
		uint64_t from = interval->from;

		if (timeslice->end <= interval->from)
			return;
		if (i > 1 && before->end > from)
			from = before->end;
		if ((timeslice->end - from) * 2 <= interval->to - interval->from)
			continue;
		interval->by = timeslice->task;
		memcpy(interval->by_name, timeslice->name, sizeof(interval->by_name));
		return;
	}
}

/* Make room for one more wait. The array grows on demand, because most tasks have few waits. */
static bool grow_intervals(struct task *task)
{
	const uint64_t capacity = task->capacity ? task->capacity * 2 : 4;
	struct interval *intervals;

	if (task->nr < task->capacity || task->capacity == REMEMBERED)
		return true;
	intervals = realloc(task->intervals, capacity * sizeof(*intervals));
	if (!intervals)
		return false;
	task->intervals = intervals;
	task->capacity = capacity;
	return true;
}

/*
 * End a wait now. Return: the wait; NULL if its beginning is not known, if the task was on a CPU in between,
 * or if there is not enough memory.
 */
static struct interval *end_wait(struct task *task, enum interval_kind kind, uint64_t ts,
				 const struct sched_facts *facts)
{
	struct interval *interval;

	if (!task->waiting || task->kind != kind || task->switches != facts->switches ||
	    ts < task->since || !grow_intervals(task))
		return NULL;
	interval = &task->intervals[task->nr++ % task->capacity];
	*interval = (struct interval){ .kind = kind, .from = task->since, .to = ts };
	return interval;
}

/*
 * Note that a task was woken. The task can still be on its CPU at this time. In this case, it leaves that CPU
 * once more before it runs again.
 */
static void note_wakeup(struct task *task, uint64_t ts, const struct sched_facts *facts)
{
	end_wait(task, ASLEEP, ts, facts);
	begin_wait(task, NO_CPU, ts, facts);
}

static void note_running(struct task *task, const struct cpu *cpu, uint64_t ts,
			 const struct sched_facts *facts)
{
	struct interval *interval = end_wait(task, NO_CPU, ts, facts);

	if (interval && cpu)
		find_running_task(interval, cpu);
	task->waiting = false;
	task->since = ts;
}

static struct cpu *cpu_of(struct sched_waits *waits, int number)
{
	struct cpu *cpu = table_find(&waits->cpus, key_of(number));

	if (!cpu)
		cpu = table_add(&waits->cpus, key_of(number), calloc(1, sizeof(*cpu)));
	return cpu;
}

/* Add a period of a task on a CPU. Return: the CPU; NULL if there is not enough memory. */
static const struct cpu *add_timeslice(struct sched_waits *waits, int number, uint64_t ts,
				       const struct sched_facts *facts)
{
	struct cpu *cpu = cpu_of(waits, number);
	struct timeslice *timeslice;

	if (!cpu)
		return NULL;
	timeslice = &cpu->timeslices[cpu->nr++ % MAX_TIMESLICES];
	timeslice->end = ts;
	timeslice->task = facts->other;
	memcpy(timeslice->name, facts->other_name, sizeof(timeslice->name));
	return cpu;
}

static void note_switch(struct task *task, const struct cpu *cpu, uint64_t ts,
			const struct sched_facts *facts)
{
	switch (facts->what) {
	case RECORD_SKB_SCHED_ASLEEP:
		begin_wait(task, ASLEEP, ts, facts);
		break;
	case RECORD_SKB_SCHED_PREEMPTED:
		begin_wait(task, NO_CPU, ts, facts);
		break;
	case RECORD_SKB_SCHED_WOKEN:
		note_wakeup(task, ts, facts);
		break;
	case RECORD_SKB_SCHED_ON:
		note_running(task, cpu, ts, facts);
		break;
	}
}

void sched_waits_add(struct sched_waits *waits, int number, uint64_t ts,
		     const struct sched_facts *facts)
{
	const struct cpu *cpu = NULL;
	struct task *task;

	if (facts->what == RECORD_SKB_SCHED_ON || facts->what == RECORD_SKB_SCHED_OTHER)
		cpu = add_timeslice(waits, number, ts, facts);
	if (facts->what == RECORD_SKB_SCHED_OTHER)
		return;
	task = task_of(waits, facts->task);
	if (task)
		note_switch(task, cpu, ts, facts);
}

void sched_waits_forget(struct sched_waits *waits, uint64_t ts)
{
	struct task *task;
	struct cpu *cpu;
	size_t i = 0;

	while ((task = table_next(&waits->tasks, &i))) {
		task->waiting = false;
		task->nr = 0;
	}
	i = 0;
	while ((cpu = table_next(&waits->cpus, &i)))
		cpu->nr = 0;
	waits->lost = ts;
}

static void add_interval(struct waited *waited, const struct interval *interval, uint64_t from,
			 uint64_t to)
{
	uint64_t ns;

	if (from < interval->from)
		from = interval->from;
	if (to > interval->to)
		to = interval->to;
	ns = to > from ? to - from : 0;
	if (interval->kind == ASLEEP) {
		waited->asleep += ns;
		return;
	}
	waited->no_cpu += ns;
	if (ns <= waited->longest)
		return;
	waited->longest = ns;
	waited->by = interval->by;
	memcpy(waited->by_name, interval->by_name, sizeof(waited->by_name));
}

struct waited sched_waits_of(const struct sched_waits *waits, int pid, uint64_t from, uint64_t to)
{
	const struct task *task = waits ? table_find(&waits->tasks, key_of(pid)) : NULL;
	struct waited waited = { 0 };

	if (!task || from < waits->lost)
		return waited;
	for (uint64_t i = task->nr; i; i--) {
		const struct interval *interval;

		/*
		 * This wait and all earlier waits were overwritten in the array. They ended before the oldest
		 * wait in the array began.
		 */
		if (i + task->capacity == task->nr) {
			if (task->intervals[i % task->capacity].from > from)
				return (struct waited){ 0 };
			break;
		}
		interval = &task->intervals[(i - 1) % task->capacity];
		if (interval->to <= from)
			break;
		add_interval(&waited, interval, from, to);
	}
	return waited;
}
