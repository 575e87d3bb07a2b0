// SPDX-License-Identifier: GPL-2.0
/*
 * frame.c - which gates a task is inside
 *
 * A task enters and leaves gates like a stack, and so does what interrupts it, for a softirq runs
 * on top of the task it interrupts. So the frames of `current` (one idle task a CPU included) are
 * a stack that only this CPU touches while they change: interrupts off is all the locking they
 * need. NMIs never come here.
 *
 * The frames outlive the arming that pushed them: a reader may sleep inside a gate for hours.
 * They hold no pointer into it, and while there is one, frame_pin() keeps the module.
 */
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "frame.h"
#include "pause.h"

/*
 * A task that is inside a gate has a slot, and each of its gates a frame. Thousands of readers may sleep in
 * gates at once, and of 30,000 a few are expected to find their bucket full.
 */
#define SLOT_BITS  14
#define SLOT_WAYS  8
#define FRAME_BITS 15
#define NR_FRAMES  (1 << FRAME_BITS)

/* Owned by @task while it is inside a gate, whose frame is @top; free when @task is NULL. */
struct slot {
	struct task_struct *task;
	struct stacked *top;
};

/*
 * @below: the task's next one outwards, NULL if there is none
 * @then: the gate that this one calls, NULL if it calls the function
 */
struct stacked {
	struct frame frame;
	struct stacked *below;
	struct stacked *then;
};

static struct table {
	struct slot slot[1 << SLOT_BITS][SLOT_WAYS];
	struct stacked frame[NR_FRAMES];
	DECLARE_BITMAP(used, NR_FRAMES);
} * table __read_mostly;
/* The module is kept for them although nothing is armed. Written under pin_lock. */
static bool pinned;
static DEFINE_MUTEX(pin_lock);

/* Of the bucket of @of. */
static noinline struct slot *slot_in(const struct task_struct *of, const struct task_struct *task)
{
	struct slot *bucket = table->slot[hash_ptr(of, SLOT_BITS)];
	int i;

	for (i = 0; i < SLOT_WAYS; i++)
		if (READ_ONCE(bucket[i].task) == task)
			return &bucket[i];
	return NULL;
}

/* Mostly it is the first of its bucket. */
static __always_inline struct slot *slot_find(void)
{
	struct slot *first = table->slot[hash_ptr(current, SLOT_BITS)];

	return likely(READ_ONCE(first->task) == current) ? first : slot_in(current, current);
}

static struct slot *slot_claim(void)
{
	struct slot *slot;

	do {
		slot = slot_in(current, NULL);
	} while (slot && cmpxchg(&slot->task, NULL, current));
	if (slot)
		slot->top = NULL;
	return slot;
}

/* Each task begins to look in a word of its own, which is mostly free. */
static struct stacked *frame_claim(void)
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

/* frame_innermost() where there are any. */
struct frame *frame_find_innermost(void)
{
	struct slot *slot = slot_find();

	return slot ? &slot->top->frame : NULL;
}

/**
 * frame_is_around() - whether a task is inside a gate
 * @task: need not be the current one; while it runs elsewhere, it may have left by now
 * @epoch: of what is armed
 */
bool frame_is_around(const struct task_struct *task, u32 epoch)
{
	const struct slot *slot = slot_in(task, task);
	const struct stacked *top = slot ? READ_ONCE(slot->top) : NULL;

	return top && READ_ONCE(top->frame.epoch) == epoch;
}

/* frame_current() where there are any. */
enum frame_state frame_find_state(u32 epoch)
{
	const struct slot *slot = slot_find();
	const struct stacked *at;

	for (at = slot ? slot->top : NULL; at; at = at->below) {
		if (at->frame.state == FRAME_LIFTING)
			return FRAME_HIDING;
		if (at->frame.epoch == epoch)
			return frame_state_of(&at->frame);
	}
	return FRAME_NONE;
}

static bool is_open(const struct frame *frame, u32 epoch)
{
	return frame->epoch == epoch && frame_state_of(frame) == FRAME_OPEN;
}

/**
 * frame_mark_graph() - the ring ends when the graph around the current context is closed
 * @epoch: of what is armed
 *
 * It is the outermost gate of this context; if that has none, the innermost of what it interrupts.
 *
 * Return: false if no graph is open.
 */
bool frame_mark_graph(u32 epoch)
{
	const u8 level = interrupt_context_level();
	struct stacked *at, *found = NULL;
	struct slot *slot;
	unsigned long flags;

	raw_local_irq_save(flags);
	slot = frame_inside() ? slot_find() : NULL;
	for (at = slot ? slot->top : NULL; at; at = at->below)
		if (is_open(&at->frame, epoch) && (!found || at->frame.level == level))
			found = at;
	if (found)
		found->frame.last = true;
	raw_local_irq_restore(flags);
	return found;
}

/* Interrupts off, or nothing that interrupts is to come yet. */
static void put_on(struct slot *slot, struct stacked *s)
{
	s->below = slot->top;
	/* An interrupt finds the one or the other on top. */
	WRITE_ONCE(slot->top, s);
}

static bool push(struct slot *slot, const struct frame *frame)
{
	struct stacked *top = frame_claim();

	if (top) {
		top->frame = *frame;
		top->then = NULL;
		if (frame->state == FRAME_ENTERING)
			top->frame.unpaused = pause_unmark(current);
		put_on(slot, top);
		atomic_inc(&record_skb_busy.inside);
	} else if (!slot->top) {
		smp_store_release(&slot->task, NULL);
	}
	return top;
}

