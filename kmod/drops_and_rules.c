// SPDX-License-Identifier: GPL-2.0
/*
 * drops_and_rules.c - record where and why packets are dropped and TCP resets are sent, and which nftables
 * rule decided on a packet
 *
 * While the static key nft_trace_enabled is on, nf_tables calls __nft_trace_packet() for each verdict of a
 * rule or policy, for every packet. That function sends a netlink message only for packets with the
 * nf_trace bit. The module reads the arguments of this function and does not set the nf_trace bit.
 * Therefore `nft monitor trace` does not show the packets of the recording.
 */
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
#include <net/inet_connection_sock.h>
#include <net/sch_generic.h>
#include <net/tcp.h>
#include <trace/events/skb.h>
#include <trace/events/tcp.h>

#include "active_config.h"
#include "compat/drop_reason_names.h"
#include "compat/qdiscdrop.h"
#include "compat/reset_reason.h"
#include "drop_values.h"
#include "filter.h"
#include "flow_table.h"
#include "flow_tuple.h"
#include "match.h"
#include "probes.h"
#include "drops_and_rules.h"
#include "trace_emit.h"
#include "recursion_guard.h"
#include "kernel_symbols.h"
#include "skb_table.h"
#include "ring_trigger.h"
#include "compat/nftrace.h"
#include "recording.h"

static struct tracepoint *tp;

/*
 * Classes of kernel functions on the call stack of a drop. Looking up the symbol of an address is
 * expensive, and the same few addresses occur again and again. Therefore the class is cached in bitmaps
 * that are indexed by a hash of the address.
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
 * Find the function that dropped the packet. The location that the kernel's tracepoint passes may be useless.
 * Inside a graph, it is a return address of function_graph. For a list of packets, it is the function that
 * frees the list. Therefore search the call stack: the function that dropped the packet is the first caller
 * that is neither a freeing function nor a gate.
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
 * The most recent packet that was passed to a qdisc on this CPU, and the name of that qdisc. If a qdisc drops
 * a packet, it usually does so directly after it got the packet, before any of its child qdiscs gets the
 * packet. So if the most recent packet is dropped, the qdisc named here has dropped it.
 */
struct queued {
	u32 pkt;
	u32 copy;
	char by[IFNAMSIZ];
};

/* The array is indexed by the number of the recording. */
static DEFINE_PER_CPU(struct queued[1 + RECORD_SKB_MAX_SHARED], queued);

static struct queued *queued_of(const struct recording *r)
{
	return &(*this_cpu_ptr(&queued))[r->number];
}

/**
 * skb_drops_enqueue() - remember the qdisc that gets a packet
 * @r: the recording
 * @hit: the call of the qdisc's enqueue function
 *
 * The caller disables preemption.
 */
void skb_drops_enqueue(const struct recording *r, const struct hit *hit)
{
	const struct sk_buff *skb = (const struct sk_buff *)hit->arg[0];
	const struct Qdisc *queue = (const struct Qdisc *)hit->arg[1];
	struct queued *q = queued_of(r);
	struct match m;

	if (!skb_table_find(r->track, skb, &m))
		return;
	q->pkt = m.pkt;
	q->copy = m.copy;
	strscpy(q->by, queue->ops->id, sizeof(q->by));
}

/*
 * Return: name of the qdisc that dropped the packet; "" if several qdiscs are possible. The caller holds
 * rcu_read_lock() and disables preemption.
 */
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
	return qdisc && !qdisc_has_parts(skb->dev, qdisc) ? qdisc->ops->id : "";
}

static void emit_value_and_drop(const struct recording *r, const struct dropped *d,
				unsigned long place, enum skb_drop_reason reason,
				const char *qdisc_reason)
{
	struct drop_value value;

	if (drop_value_read(d, &value))
		emit_limit(r, d->skb, d->m, &value);
	emit_drop(r, d->skb, d->m, place, reason, d->reason, d->qdisc_name, qdisc_reason);
}

static void drop_of(const struct recording *r, const struct dropped *dropped, unsigned long place,
		    enum skb_drop_reason reason, const char *qdisc_reason)
{
	const struct active_config *a = recording_armed(r);
	const struct gate_frame *around = gate_stack_innermost();
	struct dropped d = *dropped;
	struct recursion_guard quiet;
	bool is_quiet;
	struct match m;

