// SPDX-License-Identifier: GPL-2.0
/* prefilter.c - set up the prefilter, and test the calls that prefilter_rejects() does not reject */
#include <linux/cache.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/preempt.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <net/sock.h>

#include "active_config.h"
#include "probes.h"
#include "flow_table.h"
#include "tasks.h"
#include "ports.h"
#include "prefilter.h"
#include "skb_table.h"

/*
 * Number of hash factors to try. With a hundred points and 2048 slots, about one factor in ten gives each
 * point its own slot.
 */
#define TRIES 200

struct prefilter record_skb_prefilter __read_mostly;
/*
 * The set is read for every packet of the machine. Writes to other data must not evict it from the caches, so
 * it has cache lines of its own.
 */
struct port_set record_skb_ports ____cacheline_aligned_in_smp;

/* Return: true if packets of followed tasks match even if they have ports. */
static bool follows_ports(const struct active_config *a)
{
	return (a->options.flags & (RECORD_SKB_OPT_FOLLOW | RECORD_SKB_OPT_FOLLOW_PORTLESS)) ==
	       RECORD_SKB_OPT_FOLLOW;
}

/* Return: the PREFILTER_* flags of a probe that gets a socket or a descriptor; -1 for the slow path. */
static int flags_of_call(const struct active_config *a, const struct point *point)
{
	const int sender = a->options.flags & RECORD_SKB_OPT_FOLLOW ? PREFILTER_SENDER : 0;
	int flags = PREFILTER_OTHER | sender;

	if (point->flags & (RECORD_SKB_POINT_RELEASE | RECORD_SKB_POINT_PEER))
		return -1;
	if (filter_is_none(&a->filter))
		return flags | PREFILTER_CALL;
	if (point->kind != RECORD_SKB_KIND_SOCK)
		return -1;
	flags |= PREFILTER_SOCK | (point->dir == RECORD_SKB_DIR_RX ? PREFILTER_RX : 0);
	if (!(point->flags & RECORD_SKB_POINT_MSG))
		return flags;
	return point->arg ? -1 : flags | PREFILTER_MSG;
}

/* Return: the PREFILTER_* flags for the kind of the probe; -1 for the slow path. */
static int flags_of_kind(const struct active_config *a, const struct point *point)
{
	switch (point->kind) {
	case RECORD_SKB_KIND_SKB:
		return (point->flags & RECORD_SKB_POINT_AT_DATA ? PREFILTER_AT_DATA : 0) |
		       (point->flags & RECORD_SKB_POINT_SENDER && follows_ports(a) ?
				PREFILTER_SENDER :
				0);
	case RECORD_SKB_KIND_SOCK:
	case RECORD_SKB_KIND_SOCKET:
	case RECORD_SKB_KIND_FD:
	case RECORD_SKB_KIND_KIOCB:
	case RECORD_SKB_KIND_FAMILY:
		return flags_of_call(a, point);
	case POINT_KIND_IRQ:
		return PREFILTER_OTHER | PREFILTER_INSIDE;
	case POINT_KIND_RULE:
		return PREFILTER_OTHER | PREFILTER_RULE;
	case RECORD_SKB_KIND_FRAME:
		return PREFILTER_OTHER | PREFILTER_XDP;
	case POINT_KIND_DECISION:
		return PREFILTER_OTHER | (point->inside ? PREFILTER_INSIDE : PREFILTER_TRACKED);
	case POINT_KIND_MAKER:
	case POINT_KIND_FREE:
	case POINT_KIND_HEADER:
	case POINT_KIND_ENQUEUE:
	case POINT_KIND_PROGRAM:
	case POINT_KIND_REDIRECT:
		return PREFILTER_OTHER | PREFILTER_TRACKED;
	}
	return -1;
}

/* Return: the PREFILTER_* flags of a point, -1 for a point that takes the slow path. */
static int flags_of(const struct active_config *a, const struct point *point)
{
	const int flags = flags_of_kind(a, point);

	return flags < 0 || point->arg > PREFILTER_MAX_ARG ? -1 : flags | (int)point->arg;
}

/*
 * Return: the flags of a point for all recordings together. If the recordings need different flags, the
 * result is -1, and calls of the point take the slow path. @flags: the flags for @a
 */
static int merge_flags(const struct active_config *a, unsigned long ip, int flags)
{
	const struct recording *r;
	int theirs;

	for_each_recording(r) {
		const struct active_config *other = recording_armed(r);
		const struct point *point = other && other != a ? active_config_point(other, ip) :
								  NULL;

		if (!point || flags < 0)
			continue;
		theirs = flags_of(other, point);
		if (theirs < 0 || (theirs ^ flags) & ~PREFILTER_SENDER)
			return -1;
		flags |= theirs;
	}
	return flags;
}

