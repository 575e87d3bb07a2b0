// SPDX-License-Identifier: GPL-2.0
/*
 * bpf_programs.c - record which BPF programs have run on a packet, and their results
 *
 * User space attaches an fexit program to each BPF program that handles packets. The fexit program calls
 * bpf_skb_output() or bpf_xdp_output(), and the module observes these helpers. Their fourth and fifth
 * arguments are a struct record_skb_program and its size.
 *
 * A driver may run an XDP program on a frame before it makes an skb. The bytes of such a frame are compared
 * with the filter. If the program lets the frame pass, the skb that the driver makes has the same bytes, and
 * gets the event of the program. Otherwise, the frame gets a packet number of its own.
 */
#include <linux/bpf.h>
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/percpu.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <net/sch_generic.h>
#include <net/xdp.h>

#include "active_config.h"
#include "bpf_programs.h"
#include "flow_table.h"
#include "flow_tuple.h"
#include "gate_stack.h"
#include "match.h"
#include "probes.h"
#include "recording.h"
#include "recursion_guard.h"
#include "skb_table.h"
#include "trace_emit.h"

/* Number of frames that a driver may pass on together after the XDP program has run on each of them. */
#define PASSED 8
/* No recording has this number. */
#define NO_RECORDING U8_MAX
/* Number of bytes from the network header on by which the skb of a frame is recognised. */
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
 * Return: the program that has run; NULL if the helper was called by a program of another user or of another
 * recording.
 */
static const struct record_skb_program *program_of(const struct hit *hit, const struct recording *r)
{
	const struct record_skb_program *run = (const struct record_skb_program *)hit->arg[3];

	return hit->arg[4] == sizeof(*run) && run->magic == RECORD_SKB_PROGRAM_MAGIC &&
			       run->recording == r->number ?
		       run :
		       NULL;
}

/*
 * Return: true if skb->dev is the packet's device while a program of this type runs. The queues of sockets
 * use this field for other data.
 */
static bool has_device(u32 type)
{
	switch (type) {
	case BPF_PROG_TYPE_SCHED_CLS:
	case BPF_PROG_TYPE_SCHED_ACT:
	case BPF_PROG_TYPE_LWT_IN:
	case BPF_PROG_TYPE_LWT_OUT:
	case BPF_PROG_TYPE_LWT_XMIT:
	case BPF_PROG_TYPE_LWT_SEG6LOCAL:
		return true;
	}
	return false;
}

static enum record_skb_dir direction_of(const struct sk_buff *skb, u32 type)
{
	if (type != BPF_PROG_TYPE_SCHED_CLS && type != BPF_PROG_TYPE_SCHED_ACT)
		return RECORD_SKB_DIR_NONE;
	return skb_at_tc_ingress(skb) ? RECORD_SKB_DIR_RX : RECORD_SKB_DIR_TX;
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
	struct program_record record;
	struct match m;

	record.skb = (const struct sk_buff *)hit->arg[0];
	if (!run || !skb_table_find(r->track, record.skb, &m))
		return;
	record.run = run;
	record.dev = has_device(run->type) ? record.skb->dev : NULL;
	record.dir = direction_of(record.skb, run->type);
	emit_program(r, &record, &m);
}

/*
 * Make an skb for the bytes of a frame, to compare them with the filter. Bytes in fragments are left out.
 * Return: false if the frame has no packet.
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
	const struct program_record record = {
		.run = run,
		.dev = v->dev,
		.dir = RECORD_SKB_DIR_RX,
	};
	struct match m = { .first = 1, .netns = skb_view_netns(v), .net = skb_view_cookie(v) };
	struct tuple t;

	m.pkt = stat_number(&a->recording->stats, NUMBER_PACKETS);
	if (tuple_read(v->skb, v->offset, &t))
		m.flow = flow_table_of_packet(a->recording->flows, &t, m.net);
	emit_packet(a->recording, v, &m, RECORD_SKB_HOW_HIDDEN);
	emit_program(a->recording, &record, &m);
}

/*
 * Handle a program that has run on a frame without an skb. If the recording has a condition on fields of an
 * skb, the frame does not match, because the condition cannot be tested.
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
 * Return: true if the skb is tracked and has this buffer. The table contains only skbs that are not freed,
 * but another CPU may free this one now if it has another buffer.
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
 * A generic XDP program gets the buffer of an skb. So does a program on a veth device, unless the driver has
 * copied the packet to a new skb before. Other drivers run their programs before they make an skb. The
 * caller disables preemption.
 */
void bpf_programs_xdp(const struct active_config *a, const struct point *point,
		      const struct hit *hit)
{
	const struct xdp_buff *xdp = (const struct xdp_buff *)hit->arg[0];
	const struct record_skb_program *run = program_of(hit, a->recording);
	struct program_record record = { .run = run, .dir = RECORD_SKB_DIR_RX };
	struct match m;

	if (!run)
		return;
	record.dev = xdp->rxq->dev;
	record.skb = emit_find_buffer(xdp->data_hard_start);
	/*
	 * Before a generic XDP program runs, the kernel may give the skb another buffer with more headroom.
	 */
	if (!has_buffer(a->recording, record.skb, xdp->data_hard_start, &m))
		record.skb = emit_last_skb();
	if (has_buffer(a->recording, record.skb, xdp->data_hard_start, &m))
		emit_program(a->recording, &record, &m);
	else
		handle_frame(a, point, xdp, run);
}
