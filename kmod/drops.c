// SPDX-License-Identifier: GPL-2.0
/* drops.c - the packets that are thrown away, where and why */
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/skbuff.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <net/sch_generic.h>

#include "armed.h"
#include "compat/dropreason.h"
#include "compat/ftrace.h"
#include "compat/qdiscdrop.h"
#include "drops.h"
#include "emit.h"
#include "queues.h"
#include "quiet.h"
#include "tracepoints.h"
#include "track.h"
#include "trigger.h"

static struct tracepoint *tp;

/*
 * What an address in the kernel's text belongs to. Symbols are dear to look up and the same few addresses
 * come again and again: what was found is kept, in bits that are set in each such address.
 */
enum place { PLACE_OTHER, PLACE_FREEING, PLACE_GRAPH };

#define PLACE_SHIFT (BITS_PER_LONG - 3)
#define PLACE_MASK  (3UL << PLACE_SHIFT)
#define KNOWN_BITS  7

static unsigned long known[1 << KNOWN_BITS];

static enum place look_up(unsigned long address)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, address);
	if (!strcmp(name, "return_to_handler"))
		return PLACE_GRAPH;
	if (str_has_prefix(name, "kfree_skb") || str_has_prefix(name, "__kfree_skb") ||
	    str_has_prefix(name, "sk_skb_reason_drop") ||
	    str_has_prefix(name, "__tcf_kfree_skb_list") || !strcmp(name, "__traceiter_qdisc_drop"))
		return PLACE_FREEING;
	return PLACE_OTHER;
}

static enum place place_of(unsigned long address)
{
	unsigned long *slot = &known[hash_long(address, KNOWN_BITS)];
	const unsigned long entry = READ_ONCE(*slot);
	enum place place;

	if (entry && (entry | PLACE_MASK) == address)
		return (entry & PLACE_MASK) >> PLACE_SHIFT;
	place = look_up(address);
	WRITE_ONCE(*slot, (address & ~PLACE_MASK) | (unsigned long)place << PLACE_SHIFT);
	return place;
}

/*
 * Inside a graph the return address that the kernel took for the place is function_graph's own, and where
 * a list is freed it is in what frees the list; the stack knows the real one. The place is the first caller
 * that is not part of the freeing; nor a gate, if what frees is a point itself.
 */
static unsigned long real_location(unsigned long location)
{
	unsigned long stack[16];
	unsigned int i, nr;
	bool freeing = false;

	if (place_of(location) == PLACE_OTHER && !within_module(location, THIS_MODULE))
		return location;
	nr = stack_trace_save(stack, ARRAY_SIZE(stack), 0);
	for (i = 0; i < nr; i++) {
		if (place_of(stack[i]) == PLACE_FREEING)
			freeing = true;
		else if (freeing && !within_module(stack[i], THIS_MODULE))
			return stack[i];
	}
	return location;
}

/*
 * Which queueing discipline was given which skb last, on this CPU. Whoever drops one has been given it, and
 * those below him have not; he mostly does so at once.
 */
struct queued {
	u32 pkt;
	u32 copy;
	char by[IFNAMSIZ];
};

/* Of each recording. */
static DEFINE_PER_CPU(struct queued[1 + RECORD_SKB_MAX_SHARED], queued);

static struct queued *queued_of(const struct recording *r)
{
	return &(*this_cpu_ptr(&queued))[r->number];
}

/**
 * drops_enqueue() - at a Qdisc_ops.enqueue()
 * @r: of which recording
 * @fregs: with what it was called
 *
 * Preemption is off.
 */
void drops_enqueue(const struct recording *r, struct ftrace_regs *fregs)
{
	const struct sk_buff *skb = (const struct sk_buff *)ftrace_regs_get_argument(fregs, 0);
	const struct Qdisc *queue = (const struct Qdisc *)ftrace_regs_get_argument(fregs, 1);
	struct queued *q = queued_of(r);
	struct match m;

	if (!track_find(r->track, skb, &m))
		return;
	q->pkt = m.pkt;
	q->copy = m.copy;
	strscpy(q->by, queue->ops->id, sizeof(q->by));
}

