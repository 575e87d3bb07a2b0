// SPDX-License-Identifier: GPL-2.0
/*
 * points.c - stand at the functions and lead the packets that match through the gate
 *
 * One ftrace_ops for all points. Armed after function_graph it is called before it, so the event
 * stands before the graph, and setting the instruction pointer decides what the graph sees next.
 */
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "calls.h"
#include "compat/ftrace.h"
#include "drivers.h"
#include "emit.h"
#include "frame.h"
#include "gate.h"
#include "match.h"
#include "points.h"
#include "quiet.h"
#include "resolve.h"
#include "session.h"
#include "stats.h"
#include "track.h"

/* The session whose points are armed. Set and cleared under session_lock; callbacks read it once. */
static struct session *armed;

static u32 point_hash(unsigned long ip)
{
	return hash_long(ip, POINT_HASH_BITS);
}

/* The session's point at an address, NULL if none. */
const struct point *point_find(const struct session *s, unsigned long ip)
{
	u32 i;

	for (i = point_hash(ip); s->by_ip[i]; i = (i + 1) % ARRAY_SIZE(s->by_ip)) {
		const struct point *point = &s->points[s->by_ip[i] - 1];

		if (READ_ONCE(point->ip) == ip)
			return point;
	}
	return NULL;
}

/* Only while preemption is off. */
const struct session *points_armed(void)
{
	return READ_ONCE(armed);
}

/*
 * Keep a call out of the open graph around it. The gate enters the function behind its ftrace
 * site: all that stand there have seen the call.
 */
static gate_fn *shut(const struct session *s, const struct point *point)
{
	const struct frame frame = {
		.state = FRAME_SHUT,
		.target = point->ip + MCOUNT_INSN_SIZE,
		.func = point->ip,
		.epoch = s->epoch,
		.fd = -1,
	};

	return frame_push(&frame) ? gate_shut : NULL;
}

/**
 * point_other() - what does not match stands at a point: keep it out of an open graph
 * @s: the armed session
 * @point: where
 * @object: the skb or sock
 *
 * Return: the gate to lead the call through, its frame pushed; NULL to let it pass.
 */
gate_fn *point_other(const struct session *s, const struct point *point, const void *object)
{
	enum frame_state state = frame_current(s->epoch);
	gate_fn *gate;

	if (state != FRAME_OPEN && state != FRAME_ENTERING)
		return NULL;
	emit_other(point->ip, object);
	stat_inc(STAT_STRANGERS);
	if (point->flags & RECORD_SKB_POINT_CARRIER)
		return NULL;
	gate = shut(s, point);
	if (!gate)
		stat_inc(STAT_LOST_FRAMES);
	return gate;
}

/* What matches stands at a point. Sets @how the graph goes on and returns the gate, NULL for none. */
static gate_fn *open_graph(const struct session *s, const struct point *point, u32 pkt, int fd,
			   enum record_skb_how *how)
{
	struct frame frame = {
		.state = FRAME_ENTERING,
		.target = point->ip,
		.func = point->ip,
		.pkt = pkt,
		.epoch = s->epoch,
		.fd = fd,
	};
	gate_fn *gate = record_skb_gate;

	*how = RECORD_SKB_HOW_OPEN;
	switch (frame_current(s->epoch)) {
	case FRAME_OPEN:
		*how = RECORD_SKB_HOW_NESTED;
		return NULL;
	case FRAME_SHUT:
		*how = RECORD_SKB_HOW_NESTED;
		gate = gate_resume;
		break;
	case FRAME_NONE:
	case FRAME_ENTERING:
		break;
	}
	if (!frame_push(&frame)) {
		stat_inc(STAT_LOST_FRAMES);
		*how = RECORD_SKB_HOW_HIDDEN;
		return NULL;
	}
	if (*how == RECORD_SKB_HOW_OPEN)
		stat_inc(STAT_GRAPHS);
	return gate;
}

/**
 * point_matched_call() - a call that matches stands at a point
 * @s: the armed session
 * @point: where
 * @sk: the socket, NULL if there is none yet
 * @t: its tuple
 * @flow: the flow's number or 0
 * @fd: the descriptor the call is on, or -1
 *
 * Return: the gate to lead the call through, its frame pushed; NULL to let it pass.
 */
