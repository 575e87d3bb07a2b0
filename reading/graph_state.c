// SPDX-License-Identifier: LGPL-2.1
/* graph_state.c - find the packet that each line of the function graph belongs to */
#include <string.h>

#include "graph_state.h"
#include "task_states.h"

/*
 * Maximum depth of an entry row. Real depths are smaller, because the return stack of function_graph has
 * fewer levels: 50 on 6.1, about 80 on 6.12 and later.
 */
#define MAX_DEPTH 4096

static void set_owner(struct graph_owner *owner, const struct skb_event *event)
{
	owner->kind = event->kind;
	owner->pkt = event->pkt;
	owner->copy = event->copy;
	owner->flow = event->flow;
	owner->text[0] = '\0';
}

const char *graph_label_text(const struct graph_label *label)
{
	struct graph_owner *owner = label->owner;

	if (!owner || owner->text[0])
		return owner ? owner->text : NULL;
	if (owner->kind == EVENT_CALL)
		flow_text_call(owner->text, &owner->flow);
	else
		flow_text_packet(owner->text, owner->pkt, &owner->flow);
	return owner->text;
}

/*
 * Drop one of the events that wait for the entry row of their function, to make room for another event.
 * Each level of interrupts can have one waiting event, and there are fewer levels than MAX_PENDING. So if
 * the list is full, the row of some event will never come, for example because of --max-graph-depth. Drop
 * an event of an unrelated packet first, because an interrupt before a gate can produce many such events.
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
	/* A gate can be entered at any depth, so the earlier rows of the task do not matter. */
	if (role == ROLE_GATE || task->last == ROW_NONE)
		return 0;
	/*
	 * If other recordings ran, functions between the previous row and the event may have ended without
	 * an exit row in this trace. Use the depth of the innermost open function instead.
	 */
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

/*
 * Return: the frame to which a return event belongs; NULL if none is found. The return event of a gate comes
 * before the exit row of the gate. In an open graph, the return event of a nested function comes before the
 * exit row of that function.
 */
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

	/* Do not assign the return value of a function to the line of another function. */
	if (!frame || frame->func != event->func || frame->owner.pkt != event->pkt)
		return;
	frame->has_ret = true;
	frame->ret = event->ret;
}