/*
 * The address of a slot whose point was removed. No other point gets the slot while a recording is armed: a
 * callback that found the old point can be preempted before it reads the flags.
 */
#define PREFILTER_USED 1

/*
 * Put a point into its slot. If several recordings need different flags for the same function, the point
 * takes the slow path.
 * Return: false if another point already has this slot.
 */
static bool add_point(const struct active_config *a, const struct point *point)
{
	struct prefilter_probe *probe =
		&record_skb_prefilter.probe[prefilter_slot(point->ip, record_skb_prefilter.factor)];
	int flags = flags_of(a, point);

	if (probe->ip == point->ip) {
		if (flags < 0 || (probe->flags ^ flags) & ~PREFILTER_SENDER)
			WRITE_ONCE(probe->ip, PREFILTER_USED);
		else
			WRITE_ONCE(probe->flags, probe->flags | flags);
		return true;
	}
	flags = merge_flags(a, point->ip, flags);
	if (flags < 0)
		return true;
	if (probe->ip)
		return false;
	probe->flags = flags;
	/*
	 * Pairs with the reads in callbacks: a callback that finds the address also finds the other fields.
	 */
	smp_store_release(&probe->ip, point->ip);
	return true;
}

/* Return: the number of points without a slot. */
static u32 add_points(const struct active_config *a)
{
	u32 i, nr_left = 0;

	for (i = 0; i < a->points.nr; i++)
		nr_left += !add_point(a, &a->points.point[i]);
	return nr_left;
}

/*
 * Choose a hash factor that gives every point its own slot. ftrace must not call any of the points yet.
 */
static void place_points(const struct active_config *a)
{
	int tries = TRIES;

	record_skb_prefilter.factor = GOLDEN_RATIO_64;
	do {
		memset(record_skb_prefilter.probe, 0, sizeof(record_skb_prefilter.probe));
		if (!add_points(a))
			return;
		record_skb_prefilter.factor = record_skb_prefilter.factor * GOLDEN_RATIO_64 | 1;
	} while (--tries);
}

/* Add the ports of @from to @to. While this runs, a callback may add ports to either set. */
static void merge_ports(unsigned long *to, const unsigned long *from)
{
	u32 port;

	for_each_set_bit(port, from, 1 << 16) if (!test_bit(port, to)) set_bit(port, to);
}

static void merge_port_sets(struct port_set *to, const struct port_set *from)
{
	merge_ports(to->src, from->src);
	merge_ports(to->dst, from->dst);
}

static void add_ports(const struct active_config *a)
{
	if (a->filter.raw || a->filter.ll) {
		if (a->filter.sieve.ports)
			merge_port_sets(&record_skb_ports, a->filter.sieve.ports);
		else
			memset(&record_skb_ports, 0xff, sizeof(record_skb_ports));
	}
	/* Ports of followed flows that become known later are added by flow_table.c. */
	if (follows_ports(a))
		merge_port_sets(&record_skb_ports, flow_table_ports(a->recording->flows));
}

static bool any_armed(void)
{
	const struct recording *r;

	for_each_recording(r)
		if (recording_armed(r))
			return true;
	return false;
}

/**
 * prefilter_start() - add the points and ports of a recording, before ftrace calls its points
 * @a: the configuration to be armed
 *
 * The caller holds session_lock.
 */
void prefilter_start(const struct active_config *a)
{
	if (any_armed()) {
		/*
		 * Callbacks of other recordings use the slots and the ports. Therefore slots and ports may
		 * only be added.
		 */
		add_points(a);
	} else {
		place_points(a);
		memset(&record_skb_ports, 0, sizeof(record_skb_ports));
	}
	add_ports(a);
}

/**
 * prefilter_forget_module() - remove the functions of a module, because their addresses may be reused
 * @mod: the module that is being unloaded
 */
void prefilter_forget_module(const struct module *mod)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(record_skb_prefilter.probe); i++) {
		struct prefilter_probe *probe = &record_skb_prefilter.probe[i];

		if (within_module(probe->ip, mod))
			WRITE_ONCE(probe->ip, PREFILTER_USED);
	}
}

/* Return: true if the recording follows the current task, and no interrupt or softirq is running. */
static bool is_followed(const struct active_config *a)
{
	return a->options.flags & RECORD_SKB_OPT_FOLLOW && in_task() &&
	       task_table_current(a->recording->follow);
}

