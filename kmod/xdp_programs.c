// SPDX-License-Identifier: GPL-2.0
/*
 * xdp_programs.c - record which XDP programs have run on a frame, and their results
 *
 * All drivers, and the kernel for generic XDP, run a program by a call of bpf_dispatcher_xdp_func(). This
 * function is a probe: a frame that matches passes through a gate, which gets the result. Other frames pass
 * through no gate, so a recording adds little to the cost of XDP programs.
 *
 * A driver may run a program on a frame before it makes an skb. The bytes of such a frame are compared with
 * the filter. If the program lets the frame pass, the skb that the driver makes has the same bytes, and gets
 * the event of the program. Otherwise, the frame gets a packet number of its own.
 */
#include <linux/bpf.h>
#include <linux/etherdevice.h>
#include <linux/filter.h>
#include <linux/if_vlan.h>
#include <linux/irqflags.h>
#include <linux/netdevice.h>
#include <linux/percpu.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <net/xdp.h>

#include "active_config.h"
#include "bpf_programs.h"
#include "compat/bpf_redirect.h"
#include "flow_table.h"
#include "flow_tuple.h"
#include "gate_stack.h"
#include "match.h"
#include "probes.h"
#include "recording.h"
#include "skb_table.h"
#include "trace_emit.h"
#include "xdp_programs.h"

/* Number of frames that a driver may pass on together after the XDP program has run on each of them. */
#define PASSED 8
/* A number for entries that belong to no recording. */
#define NO_RECORDING U8_MAX
/* Maximum number of VLAN tags of a frame. */
#define MAX_TAGS 8
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
 * struct passed_frames - the newest frames that XDP programs have let pass on a CPU
 * @next: index in @v for the next frame
 * @nr: number of entries of @v that are in use
 *
 * Interrupts are off while the frames are used. A task may find the skb of a frame here while softirqs are
 * enabled, and softirqs run XDP programs, which add frames.
 */
struct passed_frames {
	u8 next;
	u8 nr;
	struct passed v[PASSED];
};

static DEFINE_PER_CPU(struct passed_frames, passed_frames);

/*
 * Return: the device of an entry of a device map, NULL if it is not known. An entry begins with its device.
 * After a test run of a program (BPF_PROG_TEST_RUN), the kernel can still have an entry that was freed
 * since then. So the entry is not trusted: it must name a device in the namespace of @from.
 */
static const struct net_device *device_of_entry(const void *entry, const struct net_device *from)
{
	const struct net_device *dev;
	int index;

	if (get_kernel_nofault(dev, (const struct net_device *const *)entry) ||
	    get_kernel_nofault(index, &dev->ifindex))
		return NULL;
	return dev_get_by_index_rcu(dev_net(from), index) == dev ? dev : NULL;
}

