// SPDX-License-Identifier: GPL-2.0
/*
 * gate_stack.c - remember which gates each task is inside
 *
 * A task leaves its gates in the reverse order of entry. The same holds for an interrupt or softirq, which
 * runs on top of the task. Therefore the gate frames of the current task form a stack, and only the CPU
 * that runs the task changes this stack. Disabling interrupts is sufficient as a lock. NMIs never use
 * gates. The idle task of a CPU can have such a stack, too.
 *
 * A gate frame can outlive the configuration that was active when the gate was entered, because a task that
 * reads from a socket may sleep inside a gate for hours. Therefore a frame has no pointer into the
 * configuration, and gate_stack_pin() keeps the module loaded while any frame exists.
 */
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "arch/arch.h"
#include "gate_stack.h"
#include "probes.h"
#include "task_pause.h"

/*
 * Each task inside a gate has a slot, and each of its gates has a frame. Thousands of tasks that read from
 * sockets may sleep inside gates at the same time. With 30,000 such tasks, a few are expected to find their
 * hash bucket full.
 */
#define SLOT_BITS  14
#define SLOT_WAYS  8
#define FRAME_BITS 15
#define NR_FRAMES  (1 << FRAME_BITS)

/*
 * struct slot - a slot of the hash table of tasks inside gates
 * @task: the task, NULL for a free slot
 * @top: frame of the innermost gate of @task
 */
struct slot {
	struct task_struct *task;
	struct stacked_frame *top;
};

/*
 * struct stacked_frame - a gate on the stack of a task
 * @frame: state of the gate
 * @below: the gate that contains this gate; NULL for the outermost gate of the task
 * @then: the gate that this gate is going to call; NULL if this gate calls the function itself
 */
struct stacked_frame {
	struct gate_frame frame;
	struct stacked_frame *below;
	struct stacked_frame *then;
};

static struct table {
	struct slot slot[1 << SLOT_BITS][SLOT_WAYS];
	struct stacked_frame frame[NR_FRAMES];
	DECLARE_BITMAP(used, NR_FRAMES);
} * table __read_mostly;

#define for_each_slot(s) \
	for ((s) = table->slot[0]; (s) < table->slot[0] + (SLOT_WAYS << SLOT_BITS); (s)++)

atomic_t record_skb_frame_hint[1 << FRAME_HINT_BITS] ____cacheline_aligned_in_smp;

/*
 * True while the frames hold a reference to the module. No recording is armed then. Written under pin_lock.
 */
static bool pinned;
static DEFINE_MUTEX(pin_lock);

/*
 * Return: the slot of @task in the hash bucket that belongs to @of; NULL if the task has no slot. If @task is
 * NULL, a free slot of the bucket is returned.
 */
static noinline struct slot *slot_in(const struct task_struct *of, const struct task_struct *task)
{
	struct slot *bucket = table->slot[hash_ptr(of, SLOT_BITS)];
	int i;

	for (i = 0; i < SLOT_WAYS; i++)
		if (READ_ONCE(bucket[i].task) == task)
			return &bucket[i];
	return NULL;
}

/*
 * Return: slot of the current task, NULL if it has none. The slot is nearly always the first of its bucket.
 */
static __always_inline struct slot *slot_find(void)
{
	struct slot *first = table->slot[hash_ptr(current, SLOT_BITS)];

	return likely(READ_ONCE(first->task) == current) ? first : slot_in(current, current);
}

/* Return: frame of the innermost gate of the current task; NULL if it has none. */
static __always_inline struct stacked_frame *find_top(void)
{
	const struct slot *slot = slot_find();

	return slot ? slot->top : NULL;
}

/* Return: a slot for the current task; NULL if no slot is free. Interrupts are off. */
static struct slot *slot_claim(void)
{
	struct slot *slot;

	do {
		slot = slot_in(current, NULL);
	} while (slot && cmpxchg(&slot->task, NULL, current));
	if (slot) {
		slot->top = NULL;
		atomic_inc(gate_stack_hint(current));
	}
	return slot;
}

/* Free the slot of the current task. Interrupts are off. */
static void slot_release(struct slot *slot)
{
	smp_store_release(&slot->task, NULL);
	atomic_dec(gate_stack_hint(current));
}

/*
 * Find a free frame. Begin at a word of the bitmap that a hash of the task selects. This word nearly always
 * has a free bit.
 */
static struct stacked_frame *frame_claim(void)
{
	const unsigned int nr_words = BITS_TO_LONGS(NR_FRAMES), own = hash_ptr(current, FRAME_BITS);
	unsigned int i;