gate_fn *point_matched_call(const struct session *s, const struct point *point,
			    const struct sock *sk, const struct tuple *t, u32 flow, int fd)
{
	enum record_skb_how how;
	gate_fn *gate = open_graph(s, point, 0, fd, &how);

	stat_inc(STAT_CALLS);
	emit_call(point, sk, t, flow, how);
	return gate;
}

/**
 * point_matched_skb() - a packet that matches stands at a point
 * @s: the armed session
 * @point: where
 * @skb: the packet
 * @m: its numbers
 *
 * Return: the gate to lead the call through, its frame pushed; NULL to let it pass.
 */
gate_fn *point_matched_skb(const struct session *s, const struct point *point,
			   const struct sk_buff *skb, const struct match *m)
{
	enum record_skb_how how;
	gate_fn *gate = open_graph(s, point, m->pkt, -1, &how);

	stat_inc(STAT_HITS);
	emit_packet(point, skb, m, how);
	return gate;
}

static gate_fn *skb_seen(const struct session *s, const struct point *point,
			 const struct sk_buff *skb)
{
	struct match m;

	if (match_skb(s, point, skb, &m))
		return point_matched_skb(s, point, skb, &m);
	return point_other(s, point, skb);
}

/* Some of the list match: it is to be handed over in pieces. */
static gate_fn *list_split(const struct session *s, const struct point *point)
{
	enum frame_state state = frame_current(s->epoch);
	const struct frame frame = {
		/* This one does nothing to the graph: inside it things are as they were. */
		.state = state == FRAME_ENTERING ? FRAME_NONE : state,
		.target = point->ip,
		.func = point->ip,
		.epoch = s->epoch,
		.fd = -1,
		.arg = point->arg,
	};

	if (frame_push(&frame))
		return gate_list;
	stat_inc(STAT_LOST_FRAMES);
	return NULL;
}

static gate_fn *list_seen(const struct session *s, const struct point *point,
			  struct list_head *head)
{
	const struct sk_buff *skb;

	if (list_empty(head))
		return NULL;
	/* A list of one is as good as the one. */
	if (list_is_singular(head))
		return skb_seen(s, point, list_first_entry(head, struct sk_buff, list));
	list_for_each_entry(skb, head, list)
		if (match_skb_quick(s, point, skb))
			return list_split(s, point);
	return point_other(s, point, list_first_entry(head, struct sk_buff, list));
}

/* What an interrupt brings into an open graph is not the graph's, but for the matches in it. */
static gate_fn *irq_seen(const struct session *s, const struct point *point)
{
	if (s->options.flags & RECORD_SKB_OPT_IRQS || frame_current(s->epoch) != FRAME_OPEN)
		return NULL;
	return shut(s, point);
}

/* The skb ends: nothing has thrown it away, or that would have been its end. */
static void skb_freed(const struct sk_buff *skb)
{
	struct match m;

	if (track_forget(skb, &m))
		emit_end(skb, &m);
}

static gate_fn *point_seen(const struct session *s, const struct point *point,
			   struct ftrace_regs *fregs)
{
	void *arg;

	if (point->kind == POINT_KIND_IRQ)
		return irq_seen(s, point);
	if (point->kind > RECORD_SKB_KIND_LIST && point->kind < POINT_KIND_FREE)
		return call_seen(s, point, fregs);
	arg = (void *)ftrace_regs_get_argument(fregs, point->arg);
	if (IS_ERR_OR_NULL(arg))
		return NULL;
	switch (point->kind) {
	case RECORD_SKB_KIND_SKB:
		return skb_seen(s, point, arg);
	case RECORD_SKB_KIND_LIST:
		return list_seen(s, point, arg);
	case POINT_KIND_FREE:
		skb_freed(arg);
		break;
	}
	return NULL;
}

static void notrace point_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			      struct ftrace_regs *fregs)
{
	const struct session *s;
	const struct point *point;
	struct quiet quiet;
	gate_fn *gate;

	/* A gate calls the function it stands in for; what that ends with by a jump is another call. */
	if (gate_is_caller(parent_ip) && frame_is_of(ip))
		return;
	if (!quiet_begin(&quiet, ip, parent_ip)) {
		stat_inc(STAT_LOST_RECURSION);
		return;
	}
	s = READ_ONCE(armed);
	if (s && !in_nmi()) {
		point = point_find(s, ip);
		gate = point ? point_seen(s, point, fregs) : NULL;
		if (gate)
			ftrace_regs_set_instruction_pointer(fregs, (unsigned long)gate);
	}
	quiet_end(&quiet);
}

