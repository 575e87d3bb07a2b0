// SPDX-License-Identifier: GPL-2.0
/*
 * bpf_programs.c - record which BPF programs have run on a packet, and their results
 *
 * User space attaches an fexit program to each BPF program that handles packets. The fexit program calls
 * bpf_skb_output() or bpf_xdp_output(), and the module observes these helpers. The fourth and fifth argument
 * of the helper are a struct record_skb_program and its size.
 *
 * A driver may run an XDP program on a frame before it makes an skb. The module compares the bytes of such a
 * frame with the filter. If the program lets the frame pass, the driver makes an skb with the same bytes. The
 * event of the program then belongs to this skb. Otherwise, the frame gets a packet number of its own.
 *
 * No fexit program can be attached to a program without BTF. Such a program may belong to a cgroup or a
 * socket. If the program refuses a packet, the kernel function that has run the program shows this by its
 * return value.
 */
#include <linux/bpf.h>
#include <linux/bpf-cgroup.h>
#include <linux/cgroup.h>
#include <linux/etherdevice.h>
#include <linux/filter.h>
#include <linux/netdevice.h>
#include <linux/percpu.h>
#include <linux/skbuff.h>
#include <linux/skmsg.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <net/dropreason.h>
#include <net/sch_generic.h>
#include <net/sock.h>
#include <net/xdp.h>

#include "active_config.h"
#include "bpf_programs.h"
#include "compat/bpf_redirect.h"
#include "decisions.h"
#include "flow_table.h"
#include "flow_tuple.h"
#include "gate_stack.h"
#include "match.h"
#include "probes.h"
#include "task_pause.h"
#include "recording.h"
#include "recursion_guard.h"
#include "skb_table.h"
#include "trace_emit.h"

/* Maximum number of frames on which a driver may run the XDP program before it passes on the first one. */
#define PASSED 8
/* Value that is not the number of any recording. */
#define NO_RECORDING U8_MAX
/* Number of bytes, from the network header on, that are compared to recognise the skb of a frame. */
#define SAME 64

/*
 * struct passed - a matching frame that an XDP program has let pass
 * @run: the program
 * @dev: device that received the frame; only compared
 * @recording: number of the recording that the frame matches
 * @len: number of bytes in @bytes, 0 in a free entry
 * @bytes: the beginning of the packet
 */
struct passed {
	struct record_skb_program run;
	const struct net_device *dev;
	u8 recording;
	u8 len;
	u8 bytes[SAME];
};

/*
 * struct passed_frames - the newest frames that XDP programs have let pass on a CPU: @nr entries of @v are in
 * use, and @next is the index that the next frame gets
 */
struct passed_frames {
	u8 next;
	u8 nr;
	struct passed v[PASSED];
};

static DEFINE_PER_CPU(struct passed_frames, passed_frames);

/*
 * Return: the program that has run; NULL if the program that called the helper does not belong to this
 * recording.
 */
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

static void read_map_target(struct program_record *record, const struct bpf_redirect_info *ri)
{
	const struct net_device *dev = NULL;

	record->to_map = ri->map_id;
	record->to_index = ri->tgt_index;
	switch (ri->map_type) {
	case BPF_MAP_TYPE_DEVMAP:
	case BPF_MAP_TYPE_DEVMAP_HASH:
		/*
		 * Each entry of a device map begins with a pointer to the device. A broadcast goes to all
		 * devices of the map.
		 */
		if (ri->tgt_value && !(ri->flags & BPF_F_BROADCAST))
			dev = *(const struct net_device *const *)ri->tgt_value;
		record->to = dev ? RECORD_SKB_TO_DEVMAP : RECORD_SKB_TO_MAP;
		record->to_dev = dev;
		break;
	case BPF_MAP_TYPE_CPUMAP:
		record->to = RECORD_SKB_TO_CPU;
		break;
	case BPF_MAP_TYPE_XSKMAP:
		record->to = RECORD_SKB_TO_XSK;
		break;
	default:
		record->to = RECORD_SKB_TO_MAP;
	}
}