	for (i = 0; i < nr_words; i++) {
		const unsigned int word = (own + i) % nr_words;
		unsigned long *used = &table->used[word], now;

		while (~(now = READ_ONCE(*used)))
			if (!test_and_set_bit(ffz(now), used))
				return &table->frame[word * BITS_PER_LONG + ffz(now)];
	}
	return NULL;
}

/* Slow path of gate_stack_innermost(), used while any task may be inside a gate. */
struct gate_frame *gate_stack_find_innermost(void)
{
	struct stacked_frame *top = find_top();

	return top ? &top->frame : NULL;
}

/**
 * gate_stack_is_around() - check if the innermost gate of a task belongs to an active configuration
 * @task: any task; if it runs on another CPU, it may leave the gate at the same time
 * @epoch: epoch of the active configuration
 *
 * Return: true if the innermost gate belongs to that configuration.
 */
bool gate_stack_is_around(const struct task_struct *task, u32 epoch)
{
	const struct slot *slot = slot_in(task, task);
	const struct stacked_frame *top = slot ? READ_ONCE(slot->top) : NULL;

	return top && READ_ONCE(top->frame.epoch) == epoch;
}

/* Slow path of gate_stack_current(), used while any task may be inside a gate. */
enum frame_state gate_stack_find_state(u32 epoch)
{
	const struct stacked_frame *at;

	for (at = find_top(); at; at = at->below) {
		if (at->frame.state == FRAME_LIFTING)
			return FRAME_HIDING;
		if (at->frame.epoch == epoch)
			return gate_stack_state_of(&at->frame);
	}
	return FRAME_NONE;
}

/* Return: true if the task is inside a gate of any active or earlier configuration, or about to enter one. */
bool gate_stack_has(const struct task_struct *task)
{
	return slot_in(task, task);
}

/**
 * gate_stack_below() - get the gate that contains another gate of the current task
 * @frame: frame of the other gate
 *
 * Return: frame of the containing gate; NULL for the outermost gate of the task.
 */
struct gate_frame *gate_stack_below(struct gate_frame *frame)
{
	struct stacked_frame *below = container_of(frame, struct stacked_frame, frame)->below;

	return below ? &below->frame : NULL;
}

/**
 * gate_stack_mark_graph() - stop the ring as soon as the graph around the current context is closed
 * @epoch: epoch of the active configuration
 *
 * The function marks a gate, and the ring stops when this gate is left. The outermost open gate of the
 * current context is marked. If the context is an interrupt without an open gate, the innermost open gate of
 * the context that was interrupted is marked.
 *
 * Return: false if no graph is open.
 */
bool gate_stack_mark_graph(u32 epoch)
{
	const u8 level = interrupt_context_level();
	struct stacked_frame *at, *found = NULL;
	unsigned long flags;

	raw_local_irq_save(flags);
	for (at = gate_stack_mark(); at; at = at->below)
		if (at->frame.epoch == epoch && gate_stack_state_of(&at->frame) == FRAME_OPEN &&
		    (!found || at->frame.level == level))
			found = at;
	if (found)
		found->frame.last = true;
	raw_local_irq_restore(flags);
	return found;
}

/*
 * Push the frame @s on the gate stack of the task that owns @slot. Interrupts are off, or interrupts cannot
 * use the gates yet.
 */
static void put_on(struct slot *slot, struct stacked_frame *s)
{
	s->below = slot->top;
	/*
	 * An interrupt on this CPU sees either the old or the new top. Other CPUs that count the frames of
	 * all tasks see the contents of the frame.
	 */
	smp_store_release(&slot->top, s);
}

/**
 * gate_stack_make() - allocate a frame for gate_stack_push() or gate_stack_enter()
 * @frame: the frame; copied
 *
 * Return: the frame, NULL if none is free.
 */
struct stacked_frame *gate_stack_make(const struct gate_frame *frame)
{
	struct stacked_frame *s = frame_claim();

	if (!s)
		return NULL;
	s->frame = *frame;
	s->then = NULL;
	busy_add_gate();
	return s;
}

/**
 * gate_stack_push() - enter a gate
 * @frame: the frame; copied
 *
 * The caller then sets the instruction pointer to the gate. The gate pops the frame. If the gate opens a
 * graph, this function removes the pause mark (graph_pause.c) from the current task.
 *
 * Return: false if all slots or frames are in use; then the gate must not be entered.
 */
bool gate_stack_push(const struct gate_frame *frame)
{
	struct stacked_frame *top;
	struct slot *slot;
	unsigned long flags;

	raw_local_irq_save(flags);
	slot = slot_find() ?: slot_claim();
	top = slot ? gate_stack_make(frame) : NULL;
	if (top) {
		if (frame->state == FRAME_ENTERING)
			top->frame.unpaused = pause_unmark(current);
		if (frame->gate == GATE_OPEN)
			top->frame.overrun = graph_overrun();
		put_on(slot, top);
	} else if (slot && !slot->top) {
		slot_release(slot);
	}
	raw_local_irq_restore(flags);
	return top;
}

