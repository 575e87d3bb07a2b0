// SPDX-License-Identifier: GPL-2.0
/*
 * probes.c - the probe points that user space names, and those that the module needs itself
 *
 * The module needs functions that free and copy skbs. It also needs the transmit functions and the queueing
 * disciplines (qdiscs) of all devices. The caller of each function holds session_lock, except that of
 * qdisc_has_parts().
 */
#include <linux/hashtable.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/net_namespace.h>
#include <net/sch_generic.h>

#include "compat/nftrace.h"
#include "decisions.h"
#include "probes.h"
#include "probe_types.h"
#include "kernel_symbols.h"

/*
 * At the end of an skb, the kernel calls one of these functions. If skb_release_head_state() is missing, no
 * packet is tracked, because the module would not notice that the address of an skb is reused for another
 * packet.
 */
static const struct {
	const char *func;
	u32 arg;
} free_functions[] = {
	{ "skb_release_head_state", 0 },    /* called for nearly all skbs */
	{ "napi_skb_free_stolen_head", 0 }, /* called when the data is in another skb */
	{ "napi_reuse_skb", 1 },	    /* called when the driver reuses the skb */
	{ "__consume_stateless_skb", 0 },   /* called when a UDP datagram was read */
	{ "skb_attempt_defer_free", 0 },    /* called when the data of a TCP segment was read */
};

/*
 * Functions that get an skb and return a copy of the skb or a list of its segments. Functions that the
 * kernel does not have are left out.
 */
static const struct {
	const char *func;
	u32 arg;
	enum record_skb_copy_kind kind;
} makers[] = {
	{ "skb_clone", 0, RECORD_SKB_COPY_CLONE },
	{ "skb_copy", 0, RECORD_SKB_COPY_COPY },
	{ "skb_copy_expand", 0, RECORD_SKB_COPY_COPY },
	{ "skb_realloc_headroom", 0, RECORD_SKB_COPY_COPY },
	{ "skb_expand_head", 0, RECORD_SKB_COPY_COPY },
	{ "__pskb_copy_fclone", 0, RECORD_SKB_COPY_COPY },
	{ "skb_morph", 1, RECORD_SKB_COPY_MORPH },
	{ "skb_segment", 0, RECORD_SKB_COPY_SEGMENT },
	{ "skb_segment_list", 0, RECORD_SKB_COPY_SEGMENT },
	{ "ip_frag_next", 0, RECORD_SKB_COPY_FRAGMENT },
	{ "ip6_frag_next", 0, RECORD_SKB_COPY_FRAGMENT },
};

#define MAX_DRIVERS 64
#define MAX_QUEUES  16
/*
 * Maximum number of points that the module itself needs. The 9 are: skb_copy_header(), the end of
 * interrupts, nftables rules, two fork functions, a helper of BPF programs, the function that redirects
 * packets for BPF programs, and two functions that refuse packets for them.
 */
#define MAX_OWN                                                                              \
	(ARRAY_SIZE(free_functions) + ARRAY_SIZE(makers) + 9 + DECISION_SITES + MAX_QUEUES + \
	 MAX_DRIVERS)

int points_init(struct points *p, u32 max)
{
	*p = (struct points){ .max = max };
	p->point = kvcalloc(max, sizeof(*p->point), GFP_KERNEL);
	return p->point ? 0 : -ENOMEM;
}

void points_free(struct points *p)
{
	kvfree(p->point);
	*p = (struct points){};
}

/* Return: the point with this address, NULL if not found. */
struct point *points_find(const struct points *p, unsigned long ip)
{
	u32 i;

	for (i = 0; i < p->nr; i++)
		if (p->point[i].ip == ip)
			return &p->point[i];
	return NULL;
}

static int append_point(struct points *p, const struct point *point)
{
	if (within_module(point->ip, THIS_MODULE))
		return -EOPNOTSUPP;
	if (points_find(p, point->ip))
		return -EEXIST;
	if (p->nr == p->max)
		return -ENOSPC;
	p->point[p->nr++] = *point;
	return 0;
}

/*
 * Note in @p if a lookup failed for lack of memory. In that case, the kernel may have the function
 * nevertheless. @err: result of the lookup
 */
