// SPDX-License-Identifier: GPL-2.0
/*
 * bpf_programs.c - record which BPF programs have run on a packet, and their results
 *
 * User space attaches an fexit program to each BPF program that handles skbs or sockets. The fexit program
 * calls bpf_skb_output(), and the module observes this helper. Its fourth and fifth arguments are a struct
 * record_skb_program and its size. For XDP programs, see xdp_programs.c.
 *
 * No fexit program can be attached to a program without BTF. Such a program may belong to a cgroup or a
 * socket. If the program refuses a packet, the kernel function that has run the program shows this by its
 * return value.
 */
#include <linux/bpf.h>
#include <linux/bpf-cgroup.h>
#include <linux/cgroup.h>
#include <linux/filter.h>
#include <linux/netdevice.h>
#include <linux/percpu.h>
#include <linux/skbuff.h>
#include <linux/skmsg.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <net/dropreason.h>
#include <net/dst.h>
#include <net/sch_generic.h>
#include <net/sock.h>

#include "bpf_programs.h"
#include "compat/bpf_redirect.h"
#include "decisions.h"
#include "gate_stack.h"
#include "match.h"
#include "probes.h"
#include "recording.h"
#include "skb_table.h"
#include "trace_emit.h"

/*
 * struct redirecting - the newest program of a CPU with a result that means a redirect
 * @run: the program
 * @pkt, @copy: numbers of its packet; @pkt is 0 if the kernel has redirected the packet
 */
struct redirecting {
	struct record_skb_program run;
	u32 pkt;
	u32 copy;
};

static DEFINE_PER_CPU(struct redirecting[1 + RECORD_SKB_MAX_SHARED], redirecting);

/* Return: the program that has run; NULL if the fexit program of another recording called the helper. */
static const struct record_skb_program *program_of(const struct hit *hit, const struct recording *r)
{
	const struct record_skb_program *run = (const struct record_skb_program *)hit->arg[3];

	if (hit->arg[4] != sizeof(*run) || run->magic != RECORD_SKB_PROGRAM_MAGIC)
		return NULL;
	return run->recording == r->number ? run : NULL;
}

static bool is_tc(u32 type)
{
	return type == BPF_PROG_TYPE_SCHED_CLS || type == BPF_PROG_TYPE_SCHED_ACT;
}

/*
 * Return: true if skb->dev is the packet's device while a program of this type runs. While an skb is in the
 * queue of a socket, this field may hold other data.
 */
static bool has_device(u32 type)
{
	return is_tc(type) || type == BPF_PROG_TYPE_LWT_IN || type == BPF_PROG_TYPE_LWT_OUT ||
	       type == BPF_PROG_TYPE_LWT_XMIT || type == BPF_PROG_TYPE_LWT_SEG6LOCAL;
}

/*
 * Return: the device of the packet while a program of this type runs; NULL if it is not known. A program of
 * the type LWT_OUT runs before the packet has a device, so take the device of the packet's route.
 */
static const struct net_device *device_of(const struct sk_buff *skb, u32 type)
{
	const struct dst_entry *dst =
		(const struct dst_entry *)(skb->_skb_refdst & SKB_DST_PTRMASK);

	if (type == BPF_PROG_TYPE_LWT_OUT && dst)
		return dst->dev;
	return has_device(type) ? skb->dev : NULL;
}

/*
 * Return: the packet's direction, if @frame is that of the function that runs the programs of a cgroup;
 * otherwise RECORD_SKB_DIR_NONE.
 */
static enum record_skb_dir cgroup_direction(const struct gate_frame *frame)
{
	if (frame->copies != POINT_REFUSES_CGROUP)
		return RECORD_SKB_DIR_NONE;
#ifdef CONFIG_CGROUP_BPF
	switch (frame->arg) {
	case CGROUP_INET_INGRESS:
		return RECORD_SKB_DIR_RX;
	case CGROUP_INET_EGRESS:
		return RECORD_SKB_DIR_TX;
	}
#endif
	return RECORD_SKB_DIR_NONE;
}