static struct ftrace_ops ops = {
	.func = point_hit,
	.flags = FTRACE_OPS_FL_IPMODIFY
#ifndef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
		| FTRACE_OPS_FL_SAVE_REGS
#endif
		,
};

/* By its name, or by @address if that is not 0. */
static int point_add(struct session *s, const struct point *want, unsigned long address)
{
	struct point *point = &s->points[s->nr_points];
	int err;
	u32 i;

	if (s->nr_points >= RECORD_SKB_MAX_POINTS + POINTS_OWN)
		return -ENOSPC;
	*point = *want;
	err = address ? resolve_address(address, &point->lookup) :
			resolve(point->func, &point->lookup);
	if (err)
		return err;
	point->ip = (unsigned long)point->lookup->addr;
	if (within_module(point->ip, THIS_MODULE)) {
		err = -EOPNOTSUPP;
		goto done;
	}
	for (i = 0; i < s->nr_points; i++) {
		if (s->points[i].ip == point->ip) {
			err = -EEXIST;
			goto done;
		}
	}
	err = ftrace_set_filter_ip(&ops, point->ip, 0, 0);
	if (err) {
		err = err == -ENOMEM ? err : -EOPNOTSUPP;
		goto done;
	}
	s->nr_points++;
	return 0;

done:
	resolve_done(&point->lookup, 1);
	return err;
}

/*
 * Every skb's end goes through one of these. Without the first a packet's address could come back
 * as another packet, so then nothing is tracked.
 */
static const char * const free_functions[] = {
	"skb_release_head_state",
	"napi_skb_free_stolen_head",
	"__consume_stateless_skb",	/* UDP, when its reader has it */
};

static bool is_free_function(const char *func)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(free_functions); i++)
		if (!strcmp(func, free_functions[i]))
			return true;
	return false;
}

/**
 * points_add() - one more function to stand at
 * @s: the claimed session, not armed
 * @want: the function, as user space says it
 *
 * Return: as the documentation of struct record_skb_point says.
 */
int points_add(struct session *s, const struct record_skb_point *want)
{
	const u32 flags = RECORD_SKB_POINT_CARRIER | RECORD_SKB_POINT_SENDER |
			  RECORD_SKB_POINT_AT_DATA | RECORD_SKB_POINT_PEER |
			  RECORD_SKB_POINT_MSG | RECORD_SKB_POINT_NO_DEV |
			  RECORD_SKB_POINT_RELEASE;
	struct point point = {
		.kind = want->kind,
		.arg = want->arg,
		.dir = want->dir,
		.flags = want->flags,
	};

	if (!want->func[0] || strnlen(want->func, sizeof(want->func)) == sizeof(want->func) ||
	    want->kind > RECORD_SKB_KIND_FAMILY || want->arg > 5 ||
	    want->dir > RECORD_SKB_DIR_TX || want->flags & ~flags)
		return -EINVAL;
	/* The peer is in the argument after it, and the length of its address in the next. */
	if ((want->flags & RECORD_SKB_POINT_MSG && want->arg > 4) ||
	    (want->flags & RECORD_SKB_POINT_PEER && want->arg > 3))
		return -EINVAL;
	if (want->kind == RECORD_SKB_KIND_FAMILY && want->arg > 3)
		return -EINVAL;
	/* There is no packet any more, and they are for us. */
	if (is_free_function(want->func))
		return -EOPNOTSUPP;
	if (s->nr_points - s->nr_own >= RECORD_SKB_MAX_POINTS)
		return -ENOSPC;
	strscpy(point.func, want->func, sizeof(point.func));
	return point_add(s, &point, 0);
}

static void add_free_functions(struct session *s)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(free_functions); i++) {
		struct point point = { .kind = POINT_KIND_FREE };
		int err;

		strscpy(point.func, free_functions[i], sizeof(point.func));
		err = point_add(s, &point, 0);
		if (!err)
			s->nr_own++;
		else if (!i && err != -EEXIST)
			s->options.flags |= RECORD_SKB_OPT_NO_TRACK;
	}
}

static void add_interrupts(struct session *s)
{
	const struct point point = { .kind = POINT_KIND_IRQ, .func = "irq_exit_rcu" };

	if (!point_add(s, &point, 0))
		s->nr_own++;
}

