// SPDX-License-Identifier: LGPL-2.1
/*
 * graph_state.c - whose each line of the function graph is
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "graph_state.h"
#include "table.h"

/* Packets within packets within one task; the module has room for fewer. */
#define MAX_FRAMES 32
/* Events whose entry has not come yet; more than one only if interrupts came in between. */
#define MAX_PENDING 8
/* The kernel's own limit is 50 (FTRACE_RETFUNC_DEPTH) in all versions so far. */
#define MAX_DEPTH 4096

enum role {
	ROLE_NOBODY, /* a stranger within an open graph */
	ROLE_OWNER,
	ROLE_GATE, /* the gate an owner opened */
};

struct owner {
	enum event_kind kind;
	uint32_t pkt;
	uint32_t copy;
	char text[FLOW_TEXT_LEN];
};

/* An event that waits for the entry it announces. */
struct pending {
	enum role role;
	uint64_t func;
	int cursor; /* depth of the row before the event; an entry further up ends it */
	struct owner owner;
};

/* An open function whose lines, down to the next frame, have one owner. */
struct frame {
	enum role role;
	int depth;
	int point;     /* depth of the probe point, -1 if that is not known yet */
	uint64_t func; /* of the probe point, also for its gate */
	bool proved;   /* false: a gate without a name; the probe point must follow */
	bool has_ret;
	int64_t ret;
	struct owner owner;
};

enum last_row { ROW_NONE, ROW_ENTRY, ROW_EXIT };

struct graph_task {
	struct graph_task_id id;
	bool gaps; /* of struct graph_state */
	uint64_t last_ts;
	enum last_row last;
	int cursor; /* depth of the last row, if any */
	int nr_frames;
	int nr_pending;
	struct frame frames[MAX_FRAMES];
	struct pending pending[MAX_PENDING];
};

struct graph_state {
	struct table tasks;
	struct graph_task *last; /* most rows are of the same task as the row before */
	bool no_migration;	 /* forget a task that turns up on another CPU */
	bool gaps; /* functions that others recorded at the same time count for depth */
};

static bool nothing_known(const struct graph_task *task)
{
	return !task->nr_frames && !task->nr_pending;
}

/* Tasks come and go: those of which nothing is known are as new ones. */
static bool idle(const void *task)
{
	return nothing_known(task);
}

struct graph_state *graph_state_new(void)
{
	struct graph_state *state = calloc(1, sizeof(*state));

	if (state)
		state->tasks.idle = idle;
	return state;
}

void graph_state_free(struct graph_state *state)
{
	if (!state)
		return;
	table_free(&state->tasks);
	free(state);
}

static struct table_key key_of(const struct graph_task_id *id)
{
	return table_task_key(id->pid, id->cpu, id->buffer);
}

static bool same_task(const struct graph_task_id *a, const struct graph_task_id *b)
{
	return a->pid == b->pid && a->buffer == b->buffer && (a->pid != 0 || a->cpu == b->cpu);
}

static struct graph_task *add_task(struct graph_state *state, const struct graph_task_id *id)
{
	struct graph_task *task = calloc(1, sizeof(*task));

	if (task) {
		task->id = *id;
		task->gaps = state->gaps;
	}
	/* Whose it is may go to make room. */
	state->last = NULL;
	return table_add(&state->tasks, key_of(id), task);
}

static void forget(struct graph_task *task)
{
	task->nr_frames = 0;
	task->nr_pending = 0;
	task->last = ROW_NONE;
}

static struct graph_task *find_task(struct graph_state *state, const struct graph_task_id *id,
				    uint64_t ts)
{
	struct graph_task *task = state->last;

	if (!task || !same_task(&task->id, id)) {
		task = table_find(&state->tasks, key_of(id));
		if (!task)
			return NULL;
		state->last = task;
	}
	if (ts < task->last_ts || (state->no_migration && task->id.pid && task->id.cpu != id->cpu))
		forget(task);
	task->id.cpu = id->cpu;
	task->last_ts = ts;
	return task;
}

struct graph_task *graph_task_find(struct graph_state *state, const struct graph_task_id *id,
				   uint64_t ts)
{
	struct graph_task *task = find_task(state, id, ts);

	return task && !nothing_known(task) ? task : NULL;
}

void graph_state_forget_task(struct graph_state *state, const struct graph_task_id *id)
{
	struct graph_task *task = table_find(&state->tasks, key_of(id));

	if (task)
		forget(task);
}

void graph_state_distrust_migration(struct graph_state *state)
{
	state->no_migration = true;
}

void graph_state_forget(struct graph_state *state, const void *buffer, int cpu)
{
	struct graph_task *task;
	size_t i = 0;

	while ((task = table_next(&state->tasks, &i))) {
		if (task->id.buffer == buffer && (task->id.pid || task->id.cpu == cpu))
			forget(task);
	}
}

static void set_owner(struct owner *owner, const struct skb_event *event)
{
	owner->kind = event->kind;
	owner->pkt = event->pkt;
	owner->copy = event->copy;
	if (event->kind == EVENT_CALL)
		flow_text_call(owner->text, &event->flow);
	else
		flow_text_packet(owner->text, event->pkt, &event->flow);
}

