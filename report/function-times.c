// SPDX-License-Identifier: GPL-2.0
/* function-times.c - the graph's functions as they are entered and left, and how long each took */
#include "function-times.h"
#include "stack.h"

void function_times_init(struct function_times *times, const struct sinks *sinks)
{
	stacks_init(&times->stacks);
	times->sinks = sinks;
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

	/* The row is not always of this task. */
	where.pid = stack->pid;
	if (!stack->pid)
		where.cpu = stack->cpu;
	while (stack->n > n) {
		struct function function = as_function(&stack->v[--stack->n]);

		function.lost = lost;
		tell(times->sinks, abandoned, &where, &function);
	}
}

static void enter_function(struct function_times *times, const struct moment *at,
			   struct stack *stack, const struct name *name, int depth,
			   const struct graph_label *label)
{
	struct open_function *open;
	struct function function;
	int n = stack->n;

	/* What is as deep or deeper has been left, and its exit lost. */
	while (n > 0 && stack->v[n - 1].depth >= depth)
		n--;
	abandon_to(times, at, stack, n, false);
	if (n == STACK_DEPTH)
		return;
	open = &stack->v[stack->n++];
	open->name = name;
	open->depth = depth;
	open->pkt = label->text ? label->pkt : 0;
	open->copy = label->copy;
	open->point = open->pkt && label->point;
	open->starts = label->text && label->first;
	open->entered = at->ts;
	open->below = 0;
	open->shown = 0;
	open->calls = 0;
	open->waited_below = (struct waited){ 0 };
	function = as_function(open);
	tell(times->sinks, entered, at, &function);
}

/* What it took is recorded, and so is what function_graph took of that. */
static void measure(const struct graph_cost *cost, const struct open_function *open, uint64_t took,
		    struct function *function)
{
	const uint64_t self = took > open->below ? took - open->below : 0;
	const uint64_t recording = cost->inside + open->calls * cost->outside;

	function->self = self > recording ? self - recording : 0;
	function->total = function->self + open->shown;
	if (function->total > took)
		function->total = took;
}

/* Of all that its task did not work since it was entered, what no function below it has. */
static struct waited waited_itself(const struct moment *at, const struct open_function *open,
				   struct waited *all)
{
	const struct waited *below = &open->waited_below;
	struct waited itself;

	*all = waits_of(at->waits, at->pid, open->entered, at->ts);
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
	measure(&times->cost, &stack->v[n - 1], took, &function);
	function.waited = waited_itself(at, &stack->v[n - 1], &waited);
	if (n > 1) {
		stack->v[n - 2].below += took;
		stack->v[n - 2].shown += function.total;
		stack->v[n - 2].calls++;
		stack->v[n - 2].waited_below.asleep += waited.asleep;
		stack->v[n - 2].waited_below.no_cpu += waited.no_cpu;
	}
	tell(times->sinks, left, at, &function);
}

void function_times_enter(struct function_times *times, const struct moment *at,
			  const struct row *row, const struct name *name,
			  const struct graph_label *label)
{
	struct stack *stack = stacks_find(&times->stacks, row->pid, row->cpu, true);

	if (stack && name && row->readable)
		enter_function(times, at, stack, name, row->depth, label);
}

/* As trace-cmd report shows it. Without the times it is known to the row. */
static uint64_t duration(const struct event_fields *fields, const struct tep_record *record,
			 const struct stack *stack, uint64_t ts)
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
			       duration(fields, record, stack, row->ts));
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