static int looked_up(struct points *p, int err)
{
	if (err == -ENOMEM)
		p->no_memory = true;
	return err;
}

static int append_named(struct points *p, const char *func, struct point point)
{
	return looked_up(p, kallsyms_find(func, &point.ip)) ?: append_point(p, &point);
}

static bool is_valid(const struct record_skb_point *want)
{
	const u32 flags = RECORD_SKB_POINT_CARRIER | RECORD_SKB_POINT_SENDER |
			  RECORD_SKB_POINT_AT_DATA | RECORD_SKB_POINT_PEER | RECORD_SKB_POINT_MSG |
			  RECORD_SKB_POINT_NO_DEV | RECORD_SKB_POINT_RELEASE |
			  RECORD_SKB_POINT_RETURN;

	if (!want->func[0] || strnlen(want->func, sizeof(want->func)) == sizeof(want->func) ||
	    want->kind > RECORD_SKB_KIND_FRAME || want->arg > 5 || want->dir > RECORD_SKB_DIR_TX ||
	    want->flags & ~flags)
		return false;
	/*
	 * The argument after the socket has the peer's address. The argument after that may have the length
	 * of the address.
	 */
	if ((want->flags & RECORD_SKB_POINT_MSG && want->arg > 4) ||
	    (want->flags & RECORD_SKB_POINT_PEER && want->arg > 3))
		return false;
	if (want->kind == RECORD_SKB_KIND_FAMILY && want->arg > 3)
		return false;
	/* The packets of a list share one call, so the return value does not belong to a single packet. */
	return want->kind != RECORD_SKB_KIND_LIST || !(want->flags & RECORD_SKB_POINT_RETURN);
}

/**
 * points_add() - add one probe point of user space
 * @p: points from points_init()
 * @want: the function, as user space describes it
 *
 * Return: 0 or an error as documented at struct record_skb_point.
 */
int points_add(struct points *p, const struct record_skb_point *want)
{
	struct point point = {
		.kind = want->kind,
		.arg = want->arg,
		.dir = want->dir,
		.flags = want->flags,
	};
	int err;

	if (!is_valid(want))
		return -EINVAL;
	if (p->nr == p->max)
		return -ENOSPC;
	if (!prototype_has_dev(want))
		point.flags |= RECORD_SKB_POINT_NO_DEV;
	point.keeps_sock = prototype_keeps_sock(want);
	point.tls_message = prototype_has_tls_message(want);
	point.recv_flags = prototype_has_recv_flags(want);
	if (want->kind == RECORD_SKB_KIND_FRAME) {
		point.copies = POINT_RUNS_XDP;
		point.flags = RECORD_SKB_POINT_AT_DATA;
	}
	err = kallsyms_find(want->func, &point.ip) ?: prototype_check(want, point.ip);
	return err ?: append_point(p, &point);
}

/*
 * Add the functions that end skbs. Return: true if the module can track skbs. For that, the kernel must have
 * the first function of the list.
 */
static bool add_free_functions(struct points *p)
{
	struct point point = { .kind = POINT_KIND_FREE };
	bool complete = true;
	int i;

	for (i = 0; i < ARRAY_SIZE(free_functions); i++) {
		point.arg = free_functions[i].arg;
		if (append_named(p, free_functions[i].func, point) && !i)
			complete = false;
	}
	return complete;
}

static void add_makers(struct points *p)
{
	const struct point header = { .kind = POINT_KIND_HEADER, .arg = 1 };
	struct point *users;
	int i;

	for (i = 0; i < ARRAY_SIZE(makers); i++) {
		struct point point = {
			.kind = POINT_KIND_MAKER,
			.copies = makers[i].kind + 1,
			.arg = makers[i].arg,
		};

		if (looked_up(p, kallsyms_find(makers[i].func, &point.ip)))
			continue;
		users = points_find(p, point.ip);
		if (users && users->arg == point.arg)
			users->copies = point.copies;
		else if (users)
			*users = point;
		else
			append_point(p, &point);
	}
	append_named(p, "skb_copy_header", header);
}