void graph_state_event(struct graph_state *state, const struct graph_task_id *id, uint64_t ts,
		       const struct skb_event *event)
{
	struct graph_task *task = graph_task_look_up(state, id, ts);
	bool opens = event && (event->kind == EVENT_PACKET || event->kind == EVENT_CALL) &&
		     event->how == RECORD_SKB_HOW_OPEN;

	if (!event) {
		if (task)
			graph_task_forget(task);
		return;
	}
	if (event->recording)
		state->gaps = true;
	if (opens) {
		task = task ? task : graph_task_add(state, id);
		if (!task)
			return;
		task->last_ts = ts;
		if (event->says_overrun) {
			task->knows_overrun = true;
			task->overrun = event->overrun;
		}
		add_pending(task, ROLE_GATE, event);
		return;
	}
	/* Outside of a gate, an event has no entry row that belongs to it. */
	if (!task || graph_task_is_idle(task))
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
 * Return: true if an entry at this depth can follow the previous row of the task.
 *
 * Each entry has an exit row, unless trace-cmd shows both on one line. So the previous row limits the depth
 * of the next entry. If other recordings ran (@gaps), no limit is known.
 *
 * Interrupts make the limits wider, because an interrupt can come between a change of the depth and the row
 * for this change. The kernel increments the depth before it writes an entry. So rows of an interrupt can be
 * one level deeper than the next entry. Linux 6.1 decrements the depth before it writes an exit, and 6.12
 * decrements it afterwards. So rows of an interrupt can be at the depth of the next exit, or one level
 * deeper.
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

/*
 * Drop events that wait for an entry row at @depth or deeper. Keep those that wait for the entry of a gate.
 */
static void drop_pending(struct graph_task *task, int depth)
{
	int from, to = 0;

	for (from = 0; from < task->nr_pending; from++) {
		if (task->pending[from].role == ROLE_GATE || task->pending[from].cursor < depth)
			task->pending[to++] = task->pending[from];
	}
	task->nr_pending = to;
}

/*
 * Close the open functions at @depth and deeper. Also drop waiting events with lost entry rows. Usually, the
 * entry of an event is at least as deep as the row before the event. If that row belongs to an interrupt, the
 * entry may be one level less deep.
 */
static void close_down_to(struct graph_task *task, int depth)
{
	bool was_inside = task->nr_frames > 0;

	while (task->nr_frames && task->frames[task->nr_frames - 1].depth >= depth)
		task->nr_frames--;
	/* The last graph of the task is closed: no other event can belong to it. */
	if (was_inside && !task->nr_frames)
		drop_pending(task, 0);
	while (task->nr_pending && task->pending[task->nr_pending - 1].cursor > depth + 1)
		task->nr_pending--;
}

/*
 * Return: the newest event that waits for this entry; NULL if there is none. Remove this event and all newer
 * events. A newer event that does not match belongs to an interrupt that has ended.
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
	frame->is_open = false;
	frame->has_ret = false;
	if (pending->role != ROLE_NOBODY)
		frame->owner = pending->owner;
}

static bool same_owner(const struct frame *a, const struct frame *b)
{
	return b->role != ROLE_NOBODY && a->owner.kind == b->owner.kind &&
	       a->owner.pkt == b->owner.pkt;
}

struct graph_label graph_task_owner(struct graph_task *task)
{
	struct graph_label label = { NULL };
	struct frame *frame;

	if (!task->nr_frames)
		return label;
	frame = &task->frames[task->nr_frames - 1];
	if (frame->role == ROLE_NOBODY || !frame->proved)
		return label;
	label.owner = &frame->owner;
	label.kind = frame->owner.kind;
	label.pkt = frame->owner.pkt;
	label.copy = frame->owner.copy;
	return label;
}

/*
 * Return: true if the task is inside a gate, or if it waits for the entry of a gate. In the second case,
 * rows of an interrupt may come before that entry.
 */
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

/*
 * Return: true if a gate can be entered at this depth. Gates do not nest, with one exception. The module
 * knows that it is inside a gate only while the gate's function runs. If an interrupt comes between the
 * entries of the gate and of its function, or between their exits, a packet of the interrupt opens its own
 * gate.
 */
static bool gate_can_open(const struct graph_task *task, int depth)
{
	const struct frame *frame = task->nr_frames ? &task->frames[task->nr_frames - 1] : NULL;

	return !frame || (frame->role == ROLE_GATE && !frame->is_open && depth > frame->depth);
}

/* Return: true if this is the entry of a function in an interrupt that will open a gate for this function. */
static bool comes_before_gate(const struct graph_task *task, uint64_t func)
{
	const struct pending *pending = task->nr_pending ? &task->pending[task->nr_pending - 1] :
							   NULL;

	return pending && pending->role == ROLE_GATE && pending->func == func;
}

struct graph_label graph_task_entry(struct graph_task *task, uint64_t func, uint64_t depth,
				    enum graph_func what)
{
	struct graph_label nothing = { NULL }, label = { NULL };
	const struct pending *pending;
	bool proved_now = false;
	struct frame *frame;

	/*
	 * Do not check the depth of a gate, because the depth of the task is not known before a gate opens.
	 */
	if (depth > MAX_DEPTH || (task->nr_frames && !entry_follows(task, depth))) {
		graph_task_forget(task);
		return nothing;
	}
	close_down_to(task, depth);
	task->last = ROW_ENTRY;
	task->cursor = depth;

	if (task->nr_frames && !task->frames[task->nr_frames - 1].proved) {
		frame = &task->frames[task->nr_frames - 1];
		if ((depth != (uint64_t)frame->depth + 1 && !task->gaps) || func != frame->func) {
			graph_task_forget(task);
			return nothing;
		}
		frame->proved = true;
		proved_now = true;
	}

	pending = take_pending(task, func, what);
	if (pending) {
		/* A gate opens a graph. The functions of all other events are inside an open graph. */
		if ((pending->role == ROLE_GATE ? !gate_can_open(task, depth) : !in_graph(task)) ||
		    task->nr_frames == MAX_FRAMES) {
			graph_task_forget(task);
			return nothing;
		}
		push_frame(task, pending, depth, what);
		if (pending->role == ROLE_GATE)
			drop_pending(task, 0);
	}
	if (!task->nr_frames || (!pending && comes_before_gate(task, func)))
		return nothing;

	frame = &task->frames[task->nr_frames - 1];
	label = graph_task_owner(task);
	if (!label.owner)
		return nothing;
	label.point = is_point(frame, func, depth);
	frame->is_open |= label.point;
	label.first = proved_now ||
		      (pending && (task->nr_frames == 1 || !same_owner(frame, frame - 1)));
	return label;
}

struct graph_missing graph_task_missing(struct graph_task *task, uint32_t overrun)
{
	struct graph_missing missing = { .from = task->before_ts };

	/* If the count is lower than before, it belongs to a new task with the same PID. */
	if (task->knows_overrun && (int32_t)(overrun - task->overrun) > 0)
		missing.calls = overrun - task->overrun;
	task->knows_overrun = true;
	task->overrun = overrun;
	/* The entry rows of these events were lost. */
	if (missing.calls)
		drop_pending(task, task->cursor);
	return missing;
}

bool graph_task_exit(struct graph_task *task, uint64_t depth, struct graph_return *ret)
{
	const struct frame *frame;
	bool has_ret = false;

	if (depth > MAX_DEPTH || (task->nr_frames && !exit_follows(task, depth))) {
		graph_task_forget(task);
		return false;
	}
	if (task->nr_frames) {
		frame = &task->frames[task->nr_frames - 1];
		has_ret = frame->depth == (int)depth && frame->has_ret;
		if (has_ret)
			*ret = (struct graph_return){ .func = frame->func, .value = frame->ret };
	}
	close_down_to(task, depth);
	if (task->nr_frames && task->frames[task->nr_frames - 1].point == (int)depth)
		task->frames[task->nr_frames - 1].is_open = false;
	task->last = ROW_EXIT;
	task->cursor = depth;
	return has_ret;
}