/* The last place a packet is seen on its way out is its driver's own function. */
static void add_drivers(struct session *s)
{
	unsigned long functions[POINTS_OWN - ARRAY_SIZE(free_functions) - 1];
	const struct point point = {
		.kind = RECORD_SKB_KIND_SKB,
		.dir = RECORD_SKB_DIR_TX,
	};
	unsigned int i, nr;

	nr = drivers_transmit(functions, ARRAY_SIZE(functions));
	for (i = 0; i < nr && s->nr_own < POINTS_OWN; i++)
		if (!point_add(s, &point, functions[i]))
			s->nr_own++;
}

static void lookups_done(struct session *s)
{
	struct kprobe **lookups;
	u32 i, nr = 0;

	lookups = kvcalloc(s->nr_points, sizeof(*lookups), GFP_KERNEL);
	for (i = 0; i < s->nr_points; i++) {
		if (!s->points[i].lookup)
			continue;
		if (lookups)
			lookups[nr++] = s->points[i].lookup;
		else
			resolve_done(&s->points[i].lookup, 1);
		s->points[i].lookup = NULL;
	}
	resolve_done(lookups, nr);
	kvfree(lookups);
}

static bool wanted(const struct session *s, const struct point *point)
{
	return !s->options.dirs || point->dir == RECORD_SKB_DIR_NONE ||
	       s->options.dirs & (1 << point->dir);
}

/**
 * points_arm() - start matching
 * @s: a session with at least one point
 *
 * Return: 0, or why ftrace refuses: -EBUSY if a live patch has one of the functions.
 */
int points_arm(struct session *s)
{
	u32 i, slot;
	int err;

	if (!(s->options.flags & RECORD_SKB_OPT_NO_TRACK))
		add_free_functions(s);
	if (!(s->options.flags & RECORD_SKB_OPT_IRQS))
		add_interrupts(s);
	add_drivers(s);
	lookups_done(s);

	memset(s->by_ip, 0, sizeof(s->by_ip));
	for (i = 0; i < s->nr_points; i++) {
		if (!wanted(s, &s->points[i]))
			continue;
		slot = point_hash(s->points[i].ip);
		while (s->by_ip[slot])
			slot = (slot + 1) % ARRAY_SIZE(s->by_ip);
		s->by_ip[slot] = i + 1;
	}

	WRITE_ONCE(armed, s);
	err = register_ftrace_function(&ops);
	if (err)
		WRITE_ONCE(armed, NULL);
	return err;
}

/* Stop matching. When it returns, no callback is running and none will. */
void points_disarm(struct session *s)
{
	WRITE_ONCE(armed, NULL);
	/* An ftrace that has shut itself down (FTRACE_WARN_ON) goes on calling us: then stay for good. */
	if (unregister_ftrace_function(&ops))
		__module_get(THIS_MODULE);
	/* Gates look at the armed session too. */
	synchronize_rcu();
}

/**
 * points_module_gone() - a module with probe points is being unloaded
 * @s: the session that has claimed
 * @mod: the module
 *
 * Its functions' addresses may be other functions' next, and ftrace itself does not take them off a
 * user's list: it would believe that the new ones are traced.
 *
 * Return: false if the session is left without a point that it could be armed with. Then its points
 * are still there, for with none ftrace would trace every function; it has to be disarmed.
 */
bool points_module_gone(struct session *s, const struct module *mod)
{
	u32 i, nr_left = 0;

	for (i = 0; i < s->nr_points; i++)
		nr_left += s->points[i].ip && !within_module(s->points[i].ip, mod);
	if (s->nr_points && !nr_left)
		return false;
	for (i = 0; i < s->nr_points; i++) {
		struct point *point = &s->points[i];

		if (!within_module(point->ip, mod))
			continue;
		if (ftrace_set_filter_ip(&ops, point->ip, 1, 0))
			return false;
		WRITE_ONCE(point->ip, 0);
	}
	return true;
}

/* Forget the points of a session that is not armed. */
void points_free(struct session *s)
{
	lookups_done(s);
	/* Empties it; ftrace_free_filter() would leave a pointer to what it freed. */
	ftrace_set_filter(&ops, NULL, 0, 1);
	s->nr_points = 0;
	s->nr_own = 0;
}

/* Nothing is armed and nothing will be. */
void points_exit(void)
{
	ftrace_free_filter(&ops);
}