/* Return: true if neither the filter nor a followed flow matches a packet with these headers. */
static bool rejects_headers(const struct active_config *a, const struct headers *h)
{
	return filter_rejects(&a->filter, h) &&
	       !(follows_ports(a) &&
		 port_set_has(flow_table_ports(a->recording->flows), h->sport, h->dport));
}

static bool passes_packet(const struct active_config *a, const struct point *point,
			  const struct sk_buff *skb)
{
	/* The header is never before skb->head, so only its end is checked. */
	const u8 *header = point->flags & RECORD_SKB_POINT_AT_DATA ? skb->data :
								     skb_network_header(skb);
	struct headers headers;

	return sieve_read_packet(skb, header, &headers) && rejects_headers(a, &headers) &&
	       !(point->flags & RECORD_SKB_POINT_SENDER && is_followed(a)) &&
	       !skb_table_knows(a->recording->track, skb);
}

static bool passes_list(const struct active_config *a, const struct point *point,
			const struct list_head *head)
{
	const struct sk_buff *skb;

	list_for_each_entry(skb, head, list)
		if (!passes_packet(a, point, skb))
			return false;
	return true;
}

/*
 * Read the peer address of a socket call from the argument after the socket. This argument is a struct
 * msghdr, or it is the address itself, and then the next argument is the length of the address.
 * Return: false if the peer address cannot be read.
 */
static bool read_peer(const struct point *point, const struct hit *hit, struct headers *h)
{
	const void *next = (const void *)hit->arg[point->arg + 1];
	const struct msghdr *msg = next;

	if (!next)
		return true;
	if (point->flags & RECORD_SKB_POINT_PEER)
		return sieve_set_peer(h, next, hit->arg[point->arg + 2]);
	return !msg->msg_name || sieve_set_peer(h, msg->msg_name, msg->msg_namelen);
}

static bool passes_sock(const struct active_config *a, const struct point *point,
			const struct sock *sk, const struct hit *hit)
{
	struct headers h;

	if (filter_is_none(&a->filter))
		return true;
	if (IS_ERR_OR_NULL(sk) || !sieve_read_sock(sk, &h))
		return false;
	if (point->flags & (RECORD_SKB_POINT_PEER | RECORD_SKB_POINT_MSG) &&
	    !read_peer(point, hit, &h))
		return false;
	if (point->dir == RECORD_SKB_DIR_RX)
		sieve_turn(&h);
	return filter_rejects(&a->filter, &h);
}

/*
 * Return: true if the recording does not need this call. A recording needs all calls of followed tasks. While
 * a local port is followed, a recording also needs calls that close a socket: after such a call, the port may
 * no longer be followed.
 */
static bool passes_call(const struct active_config *a, const struct point *point, void *arg,
			const struct hit *hit)
{
	if (is_followed(a) ||
	    (point->flags & RECORD_SKB_POINT_RELEASE && flow_table_any_local(a->recording->flows)))
		return false;
	switch (point->kind) {
	case RECORD_SKB_KIND_SOCK:
		return passes_sock(a, point, arg, hit);
	case RECORD_SKB_KIND_SOCKET:
		return !arg || passes_sock(a, point, ((struct socket *)arg)->sk, hit);
	case RECORD_SKB_KIND_FAMILY:
		return true;
	default:
		return filter_is_none(&a->filter);
	}
}

static bool passes_point(const struct active_config *a, const struct point *point,
			 const struct hit *hit)
{
	void *arg = (void *)hit->arg[point->arg];

	switch (point->kind) {
	case POINT_KIND_IRQ:
		return true;
	case POINT_KIND_MAKER:
		return !skb_table_any() || IS_ERR_OR_NULL(arg) ||
		       !skb_table_has(a->recording->track, arg);
	case RECORD_SKB_KIND_SKB:
		return IS_ERR_OR_NULL(arg) || passes_packet(a, point, arg);
	case RECORD_SKB_KIND_FRAME:
		return false;
	case RECORD_SKB_KIND_LIST:
		return IS_ERR_OR_NULL(arg) || passes_list(a, point, arg);
	default:
		return passes_call(a, point, arg, hit);
	}
}

/**
 * prefilter_passes_call() - decide on a call that prefilter_rejects() does not reject
 * @hit: the call
 *
 * The current context must be inside no gate, with preemption off.
 *
 * Return: true if no recording wants the call.
 */
bool prefilter_passes_call(const struct hit *hit)
{
	const struct recording *r;

	for_each_recording(r) {
		const struct active_config *a = recording_armed(r);
		const struct point *point = a ? active_config_point(a, hit->ip) : NULL;

		if (point && !passes_point(a, point, hit))
			return false;
	}
	return true;
}