/*
 * Interrupts do not nest this deep: the oldest waits for an entry that never comes, as below a
 * --max-graph-depth. Mostly that is a stranger's, of which an interrupt on the way into a gate has many.
 */
static void give_one_up(struct graph_task *task)
{
	int at = 0;

	while (at < task->nr_pending && task->pending[at].role != ROLE_NOBODY)
		at++;
	if (at == task->nr_pending)
		at = 0;
	task->nr_pending--;
	memmove(task->pending + at, task->pending + at + 1,
		(task->nr_pending - at) * sizeof(*task->pending));
}

static int cursor_of(const struct graph_task *task, enum role role)
{
	/* A gate's depth has nothing to do with what the task did before. */
	if (role == ROLE_GATE || task->last == ROW_NONE)
		return 0;
	/* What was between it and the row before may have ended. */
	if (task->gaps)
		return task->nr_frames ? task->frames[task->nr_frames - 1].depth : 0;
	return task->cursor;
}

static void add_pending(struct graph_task *task, enum role role, const struct skb_event *event)
{
	struct pending *pending;

	if (task->nr_pending == MAX_PENDING)
		give_one_up(task);
	pending = &task->pending[task->nr_pending++];
	pending->role = role;
	pending->func = event->func;
	pending->cursor = cursor_of(task, role);
	if (role != ROLE_NOBODY)
		set_owner(&pending->owner, event);
}

/* A gate's is told before the gate closes, that of a function in an open graph before the function does. */
static struct frame *frame_of_return(struct graph_task *task, const struct skb_event *event)
{
	struct frame *frame = task->nr_frames ? &task->frames[task->nr_frames - 1] : NULL;

	if (frame && frame->role == ROLE_OWNER && frame->func == event->func)
		return frame;
	for (; frame && frame >= task->frames; frame--) {
		if (frame->role == ROLE_GATE)
			return frame;
	}
	return NULL;
}

static void set_return(struct graph_task *task, const struct skb_event *event)
{
	struct frame *frame = frame_of_return(task, event);

	/* Of another than the innermost, the value would be on the wrong line. */
	if (!frame || frame->func != event->func || frame->owner.pkt != event->pkt)
		return;
	frame->has_ret = true;
	frame->ret = event->ret;
}

void graph_state_event(struct graph_state *state, const struct graph_task_id *id, uint64_t ts,
		       const struct skb_event *event)
{
	struct graph_task *task = find_task(state, id, ts);
	bool opens = event && (event->kind == EVENT_PACKET || event->kind == EVENT_CALL) &&
		     event->how == RECORD_SKB_HOW_OPEN;

	if (!event) {
		if (task)
			forget(task);
		return;
	}
	if (event->recording)
		state->gaps = true;
	if (opens) {
		if (!task)
			task = add_task(state, id);
		if (!task)
			return;
		task->last_ts = ts;
		add_pending(task, ROLE_GATE, event);
		return;
	}
	/* Only below a gate is it known where an entry belongs. */
	if (!task || nothing_known(task))
		return;
	if (event->kind == EVENT_RETURN)
		set_return(task, event);
	else if (event->kind == EVENT_OTHER || event->how == RECORD_SKB_HOW_HIDDEN)
		add_pending(task, ROLE_NOBODY, event);
	else
		add_pending(task, ROLE_OWNER, event);
}

bool graph_task_expects_gate(const struct graph_task *task)
{
	int i;

	for (i = 0; i < task->nr_pending; i++) {
		if (task->pending[i].role == ROLE_GATE)
			return true;
	}
	return false;
}

/*
 * Each function entered is left, and trace-cmd swallows at most the exit of the entry just shown:
 * so a row's depth follows from the row before. But the kernel counts the depth before it writes an
 * entry, and down before (6.1) or after (6.12) it writes an exit. An interrupt in between has its
 * rows one deeper in front of that entry, as deep as the function in front of its exit, or one
 * deeper behind it. Where others record at the same time, their functions are between.
 */
static bool entry_follows(const struct graph_task *task, int depth)
{
	if (task->last == ROW_NONE || task->gaps)
		return true;
	return depth >= task->cursor - 1 &&
	       depth <= task->cursor + (task->last == ROW_ENTRY ? 2 : 1);
}

static bool exit_follows(const struct graph_task *task, int depth)
{
	return task->last == ROW_NONE ||
	       (depth <= task->cursor && (depth >= task->cursor - 2 || task->gaps));
}

/* Outside of a graph only gates are waited for. */
static void drop_strays(struct graph_task *task)
{
	int from, to = 0;

	for (from = 0; from < task->nr_pending; from++) {
		if (task->pending[from].role != ROLE_GATE)
			continue;
		if (from != to)
			task->pending[to] = task->pending[from];
		to++;
	}
	task->nr_pending = to;
}

/*
 * Functions at @depth and below are closed, and events whose entry would stand there have none: it
 * would be one less deep than the row before the event at least, if that was an interrupt's.
 */