static enum record_skb_dir direction_of(const struct sk_buff *skb, u32 type)
{
	const struct gate_frame *frame = gate_stack_innermost();

	if (type == BPF_PROG_TYPE_CGROUP_SKB)
		return frame && frame->skb == skb ? cgroup_direction(frame) : RECORD_SKB_DIR_NONE;
	if (!is_tc(type))
		return RECORD_SKB_DIR_NONE;
	return skb_at_tc_ingress(skb) ? RECORD_SKB_DIR_RX : RECORD_SKB_DIR_TX;
}

/* Return: true if programs of this type get no skb. */
static bool lacks_skb(u32 type)
{
	switch (type) {
	case BPF_PROG_TYPE_CGROUP_SOCK:
	case BPF_PROG_TYPE_CGROUP_SOCK_ADDR:
	case BPF_PROG_TYPE_SK_LOOKUP:
	case BPF_PROG_TYPE_SK_MSG:
		return true;
	}
	return false;
}

/* Internal flags of bpf_redirect_peer() and bpf_redirect_neigh(). Linux 6.12 moved them to other bits. */
#define REDIRECT_NEIGH (BIT(1) | BIT(16))
#define REDIRECT_PEER  (BIT(2) | BIT(17))

static enum record_skb_redirect skb_target(u32 flags)
{
	if (flags & REDIRECT_PEER)
		return RECORD_SKB_TO_PEER;
	if (flags & REDIRECT_NEIGH)
		return RECORD_SKB_TO_NEIGH;
	return flags & BPF_F_INGRESS ? RECORD_SKB_TO_INPUT : RECORD_SKB_TO_DEVICE;
}

/*
 * Return: true if the program seems to want the kernel to redirect its skb. A classifier without
 * "direct-action" returns the number of a class, which may be the same number.
 */
static bool may_redirect(const struct record_skb_program *run)
{
	switch (run->type) {
	case BPF_PROG_TYPE_SCHED_CLS:
	case BPF_PROG_TYPE_SCHED_ACT:
		return run->result == TC_ACT_REDIRECT;
	case BPF_PROG_TYPE_LWT_XMIT:
		return run->result == BPF_REDIRECT;
	}
	return false;
}

/*
 * Read the local port of the socket to which a program of a sockmap redirects data. @ingress: true if the
 * socket receives the data, false if it sends them
 */
static void __maybe_unused read_socket_target(struct program_record *record, const struct sock *sk,
					      bool ingress)
{
	u16 port;

	if ((u32)record->run->result != SK_PASS || !sk || get_kernel_nofault(port, &sk->sk_num))
		return;
	record->to = ingress ? RECORD_SKB_TO_RECEIVER : RECORD_SKB_TO_SENDER;
	record->to_index = port;
}

/*
 * Handle a program that gets no skb. If the recording has an open graph in this context, emit an event. The
 * event belongs to the same packet or call as the graph.
 */
static void program_without_skb(const struct recording *r, const struct record_skb_program *run)
{
	struct program_record record = { .run = run };
	static const struct match none;

	if (!decisions_concern(r))
		return;
#ifdef CONFIG_NET_SOCK_MSG
	if (run->type == BPF_PROG_TYPE_SK_MSG) {
		const struct sk_msg *msg = (const struct sk_msg *)run->context;
		struct sock *sk;
		u32 flags;

		if (!get_kernel_nofault(sk, &msg->sk_redir) &&
		    !get_kernel_nofault(flags, &msg->flags))
			read_socket_target(&record, sk, flags & BPF_F_INGRESS);
	}
#endif
	emit_program(r, &record, &none);
}

/**
 * bpf_programs_skb() - handle a call of bpf_skb_output()
 * @r: the recording
 * @hit: the call
 *
 * The caller disables preemption.
 */