	/*
	 * Report only drops of tracked packets: the address of an skb that is not tracked may belong to
	 * another packet. The kernel frees the packet next, so the drop is also the end of the packet.
	 */
	if (!a || !skb_table_drop(r->track, d.skb, &m))
		return;
	/*
	 * Hide the search for the function that drops the packet, so that its calls are not in the packet's
	 * graph.
	 */
	is_quiet = recursion_guard_begin(&quiet, _THIS_IP_, 0,
					 around ? gate_stack_around(around) : FRAME_NONE);
	d.m = &m;
	d.reason = compat_drop_reason(reason) ?: "";
	rcu_read_lock();
	d.qdisc_name = reason == SKB_DROP_REASON_QDISC_DROP ? qdisc_of(r, d.skb, &m) : "";
	if (is_quiet)
		emit_value_and_drop(r, &d, real_location(place), reason, qdisc_reason);
	else
		emit_drop(r, d.skb, &m, place, reason, d.reason, d.qdisc_name, qdisc_reason);
	trigger_dropped(a, &m, d.reason);
	rcu_read_unlock();
	if (is_quiet)
		recursion_guard_end(&quiet);
}

static void handle_drop(const struct dropped *d, unsigned long place, enum skb_drop_reason reason,
			const char *qdisc_reason)
{
	const struct recording *r;

	if (!skb_table_any())
		return;
	/* Disable preemption, because newer kernels do not do this for the callbacks of tracepoints. */
	preempt_disable_notrace();
	for_each_recording(r)
		drop_of(r, d, place, reason, qdisc_reason);
	preempt_enable_notrace();
}

static void on_kfree_skb(void *data, struct sk_buff *skb, void *location,
			 enum skb_drop_reason reason COMPAT_RX_SK)
{
	const struct dropped d = { .skb = skb, .sk = compat_rx_sk() };

	handle_drop(&d, (unsigned long)location, reason, "");
}

#ifdef COMPAT_QDISC_REASONS
static struct tracepoint *qdisc_tp;

/*
 * Callback of the tracepoint qdisc_drop. The tracepoint kfree_skb comes later, because a qdisc frees its
 * dropped packets later.
 */
static void on_qdisc_drop(void *data, struct Qdisc *qdisc, const struct netdev_queue *txq,
			  struct net_device *dev, struct sk_buff *skb,
			  enum qdisc_drop_reason reason)
{
	const struct dropped d = { .skb = skb, .qdisc = qdisc };

	handle_drop(&d, _RET_IP_, SKB_DROP_REASON_QDISC_DROP, compat_qdisc_reason(reason));
}

/*
 * Attach to qdisc_drop. If the kernel does not have this tracepoint, the drop reason is QDISC_DROP for all
 * qdiscs. Return: 0 or a negative error.
 */