/*
 * Add the BPF helper that the fexit programs of user space call (struct record_skb_program), and the function
 * that redirects packets for BPF programs. Without fexit programs, the point of the helper costs nothing,
 * because no other program calls the helper for each packet.
 */
static void add_programs(struct points *p)
{
	const struct point skb = { .kind = POINT_KIND_PROGRAM };
	const struct point redirect = { .kind = POINT_KIND_REDIRECT };

	append_named(p, "bpf_skb_event_output", skb);
	if (prototype_begins(NULL, "skb_do_redirect", "sk_buff"))
		append_named(p, "skb_do_redirect", redirect);
}

/*
 * Add the functions that refuse a packet for a BPF program of a cgroup or a socket. They are necessary for
 * programs without BTF, to which no fexit program can be attached.
 */
static void add_refusals(struct points *p)
{
	struct point point = { .kind = POINT_KIND_MAKER, .arg = 1 };

	point.copies = POINT_REFUSES_CGROUP;
	append_named(p, "__cgroup_bpf_run_filter_skb", point);
	point.copies = POINT_REFUSES_FILTER;
	append_named(p, "sk_filter_trim_cap", point);
}

/*
 * Add the functions that decide about the path of packets. Functions that this kernel does not have are left
 * out.
 */
static void add_decisions(struct points *p)
{
	unsigned long taps[2];
	struct point point;
	const char *func;
	u32 i;

	for (i = 0; i < DECISION_SITES; i++) {
		func = decisions_function(i, &point);
		if ((!func || append_named(p, func, point)) && decisions_is_tap(i))
			p->lacks_taps = true;
	}
	if (!looked_up(p, kallsyms_find("packet_rcv", &taps[0])) &&
	    !looked_up(p, kallsyms_find("tpacket_rcv", &taps[1])))
		decisions_set_taps(taps[0], taps[1]);
}

/* Return: true if both fork functions could be added, so that no new task is missed. */
static bool add_forks(struct points *p)
{
	const struct point copying = { .kind = POINT_KIND_COPYING };
	const struct point copied = { .kind = POINT_KIND_COPIED };

	return !append_named(p, "arch_dup_task_struct", copying) &&
	       !append_named(p, "copy_creds", copied);
}

static unsigned int add_function(unsigned long *functions, unsigned int nr, unsigned int max,
				 unsigned long function)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (functions[i] == function)
			return 0;
	if (!function || nr == max)
		return 0;
	functions[nr] = function;
	return 1;
}

typedef unsigned int add_fn(unsigned long *functions, unsigned int nr, unsigned int max,
			    const struct net_device *dev);

/* Call @add for every device in every network namespace. Return: number of functions that it added. */
static unsigned int each_device(add_fn *add, unsigned long *functions, unsigned int max)
{
	const struct net_device *dev;
	unsigned int nr = 0;
	struct net *net;

	/*
	 * Avoid rtnl_lock(). Its holder may wait until a module is loaded, and loading a module may wait
	 * for session_lock, which the caller of this function holds.
	 */
	rcu_read_lock();
	for_each_net_rcu(net)
		for_each_netdev_rcu(net, dev)
			nr += add(functions, nr, max, dev);
	rcu_read_unlock();
	return nr;
}

static unsigned int add_transmit(unsigned long *functions, unsigned int nr, unsigned int max,
				 const struct net_device *dev)
{
	if (!dev->netdev_ops)
		return 0;
	return add_function(functions, nr, max, (unsigned long)dev->netdev_ops->ndo_start_xmit);
}

/**
 * device_probes_transmit() - find the ndo_start_xmit of every device in every network namespace
 * @functions: set to the addresses, without duplicates
 * @max: number of elements in @functions; more addresses are left out
 *
 * Return: number of addresses.
 */
static unsigned int device_probes_transmit(unsigned long *functions, unsigned int max)
{
	return each_device(add_transmit, functions, max);
}

#ifdef CONFIG_NET_SCHED
/**
 * qdisc_has_parts() - check if a queueing discipline (qdisc) has child qdiscs
 * @dev: device of the qdisc
 * @queue: the qdisc
 *
 * The caller holds rcu_read_lock().
 *
 * Return: true if it has, or if the device has too many qdiscs to find out.
 */