/* Return: frame of the gate that the current context runs in. Only called by gates. */
struct gate_frame *gate_stack_top(void)
{
	return &slot_find()->top->frame;
}

/**
 * gate_stack_call() - prepare the call from the current gate to the probed function or to the next gate
 *
 * Return: address that the gate has to call.
 */
unsigned long gate_stack_call(void)
{
	struct slot *slot = slot_find();
	struct stacked_frame *top = slot->top, *then = top->then;
	struct gate_frame *frame = &top->frame;

	if (frame->state == FRAME_ENTERING)
		frame->state = FRAME_OPEN;
	else if (frame->state == FRAME_LIFTING)
		frame->state = FRAME_NONE;
	if (then) {
		top->then = NULL;
		put_on(slot, then);
		return then->frame.entry;
	}
	frame->level = interrupt_context_level();
	frame->calling = frame->target == frame->func;
	return frame->calling ? arch_site_entry(frame->target) : frame->target;
}

/*
 * If the gate has opened a graph, count the calls that are missing in the graph because the return stack of
 * function_graph was full. Outer gates of the same recording do not count these calls again.
 */
void gate_stack_count_overrun(void)
{
	struct stacked_frame *s = slot_find()->top;
	const int missing = graph_overrun() - s->frame.overrun;
	struct recording *r = s->frame.recording;

	if (s->frame.gate != GATE_OPEN || missing <= 0 || !recording_has(r, s->frame.epoch))
		return;
	stat_add(&r->stats, STAT_LOST_CALLS, missing);
	for (; s; s = s->below)
		if (s->frame.gate == GATE_OPEN && s->frame.recording == r)
			s->frame.overrun += missing;
}

/**
 * gate_stack_count_graphs() - count the open graphs of a recording
 * @r: the recording
 * @epoch: epoch of its active configuration
 *
 * Return: the number of open graphs. Graphs that open or close at the same time may be missed.
 */
u32 gate_stack_count_graphs(const struct recording *r, u32 epoch)
{
	const struct stacked_frame *s;
	struct slot *slot;
	u32 nr = 0;

	if (!busy_with_gates())
		return 0;
	for_each_slot(slot) for (s = READ_ONCE(slot->task) ? READ_ONCE(slot->top) : NULL; s;
				 s = READ_ONCE(s->below)) nr +=
		s->frame.gate == GATE_OPEN && s->frame.recording == r && s->frame.epoch == epoch;
	return nr;
}

/**
 * gate_stack_count_all_overruns() - do the work of gate_stack_count_overrun() for every open graph
 * @r: the recording
 * @epoch: epoch of its active configuration
 *
 * Called when recording has ended. If a task leaves its gate at the same time, its overruns may not be
 * counted.
 */
void gate_stack_count_all_overruns(struct recording *r, u32 epoch)
{
	struct slot *slot;

	if (!busy_with_gates())
		return;
	/* A task frees its slot before it exits, so RCU keeps its task_struct valid here. */
	rcu_read_lock();
	for_each_slot(slot)
	{
		const struct task_struct *task = READ_ONCE(slot->task);
		const struct stacked_frame *s = task ? READ_ONCE(slot->top) : NULL;
		int missing = 0;

		/* Use the outermost frame: its count includes the overruns below the inner gates. */
		for (; s; s = READ_ONCE(s->below))
			if (s->frame.gate == GATE_OPEN && s->frame.recording == r &&
			    s->frame.epoch == epoch)
				missing = atomic_read(&task->trace_overrun) - s->frame.overrun;
		if (missing > 0 && READ_ONCE(slot->task) == task)
			stat_add(&r->stats, STAT_LOST_CALLS, missing);
	}
	rcu_read_unlock();
}

static void unpin_work(struct work_struct *work)
{
	mutex_lock(&pin_lock);
	/*
	 * Tasks may have entered gates since this work was queued. gate_stack_exit() flushes this work before
	 * the module is freed.
	 */
	if (pinned && !busy_count_gates()) {
		WRITE_ONCE(pinned, false);
		module_put(THIS_MODULE);
	}
	mutex_unlock(&pin_lock);
}

static DECLARE_WORK(unpin, unpin_work);

static void queue_unpin(struct irq_work *work)
{
	schedule_work(&unpin);
}

/*
 * The last gate may be left while a lock of the scheduler or of the workqueues is held, for example if
 * printk() sends a message with netconsole. So do not queue the work directly.
 */