static int qdisc_drops_start(void)
{
	return qdisc_tp ? tracepoint_attach(qdisc_drop, qdisc_tp, on_qdisc_drop, NULL) : 0;
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
static int qdisc_drops_start(void)
{
	return 0;
}

static void qdisc_drops_stop(void) {}

static void qdisc_drops_init(void) {}
#endif

/*
 * The tracepoint tcp_send_reset; NULL if the kernel does not have it. If the reset answers a packet, the
 * kernel calls the tracepoint before it sends the reset. If a socket sends the reset by itself, the kernel
 * calls the tracepoint afterwards.
 */
static struct tracepoint *reset_tp;

/*
 * Save the functions that led to the reset, innermost first. These functions tell why the socket has sent the
 * reset. The call graph alone may not contain them.
 */
static void read_callers(struct reset_record *reset)
{
	unsigned long stack[16];
	unsigned int i, nr, filled = 0;

	nr = stack_trace_save(stack, ARRAY_SIZE(stack), 0);
	for (i = 0; i < nr && filled < RECORD_SKB_RESET_CALLERS; i++) {
		if (!within_module(stack[i], THIS_MODULE))
			reset->callers[filled++] = stack[i];
	}
}

/*
 * Return: the number of bytes that the socket has received and the program has not read. tcp_close() empties
 * the receive queue before it sends a reset, but copied_seq still marks the end of the bytes that were read.
 * With an upper layer protocol (MPTCP, TLS), not the program but this protocol reads from the socket. Then
 * the number is not known, and the result is 0.
 */
static u32 unread_bytes(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	const u32 copied = READ_ONCE(tp->copied_seq);
	u32 unread = READ_ONCE(tp->rcv_nxt) - copied;

	if (READ_ONCE(inet_csk(sk)->icsk_ulp_ops))
		return 0;
	/*
	 * A received FIN has a sequence number, too. An urgent byte that was read out of band also has one.
	 */
	if (unread && sock_flag(sk, SOCK_DONE))
		unread--;
	if (READ_ONCE(tp->urg_data) == TCP_URG_READ && READ_ONCE(tp->urg_seq) - copied < unread)
		unread--;
	return unread;
}

static void read_socket(struct reset_record *reset, const struct sock *sk)
{
	if (!sk)
		return;
	reset->state = READ_ONCE(sk->sk_state);
	if (!sk_fullsock(sk) || reset->state == TCP_LISTEN)
		return;
	reset->probes = READ_ONCE(inet_csk(sk)->icsk_probes_out);
	reset->user_timeout = READ_ONCE(inet_csk(sk)->icsk_user_timeout);
	reset->unread = unread_bytes(sk);
}

/* Read the addresses of a reset that answers a packet, or that a socket sends by itself if @skb is NULL. */
static bool read_reset_tuple(const struct sock *sk, const struct sk_buff *skb, struct tuple *t)
{
	struct tuple got;

	if (!skb)
		return sk && sk_fullsock(sk) && sock_tuple(sk, t);
	if (!tuple_read(skb, skb_network_offset(skb), &got) || !got.has_ports)
		return false;
	*t = got;
	t->saddr = got.daddr;
	t->daddr = got.saddr;
	t->sport = got.dport;
	t->dport = got.sport;
	return true;
}

/* Return: true if the reset answers a packet that may match the filter. The packet itself is not tracked. */
static bool answered_may_match(const struct active_config *a, const struct sk_buff *skb,
			       const struct net *net, const struct tuple *t)
{
	const struct record_skb_options *o = &a->options;

	return !o->nr_steps && match_sample(o, t) && match_mark(o, skb->mark) &&
	       match_where(o, skb->skb_iif, net->ns.inum) && filter_run_reset(&a->filter, t);
}

static void reset_of(const struct recording *r, const struct sock *sk, const struct sk_buff *skb,
		     struct reset_record *reset)
{
	const struct active_config *a = recording_armed(r);
	const struct gate_frame *around = gate_stack_innermost();
	const struct net *net = sk ? sock_net(sk) : skb && skb->dev ? dev_net(skb->dev) : NULL;
	struct tuple t __attribute__((__uninitialized__));
	struct recursion_guard quiet;
	struct match m = {};

	if (!a || !net)
		return;
	if (!recursion_guard_begin(&quiet, _THIS_IP_, 0,
				   around ? gate_stack_around(around) : FRAME_NONE))
		return;
	if (read_reset_tuple(sk, skb, &t) &&
	    ((skb && skb_table_find(r->track, skb, &m)) ||
	     (m.flow = flow_table_known(r->flows, &t, net->net_cookie)) ||
	     (skb && answered_may_match(a, skb, net, &t)))) {
		reset->m = &m;
		reset->tuple = &t;
		reset->netns = net->ns.inum;
		if (!reset->callers[0])
			read_callers(reset);
		emit_reset(r, reset);
	}
	recursion_guard_end(&quiet);
}

static void on_tcp_send_reset(void *data, const struct sock *sk,
			      const struct sk_buff *skb COMPAT_RESET_REASON)
{
	struct reset_record reset = {
		.skb = skb,
		.reason = compat_reset_reason(),
		.name = compat_reset_reason_name(compat_reset_reason()),
	};
	const struct recording *r;

	read_socket(&reset, sk);
	preempt_disable_notrace();
	for_each_recording(r)
		reset_of(r, sk, skb, &reset);
	preempt_enable_notrace();
}

/*
 * Attach to tcp_send_reset. If the kernel does not have this tracepoint, readers derive the cause of a reset
 * from the call graph. Return: 0 or a negative error.
 */
static int resets_start(void)
{
	return reset_tp ? tracepoint_attach(tcp_send_reset, reset_tp, on_tcp_send_reset, NULL) : 0;
}

static void resets_stop(void)
{
	if (reset_tp)
		tracepoint_probe_unregister(reset_tp, on_tcp_send_reset, NULL);
}

/*
 * Forget which qdisc got which packet, because packet numbers start again from 1. The recording must not be
 * active.
 */
void skb_drops_forget_all(const struct recording *r)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(&per_cpu(queued, cpu)[r->number], 0, sizeof(struct queued));
}