bool qdisc_has_parts(const struct net_device *dev, const struct Qdisc *queue)
{
	const struct Qdisc *part;
	unsigned int nr = 0;
	int bucket;

	hash_for_each_rcu(dev->qdisc_hash, bucket, part, hash) {
		if (++nr == MAX_QDISCS || (part != queue && part->parent != TC_H_ROOT &&
					   TC_H_MAJ(part->parent) == queue->handle))
			return true;
	}
	return false;
}

/*
 * Return: true if a qdisc of the device has child qdiscs, or if the device has too many to find out. The
 * qdiscs of the transmit queues do not count as children, because each of them is a root qdisc. Their
 * parent is the qdisc of the device.
 */
static bool device_has_parts(const struct net_device *dev)
{
	const struct Qdisc *root = rcu_dereference(dev->qdisc), *part;
	const bool has_queues = root && root->flags & TCQ_F_MQROOT;
	unsigned int nr = 0;
	int bucket;

	hash_for_each_rcu(dev->qdisc_hash, bucket, part, hash) {
		if (++nr == MAX_QDISCS || (part->parent != TC_H_ROOT &&
					   !(has_queues && TC_H_MAJ(part->parent) == root->handle)))
			return true;
	}
	return false;
}

static unsigned int add_qdisc(unsigned long *functions, unsigned int nr, unsigned int max,
			      const struct Qdisc *queue)
{
	return add_function(functions, nr, max, (unsigned long)queue->ops->enqueue);
}

static unsigned int add_enqueue(unsigned long *functions, unsigned int nr, unsigned int max,
				const struct net_device *dev)
{
	const struct Qdisc *queue = rcu_dereference(dev->qdisc);
	unsigned int added = 0;
	int bucket;

	if (!device_has_parts(dev))
		return 0;
	if (queue)
		added = add_qdisc(functions, nr, max, queue);
	hash_for_each_rcu(dev->qdisc_hash, bucket, queue, hash)
		added += add_qdisc(functions, nr + added, max, queue);
	return added;
}

/**
 * device_probes_enqueue() - find the enqueue functions of all qdiscs on devices with nested qdiscs
 * @functions: set to the addresses, without duplicates
 * @max: number of elements in @functions; more addresses are left out
 *
 * Return: number of addresses.
 */
static unsigned int device_probes_enqueue(unsigned long *functions, unsigned int max)
{
	return each_device(add_enqueue, functions, max);
}
#else
bool qdisc_has_parts(const struct net_device *dev, const struct Qdisc *queue)
{
	return false;
}

static unsigned int device_probes_enqueue(unsigned long *functions, unsigned int max)
{
	return 0;
}
#endif

/* Add the transmit functions of drivers. They are the last functions that get a packet that is being sent. */
static void add_drivers(struct points *p)
{
	unsigned long functions[MAX_DRIVERS];
	struct point point = {
		.kind = RECORD_SKB_KIND_SKB,
		.dir = RECORD_SKB_DIR_TX,
	};
	struct point *users;
	unsigned int i, nr;

	nr = device_probes_transmit(functions, ARRAY_SIZE(functions));
	for (i = 0; i < nr; i++) {
		if (looked_up(p, kallsyms_address(functions[i], &point.ip)))
			continue;
		users = points_find(p, point.ip);
		/*
		 * If user space has named this function as a probe point, replace its description by the one
		 * made here. User space does not know that a driver transmits packets with this function.
		 */
		if (users)
			*users = point;
		else
			append_point(p, &point);
	}
}

/*
 * Add the function that drops_and_rules.c observes. Return: true if the kernel has the function with the
 * expected prototype.
 */
static bool add_rules(struct points *p)
{
	const struct point rule = { .kind = POINT_KIND_RULE };

	return prototype_begins("nf_tables", "__nft_trace_packet", NFT_STEP_FIRST) &&
	       !append_named(p, "__nft_trace_packet", rule);
}

/*
 * Add the enqueue functions of the queueing disciplines in use, to know which queueing discipline has a
 * packet.
 */