/* Read where a program redirects a packet. @dev: device of the packet */
static void read_target(struct program_record *record, const struct net_device *dev)
{
	const u32 type = record->run->type, result = record->run->result;
	const bool is_xdp = type == BPF_PROG_TYPE_XDP;
	const struct bpf_redirect_info *ri = NULL;

	BUILD_BUG_ON((int)BPF_REDIRECT != (int)TC_ACT_REDIRECT);
	if (is_xdp ? result == XDP_REDIRECT :
		     result == TC_ACT_REDIRECT && (is_tc(type) || type == BPF_PROG_TYPE_LWT_XMIT))
		ri = compat_redirect_info();
	if (!ri || !dev)
		return;
	if (is_xdp && ri->map_type != BPF_MAP_TYPE_UNSPEC) {
		read_map_target(record, ri);
		return;
	}
	/*
	 * bpf_redirect() sets map_id to this value for XDP. If map_id has another value, the program has not
	 * called bpf_redirect().
	 */
	if (is_xdp && ri->map_id != INT_MAX)
		return;
	record->to = is_xdp ? RECORD_SKB_TO_DEVICE : skb_target(ri->flags);
	record->to_index = ri->tgt_index;
	record->to_dev = dev_get_by_index_rcu(dev_net(dev), ri->tgt_index);
	/*
	 * Without "direct-action", a classifier returns the number of a class, which may be equal to
	 * TC_ACT_REDIRECT. So if no device has this index, assume that the program has not redirected the
	 * packet.
	 */
	if (!record->to_dev && !is_xdp)
		record->to = RECORD_SKB_TO_NONE;
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

	if (decisions_recording() != r)
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
	if (!run || !skb_table_find(r->track, record.skb, &m))
		return;
	record.dev = has_device(run->type) ? record.skb->dev : NULL;
	record.dir = direction_of(record.skb, run->type);
	rcu_read_lock();
	read_target(&record, record.dev);
#ifdef CONFIG_NET_SOCK_MSG
	if (run->type == BPF_PROG_TYPE_SK_SKB)
		read_socket_target(&record, skb_bpf_redirect_fetch(record.skb),
				   skb_bpf_ingress(record.skb));
#endif
	emit_program(r, &record, &m);
	rcu_read_unlock();
}

/*
 * Fill in a temporary skb for a frame, so that the filter can be run on the frame. Bytes in fragments are
 * left out. Return: false if the frame has no bytes after the Ethernet header.
 */
static bool view_frame(const struct xdp_buff *xdp, struct sk_buff *skb, struct skb_view *v,
		       const struct point *point)
{
	const struct ethhdr *eth = xdp->data;

	if (xdp->data + ETH_HLEN >= xdp->data_end)
		return false;
	memset(skb, 0, sizeof(*skb));
	skb->head = xdp->data;
	skb->data = xdp->data + ETH_HLEN;
	skb->len = xdp->data_end - xdp->data - ETH_HLEN;
	skb->protocol = eth->h_proto;
	skb->dev = xdp->rxq->dev;
	skb->mac_header = 0;
	skb->network_header = ETH_HLEN;
	skb_set_tail_pointer(skb, skb->len);
	*v = skb_view_of(point, skb);
	return true;
}

/* Remember a frame that an XDP program has let pass, so that the skb of this frame can be recognised. */
static void remember_passed(const struct recording *r, const struct record_skb_program *run,
			    const struct sk_buff *skb)
{
	struct passed_frames *frames = this_cpu_ptr(&passed_frames);
	struct passed *passed = &frames->v[frames->next];

	frames->next = (frames->next + 1) % PASSED;
	frames->nr += !passed->len;
	passed->run = *run;
	passed->dev = skb->dev;
	passed->recording = r->number;
	passed->len = min_t(u32, skb->len, SAME);
	memcpy(passed->bytes, skb->data, passed->len);
}

/* Report a frame that gets no skb on this device, because the XDP program did not return XDP_PASS. */
static void report_frame(const struct active_config *a, const struct record_skb_program *run,
			 const struct skb_view *v)
{
	struct program_record record = {
		.run = run,
		.dev = v->dev,
		.dir = RECORD_SKB_DIR_RX,
	};
	struct match m = { .first = 1, .netns = skb_view_netns(v), .net = skb_view_cookie(v) };
	struct tuple t;

	m.pkt = stat_number(&a->recording->stats, NUMBER_PACKETS);
	if (tuple_read(v->skb, v->offset, &t))
		m.flow = flow_table_of_packet(a->recording->flows, &t, m.net);
	rcu_read_lock();
	read_target(&record, v->dev);
	emit_packet(a->recording, v, &m, RECORD_SKB_HOW_HIDDEN);
	emit_program(a->recording, &record, &m);
	rcu_read_unlock();
}

/*
 * Handle a program that has run on a frame without an skb. If the recording has a condition on fields of an
 * skb, this condition cannot be tested, and the frame does not match.
 */
static noinline void handle_frame(const struct active_config *a, const struct point *point,
				  const struct xdp_buff *xdp, const struct record_skb_program *run)
{
	const struct gate_frame *around = gate_stack_innermost();
	struct recursion_guard guard;
	struct skb_view v;
	struct sk_buff skb;

	if (a->options.nr_steps || a->options.nr_marks ||
	    !recursion_guard_begin(&guard, _THIS_IP_, 0,
				   around ? gate_stack_around(around) : FRAME_NONE))
		return;
	if (view_frame(xdp, &skb, &v, point) && match_packet_quick(a, &v)) {
		if ((u32)run->result == XDP_PASS)
			remember_passed(a->recording, run, &skb);
		else
			report_frame(a, run, &v);
	}
	recursion_guard_end(&guard);
}

/**
 * bpf_programs_arrived() - report the XDP program of a new packet, if it has run before the skb was made
 * @r: the recording
 * @v: the packet at the first probe
 * @m: numbers of the packet
 *
 * The caller disables preemption.
 */