/* Begin to emit events for drops of tracked packets, and for TCP resets. Return: 0 or a negative errno. */
int skb_drops_start(void)
{
	int err = tracepoint_attach(kfree_skb, tp, on_kfree_skb, NULL);

	if (err)
		return err;
	err = qdisc_drops_start();
	if (err)
		goto stop_drops;
	err = resets_start();
	if (err)
		goto stop_qdiscs;
	drop_values_start();
	return 0;

stop_qdiscs:
	qdisc_drops_stop();
stop_drops:
	tracepoint_probe_unregister(tp, on_kfree_skb, NULL);
	tracepoint_synchronize_unregister();
	return err;
}

void skb_drops_stop(void)
{
	tracepoint_probe_unregister(tp, on_kfree_skb, NULL);
	qdisc_drops_stop();
	resets_stop();
	tracepoint_synchronize_unregister();
	/*
	 * Callbacks of ftrace use the symbols that drop_values_stop() releases, so wait for these callbacks.
	 * From Linux 7.3 on, tracepoint_synchronize_unregister() does not wait for them.
	 */
	synchronize_rcu();
	drop_values_stop();
}

int skb_drops_init(void)
{
	tp = tracepoint_named("kfree_skb");
	reset_tp = tracepoint_named("tcp_send_reset");
	qdisc_drops_init();
	return tp ? 0 : -ENOENT;
}

#if IS_ENABLED(CONFIG_NF_TABLES)
#include <net/netfilter/nf_tables_core.h>

/*
 * The static key nft_trace_enabled while the module holds it, otherwise NULL. Holding the key also keeps
 * the module nf_tables loaded. Protected by session_lock.
 */
static struct static_key_false *wanted;

/*
 * nft_rules_hold() - make nf_tables call __nft_trace_packet() until nft_rules_release()
 *
 * The key is looked up at run time, so the module does not depend on nf_tables.
 *
 * Return: false if nf_tables is not loaded; then there are no rules.
 */
bool nft_rules_hold(void)
{
	wanted = symbol_get(nft_trace_enabled);
	if (wanted)
		static_branch_inc(wanted);
	return wanted;
}

/* Undo nft_rules_hold(). This does nothing if the static key is not held. */
void nft_rules_release(void)
{
	if (!wanted)
		return;
	static_branch_dec(wanted);
	symbol_put(nft_trace_enabled);
	wanted = NULL;
}

static void fill_record(struct rule_record *r, const struct compat_nft_step *step)
{
	const struct nft_verdict *verdict = step->verdict;

	r->family = step->chain->table->family;
	r->table = step->chain->table->name;
	r->chain = step->chain->name;
	r->hook = step->pkt->state->hook;
	r->netns = step->pkt->state->net->ns.inum;
	if (step->type == NFT_TRACETYPE_POLICY) {
		r->verdict = step->base->policy;
		return;
	}
	if (step->rule && !step->rule->is_last)
		r->handle = step->rule->handle;
	/* The verdict NF_DROP can contain an errno in its upper 16 bits. */
	r->verdict = (int)verdict->code < 0 ? (int)verdict->code :
					      (int)(verdict->code & NF_VERDICT_MASK);
	if (r->verdict == NFT_JUMP || r->verdict == NFT_GOTO)
		r->to = verdict->chain->name;
}

/**
 * nft_rules_seen() - emit an event for a verdict on a packet of the recording
 * @of: the recording
 * @hit: the call
 *
 * The caller disables preemption.
 */
void nft_rules_seen(const struct recording *of, const struct hit *hit)
{
	const struct nft_pktinfo *pkt = compat_nft_packet(hit);
	struct rule_record r = { .to = "" };
	struct compat_nft_step step;
	struct match m;

	/*
	 * Ignore other packets before compat_nft_step(), which may visit all rules of the chain. While any
	 * packet is tracked, the other packets of the machine come here, too.
	 */
	if (!pkt || !skb_table_find(of->track, pkt->skb, &m))
		return;
	compat_nft_step(hit, &step);
	if (!step.chain)
		return;
	/*
	 * After the verdict NF_STOLEN, the skb may have been freed already, and its address may belong to
	 * another packet.
	 */
	if (step.type == NFT_TRACETYPE_RULE && step.verdict->code == NF_STOLEN)
		return;
	r.skb = pkt->skb;
	r.type = step.type;
	fill_record(&r, &step);
	emit_rule(of, &r, &m);
}
#else
bool nft_rules_hold(void)
{
	return false;
}

void nft_rules_release(void) {}

void nft_rules_seen(const struct recording *of, const struct hit *hit) {}
#endif