void bpf_programs_skb(const struct recording *r, const struct hit *hit)
{
	const struct record_skb_program *run = program_of(hit, r);
	struct program_record record = { .run = run, .skb = (const struct sk_buff *)hit->arg[0] };
	struct match m;

	if (run && lacks_skb(run->type)) {
		program_without_skb(r, run);
		return;
	}
	/* Programs of other users may pass NULL. */
	if (!run || !record.skb || !skb_table_find(r->track, record.skb, &m))
		return;
	record.dev = device_of(record.skb, run->type);
	record.dir = direction_of(record.skb, run->type);
#ifdef CONFIG_NET_SOCK_MSG
	if (run->type == BPF_PROG_TYPE_SK_SKB)
		read_socket_target(&record, skb_bpf_redirect_fetch(record.skb),
				   skb_bpf_ingress(record.skb));
#endif
	emit_program(r, &record, &m);
	if (may_redirect(run))
		this_cpu_ptr(redirecting)[r->number] =
			(struct redirecting){ .run = *run, .pkt = m.pkt, .copy = m.copy };
}

/**
 * bpf_programs_redirect() - report the target of a redirect that the kernel is about to make
 * @r: the recording
 * @hit: the call of skb_do_redirect()
 *
 * The result of a program does not prove a redirect: a classifier without "direct-action" may return a class
 * with this number. Then the kernel still has the target of an earlier redirect. The caller disables
 * preemption.
 */
void bpf_programs_redirect(const struct recording *r, const struct hit *hit)
{
	struct redirecting *last = &this_cpu_ptr(redirecting)[r->number];
	struct program_record record = { .run = &last->run,
					 .skb = (const struct sk_buff *)hit->arg[0] };
	const struct bpf_redirect_info *ri = compat_redirect_info();
	struct match m;

	if (!skb_table_find(r->track, record.skb, &m) || m.pkt != last->pkt ||
	    m.copy != last->copy || !ri || !record.skb->dev)
		return;
	last->pkt = 0;
	record.dev = record.skb->dev;
	record.dir = direction_of(record.skb, last->run.type);
	record.to = skb_target(ri->flags);
	record.to_index = ri->tgt_index;
	rcu_read_lock();
	record.to_dev = dev_get_by_index_rcu(dev_net(record.dev), ri->tgt_index);
	emit_program(r, &record, &m);
	rcu_read_unlock();
}

/* The functions below report the BPF programs that may have refused a packet. */

/* Maximum number of events for programs that may have refused a packet. */
#define MAX_CANDIDATES 8

/* Return: a BPF program, without its result. A classic filter has neither a type nor an id. */
struct record_skb_program bpf_programs_describe(const struct bpf_prog *prog)
{
	struct record_skb_program run = { .id = prog->aux->id, .type = prog->type };

	if (run.type == BPF_PROG_TYPE_UNSPEC)
		run.type = BPF_PROG_TYPE_SOCKET_FILTER;
	else
		memcpy(run.tag, prog->tag, sizeof(run.tag));
	strscpy(run.name, prog->aux->name, sizeof(run.name));
	return run;
}

static void emit_candidate(const struct recording *r, const struct gate_frame *frame,
			   const struct bpf_prog *prog, u16 candidates)
{
	const struct record_skb_program run = bpf_programs_describe(prog);
	const struct program_record record = {
		.run = &run,
		.skb = frame->skb,
		.dir = cgroup_direction(frame),
		.candidates = candidates,
	};

	emit_program(r, &record, &frame->packet);
}

/*
 * Return: the programs of the socket's cgroup. The caller holds rcu_read_lock(). @kind: enum
 * cgroup_bpf_attach_type
 */
static const struct bpf_prog_array *cgroup_programs(const struct sock *sk, u32 kind)
{
#ifdef CONFIG_CGROUP_BPF
	struct sock_cgroup_data *data = &((struct sock *)sk)->sk_cgrp_data;

	if (kind < MAX_CGROUP_BPF_ATTACH_TYPE)
		return rcu_dereference(sock_cgroup_ptr(data)->bpf.effective[kind]);
#endif
	return NULL;
}

/**
 * bpf_programs_at() - find the programs that may refuse a packet
 * @copies: POINT_REFUSES_CGROUP for the programs of the socket's cgroup, or POINT_REFUSES_FILTER for the
 *	filter of the socket
 * @sk: the socket
 * @kind: third argument of the probed function
 *
 * Return: a pointer to the programs, NULL if there are none. After the programs were replaced, the function
 * returns another pointer.
 */