static DEFINE_IRQ_WORK(unpin_soon, queue_unpin);

/**
 * gate_stack_mark() - remember the innermost frame of the current task for gate_stack_take()
 *
 * Return: the frame, NULL if the task is inside no gate.
 */
struct stacked_frame *gate_stack_mark(void)
{
	return gate_stack_may_be_inside() ? find_top() : NULL;
}

/**
 * gate_stack_take() - remove frames from the gate stack before their gates are entered
 * @mark: result of gate_stack_mark()
 * @chain: set to the frames that were pushed after gate_stack_mark(), outermost first
 * @max: size of @chain
 *
 * Return: number of frames. The caller passes them to gate_stack_enter() or gate_stack_let_go().
 */
u32 gate_stack_take(const struct stacked_frame *mark, struct stacked_frame **chain, u32 max)
{
	struct slot *slot = gate_stack_may_be_inside() ? slot_find() : NULL;
	unsigned long flags;
	u32 i, nr = 0;

	raw_local_irq_save(flags);
	for (; slot && slot->top != mark && nr < max; nr++) {
		chain[nr] = slot->top;
		slot->top = slot->top->below;
	}
	if (nr && !slot->top)
		slot_release(slot);
	raw_local_irq_restore(flags);
	for (i = 0; i < nr / 2; i++)
		swap(chain[i], chain[nr - 1 - i]);
	return nr;
}

/* Return: contents of a frame, which may be changed until gate_stack_enter(). */
struct gate_frame *gate_stack_of(struct stacked_frame *s)
{
	return &s->frame;
}

/**
 * gate_stack_enter() - enter a chain of gates that call each other
 * @chain: frames of the gates, outermost first; the last gate calls the function
 * @nr: number of frames, at least one
 *
 * Return: false if all slots for the task are in use; then the caller must not enter any of the gates.
 */
bool gate_stack_enter(struct stacked_frame **chain, u32 nr)
{
	struct slot *slot;
	unsigned long flags;
	u32 i;

	for (i = 0; i + 1 < nr; i++)
		chain[i]->then = chain[i + 1];
	raw_local_irq_save(flags);
	slot = slot_find() ?: slot_claim();
	if (slot)
		put_on(slot, chain[0]);
	raw_local_irq_restore(flags);
	return slot;
}

static void let_go(struct stacked_frame *s)
{
	struct graph_hidden hidden;

	busy_remove_gate();
	clear_bit_unlock(s - table->frame, table->used);
	/* Pairs with the barrier in gate_stack_pin(), and orders the decrements of two CPUs. */
	smp_mb__after_atomic();
	if (!READ_ONCE(pinned) || busy_count_gates())
		return;
	/* A graph may still be open here, because function_graph closes it when the gate returns. */
	hidden = graph_hide();
	irq_work_queue(&unpin_soon);
	graph_show(&hidden);
}

/*
 * Free the frames of gates that will not be entered. If gate_stack_push() has removed the pause mark of the
 * task, the mark is not restored. Without the mark the task only runs more slowly.
 */
void gate_stack_let_go(struct stacked_frame **chain, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		let_go(chain[i]);
}

/**
 * gate_stack_pop() - leave the innermost gate of the current task
 * @pause: set the pause mark of the task again. Interrupts are off for both steps: an interrupt finds the
 *	task either inside the gate without the mark, or outside the gate with the mark.
 */
void gate_stack_pop(bool pause)
{
	struct slot *slot = slot_find();
	struct stacked_frame *top = slot->top;
	unsigned long flags;

	raw_local_irq_save(flags);
	if (pause)
		pause_mark(current);
	slot->top = top->below;
	if (!slot->top)
		slot_release(slot);
	raw_local_irq_restore(flags);
	let_go(top);
}

/**
 * gate_stack_pin() - keep the module loaded until the last gate has been left
 *
 * Called when matching has ended. The caller holds a reference to the module.
 */
void gate_stack_pin(void)
{
	mutex_lock(&pin_lock);
	if (!pinned && busy_count_gates()) {
		__module_get(THIS_MODULE);
		WRITE_ONCE(pinned, true);
		/* The last gate may have been left before its task could see @pinned. Pairs with let_go(). */
		smp_mb();
		if (!busy_count_gates())
			schedule_work(&unpin);
	}
	mutex_unlock(&pin_lock);
}

int gate_stack_init(void)
{
	table = vzalloc(sizeof(*table));
	return table ? 0 : -ENOMEM;
}

/* Free the table. No task is inside a gate, because the last reference to the module is gone. */
void gate_stack_exit(void)
{
	irq_work_sync(&unpin_soon);
	flush_work(&unpin);
	vfree(table);
}
