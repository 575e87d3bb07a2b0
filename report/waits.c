// SPDX-License-Identifier: GPL-2.0
/* waits.c - when tasks were asleep, and when they had no CPU */
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "waits.h"

/* As many of a task are remembered. */
#define REMEMBERED 128
/* As many of those who had a CPU. */
#define RUNS 64

enum piece_kind { ASLEEP, NO_CPU };

/* A while in which a task had no CPU; @by as in struct waited. */
struct piece {
	enum piece_kind kind;
	uint64_t from, to;
	int by;
	char by_name[TASK_NAME_LEN + 1];
};

/*
 * @waiting: it has no CPU since @since, when it had left one for the @switches-th time; @kind says why.
 * @pieces has room for @room, and the oldest goes when there is no more.
 */
struct task {
	bool waiting;
	enum piece_kind kind;
	uint32_t switches;
	uint64_t since;
	struct piece *pieces;
	uint64_t nr, room;
};

/* Somebody leaves a CPU. Those runs are told of that end while somebody waits. */
struct run {
	uint64_t end;
	int task;
	char name[TASK_NAME_LEN + 1];
};

struct cpu {
	struct run runs[RUNS];
	uint64_t nr;
};

struct waits {
	struct table tasks; /* by pid */
	struct table cpus;  /* by number */
	uint64_t lost;	    /* when rows were missing last */
};

struct waits *waits_new(void)
{
	return calloc(1, sizeof(struct waits));
}

void waits_free(struct waits *waits)
{
	struct task *task;
	size_t i = 0;

	if (!waits)
		return;
	while ((task = table_next(&waits->tasks, &i)))
		free(task->pieces);
	table_free(&waits->tasks);
	table_free(&waits->cpus);
	free(waits);
}

static struct table_key key_of(int pid)
{
	return (struct table_key){ .number = (uint32_t)pid };
}

static struct task *task_of(struct waits *waits, int pid)
{
	struct task *task = table_find(&waits->tasks, key_of(pid));

	if (!task)
		task = table_add(&waits->tasks, key_of(pid), calloc(1, sizeof(*task)));
	return task;
}

static void waits_from(struct task *task, enum piece_kind kind, uint64_t ts,
		       const struct sched_facts *facts)
{
	task->waiting = true;
	task->kind = kind;
	task->switches = facts->switches;
	task->since = ts;
}

/* Who had the CPU for most of a piece that ends with its last run. The oldest run has no beginning. */
static void find_who_had_it(struct piece *piece, const struct cpu *cpu)
{
	for (uint64_t i = cpu->nr; i && i + RUNS > cpu->nr + 1; i--) {
		const struct run *run = &cpu->runs[(i - 1) % RUNS];
		const struct run *before = &cpu->runs[(i - 2) % RUNS];
		uint64_t from = piece->from;

		if (run->end <= piece->from)
			return;
		if (i > 1 && before->end > from)
			from = before->end;
		if ((run->end - from) * 2 <= piece->to - piece->from)
			continue;
		piece->by = run->task;
		memcpy(piece->by_name, run->name, sizeof(piece->by_name));
		return;
	}
}

/* Most tasks have few pieces. */
static bool make_room(struct task *task)
{
	const uint64_t room = task->room ? task->room * 2 : 4;
	struct piece *pieces;

	if (task->nr < task->room || task->room == REMEMBERED)
		return true;
	pieces = realloc(task->pieces, room * sizeof(*pieces));
	if (!pieces)
		return false;
	task->pieces = pieces;
	task->room = room;
	return true;
}

/* It has done so until now, if it has not been on a CPU in between, of which the rows are missing. */
static struct piece *ends(struct task *task, enum piece_kind kind, uint64_t ts,
			  const struct sched_facts *facts)
{
	struct piece *piece;

	if (!task->waiting || task->kind != kind || task->switches != facts->switches ||
	    ts < task->since || !make_room(task))
		return NULL;
	piece = &task->pieces[task->nr++ % task->room];
	*piece = (struct piece){ .kind = kind, .from = task->since, .to = ts };
	return piece;
}