static void close_down_to(struct graph_task *task, int depth)
{
	bool was_inside = task->nr_frames > 0;

	while (task->nr_frames && task->frames[task->nr_frames - 1].depth >= depth)
		task->nr_frames--;
	if (was_inside && !task->nr_frames)
		drop_strays(task);
	while (task->nr_pending && task->pending[task->nr_pending - 1].cursor > depth + 1)
		task->nr_pending--;
}

/*
 * The newest event that fits has announced this entry. Newer ones came in an interrupt between
 * the two that has ended.
 */
static const struct pending *take_pending(struct graph_task *task, uint64_t func,
					  enum graph_func what)
{
	int i;

	for (i = task->nr_pending - 1; i >= 0; i--) {
		const struct pending *pending = &task->pending[i];

		if (pending->role == ROLE_GATE ? what != GRAPH_FUNC_NAMED : pending->func == func) {
			task->nr_pending = i;
			return pending;
		}
	}
	return NULL;
}

static void push_frame(struct graph_task *task, const struct pending *pending, int depth,
		       enum graph_func what)
{
	struct frame *frame = &task->frames[task->nr_frames++];

	frame->role = pending->role;
	frame->depth = depth;
	frame->point = pending->role != ROLE_GATE ? depth : task->gaps ? -1 : depth + 1;
	frame->func = pending->func;
	frame->proved = pending->role != ROLE_GATE || what == GRAPH_FUNC_GATE;
	frame->has_ret = false;
	if (pending->role != ROLE_NOBODY)
		frame->owner = pending->owner;
}

static bool same_owner(const struct frame *a, const struct frame *b)
{
	return b->role != ROLE_NOBODY && a->owner.kind == b->owner.kind &&
	       a->owner.pkt == b->owner.pkt;
}

struct graph_label graph_task_owner(const struct graph_task *task)
{
	struct graph_label label = { NULL };
	const struct frame *frame;

	if (!task->nr_frames)
		return label;
	frame = &task->frames[task->nr_frames - 1];
	if (frame->role == ROLE_NOBODY || !frame->proved)
		return label;
	label.text = frame->owner.text;
	label.kind = frame->owner.kind;
	label.pkt = frame->owner.pkt;
	label.copy = frame->owner.copy;
	return label;
}

/* Below a gate, or in an interrupt whose rows come in front of the gate's. */
static bool in_graph(const struct graph_task *task)
{
	return task->nr_frames || graph_task_expects_gate(task);
}

static bool is_point(struct frame *frame, uint64_t func, uint64_t depth)
{
	if (func != frame->func)
		return false;
	if (frame->point < 0)
		frame->point = depth;
	return depth == (uint64_t)frame->point;
}

struct graph_label graph_task_entry(struct graph_task *task, uint64_t func, uint64_t depth,
				    enum graph_func what)
{
	struct graph_label nothing = { NULL }, label = { NULL };
	const struct pending *pending;
	bool proved_now = false;
	struct frame *frame;

	/* Before a gate opens, the task may have been anywhere. */
	if (depth > MAX_DEPTH || (task->nr_frames && !entry_follows(task, depth))) {
		forget(task);
		return nothing;
	}
	close_down_to(task, depth);
	task->last = ROW_ENTRY;
	task->cursor = depth;

	if (task->nr_frames && !task->frames[task->nr_frames - 1].proved) {
		frame = &task->frames[task->nr_frames - 1];
		if ((depth != (uint64_t)frame->depth + 1 && !task->gaps) || func != frame->func) {
			forget(task);
			return nothing;
		}
		frame->proved = true;
		proved_now = true;
	}

	pending = take_pending(task, func, what);
	if (pending) {
		/* No gate opens within an open one, and nothing else comes outside. */
		if (pending->role == ROLE_GATE ? task->nr_frames > 0 : !in_graph(task)) {
			forget(task);
			return nothing;
		}
		if (task->nr_frames == MAX_FRAMES) {
			forget(task);
			return nothing;
		}
		push_frame(task, pending, depth, what);
		if (pending->role == ROLE_GATE)
			drop_strays(task);
	}
	if (!task->nr_frames)
		return nothing;

	label = graph_task_owner(task);
	if (!label.text)
		return nothing;
	frame = &task->frames[task->nr_frames - 1];
	label.point = is_point(frame, func, depth);
	label.first = proved_now ||
		      (pending && (task->nr_frames == 1 || !same_owner(frame, frame - 1)));
	return label;
}

bool graph_task_exit(struct graph_task *task, uint64_t depth, struct graph_return *ret)
{
	const struct frame *frame;
	bool has_ret = false;

	if (depth > MAX_DEPTH || (task->nr_frames && !exit_follows(task, depth))) {
		forget(task);
		return false;
	}
	if (task->nr_frames) {
		frame = &task->frames[task->nr_frames - 1];
		has_ret = frame->depth == (int)depth && frame->has_ret;
		if (has_ret)
			*ret = (struct graph_return){ .func = frame->func, .value = frame->ret };
	}
	close_down_to(task, depth);
	task->last = ROW_EXIT;
	task->cursor = depth;
	return has_ret;
}