/* Empty if it was one of several, and it is not known which. Under rcu_read_lock(), preemption is off. */
static const char *qdisc_of(const struct recording *r, const struct sk_buff *skb,
			    const struct match *m)
{
	const struct queued *q = queued_of(r);
	const u16 queue = skb_get_queue_mapping(skb);
	const struct Qdisc *qdisc;

	if (q->pkt == m->pkt && q->copy == m->copy)
		return q->by;
	if (!skb->dev || queue >= skb->dev->num_tx_queues)
		return "";
	qdisc = rcu_dereference(netdev_get_tx_queue(skb->dev, queue)->qdisc);
	return qdisc && !queue_has_parts(skb->dev, qdisc) ? qdisc->ops->id : "";
}

static void drop_of(const struct recording *r, const struct sk_buff *skb, unsigned long place,
		    enum skb_drop_reason reason, const char *qdisc_reason)
{
	const struct armed *a = recording_armed(r);
	const struct frame *around = frame_innermost();
	struct quiet quiet;
	const char *name;
	bool is_quiet;
	struct match m;

	/* It is about to be freed: this is how it ends. While no ends are seen it may be another. */
	if (!a || !track_drop(r->track, skb, &m))
		return;
	/* Looking for the place is not the packet's. */
	is_quiet = quiet_begin(&quiet, _THIS_IP_, 0, around ? frame_around(around) : FRAME_NONE);
	name = compat_drop_reason(reason);
	rcu_read_lock();
	emit_drop(r, skb, &m, is_quiet ? real_location(place) : place, reason, name ?: "",
		  reason == SKB_DROP_REASON_QDISC_DROP ? qdisc_of(r, skb, &m) : "", qdisc_reason);
	trigger_dropped(a, &m, name ?: "");
	rcu_read_unlock();
	if (is_quiet)
		quiet_end(&quiet);
}

static void drop(const struct sk_buff *skb, unsigned long place, enum skb_drop_reason reason,
		 const char *qdisc_reason)
{
	const struct recording *r;

	if (!track_any())
		return;
	/* From some kernel on the callers can be preempted. */
	preempt_disable_notrace();
	for_each_recording(r)
		drop_of(r, skb, place, reason, qdisc_reason);
	preempt_enable_notrace();
}

static void on_kfree_skb(void *data, struct sk_buff *skb, void *location,
			 enum skb_drop_reason reason COMPAT_RX_SK)
{
	drop(skb, (unsigned long)location, reason, "");
}

#ifdef COMPAT_QDISC_REASONS
static struct tracepoint *qdisc_tp;

/* It comes first, from what frees the list of those that a qdisc has dropped. */
static void on_qdisc_drop(void *data, struct Qdisc *qdisc, const struct netdev_queue *txq,
			  struct net_device *dev, struct sk_buff *skb,
			  enum qdisc_drop_reason reason)
{
	drop(skb, _RET_IP_, SKB_DROP_REASON_QDISC_DROP, compat_qdisc_reason(reason));
}

/* Without it the reason is the one that all qdiscs give. */
static void qdisc_drops_start(void)
{
	if (qdisc_tp && tracepoint_probe_register(qdisc_tp, on_qdisc_drop, NULL))
		qdisc_tp = NULL;
}

static void qdisc_drops_stop(void)
{
	if (qdisc_tp)
		tracepoint_probe_unregister(qdisc_tp, on_qdisc_drop, NULL);
}

static void qdisc_drops_init(void)
{
	qdisc_tp = tracepoint_named("qdisc_drop");
}
#else
static void qdisc_drops_start(void) {}

static void qdisc_drops_stop(void) {}

static void qdisc_drops_init(void) {}
#endif

/* Packets will be numbered anew; @r is not armed. */
void drops_forget_all(const struct recording *r)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(&per_cpu(queued, cpu)[r->number], 0, sizeof(struct queued));
}

/* From now on tracked packets that are dropped have an event. */
int drops_start(void)
{
	const int err = tracepoint_probe_register(tp, on_kfree_skb, NULL);

	if (!err)
		qdisc_drops_start();
	return err;
}

void drops_stop(void)
{
	tracepoint_probe_unregister(tp, on_kfree_skb, NULL);
	qdisc_drops_stop();
	tracepoint_synchronize_unregister();
}

int drops_init(void)
{
	tp = tracepoint_named("kfree_skb");
	qdisc_drops_init();
	return tp ? 0 : -ENOENT;
}