/* Read the target of a redirect by a map. @from: device of the frame */
static void read_map_target(struct program_record *record, const struct bpf_redirect_info *ri,
			    const struct net_device *from)
{
	const struct net_device *dev = NULL;

	record->to_map = ri->map_id;
	record->to_index = ri->tgt_index;
	switch (ri->map_type) {
	case BPF_MAP_TYPE_DEVMAP:
	case BPF_MAP_TYPE_DEVMAP_HASH:
		/* A broadcast goes to all devices of the map. */
		if (ri->tgt_value && !(ri->flags & BPF_F_BROADCAST))
			dev = device_of_entry(ri->tgt_value, from);
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

/* Read where an XDP program redirects a frame. @dev: device of the frame */
static void read_frame_target(struct program_record *record, const struct net_device *dev)
{
	const struct bpf_redirect_info *ri = NULL;

	if (record->run->result == XDP_REDIRECT && dev)
		ri = compat_redirect_info();
	if (!ri)
		return;
	if (ri->map_type != BPF_MAP_TYPE_UNSPEC) {
		read_map_target(record, ri, dev);
		return;
	}
	/* The helper for XDP sets this id. Without it, the program has not named a target. */
	if (ri->map_id != INT_MAX)
		return;
	record->to = RECORD_SKB_TO_DEVICE;
	record->to_index = ri->tgt_index;
	record->to_dev = dev_get_by_index_rcu(dev_net(dev), ri->tgt_index);
}

/*
 * Find the packet in a frame. A frame can have VLAN tags before the packet.
 * @protocol: set to the network protocol of the packet
 * Return: the number of bytes before the packet; 0 if the frame has no packet.
 */
static u32 find_packet(const struct xdp_buff *xdp, __be16 *protocol)
{
	const u8 *data = xdp->data, *end = xdp->data_end;
	u32 len = ETH_HLEN;
	int i;

	if (data + len >= end)
		return 0;
	*protocol = ((const struct ethhdr *)data)->h_proto;
	for (i = 0; i < MAX_TAGS && eth_type_vlan(*protocol); i++) {
		if (data + len + VLAN_HLEN >= end)
			return 0;
		*protocol = ((const struct vlan_hdr *)(data + len))->h_vlan_encapsulated_proto;
		len += VLAN_HLEN;
	}
	return len;
}

/*
 * Return: the device that received the frame; NULL if it is not known. Some kernels run the programs of a
 * device map with a frame whose receive queue is not set (fixed in 6.12 and, for example, in 6.1.115). So
 * nothing in it is trusted for such programs: the pointers must lead to a device that exists.
 */
static const struct net_device *device_of_frame(const struct gate_frame *frame)
{
	const struct bpf_prog *prog = frame->programs;
	const struct xdp_rxq_info *rxq;
	struct net_device *dev;
	bool exists = false;
	struct net *net;
	int index;

	if (prog->expected_attach_type != BPF_XDP_DEVMAP)
		return frame->xdp->rxq->dev;
	rxq = frame->xdp->rxq;
	if (get_kernel_nofault(dev, &rxq->dev) || get_kernel_nofault(index, &dev->ifindex))
		return NULL;
	rcu_read_lock();
	for_each_net_rcu(net)
		exists |= dev_get_by_index_rcu(net, index) == dev;
	rcu_read_unlock();
	return exists ? dev : NULL;
}

/*
 * Make an skb for the bytes of a frame, to compare them with the filter. Bytes in fragments are left out.
 * Return: false if the frame has no packet.
 */
static bool view_frame(const struct gate_frame *frame, struct sk_buff *skb, struct skb_view *v,
		       const struct point *point)
{
	const struct xdp_buff *xdp = frame->xdp;
	const struct net_device *dev = device_of_frame(frame);
	__be16 protocol = 0;
	const u32 offset = find_packet(xdp, &protocol);

	if (!offset || !dev)
		return false;
	memset(skb, 0, sizeof(*skb));
	skb->head = xdp->data;
	skb->data = xdp->data + offset;
	skb->len = xdp->data_end - xdp->data - offset;
	skb->protocol = protocol;
	skb->dev = (struct net_device *)dev;
	skb->mac_header = 0;
	skb->network_header = offset;
	skb_set_tail_pointer(skb, skb->len);
	*v = skb_view_of(point, skb);
	return true;
}

/* Remember a frame that an XDP program has let pass, so that the skb of this frame can be recognised. */
static void remember_passed(const struct recording *r, const struct record_skb_program *run,
			    const struct sk_buff *skb)
{
	struct passed_frames *frames = this_cpu_ptr(&passed_frames);
	struct passed *passed;
	unsigned long flags;

	local_irq_save(flags);
	passed = &frames->v[frames->next];
	frames->next = (frames->next + 1) % PASSED;
	frames->nr += !passed->len;
	passed->run = *run;
	passed->dev = skb->dev;
	passed->recording = r->number;
	passed->len = min_t(u32, skb->len, SAME);
	memcpy(passed->bytes, skb->data, passed->len);
	local_irq_restore(flags);
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
	read_frame_target(&record, v->dev);
	emit_packet(a->recording, v, &m, RECORD_SKB_HOW_HIDDEN);
	emit_program(a->recording, &record, &m);
	rcu_read_unlock();
}

/*
 * Return: true if a frame without an skb matches. If the recording has a condition on fields of an skb, the
 * frame does not match, because the condition cannot be tested.
 */
static noinline bool frame_matches(const struct active_config *a, const struct point *point,
				   const struct gate_frame *frame)
{
	struct skb_view v;
	struct sk_buff skb;

	return !a->options.nr_steps && !a->options.nr_marks && view_frame(frame, &skb, &v, point) &&
	       match_packet_quick(a, &v);
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

/*
 * Return: the tracked skb with the buffer of a frame; NULL if there is none. A generic XDP program gets the
 * buffer of an skb. So does a program on a veth device, unless the driver has copied the packet to a new skb
 * before.
 */
static const struct sk_buff *find_skb(const struct recording *r, const struct xdp_buff *xdp,
				      struct match *m)
{
	const struct sk_buff *skb = emit_find_buffer(xdp->data_hard_start);

	/*
	 * Before a generic XDP program runs, the kernel may give the skb another buffer with more headroom.
	 */
	if (!has_buffer(r, skb, xdp->data_hard_start, m))
		skb = emit_last_skb();
	return has_buffer(r, skb, xdp->data_hard_start, m) ? skb : NULL;
}

/**
 * xdp_programs_want() - decide about a call that runs an XDP program
 * @a: the active configuration
 * @point: the probe
 * @hit: the call: the frame, and the instructions of the program
 * @frame: the frame of a gate; set to the packet and the program
 *
 * The caller disables preemption.
 *
 * Return: true if the frame matches, so that the result is wanted.
 */
bool xdp_programs_want(const struct active_config *a, const struct point *point,
		       const struct hit *hit, struct gate_frame *frame)
{
	frame->xdp = (const struct xdp_buff *)hit->arg[0];
	frame->programs = (const void *)(hit->arg[1] - offsetof(struct bpf_prog, insnsi));
	frame->skb = find_skb(a->recording, frame->xdp, &frame->packet);
	return frame->skb || frame_matches(a, point, frame);
}

/* Report a program that has run on a frame without an skb. */
static noinline void handle_frame(const struct active_config *a, const struct point *point,
				  const struct gate_frame *frame,
				  const struct record_skb_program *run)
{
	struct skb_view v;
	struct sk_buff skb;

	if (!view_frame(frame, &skb, &v, point))
		return;
	if ((u32)run->result == XDP_PASS)
		remember_passed(a->recording, run, &skb);
	else
		report_frame(a, run, &v);
}

/**
 * xdp_programs_ran() - report the result of an XDP program
 * @r: the recording
 * @frame: frame of the gate around the call that has run the program
 * @ret: result of the program
 *
 * The caller disables preemption.
 */
void xdp_programs_ran(const struct recording *r, const struct gate_frame *frame, unsigned long ret)
{
	const struct active_config *a = recording_armed(r);
	const struct point *point = a ? active_config_point(a, frame->func) : NULL;
	const struct net_device *dev = device_of_frame(frame);
	struct record_skb_program run = bpf_programs_describe(frame->programs);
	struct program_record record = {
		.run = &run,
		.skb = frame->skb,
		.dev = dev,
		.dir = RECORD_SKB_DIR_RX,
	};

	run.result = (u32)ret;
	if (!frame->skb) {
		if (point)
			handle_frame(a, point, frame, &run);
		return;
	}
	rcu_read_lock();
	read_frame_target(&record, dev);
	emit_program(r, &record, &frame->packet);
	rcu_read_unlock();
}

/*
 * Return: true if a packet on @dev can be in a frame that arrived on @lower: both are the same device, or
 * @dev is a VLAN device over @lower.
 */
static bool is_device_over(const struct net_device *dev, const struct net_device *lower)
{
	return dev == lower || (is_vlan_dev(dev) && vlan_dev_real_dev(dev) == lower);
}

/*
 * Find the frame of a new packet among the frames that XDP programs have let pass on this CPU. Interrupts
 * are off. Return: NULL if there is none.
 */
static struct passed *find_passed(struct passed_frames *frames, const struct recording *r,
				  const struct skb_view *v)
{
	const struct sk_buff *skb = v->skb;
	const u8 *data = skb->data + v->offset;
	struct passed *passed;

	for (passed = frames->v; passed < frames->v + PASSED; passed++)
		if (passed->len && passed->recording == r->number &&
		    is_device_over(v->dev, passed->dev) && data >= skb->head &&
		    data + passed->len <= skb_tail_pointer(skb) &&
		    !memcmp(passed->bytes, data, passed->len))
			return passed;
	return NULL;
}

/**
 * xdp_programs_arrived() - report the XDP program of a new packet, if it has run before the skb was made
 * @r: the recording
 * @v: the packet at the first probe
 * @m: numbers of the packet
 *
 * The caller disables preemption.
 */
void xdp_programs_arrived(const struct recording *r, const struct skb_view *v,
			  const struct match *m)
{
	struct passed_frames *frames = this_cpu_ptr(&passed_frames);
	struct program_record record = { .skb = v->skb, .dir = RECORD_SKB_DIR_RX };
	struct passed *passed;
	unsigned long flags;

	if (likely(!frames->nr) || v->point->dir != RECORD_SKB_DIR_RX || !v->dev)
		return;
	local_irq_save(flags);
	passed = find_passed(frames, r, v);
	if (passed) {
		record.run = &passed->run;
		/* The program has run on this device. The packet may be on a VLAN device now. */
		record.dev = passed->dev;
		emit_program(r, &record, m);
		passed->len = 0;
		frames->nr--;
	}
	local_irq_restore(flags);
}

/* Forget the frames of an earlier recording. The recording must not be active. */
void xdp_programs_forget_all(const struct recording *r)
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