static void add_queues(struct points *p)
{
	unsigned long functions[MAX_QUEUES];
	struct point point = { .kind = POINT_KIND_ENQUEUE };
	unsigned int i, nr = device_probes_enqueue(functions, ARRAY_SIZE(functions));
	struct point *users;

	for (i = 0; i < nr; i++) {
		if (looked_up(p, kallsyms_address(functions[i], &point.ip)))
			continue;
		users = points_find(p, point.ip);
		if (users)
			users->enqueues = true;
		else
			append_point(p, &point);
	}
}

/* Copy points into an array with room for the points that the module itself needs. Return: 0 or -ENOMEM. */
int points_copy(struct points *p, const struct points *from)
{
	int err = points_init(p, from->nr + MAX_OWN);

	if (err)
		return err;
	memcpy(p->point, from->point, from->nr * sizeof(*p->point));
	p->nr = from->nr;
	p->lacks_taps = from->lacks_taps;
	return 0;
}

/*
 * Add the points that the module needs itself. If the kernel lacks a function, the option that needs it is
 * removed from @options.
 */
static void add_own(struct points *p, struct record_skb_options *options)
{
	const struct point irq_exit = { .kind = POINT_KIND_IRQ };

	if (!(options->flags & RECORD_SKB_OPT_NO_TRACK)) {
		if (add_free_functions(p))
			add_makers(p);
		else
			options->flags |= RECORD_SKB_OPT_NO_TRACK;
	}
	if (options->flags & RECORD_SKB_OPT_PAUSE && !add_forks(p))
		options->flags &= ~RECORD_SKB_OPT_PAUSE;
	if (!(options->flags & RECORD_SKB_OPT_IRQS))
		append_named(p, "irq_exit_rcu", irq_exit);
	if (options->flags & RECORD_SKB_OPT_RULES &&
	    (options->flags & RECORD_SKB_OPT_NO_TRACK || !add_rules(p)))
		options->flags &= ~RECORD_SKB_OPT_RULES;
	if (!(options->flags & RECORD_SKB_OPT_NO_TRACK)) {
		add_queues(p);
		add_programs(p);
		add_refusals(p);
		add_decisions(p);
	}
	add_drivers(p);
}

static void keep_wanted(struct points *p, u32 dirs)
{
	u32 i, nr = 0;

	for (i = 0; i < p->nr; i++) {
		const u32 dir = p->point[i].dir;

		if (!dirs || dir == RECORD_SKB_DIR_NONE || dirs & (1 << dir))
			p->point[nr++] = p->point[i];
	}
	p->nr = nr;
}

/**
 * points_complete() - combine the points of user space with those that the module needs itself
 * @p: set to the points; the caller must call points_free(), also after an error
 * @users: the points of user space
 * @options: the options of the recording; options that need a function that this kernel lacks are removed
 *
 * Return: 0 or -ENOMEM.
 */
int points_complete(struct points *p, const struct points *users,
		    struct record_skb_options *options)
{
	int err = points_copy(p, users);

	if (err)
		return err;
	add_own(p, options);
	p->no_memory |= prototype_lacks_memory();
	kallsyms_done();
	prototype_forget();
	keep_wanted(p, options->dirs);
	return p->no_memory ? -ENOMEM : 0;
}

/* Remove the functions of a module that is unloaded, because their addresses may be reused. */
void points_forget_module(struct points *p, const struct module *mod)
{
	u32 i, nr = 0;

	for (i = 0; i < p->nr; i++)
		if (!within_module(p->point[i].ip, mod))
			p->point[nr++] = p->point[i];
	p->nr = nr;
}

/*
 * If @function has no flags, set its address to the address of the probe point. If it has flags, apply them
 * to the probe point; its address must then be the one that was reported before.
 * Return: 0, or -EAGAIN if the address has changed since it was reported.
 */
int points_take_function(struct point *point, struct record_skb_function *function)
{
	if (function->flags && function->address != point->ip)
		return -EAGAIN;
	if (function->flags & RECORD_SKB_FUNCTION_ALONE)
		point->sole_user = true;
	function->address = point->ip;
	return 0;
}