void bpf_programs_arrived(const struct recording *r, const struct skb_view *v,
			  const struct match *m)
{
	struct passed_frames *frames = this_cpu_ptr(&passed_frames);
	const struct sk_buff *skb = v->skb;
	const u8 *data = skb->data + v->offset;
	struct program_record record = { .skb = skb, .dev = v->dev, .dir = RECORD_SKB_DIR_RX };
	u8 i;

	if (likely(!frames->nr) || v->point->dir != RECORD_SKB_DIR_RX || !v->dev)
		return;
	for (i = 0; i < PASSED; i++) {
		struct passed *passed = &frames->v[i];

		if (!passed->len || passed->recording != r->number || passed->dev != v->dev ||
		    data < skb->head || data + passed->len > skb_tail_pointer(skb) ||
		    memcmp(passed->bytes, data, passed->len))
			continue;
		record.run = &passed->run;
		emit_program(r, &record, m);
		passed->len = 0;
		frames->nr--;
		return;
	}
}

/* Forget the frames of an earlier recording. The recording must not be active. */
void bpf_programs_forget_all(const struct recording *r)
{
	struct passed_frames *frames;
	int cpu, i;

	for_each_possible_cpu(cpu) {
		frames = &per_cpu(passed_frames, cpu);
		for (i = 0; i < PASSED; i++)
			if (frames->v[i].recording == r->number)
				frames->v[i].recording = NO_RECORDING;
	}
}

/*
 * Return: true if the skb is tracked and its buffer is @head. If the skb has another buffer, another CPU may
 * be freeing the skb at this moment. Therefore skb->head is read with get_kernel_nofault().
 */
static bool has_buffer(const struct recording *r, const struct sk_buff *skb, const void *head,
		       struct match *m)
{
	unsigned char *now;

	return skb && skb_table_find(r->track, skb, m) && !get_kernel_nofault(now, &skb->head) &&
	       now == head;
}

/**
 * bpf_programs_xdp() - handle a call of bpf_xdp_output()
 * @a: the active configuration
 * @point: the probe
 * @hit: the call
 *
 * A generic XDP program runs on the buffer of an skb. A program on a veth device also runs on the buffer of
 * an skb, unless the driver has copied the packet to a new one. Other drivers run their programs before they
 * make an skb. The caller disables preemption.
 */
void bpf_programs_xdp(const struct active_config *a, const struct point *point,
		      const struct hit *hit)
{
	const struct xdp_buff *xdp = (const struct xdp_buff *)hit->arg[0];
	const struct record_skb_program *run = program_of(hit, a->recording);
	struct program_record record = { .run = run, .dir = RECORD_SKB_DIR_RX };
	struct graph_hidden hidden;
	struct match m;
	bool is_tracked;

	if (!run)
		return;
	/* The functions that are called here must not appear in the packet's graph. */
	hidden = graph_hide();
	record.dev = xdp->rxq->dev;
	record.skb = emit_find_buffer(xdp->data_hard_start);
	/*
	 * Before a generic XDP program runs, the kernel may move the packet to another buffer with more
	 * headroom. Then the skb is not found by its buffer. Try the skb of the most recent event instead.
	 */
	if (!has_buffer(a->recording, record.skb, xdp->data_hard_start, &m))
		record.skb = emit_last_skb();
	is_tracked = has_buffer(a->recording, record.skb, xdp->data_hard_start, &m);
	if (is_tracked) {
		rcu_read_lock();
		read_target(&record, record.dev);
		emit_program(a->recording, &record, &m);
		rcu_read_unlock();
	}
	graph_show(&hidden);
	if (!is_tracked)
		handle_frame(a, point, xdp, run);
}

/* The functions below report the BPF programs that may have refused a packet. */

/* Maximum number of events for programs that may have refused a packet. */
#define MAX_CANDIDATES 8

static void emit_candidate(const struct recording *r, const struct gate_frame *frame,
			   const struct bpf_prog *prog, u16 candidates)
{
	struct record_skb_program run = { .id = prog->aux->id, .type = prog->type };
	const struct program_record record = {
		.run = &run,
		.skb = frame->skb,
		.dir = cgroup_direction(frame),
		.candidates = candidates,
	};

	/* A classic filter has neither a type nor an id. */
	if (run.type == BPF_PROG_TYPE_UNSPEC)
		run.type = BPF_PROG_TYPE_SOCKET_FILTER;
	else
		memcpy(run.tag, prog->tag, sizeof(run.tag));
	strscpy(run.name, prog->aux->name, sizeof(run.name));
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
		gate_stack_forget_filter(frame);
	} else if (frame->copies == POINT_REFUSES_FILTER &&
		   (result == SKB_DROP_REASON_SOCKET_FILTER || result == -EPERM)) {
		filter_refused(r, frame, result);
	}
	rcu_read_unlock();
}
