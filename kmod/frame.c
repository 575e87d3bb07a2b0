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
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "frame.h"

#define FRAME_BITS	9
#define FRAME_WAYS	8
#define FRAME_DEPTH	16

/* Owned by @task while it is inside a gate; free when @task is NULL. */
struct frames {
	struct task_struct *task;
	unsigned int depth;
	struct frame frame[FRAME_DEPTH];
};

static struct frames *table __read_mostly;
/* Frames pushed and not yet popped, on all tasks. Written at each match and read at each hit: nothing else is there. */
static atomic_t inside ____cacheline_aligned_in_smp;
/* The module is kept for them although nothing is armed. Written under pin_lock. */
static bool pinned;
static DEFINE_MUTEX(pin_lock);

static struct frames *frames_bucket(const struct task_struct *task)
{
	return &table[hash_ptr(task, FRAME_BITS) * FRAME_WAYS];
}

static struct frames *frames_find(void)
{
	struct frames *bucket = frames_bucket(current);
	int i;

	for (i = 0; i < FRAME_WAYS; i++)
		if (READ_ONCE(bucket[i].task) == current)
			return &bucket[i];
	return NULL;
}

static struct frames *frames_claim(void)
{
	struct frames *bucket = frames_bucket(current);
	int i;

	for (i = 0; i < FRAME_WAYS; i++) {
		if (!READ_ONCE(bucket[i].task) && !cmpxchg(&bucket[i].task, NULL, current)) {
			bucket[i].depth = 0;
			return &bucket[i];
		}
	}
	return NULL;
}

/**
 * frame_current() - the innermost gate the current context is inside
 * @epoch: of what is armed
 *
 * Return: FRAME_NONE too for the gate of an earlier arming, around which there is no graph any more.
 */
enum frame_state frame_current(u32 epoch)
{
	struct frames *frames = atomic_read(&inside) ? frames_find() : NULL;
	const struct frame *frame;

	if (!frames)
		return FRAME_NONE;
	frame = &frames->frame[frames->depth - 1];
	return frame->epoch == epoch ? frame->state : FRAME_NONE;
}

/**
 * frame_takes_call() - whether a call comes from the gate that stands in for the function
 * @func: the function called, as ftrace names it
 * @epoch: of what is armed
 *
 * It is asked of each call at the function's ftrace site, and says so once: what the function
 * itself calls or ends with by a jump is another call. An interrupt that comes before the gate's
 * call has reached the site is of another level.
 */
bool frame_takes_call(unsigned long func, u32 epoch)
{
	struct frames *frames = atomic_read(&inside) ? frames_find() : NULL;
	struct frame *frame;

	if (!frames)
		return false;
	frame = &frames->frame[frames->depth - 1];
	if (!frame->calling || frame->func != func || frame->epoch != epoch ||
	    frame->level != interrupt_context_level())
		return false;
	frame->calling = false;
	return true;
}

/**
 * frame_push() - enter a gate
 * @frame: copied
 *
 * Called with the instruction pointer about to be led to the gate; the gate pops it.
 *
 * Return: false if there is no room; then the gate must not be entered.
 */
bool frame_push(const struct frame *frame)
{
	struct frames *frames;
	unsigned long flags;
	bool pushed = false;

	raw_local_irq_save(flags);
	frames = frames_find() ?: frames_claim();
	if (frames && frames->depth < FRAME_DEPTH) {
		frames->frame[frames->depth++] = *frame;
		atomic_inc(&inside);
		pushed = true;
	}
	raw_local_irq_restore(flags);
	return pushed;
}

/* The frame of the gate that the current context runs in. */
const struct frame *frame_top(void)
{
	struct frames *frames = frames_find();

	return &frames->frame[frames->depth - 1];
}

/**
 * frame_call() - the current context's gate calls the function it stands in for
 *
 * Return: where it has to call.
 */
unsigned long frame_call(void)
{
	struct frames *frames = frames_find();
	struct frame *frame = &frames->frame[frames->depth - 1];

	if (frame->state == FRAME_ENTERING)
		frame->state = FRAME_OPEN;
	frame->level = interrupt_context_level();
	frame->calling = frame->target == frame->func;
	return frame->target;
}

static void unpin_work(struct work_struct *work)
{
	mutex_lock(&pin_lock);
	/* Others may have come in since. The exit path flushes us before the text goes. */
	if (pinned && !atomic_read(&inside)) {
		WRITE_ONCE(pinned, false);
		module_put(THIS_MODULE);
	}
	mutex_unlock(&pin_lock);
}

static DECLARE_WORK(unpin, unpin_work);

/* The innermost gate is through. */
void frame_pop(void)
{
	struct frames *frames = frames_find();
	unsigned long flags;

	raw_local_irq_save(flags);
	if (!--frames->depth)
		smp_store_release(&frames->task, NULL);
	raw_local_irq_restore(flags);

	/* Full barrier; pairs with the one in frame_pin(). */
	if (atomic_dec_and_test(&inside) && READ_ONCE(pinned))
		schedule_work(&unpin);
}

/* How many gates are entered and not left, on the whole machine. */
unsigned int frame_inside(void)
{
	return atomic_read(&inside);
}

/**
 * frame_pin() - keep the module loaded until the last frame has left
 *
 * Called when matching has ended, with a reference to the module held.
 */
void frame_pin(void)
{
	mutex_lock(&pin_lock);
	if (!pinned && atomic_read(&inside)) {
		__module_get(THIS_MODULE);
		WRITE_ONCE(pinned, true);
		/* The last one may have left before it could see @pinned; pairs with frame_pop(). */
		smp_mb();
		if (!atomic_read(&inside))
			schedule_work(&unpin);
	}
	mutex_unlock(&pin_lock);
}

int frame_init(void)
{
	table = vzalloc(sizeof(*table) * FRAME_WAYS << FRAME_BITS);
	return table ? 0 : -ENOMEM;
}

/* Nobody is inside: the module's last reference is gone. */
void frame_exit(void)
{
	flush_work(&unpin);
	vfree(table);
}