/* Whoever is on his CPU still leaves it once more before he has one again. */
static void is_woken(struct task *task, uint64_t ts, const struct sched_facts *facts)
{
	ends(task, ASLEEP, ts, facts);
	waits_from(task, NO_CPU, ts, facts);
}

static void has_cpu(struct task *task, const struct cpu *cpu, uint64_t ts,
		    const struct sched_facts *facts)
{
	struct piece *piece = ends(task, NO_CPU, ts, facts);

	if (piece && cpu)
		find_who_had_it(piece, cpu);
	task->waiting = false;
	task->since = ts;
}

static struct cpu *cpu_of(struct waits *waits, int number)
{
	struct cpu *cpu = table_find(&waits->cpus, key_of(number));

	if (!cpu)
		cpu = table_add(&waits->cpus, key_of(number), calloc(1, sizeof(*cpu)));
	return cpu;
}

/* Return: the CPU, NULL without memory. */
static const struct cpu *add_run(struct waits *waits, int number, uint64_t ts,
				 const struct sched_facts *facts)
{
	struct cpu *cpu = cpu_of(waits, number);
	struct run *run;

	if (!cpu)
		return NULL;
	run = &cpu->runs[cpu->nr++ % RUNS];
	run->end = ts;
	run->task = facts->other;
	memcpy(run->name, facts->other_name, sizeof(run->name));
	return cpu;
}

static void task_does(struct task *task, const struct cpu *cpu, uint64_t ts,
		      const struct sched_facts *facts)
{
	switch (facts->what) {
	case RECORD_SKB_SCHED_ASLEEP:
		waits_from(task, ASLEEP, ts, facts);
		break;
	case RECORD_SKB_SCHED_PREEMPTED:
		waits_from(task, NO_CPU, ts, facts);
		break;
	case RECORD_SKB_SCHED_WOKEN:
		is_woken(task, ts, facts);
		break;
	case RECORD_SKB_SCHED_ON:
		has_cpu(task, cpu, ts, facts);
		break;
	}
}

void waits_sched(struct waits *waits, int number, uint64_t ts, const struct sched_facts *facts)
{
	const struct cpu *cpu = NULL;
	struct task *task;

	if (facts->what == RECORD_SKB_SCHED_ON || facts->what == RECORD_SKB_SCHED_OTHER)
		cpu = add_run(waits, number, ts, facts);
	if (facts->what == RECORD_SKB_SCHED_OTHER)
		return;
	task = task_of(waits, facts->task);
	if (task)
		task_does(task, cpu, ts, facts);
}

void waits_lost(struct waits *waits, uint64_t ts)
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

static void add_piece(struct waited *waited, const struct piece *piece, uint64_t from, uint64_t to)
{
	uint64_t ns;

	if (from < piece->from)
		from = piece->from;
	if (to > piece->to)
		to = piece->to;
	ns = to > from ? to - from : 0;
	if (piece->kind == ASLEEP) {
		waited->asleep += ns;
		return;
	}
	waited->no_cpu += ns;
	if (ns <= waited->longest)
		return;
	waited->longest = ns;
	waited->by = piece->by;
	memcpy(waited->by_name, piece->by_name, sizeof(waited->by_name));
}

struct waited waits_of(const struct waits *waits, int pid, uint64_t from, uint64_t to)
{
	const struct task *task = waits ? table_find(&waits->tasks, key_of(pid)) : NULL;
	struct waited waited = { 0 };

	if (!task || from < waits->lost)
		return waited;
	for (uint64_t i = task->nr; i; i--) {
		const struct piece *piece;

		/* That one has gone, and those before: they have ended when the oldest begins. */
		if (i + task->room == task->nr) {
			if (task->pieces[i % task->room].from > from)
				return (struct waited){ 0 };
			break;
		}
		piece = &task->pieces[(i - 1) % task->room];
		if (piece->to <= from)
			break;
		add_piece(&waited, piece, from, to);
	}
	return waited;
}
