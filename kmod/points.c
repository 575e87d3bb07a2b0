// SPDX-License-Identifier: GPL-2.0
/*
 * points.c - stand at the functions and lead the packets that match through the gate
 *
 * One ftrace_ops for all points. Armed after function_graph it is called before it, so the event stands
 * before the graph, and setting the instruction pointer decides what the graph sees next.
 */
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "compat/ftrace.h"
#include "emit.h"
#include "frame.h"
#include "gate.h"
#include "match.h"
#include "points.h"
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

static const struct point *point_find(const struct session *s, unsigned long ip)
{
	u32 i;

	for (i = point_hash(ip); s->by_ip[i]; i = (i + 1) % ARRAY_SIZE(s->by_ip)) {
		const struct point *point = &s->points[s->by_ip[i] - 1];

		if (point->ip == ip)
			return point;
	}
	return NULL;
}

static void skb_other(const struct point *point, const struct sk_buff *skb,
		      struct ftrace_regs *fregs)
{
	enum frame_state state = frame_current();

	if (state != FRAME_OPEN && state != FRAME_ENTERING)
		return;
	emit_other(point, skb);
	stat_inc(STAT_STRANGERS);
	if (point->flags & RECORD_SKB_POINT_CARRIER)
		return;
	if (!frame_push(FRAME_SHUT, point->ip, point->ip, 0, 0)) {
		stat_inc(STAT_LOST_FRAMES);
		return;
	}
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)record_skb_shut_gate);
}

static void skb_matched(const struct session *s, const struct point *point,
			const struct sk_buff *skb, const struct match *m,
			struct ftrace_regs *fregs)
{
	stat_inc(STAT_HITS);
	switch (frame_current()) {
	case FRAME_OPEN:
		emit_packet(point, skb, m, RECORD_SKB_HOW_NESTED);
		return;
	case FRAME_SHUT:
		stat_inc(STAT_LOST_HIDDEN);
		emit_packet(point, skb, m, RECORD_SKB_HOW_HIDDEN);
		return;
	case FRAME_NONE:
	case FRAME_ENTERING:
		break;
	}
	if (!frame_push(FRAME_ENTERING, point->ip, point->ip, m->pkt, s->epoch)) {
		stat_inc(STAT_LOST_FRAMES);
		emit_packet(point, skb, m, RECORD_SKB_HOW_HIDDEN);
		return;
	}
	stat_inc(STAT_GRAPHS);
	emit_packet(point, skb, m, RECORD_SKB_HOW_OPEN);
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)record_skb_gate);
}

static void point_seen(const struct session *s, const struct point *point,
		       struct ftrace_regs *fregs)
{
	const void *arg = (const void *)ftrace_regs_get_argument(fregs, point->arg);
	struct match m;

	if (!arg)
		return;
	switch (point->kind) {
	case POINT_KIND_FREE:
		track_forget(arg);
		break;
	case RECORD_SKB_KIND_SKB:
		if (match_skb(s, point, arg, &m))
			skb_matched(s, point, arg, &m, fregs);
		else
			skb_other(point, arg, fregs);
		break;
	}
}

static void notrace point_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			      struct ftrace_regs *fregs)
{
	const struct session *s;
	const struct point *point;
	int bit;

	/* The gate calls the function it stands in for. */
	if (gate_is_caller(parent_ip))
		return;
	/* Also keeps function_graph from recording what we call. */
	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0) {
		stat_inc(STAT_LOST_RECURSION);
		return;
	}
	s = READ_ONCE(armed);
	if (s && !in_nmi()) {
		point = point_find(s, ip);
		if (point)
			point_seen(s, point, fregs);
	}
	ftrace_test_recursion_unlock(bit);
}

static struct ftrace_ops ops = {
	.func = point_hit,
	.flags = FTRACE_OPS_FL_IPMODIFY
#ifndef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
		| FTRACE_OPS_FL_SAVE_REGS
#endif
		,
};

static int point_add(struct session *s, const struct point *want)
{
	struct point *point = &s->points[s->nr_points];
	int err;
	u32 i;

	for (i = 0; i < s->nr_points; i++)
		if (!strcmp(s->points[i].func, want->func))
			return -EEXIST;

	*point = *want;
	err = resolve(point->func, &point->lookup);
	if (err)
		return err;
	point->ip = (unsigned long)point->lookup->addr;
	err = ftrace_set_filter_ip(&ops, point->ip, 0, 0);
	if (err) {
		resolve_done(&point->lookup, 1);
		return err == -ENOMEM ? err : -EOPNOTSUPP;
	}
	s->nr_points++;
	return 0;
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
	struct point point = {
		.kind = want->kind,
		.arg = want->arg,
		.dir = want->dir,
		.flags = want->flags,
	};

	if (want->kind != RECORD_SKB_KIND_SKB || want->arg > 5 || want->dir > RECORD_SKB_DIR_TX ||
	    want->flags & ~(RECORD_SKB_POINT_CARRIER | RECORD_SKB_POINT_SENDER) ||
	    !want->func[0] || strnlen(want->func, sizeof(want->func)) == sizeof(want->func))
		return -EINVAL;
	if (s->nr_points - s->nr_own >= RECORD_SKB_MAX_POINTS)
		return -ENOSPC;
	strscpy(point.func, want->func, sizeof(point.func));
	return point_add(s, &point);
}

/*
 * Every skb's end goes through one of these. Without the first a packet's address could come back as
 * another packet, so then nothing is tracked.
 */
static const char * const free_functions[POINTS_OWN] = {
	"skb_release_head_state",
	"napi_skb_free_stolen_head",
};

static void add_free_functions(struct session *s)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(free_functions); i++) {
		struct point point = { .kind = POINT_KIND_FREE };
		int err;

		strscpy(point.func, free_functions[i], sizeof(point.func));
		err = point_add(s, &point);
		if (!err)
			s->nr_own++;
		else if (!i && err != -EEXIST)
			s->options.flags |= RECORD_SKB_OPT_NO_TRACK;
	}
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
	unregister_ftrace_function(&ops);
}

/* Forget the points of a session that is not armed. */
void points_free(struct session *s)
{
	lookups_done(s);
	if (s->nr_points)
		ftrace_free_filter(&ops);
	s->nr_points = 0;
	s->nr_own = 0;
}