/**
 * frame_push() - enter a gate
 * @frame: copied
 *
 * Called with the instruction pointer about to be led to the gate; the gate pops it. What opens a graph ends
 * the pause that everybody is in.
 *
 * Return: false if there is no room; then the gate must not be entered.
 */
bool frame_push(const struct frame *frame)
{
	struct slot *slot;
	unsigned long flags;
	bool pushed;

	raw_local_irq_save(flags);
	slot = slot_find() ?: slot_claim();
	pushed = slot && push(slot, frame);
	raw_local_irq_restore(flags);
	return pushed;
}

/* The frame of the gate that the current context runs in. */
const struct frame *frame_top(void)
{
	return &slot_find()->top->frame;
}

/**
 * frame_call() - the current context's gate calls the function it stands in for, or the next gate
 *
 * Return: where it has to call.
 */
unsigned long frame_call(void)
{
	struct slot *slot = slot_find();
	struct stacked *top = slot->top, *then = top->then;
	struct frame *frame = &top->frame;

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
	return frame->target;
}

static void unpin_work(struct work_struct *work)
{
	mutex_lock(&pin_lock);
	/* Others may have come in since. The exit path flushes us before the text goes. */
	if (pinned && !atomic_read(&record_skb_busy.inside)) {
		WRITE_ONCE(pinned, false);
		module_put(THIS_MODULE);
	}
	mutex_unlock(&pin_lock);
}

static DECLARE_WORK(unpin, unpin_work);

/**
 * frame_mark() - where the current context's frames are now; for frame_take()
 */
struct stacked *frame_mark(void)
{
	const struct slot *slot = frame_inside() ? slot_find() : NULL;

	return slot ? slot->top : NULL;
}

/**
 * frame_take() - take back what was entered, before any of it is
 * @mark: of frame_mark()
 * @chain: set to the frames that were pushed since, outermost first
 * @max: how many there can be
 *
 * Return: how many there are. They are for frame_enter() or frame_let_go().
 */
u32 frame_take(const struct stacked *mark, struct stacked **chain, u32 max)
{
	struct slot *slot = frame_inside() ? slot_find() : NULL;
	unsigned long flags;
	u32 i, nr = 0;

	raw_local_irq_save(flags);
	for (; slot && slot->top != mark && nr < max; nr++) {
		chain[nr] = slot->top;
		slot->top = slot->top->below;
	}
	if (nr && !slot->top)
		smp_store_release(&slot->task, NULL);
	raw_local_irq_restore(flags);
	for (i = 0; i < nr / 2; i++)
		swap(chain[i], chain[nr - 1 - i]);
	return nr;
}

/**
 * frame_make() - one more frame for frame_enter()
 * @frame: copied
 *
 * Return: NULL if there is no room.
 */
struct stacked *frame_make(const struct frame *frame)
{
	struct stacked *s = frame_claim();

	if (!s)
		return NULL;
	s->frame = *frame;
	s->then = NULL;
	atomic_inc(&record_skb_busy.inside);
	return s;
}

/* To be changed until frame_enter(). */
struct frame *frame_of(struct stacked *s)
{
	return &s->frame;
}

/**
 * frame_enter() - enter several gates, each called by the one before
 * @chain: outermost first; the last one calls the function
 * @nr: how many, at least one
 *
 * Return: false if there is no room to remember the task; then none must be entered.
 */
bool frame_enter(struct stacked **chain, u32 nr)
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

static void let_go(struct stacked *s)
{
	clear_bit_unlock(s - table->frame, table->used);
	/* Full barrier; pairs with the one in frame_pin(). */
	if (atomic_dec_and_test(&record_skb_busy.inside) && READ_ONCE(pinned))
		schedule_work(&unpin);
}

/* None of them is entered. What one has ended for its task is not taken up again: that only costs more. */
void frame_let_go(struct stacked **chain, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		let_go(chain[i]);
}

/**
 * frame_pop() - the innermost gate is through
 * @pause: its task joins the pause that everybody is in again: what an interrupt brings finds the task in
 *	the gate and not paused, or neither
 */
void frame_pop(bool pause)
{
	struct slot *slot = slot_find();
	struct stacked *top = slot->top;
	unsigned long flags;

	raw_local_irq_save(flags);
	if (pause)
		pause_mark(current);
	slot->top = top->below;
	if (!slot->top)
		smp_store_release(&slot->task, NULL);
	raw_local_irq_restore(flags);
	let_go(top);
}

/**
 * frame_pin() - keep the module loaded until the last frame has left
 *
 * Called when matching has ended, with a reference to the module held.
 */
void frame_pin(void)
{
	mutex_lock(&pin_lock);
	if (!pinned && atomic_read(&record_skb_busy.inside)) {
		__module_get(THIS_MODULE);
		WRITE_ONCE(pinned, true);
		/* The last one may have left before it could see @pinned; pairs with frame_pop(). */
		smp_mb();
		if (!atomic_read(&record_skb_busy.inside))
			schedule_work(&unpin);
	}
	mutex_unlock(&pin_lock);
}

int frame_init(void)
{
	table = vzalloc(sizeof(*table));
	return table ? 0 : -ENOMEM;
}

/* Nobody is inside: the module's last reference is gone. */
void frame_exit(void)
{
	flush_work(&unpin);
	vfree(table);
}
