// SPDX-License-Identifier: GPL-2.0
/* function_times.c - track the functions of the call graph and compute the duration of each function */
#include "model/function_times.h"
#include "model/function_stack.h"

void function_times_init(struct function_times *times, const struct observers *observers)
{
	stacks_init(&times->stacks);
	times->observers = observers;
}

void function_times_free(struct function_times *times)
{
	table_free(&times->stacks);
}

static struct function as_function(const struct open_function *open)
{
	return (struct function){
		.name = open->name,
		.depth = open->depth,
		.pkt = open->pkt,
		.copy = open->copy,
		.point = open->point,
		.starts = open->starts,
	};
}

static void abandon_to(struct function_times *times, const struct moment *at, struct stack *stack,
		       int n, bool lost)
{
	struct moment where = *at;

	/* Use the task of the stack, because the current row can belong to another task. */
	where.pid = stack->pid;
	if (!stack->pid)
		where.cpu = stack->cpu;
	while (stack->n > n) {
		struct function function = as_function(&stack->v[--stack->n]);

		function.lost = lost;
		notify_observers(times->observers, abandoned, &where, &function);
	}
}

static void enter_function(struct function_times *times, const struct moment *at,
			   struct stack *stack, const struct name *name, int depth,
			   const struct graph_label *label)
{
	struct open_function *open;
	struct function function;
	int n = stack->n;

	/*
	 * Drop the open functions at this depth or deeper. They have returned, but their exit rows were lost.
	 */
	while (n > 0 && stack->v[n - 1].depth >= depth)
		n--;
	abandon_to(times, at, stack, n, false);
	if (n == STACK_DEPTH)
		return;
	open = &stack->v[stack->n++];
	open->name = name;
	open->depth = depth;
	open->pkt = label->owner ? label->pkt : 0;
	open->copy = label->copy;
	open->point = open->pkt && label->point;
	open->starts = label->owner && label->first;
	open->entered = at->ts;
	open->below = 0;
	open->waited_below = (struct waited){ 0 };
	function = as_function(open);
	notify_observers(times->observers, entered, at, &function);
}

/*
 * Set @all to the time in which the task was not running, counted from the entry of the function.
 *
 * Return: the part of @all that does not belong to nested functions.
 */
static struct waited waited_itself(const struct moment *at, const struct open_function *open,
				   struct waited *all)
{
	const struct waited *below = &open->waited_below;
	struct waited itself;

	*all = sched_waits_of(at->waits, at->pid, open->entered, at->ts);
	itself = *all;
	itself.asleep -= below->asleep < all->asleep ? below->asleep : all->asleep;
	itself.no_cpu -= below->no_cpu < all->no_cpu ? below->no_cpu : all->no_cpu;
	return itself;
}

static void leave_function(struct function_times *times, const struct moment *at,
			   struct stack *stack, const struct name *name, int depth, uint64_t took)
{
	struct function function;
	struct waited waited;
	int n = stack->n;

	while (n > 0 && stack->v[n - 1].depth > depth)
		n--;
	abandon_to(times, at, stack, n, false);
	if (!n || stack->v[n - 1].depth != depth || stack->v[n - 1].name != name)
		return;

	stack->n--;
	function = as_function(&stack->v[n - 1]);
	function.total = took;
	function.self = took > stack->v[n - 1].below ? took - stack->v[n - 1].below : 0;
	function.waited = waited_itself(at, &stack->v[n - 1], &waited);
	if (n > 1) {
		stack->v[n - 2].below += took;
		stack->v[n - 2].waited_below.asleep += waited.asleep;
		stack->v[n - 2].waited_below.no_cpu += waited.no_cpu;
	}
	notify_observers(times->observers, left, at, &function);
}

void function_times_enter(struct function_times *times, const struct moment *at,
			  const struct row *row, const struct name *name,
			  const struct graph_label *label)
{
	struct stack *stack = stacks_find(&times->stacks, row->pid, row->cpu, true);

	if (stack && name && row->readable)
		enter_function(times, at, stack, name, row->depth, label);
}

/*
 * Return: the duration of a function, which is the same as in the output of trace-cmd report. If the event
 * has no times, the duration is the time between the entry row and the exit row.
 */
static uint64_t function_duration(const struct event_fields *fields,
				  const struct tep_record *record, const struct stack *stack,
				  uint64_t ts)
{
	uint64_t from, to;

	if (event_field_read(fields, FIELD_CALLTIME, record, &from) ||
	    event_field_read(fields, FIELD_RETTIME, record, &to)) {
		from = stack->n ? stack->v[stack->n - 1].entered : ts;
		to = ts;
	}
	return to > from ? to - from : 0;
}

void function_times_leave(struct function_times *times, const struct moment *at,
			  const struct row *row, const struct name *name,
			  const struct event_fields *fields, const struct tep_record *record)
{
	struct stack *stack = stacks_find(&times->stacks, row->pid, row->cpu, false);

	if (stack && name && row->readable)
		leave_function(times, at, stack, name, row->depth,
			       function_duration(fields, record, stack, row->ts));
}

static bool is_above(const struct stack *stack, int n, uint32_t pkt)
{
	for (int i = n + 1; i < stack->n; i++) {
		if (stack->v[i].pkt == pkt)
			return true;
	}
	return false;
}

void function_times_missing(struct function_times *times, const struct moment *at,
			    const struct row *row, const struct graph_missing *missing)
{
	const struct stack *stack = stacks_find(&times->stacks, row->pid, row->cpu, false);
	struct calls_missing calls = { .calls = missing->calls, .from = missing->from };

	for (int i = stack ? stack->n - 1 : -1; i >= 0; i--) {
		calls.pkt = stack->v[i].pkt;
		if (!calls.pkt || is_above(stack, i, calls.pkt))
			continue;
		notify_observers(times->observers, missing, at, &calls);
		calls.again = true;
	}
	calls.pkt = 0;
	if (!calls.again)
		notify_observers(times->observers, missing, at, &calls);
}

void function_times_lost(struct function_times *times, const struct moment *at)
{
	struct stack *stack;
	size_t i = 0;

	while ((stack = table_next(&times->stacks, &i))) {
		if (stack->pid || stack->cpu == at->cpu)
			abandon_to(times, at, stack, 0, true);
	}
}

void function_times_end(struct function_times *times, const struct moment *at)
{
	struct stack *stack;
	size_t i = 0;

	while ((stack = table_next(&times->stacks, &i)))
		abandon_to(times, at, stack, 0, false);
}