const void *bpf_programs_at(u32 copies, const struct sock *sk, u32 kind)
{
	const void *programs;

	if (!sk || !sk_fullsock(sk))
		return NULL;
	rcu_read_lock();
	programs = copies == POINT_REFUSES_CGROUP ? (const void *)cgroup_programs(sk, kind) :
						    rcu_dereference(sk->sk_filter);
	rcu_read_unlock();
	return programs;
}

static void cgroup_refused(const struct recording *r, const struct gate_frame *frame)
{
	const struct bpf_prog_array *array = cgroup_programs(frame->socket.sk, frame->arg);
	const struct bpf_prog_array_item *item;
	const struct bpf_prog *prog;
	u16 candidates = 0, emitted = 0;

	if (!array || array != frame->programs)
		return;
	/*
	 * If the kernel detaches a program and has no memory for a new array, it puts a dummy program in its
	 * place. The dummy has no aux.
	 */
	for (item = array->items; (prog = READ_ONCE(item->prog)); item++)
		candidates += !!prog->aux;
	for (item = array->items; (prog = READ_ONCE(item->prog)); item++) {
		if (!prog->aux)
			continue;
		if (emitted++ == MAX_CANDIDATES)
			return;
		emit_candidate(r, frame, prog, candidates);
	}
}

static void filter_refused(const struct recording *r, const struct gate_frame *frame, int result)
{
	const struct sk_filter *filter = rcu_dereference(frame->socket.sk->sk_filter);

	if (filter && filter == frame->programs)
		emit_candidate(r, frame, filter->prog, result == -EPERM ? 2 : 1);
}

/*
 * Handle a packet that a program of the cgroup has refused: the filter of the socket has not run then, so it
 * is no candidate. @frame is the frame of the kernel function that runs the programs of the cgroup. The
 * kernel function that runs the filter of the socket calls that function first. If a program refuses the
 * packet, the caller returns the error and does not run the filter.
 */
static void forget_filter(const struct gate_frame *frame)
{
	struct gate_frame *at;

	for (at = gate_stack_innermost(); at; at = gate_stack_below(at))
		if (at->copies == POINT_REFUSES_FILTER && at->skb == frame->skb &&
		    at->recording == frame->recording)
			at->programs = NULL;
}

/**
 * bpf_programs_refused() - report the programs that may have refused a packet
 * @r: the recording
 * @frame: frame of the gate around the function that has run the programs
 * @ret: return value of the function that has run the programs
 *
 * The programs are not reported if they were replaced after the gate was entered. The caller of the function
 * that has run the programs keeps the socket. The caller of bpf_programs_refused() disables preemption.
 */
void bpf_programs_refused(const struct recording *r, const struct gate_frame *frame,
			  unsigned long ret)
{
	const int result = ret;

	/* The frame has no socket if the user has also named this function as a probe point. */
	if (!frame->socket.sk || !sk_fullsock(frame->socket.sk))
		return;
	rcu_read_lock();
	/*
	 * The return value of the kernel function shows if a packet was refused:
	 *
	 * - If a program of the cgroup has refused it, the value is an error, or NET_XMIT_DROP for a packet
	 *   that is sent.
	 * - If the filter of the socket has refused it, the value is a special drop reason from Linux 7.0 on.
	 *   Before, the value is -EPERM. A security module can return -EPERM, too, so then there are two
	 *   candidates.
	 */
	if (frame->copies == POINT_REFUSES_CGROUP && (result < 0 || result == NET_XMIT_DROP)) {
		cgroup_refused(r, frame);
		forget_filter(frame);
	} else if (frame->copies == POINT_REFUSES_FILTER &&
		   (result == SKB_DROP_REASON_SOCKET_FILTER || result == -EPERM)) {
		filter_refused(r, frame, result);
	}
	rcu_read_unlock();
}

/* Forget the packets of an earlier recording. The recording must not be active. */
void bpf_programs_forget_all(const struct recording *r)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(redirecting, cpu)[r->number].pkt = 0;
}
