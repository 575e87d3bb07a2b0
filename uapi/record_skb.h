/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * record_skb.h - interface between user space and record_skb.ko
 *
 * Each open file of /dev/record_skb is a session. RECORD_SKB_CLAIM gives the session exclusive use of the
 * machine's recording. RECORD_SKB_CLAIM_SHARED lets the session share the recording with other sessions. Then
 * filter, probe points and options can be set. RECORD_SKB_ARM starts the matching. When the file is closed
 * for any reason, the module disarms the session and discards its settings.
 *
 * Opening the file needs CAP_SYS_ADMIN. Every call fails with -EINVAL for an unknown flag or a reserved field
 * other than 0, with -EFAULT for a bad pointer, and with -ENOTTY for an unknown number. Calls other than
 * CLAIM, CLAIM_SHARED and GET_* fail with -ENOLCK if the session has not claimed the recording. SET_FILTER,
 * SET_OPTIONS, SET_RING, SET_GRAPH, ADD_POINT and GET_FUNCTION fail with -EBUSY if the session is armed.
 */
#ifndef _UAPI_RECORD_SKB_H
#define _UAPI_RECORD_SKB_H

#include <linux/filter.h>
#include <linux/ioctl.h>
#include <linux/types.h>

#define RECORD_SKB_DEVICE "/dev/record_skb"
#define RECORD_SKB_MODULE "record_skb"

/* This number is incremented when a structure or a meaning in this file changes. */
#define RECORD_SKB_ABI 17

/*
 * A recorder writes this function to set_graph_function. It is the root of every graph.
 */
#define RECORD_SKB_GATE "record_skb_gate"

/*
 * A shared session has two functions of its own: RECORD_SKB_GATE and RECORD_SKB_HIDE, each with "_" and the
 * number of the session. A recorder writes the gate to set_graph_function of its tracing instance, and the
 * hide function to set_graph_notrace. It writes both to set_ftrace_filter of the same instance, because an
 * instance begins a graph, and hides functions, only at functions that it traces.
 *
 * The functions of other sessions must not be in these files. The recorder also has to filter the events of
 * its instance by the field "recording".
 */
#define RECORD_SKB_HIDE	      "record_skb_hide"
#define RECORD_SKB_MAX_SHARED 4

#define RECORD_SKB_COMM_LEN   16
#define RECORD_SKB_FUNC_LEN   128
#define RECORD_SKB_MAX_POINTS 512
/* Maximum bytes of a packet in an event, from the network header on. */
#define RECORD_SKB_SNAPLEN 128

/*
 * On this kernel, user space must not change set_graph_function and set_graph_notrace while function_graph is
 * in use: the kernel may crash.
 */
#define RECORD_SKB_INFO_GRAPH_RACE (1U << 0)
/* Settings of an earlier recording are not restored yet (struct record_skb_restore). */
#define RECORD_SKB_INFO_RESTORING (1U << 1)
/* function_graph of this kernel accepts calls from the module (RECORD_SKB_FUNCTION_ALONE). */
#define RECORD_SKB_INFO_TAKES_CALLS (1U << 2)

/**
 * struct record_skb_info - properties and state of the loaded module
 * @abi: RECORD_SKB_ABI of the module
 * @points: number of probe points of the session
 * @holder_pid: process that holds the recording, as a pid in the init pid namespace; 0 if the recording is
 *	not claimed. If the recording is shared, the process of one of the sessions
 * @holder_comm: name of that process, NUL-terminated
 * @shared: number of sessions that share the recording; 0 if no session has claimed it, or if one session
 *	has exclusive use
 * @flags: RECORD_SKB_INFO_*
 */
struct record_skb_info {
	__u32 abi;
	__u32 points;
	__s32 holder_pid;
	char holder_comm[RECORD_SKB_COMM_LEN];
	__u32 shared;
	__u32 flags;
};

/**
 * struct record_skb_share - a session that shares the recording
 * @recording: out: number of the session, from 1 to RECORD_SKB_MAX_SHARED, as in the field "recording"
 *	of its events
 * @reserved: 0
 *
 * Each session has its own filter, probe points, packets, flows, followed tasks and counters. Some settings
 * need a session with exclusive use and fail with -EOPNOTSUPP otherwise: SET_RING, SET_GRAPH, GET_FUNCTION
 * with a flag, and OPT_RULES, OPT_SCHED and OPT_PAUSE.
 *
 * -EBUSY: another session has exclusive use of the recording, or RECORD_SKB_MAX_SHARED sessions share it.
 * -EOPNOTSUPP: function_graph has no instances on this kernel.
 */
struct record_skb_share {
	__u32 recording;
	__u32 reserved;
};

#define RECORD_SKB_MAX_TERMS 256

enum record_skb_term_kind {
	RECORD_SKB_TERM_PORT = 0,  /* port in the range from @lo to @hi */
	RECORD_SKB_TERM_PROTO = 1, /* IP protocol or IPv6 extension header @lo */
	RECORD_SKB_TERM_IPV4 = 2,  /* IPv4 address in the first word of @address, under @mask */
	RECORD_SKB_TERM_IPV6 = 3,  /* IPv6 address in @address, under @mask */
	RECORD_SKB_TERM_NEVER = 4, /* never holds */
};

#define RECORD_SKB_END_SRC (1U << 0)
#define RECORD_SKB_END_DST (1U << 1)

/**
 * struct record_skb_term - a condition of the filter that is tested without running a BPF program
 * @kind: enum record_skb_term_kind
 * @ends: RECORD_SKB_END_*: the ends (source, destination) to test; the condition is true if one of them
 *	matches. It is 0 only for a protocol and for _NEVER
 * @more: 1 if the next term is an alternative to this one; otherwise 0, as in the last term
 * @family: for a protocol, AF_INET, AF_INET6, or 0 for both
 * @lo, @hi: in host byte order
 * @plain: 1 if the condition applies only to TCP and UDP packets with the transport header directly after an
 * IP header without options. Such terms come last
 * @address, @mask: in network byte order; @address has no bit outside @mask
 *
 * Terms linked by @more form a group of alternatives. An IP packet matches only if in every group at least
 * one condition is true. Terms see ports and protocols after IPv6 extension headers; a BPF program does not.
 * Only TCP, UDP and SCTP have ports. Terms with @plain repeat conditions of the BPF program: if a packet
 * fails one of them, the program need not be run.
 */
struct record_skb_term {
	__u8 kind;
	__u8 ends;
	__u8 more;
	__u8 family;
	__u16 lo;
	__u16 hi;
	__u32 plain;
	__be32 address[4];
	__be32 mask[4];
};

/**
 * struct record_skb_filter - the packets to record
 * @raw: user address of a classic BPF program that reads the packet from the network header (DLT_RAW); every
 *	packet load is rebased by SKF_NET_OFF
 * @ll: user address of a BPF program that reads the packet from the Ethernet header (DLT_EN10MB); every
 *	packet load is rebased by SKF_LL_OFF
 * @at_data: user address of the BPF program of @raw as compiled, without rebasing
 * @raw_len: number of instructions in @raw, 0 for none, at most BPF_MAXINSNS
 * @ll_len: number of instructions in @ll
 * @at_data_len: number of instructions in @at_data
 * @nr_terms: number of entries in @terms, at most RECORD_SKB_MAX_TERMS
 * @terms: user address of an array of struct record_skb_term: further conditions for IP packets
 * @inner: user address of a BPF program like @at_data for the packet inside a tunnel packet (VXLAN, Geneve,
 *	GRE, IPIP, SIT). It may read only bytes of the packet
 * @inner_len: number of instructions in @inner. If it is not 0, an IP packet matches only if it fulfils
 *	@terms and @raw and contains a packet that @inner accepts. Other packets and socket calls do not match
 *	then
 * @reserved: 0
 *
 * @terms and @raw decide about IPv4 and IPv6 packets. At points with RECORD_SKB_POINT_AT_DATA, @at_data is
 * run instead of @raw. @ll decides about all other packets with an Ethernet header. If @raw is not set, @ll
 * decides about all packets with an Ethernet header.
 *
 * For a socket call, the module builds a packet from the addresses and ports of the socket, on which @terms
 * and @raw decide. A program accepts a packet by returning a value other than 0. Setting a filter replaces
 * the previous one.
 *
 * -EINVAL: the kernel rejects the program, the program reads behind a pointer of the skb (SKF_AD_IFINDEX,
 * _HATYPE, _NLATTR, _NLATTR_NEST, _PAY_OFFSET), or a term is invalid. -ENOMEM: memory is short.
 */
struct record_skb_filter {
	__u64 raw;
	__u64 ll;
	__u64 at_data;
	__u16 raw_len;
	__u16 ll_len;
	__u16 at_data_len;
	__u16 nr_terms;
	__u64 terms;
	__u64 inner;
	__u16 inner_len;
	__u16 reserved[3];
};

/*
 * Type of the argument of a probe point. SKB and LIST are packets, and the other types are sockets. A probe
 * point with a socket matches if the filter matches the addresses and ports of the socket. It also matches if
 * a followed task makes the call in process context.
 */
enum record_skb_kind {
	RECORD_SKB_KIND_SKB = 0, /* struct sk_buff * */
	RECORD_SKB_KIND_LIST =
		1, /* struct list_head * of skbs; the function consumes all of them */
	RECORD_SKB_KIND_SOCK = 2,   /* struct sock * */
	RECORD_SKB_KIND_SOCKET = 3, /* struct socket * */
	RECORD_SKB_KIND_FD = 4,	    /* int, file descriptor of a socket */
	RECORD_SKB_KIND_KIOCB = 5,  /* struct kiocb * for the file of a socket */
	RECORD_SKB_KIND_FAMILY =
		6, /* int, the first argument of socket(2), before the socket exists */
	/*
	 * struct xdp_buff *: a frame that an XDP program gets. Only for the first argument of
	 * bpf_dispatcher_xdp_func(). The result of the program is reported for frames that match
	 */
	RECORD_SKB_KIND_FRAME = 7,
};

enum record_skb_dir {
	RECORD_SKB_DIR_NONE = 0,
	RECORD_SKB_DIR_RX = 1,
	RECORD_SKB_DIR_TX = 2,
};

/*
 * Record unrelated packets below this function in the graph, too. The function delivers packets other than
 * its argument (GRO flushes, chains of packets), and the probe points of those packets are below this
 * function.
 */
#define RECORD_SKB_POINT_CARRIER (1U << 0)
/*
 * In process context, the packet belongs to the calling task. If the task is followed, the flow of the
 * packet is followed from this call on.
 */
#define RECORD_SKB_POINT_SENDER (1U << 1)
/* The network header is not set yet; skb->data points to it. */
#define RECORD_SKB_POINT_AT_DATA (1U << 2)
/*
 * Socket calls: the next two arguments are the struct sockaddr of the peer in kernel memory (or NULL), and
 * its length.
 */
#define RECORD_SKB_POINT_PEER (1U << 3)
/* Socket calls: the next argument is a struct msghdr. Its msg_name is the address of the peer, or NULL. */
#define RECORD_SKB_POINT_MSG (1U << 4)
/*
 * Do not read skb->dev and the route: socket queues store other data in these fields. Set this flag for
 * every function that is not known to be safe.
 */
#define RECORD_SKB_POINT_NO_DEV (1U << 5)
/*
 * Socket calls: the function closes the socket. The socket receives nothing afterwards, so its local port
 * is not followed any more, whichever task makes the call.
 */
#define RECORD_SKB_POINT_RELEASE (1U << 6)
/*
 * The return value tells if the function accepted the packet. Emit the return event even if the match is
 * nested in an open graph.
 */
#define RECORD_SKB_POINT_RETURN (1U << 7)

/**
 * struct record_skb_point - a function where packets are compared with the filter
 * @func: name of the function, NUL-terminated
 * @kind: enum record_skb_kind
 * @arg: index of the argument, from 0 to 5
 * @dir: enum record_skb_dir for the events
 * @flags: RECORD_SKB_POINT_*
 *
 * -ENOENT: the kernel has no such function. -EOPNOTSUPP: ftrace cannot trace it. -EPROTOTYPE: the
 * kernel's BTF does not confirm the argument, some arguments do not fit into registers, or the function
 * must not be a point (see record_skb_refused.h). -EEXIST: the function is a point already. -ENOSPC:
 * RECORD_SKB_MAX_POINTS are set.
 */
struct record_skb_point {
	char func[RECORD_SKB_FUNC_LEN];
	__u32 kind;
	__u32 arg;
	__u32 dir;
	__u32 flags;
};

/* Packets and socket calls of the followed tasks match, even if the filter does not. */
#define RECORD_SKB_OPT_FOLLOW (1U << 0)
/*
 * Restrict OPT_FOLLOW to flows without ports, such as ICMP echo. The filter alone decides about flows with
 * ports, even if they belong to a followed task.
 */
#define RECORD_SKB_OPT_FOLLOW_PORTLESS (1U << 1)
/* Do not follow child processes of the followed tasks. New threads are followed anyway. */
#define RECORD_SKB_OPT_NO_CHILDREN (1U << 2)
/* Do not track packets: run the filter at each probe point. */
#define RECORD_SKB_OPT_NO_TRACK (1U << 3)
/* Do not match ICMP errors by the packet that they quote. */
#define RECORD_SKB_OPT_NO_ICMP_ERRORS (1U << 4)
/* Record the interrupts that occur in an open graph, and the softirqs that run at their end. */
#define RECORD_SKB_OPT_IRQS (1U << 5)
/*
 * Emit events with the nftables rules and their verdicts for matching packets. While the session is armed,
 * nf_tables cannot be unloaded, and runs its tracing code for each packet. The option has no effect if
 * nf_tables is not loaded.
 */
#define RECORD_SKB_OPT_RULES (1U << 6)
/*
 * Pause function_graph for every task of the machine, except inside the gates that open a graph. Then calls
 * of traced functions outside of graphs cost only a fifth. function_graph must have no other user, because
 * that user would miss calls.
 */
#define RECORD_SKB_OPT_PAUSE (1U << 7)
/*
 * Emit events when tasks sleep, are woken, lose their CPU and get a CPU. This applies to tasks inside a
 * graph. It also applies to tasks that are woken inside a graph, until they get a CPU. While one of these
 * tasks waits for a CPU, also emit events for the tasks that get CPUs.
 */
#define RECORD_SKB_OPT_SCHED (1U << 9)
/*
 * At least one function that delivers packets to sockets could not be made a probe point. Each packet event
 * reports this, because the end of a packet then does not show if a socket has received the packet.
 */
#define RECORD_SKB_OPT_LACKS_POINTS (1U << 10)

#define RECORD_SKB_MAX_WHERE 16
#define RECORD_SKB_MAX_MARKS 8

/**
 * struct record_skb_where - namespace and device that a packet must be in
 * @netns: inode number of a network namespace, 0 for any
 * @ifindex: device on which the packet arrived or leaves, 0 for any
 */
struct record_skb_where {
	__u32 netns;
	__u32 ifindex;
};

/**
 * struct record_skb_mark - mark that a packet must have: skb->mark & @mask == @value
 * @value: has no bit outside @mask
 * @mask: not 0
 */
struct record_skb_mark {
	__u32 value;
	__u32 mask;
};

#define RECORD_SKB_MAX_STEPS 64
#define RECORD_SKB_MAX_DEPTH 16

/*
 * Kinds of steps. The first two put a value on the stack. The next three replace the top of the stack. All
 * others take the two values on top as operands and put the result there. The value that was put on the stack
 * first is the left operand.
 */
enum record_skb_step_kind {
	RECORD_SKB_STEP_NUMBER = 0, /* @value */
	RECORD_SKB_STEP_FIELD = 1,  /* a field of struct sk_buff */
	RECORD_SKB_STEP_NOT = 2,
	RECORD_SKB_STEP_INVERT = 3,
	RECORD_SKB_STEP_NEGATE = 4,
	RECORD_SKB_STEP_OR = 5,
	RECORD_SKB_STEP_AND = 6,
	RECORD_SKB_STEP_BIT_OR = 7,
	RECORD_SKB_STEP_BIT_XOR = 8,
	RECORD_SKB_STEP_BIT_AND = 9,
	RECORD_SKB_STEP_EQUAL = 10,
	RECORD_SKB_STEP_UNEQUAL = 11,
	RECORD_SKB_STEP_LESS = 12,
	RECORD_SKB_STEP_MORE = 13,
	RECORD_SKB_STEP_AT_MOST = 14,
	RECORD_SKB_STEP_AT_LEAST = 15,
	RECORD_SKB_STEP_SHIFT_LEFT = 16,
	RECORD_SKB_STEP_SHIFT_RIGHT = 17,
	RECORD_SKB_STEP_ADD = 18,
	RECORD_SKB_STEP_SUBTRACT = 19,
	RECORD_SKB_STEPS,
};

/* The bytes of the field have network byte order. */
#define RECORD_SKB_FIELD_BIG_ENDIAN (1U << 0)
/* The number can be negative. */
#define RECORD_SKB_FIELD_SIGNED (1U << 1)

/**
 * struct record_skb_step - a step of a program that computes a condition from fields of struct sk_buff
 * @kind: enum record_skb_step_kind
 * @size: for a field: 1, 2, 4 or 8 bytes
 * @shift: for a bit field: number of lower bits that do not belong to it, otherwise 0
 * @bits: for a bit field: number of its bits, otherwise 0
 * @offset: for a field: its offset in struct sk_buff
 * @flags: for a field: RECORD_SKB_FIELD_*
 * @value: for a number
 *
 * Values are signed numbers of 64 bits. The program has no jumps. It needs at most RECORD_SKB_MAX_DEPTH
 * values on its stack, and leaves one. A packet fulfils the condition if this value is not 0.
 */
struct record_skb_step {
	__u8 kind;
	__u8 size;
	__u8 shift;
	__u8 bits;
	__u16 offset;
	__u16 flags;
	__s64 value;
};

/**
 * struct record_skb_options - options and further conditions for packets
 * @flags: RECORD_SKB_OPT_*
 * @dirs: bit mask of 1 << RECORD_SKB_DIR_RX and _TX: directions to record, 0 for both
 * @nr_where: number of entries in @where. A packet must be in one of these places; 0 allows any place
 * @nr_marks: number of entries in @marks. A packet must have one of these marks; 0 allows any mark
 * @where: array of the allowed namespaces and devices
 * @marks: array of the allowed marks
 * @sample: record one of this many flows; 0 records all flows. A hash of addresses, ports and protocol, which
 *	is the same for both directions, chooses the flows. If NAT changes the addresses of a packet, the
 *	first ones decide. Packets without addresses are recorded
 * @nr_steps: number of entries in @steps; 0 for no condition
 * @steps: condition that a packet must fulfil when it is first seen. With a condition, socket calls do not
 *	match
 */
struct record_skb_options {
	__u32 flags;
	__u32 dirs;
	__u32 nr_where;
	__u32 nr_marks;
	struct record_skb_where where[RECORD_SKB_MAX_WHERE];
	struct record_skb_mark marks[RECORD_SKB_MAX_MARKS];
	__u32 sample;
	__u32 nr_steps;
	struct record_skb_step steps[RECORD_SKB_MAX_STEPS];
};

/* The values of the field "what" in the event record_skb:sched. */
enum record_skb_sched {
	RECORD_SKB_SCHED_ASLEEP = 0,	/* the task leaves its CPU and sleeps */
	RECORD_SKB_SCHED_PREEMPTED = 1, /* the task loses its CPU but is runnable */
	RECORD_SKB_SCHED_WOKEN = 2,	/* the task becomes runnable */
	RECORD_SKB_SCHED_ON = 3,	/* the task gets a CPU */
	RECORD_SKB_SCHED_OTHER = 4,	/* another task gets a CPU while a recorded one waits */
};

/* How a packet can stop a ring. */
enum record_skb_by {
	RECORD_SKB_BY_NOBODY = 0,
	RECORD_SKB_BY_DROP = 1,	      /* the packet is dropped */
	RECORD_SKB_BY_SLOW = 2,	      /* the packet takes too long */
	RECORD_SKB_BY_MATCH = 3,      /* the packet matches a second filter */
	RECORD_SKB_BY_UNANSWERED = 4, /* the packet is a request without an answer in time */
};

#define RECORD_SKB_MAX_REASONS	 8
#define RECORD_SKB_REASON_LEN	 48
#define RECORD_SKB_MAX_AFTER_NS	 (60ULL * 1000000000)
#define RECORD_SKB_MAX_SLOWER_NS (600ULL * 1000000000)

/**
 * struct record_skb_ring - use the trace buffer as a ring that is read after the recording has ended
 * @on: bit mask of 1 << enum record_skb_by, except _NOBODY: kinds of packets that stop the ring
 * @nr_reasons: number of entries in @reasons, 0 for any reason
 * @slower_ns: _SLOW: maximum time from the first probe point of a packet to the end of one of its skbs. A
 * packet that does not end is found within 250 ms after this time. 0 without _SLOW
 * @unanswered_ns: _UNANSWERED: maximum time from a request to the next packet of the other end, which is the
 *	answer. A TCP acknowledgement without data is not an answer. A request is a SYN, or data of the end
 *	that opened the connection, if it is known which end that is. A request without an answer is found
 *	within 250 ms after this time. 0 without _UNANSWERED
 * @after_ns: time to continue after the packet that stops the ring
 * @match: _MATCH: BPF programs that select the packet, as in SET_FILTER
 * @reasons: _DROP: drop reasons without "SKB_DROP_REASON_", NUL-terminated
 *
 * The first such packet stops the ring. The module turns the top trace buffer off (tracing_on) when the graph
 * around the packet is complete and @after_ns has passed. With _MATCH, the module waits until the packet has
 * ended, and with _UNANSWERED until the late answer has ended, but not longer than one second.
 *
 * The last event in the buffer is record_skb:stop. The module also emits this event if the session is
 * disarmed before a packet has stopped the ring. Nothing more is recorded until the next ARM. User space has
 * to turn the buffer on before that ARM.
 *
 * -ENOENT: this kernel has no such drop reason.
 */
struct record_skb_ring {
	__u32 on;
	__u32 nr_reasons;
	__u64 slower_ns;
	__u64 unanswered_ns;
	__u64 after_ns;
	struct record_skb_filter match;
	char reasons[RECORD_SKB_MAX_REASONS][RECORD_SKB_REASON_LEN];
};

/**
 * struct record_skb_follow - a task to follow, with the children that it creates from now on
 * @pid: process id in the caller's pid namespace; 0 for the caller itself
 * @flags: 0
 *
 * May be called before and after ARM. -ESRCH: no such task. -ENOSPC: too many tasks.
 */
struct record_skb_follow {
	__s32 pid;
	__u32 flags;
};

/**
 * struct record_skb_stats - counters since ARM; they stay readable until the next ARM
 * @packets: packets that matched
 * @flows: flows of these packets
 * @hits: matches, one for each probe point that a packet reached
 * @graphs: graphs that were opened
 * @unrelated: unrelated packets that were handled inside an open graph. Only one line is recorded for each
 * @calls: socket calls of followed tasks that matched
 * @lost_frames: losses because a table was full: matches without a graph or without a return event,
 *	interrupts that were recorded in a graph although they should be hidden, and wake-ups without an
 *	event (OPT_SCHED)
 * @lost_recursion: calls of probe points that were not examined, because ftrace does not allow recursion
 * @lost_tracked: packets that were forgotten before they were freed, because the table was full
 * @lost_flows: flows that were removed because the table was full. The least recently used flow is removed
 *	first
 * @lost_tasks: children that are not followed, because the table was full
 * @lost_functions: graphs that may lack functions, because function_graph had another user when the graph
 *	began, or because functions were moved between function_graph and the module while the graph was open.
 *	Failures to add, move or remove functions also count
 * @lost_calls: function calls inside graphs that function_graph could not record, because its return stack
 *	was full
 * @inside: gates that tasks have entered and not left yet. A task that reads from a socket may sleep inside
 *	a gate. While this is not 0, the module cannot be unloaded
 * @armed: 1 while the session is armed
 * @untracked: 1 if packets cannot be tracked, because the end of a packet is not visible on this kernel
 * @uncopied: 1 if copies of packets are not recognised, because a live patch redirects a function that
 *	makes copies
 * @unruled: 1 if verdicts of rules are not visible (OPT_RULES) although nf_tables is loaded
 * @stopped_ns: time at which the ring stopped, by CLOCK_MONOTONIC; 0 if it has not stopped
 * @stopped: 1 if a packet has stopped the ring: nothing is recorded any more
 * @by: enum record_skb_by: how the packet stopped the ring
 * @by_pkt: number of the packet, 0 for none
 * @by_copy: number of its skb
 * @tracked: skbs of matching packets that have not been freed yet, in all recordings
 * @closing: TCP connections in which one end has sent a FIN, and the other end neither a FIN nor a reset
 * @times_beside: number of times that fgraph got other users, on 6.14 and later. The users that existed
 *	before ARM together count as one time
 * @ns_beside: time in nanoseconds during which fgraph had other users or kprobes were switched off;
 *	recording costs more in this time
 */
struct record_skb_stats {
	__u64 packets;
	__u64 flows;
	__u64 hits;
	__u64 graphs;
	__u64 unrelated;
	__u64 calls;
	__u64 lost_frames;
	__u64 lost_recursion;
	__u64 lost_tracked;
	__u64 lost_flows;
	__u64 lost_tasks;
	__u64 lost_functions;
	__u64 lost_calls;
	__u64 stopped_ns;
	__u32 inside;
	__u32 armed;
	__u32 untracked;
	__u32 uncopied;
	__u32 stopped;
	__u32 by;
	__u32 by_pkt;
	__u32 by_copy;
	__u32 unruled;
	__u32 tracked;
	__u32 closing;
	__u32 times_beside;
	__u64 ns_beside;
};

#define RECORD_SKB_SYMBOL_LEN 256

/**
 * struct record_skb_symbol - the kernel's symbol for an address
 * @address: any address
 * @text: out: "function+0xoffset/0xsize [module]", without "[module]" for functions of the kernel
 *	itself; the address in hexadecimal if the kernel has no symbol for it
 */
struct record_skb_symbol {
	__u64 address;
	char text[RECORD_SKB_SYMBOL_LEN];
};

/*
 * User space has removed the function from those that function_graph traces. The module has to pass calls
 * of the function to function_graph.
 */
#define RECORD_SKB_FUNCTION_ALONE (1U << 0)

/**
 * struct record_skb_function - a function that the module attaches to while the session is armed
 * @index: index of the function, from 0
 * @flags: RECORD_SKB_FUNCTION_ALONE if function_graph does not trace the function itself
 * @address: out: address of the function, as in available_filter_functions_addrs; in: the same if @flags is
 * not 0
 *
 * The list contains the probe points of the session and the functions that the module itself attaches to, as
 * if the session were armed now. A function with one ftrace user costs half as much as a function with two
 * users. So user space can exclude these functions from function_graph before ARM. The module then passes the
 * calls that have to be recorded to function_graph.
 *
 * -ERANGE: @index is larger than that of the last function. -EAGAIN: a module was unloaded, and @index now
 * refers to another function. -EOPNOTSUPP, with a flag: function_graph of this kernel does not accept calls
 * from the module.
 */
struct record_skb_function {
	__u32 index;
	__u32 flags;
	__u64 address;
};

/* Include all functions of modules that are loaded from now on. */
#define RECORD_SKB_GRAPH_LATER (1U << 0)

/**
 * struct record_skb_graph - functions to record that function_graph does not trace itself
 * @functions: user address of an array of __u64: function addresses as in available_filter_functions_addrs
 * @nr_functions: number of functions, at least 1
 * @flags: RECORD_SKB_GRAPH_*
 *
 * function_graph needs 58 instructions to find out that it is paused for a task, and the module needs 7. So
 * user space excludes these functions from function_graph before ARM, and the module attaches to them
 * instead.
 *
 * -EINVAL: ftrace has no function at one of the addresses (any more). -EOPNOTSUPP: function_graph of this
 * kernel does not accept calls from the module.
 */
struct record_skb_graph {
	__u64 functions;
	__u32 nr_functions;
	__u32 flags;
};

#define RECORD_SKB_MAX_ADDRESSES 1024

/**
 * struct record_skb_addresses - addresses of functions that the module will look up by name
 * @functions: user address of an array of __u64, as in available_filter_functions_addrs
 * @nr_functions: number of functions, from 1 to RECORD_SKB_MAX_ADDRESSES
 * @reserved: 0
 *
 * Looking up a function by its name costs some million instructions. With its address in this list, the
 * lookup costs almost nothing. The module verifies the name of each address with the kernel, so a wrong
 * address has no effect. Functions of modules are ignored, because modules can be unloaded. The list is valid
 * until the file is closed or another list is set.
 *
 * -EINVAL: an address is not a function of ftrace.
 */
struct record_skb_addresses {
	__u64 functions;
	__u32 nr_functions;
	__u32 reserved;
};

/* Open the file with O_TRUNC. */
#define RECORD_SKB_SETTING_TRUNCATE (1U << 0)
/*
 * Try to restore this setting at once, without waiting for the processes to end. If that fails, try again
 * after they have ended.
 */
#define RECORD_SKB_SETTING_EARLY (1U << 1)
/*
 * Wait until function_graph has no user. Linux 6.13 and later free the list behind set_graph_function
 * and set_graph_notrace while function_graph may still read it, and then the kernel crashes.
 */
#define RECORD_SKB_SETTING_GRAPH_OFF (1U << 2)
/* Remove the instance of tracing that @text names; @fd is not used. */
#define RECORD_SKB_SETTING_INSTANCE (1U << 3)

#define RECORD_SKB_MAX_SETTINGS	 4096
#define RECORD_SKB_MAX_PROCESSES 8448

/**
 * struct record_skb_setting - a file of tracefs, and what it contains when it is restored
 * @fd: any open file descriptor of the file, O_PATH is enough; it can be closed after the call
 * @flags: RECORD_SKB_SETTING_*
 * @text: user address of the text to write, or of the name of an instance with its NUL
 * @length: bytes of @text, at most 1 MB; 0 opens and closes the file
 * @reserved: 0
 */
struct record_skb_setting {
	__s32 fd;
	__u32 flags;
	__u64 text;
	__u32 length;
	__u32 reserved;
};

/*
 * The settings are common to all sessions that share the recording. They are restored when the last of these
 * sessions is closed.
 */
#define RECORD_SKB_RESTORE_SHARED (1U << 0)

/**
 * struct record_skb_restore - the settings of tracing to restore if this session is closed
 * @settings: user address of an array of struct record_skb_setting
 * @memory: user address of shared memory (MAP_SHARED | MAP_ANONYMOUS), into which the module copies the
 *	texts of the settings. The memory must not be registered with userfaultfd
 * @nr_settings: number of settings; 0 removes the settings of an earlier call
 * @memory_size: bytes at @memory, which begins at a page boundary
 * @flags: RECORD_SKB_RESTORE_*
 * @reserved: 0
 *
 * A recorder normally restores tracing itself, and then passes an empty list. If the recorder is killed, the
 * kernel closes the file of the session. Then the module waits until the processes of ADD_PROCESS have ended,
 * and restores the settings in the order of the list.
 *
 * A setting that fails with EBUSY, ENOMEM, EFAULT, EAGAIN or EINTR is tried again until it succeeds. Other
 * failures are ignored. Until all settings are restored, the module cannot be unloaded, and CLAIM and
 * CLAIM_SHARED fail with -EAGAIN. Until then, the address space of the caller and the mount of each file stay
 * in use.
 *
 * -EBADF: not a file; -EINVAL: not a file of tracefs, not a name, or not such memory; -ENOMEM.
 */
struct record_skb_restore {
	__u64 settings;
	__u64 memory;
	__u32 nr_settings;
	__u32 memory_size;
	__u32 flags;
	__u32 reserved;
};

/**
 * struct record_skb_process - a process that uses tracing for this recording
 * @pid: the process; 0 for the caller
 * @signal: signal with which the module ends the process; 0 if the process ends by itself
 *
 * Before the module restores the settings of SET_RESTORE, it waits until all of these processes have ended.
 * It first waits for the processes whose @signal is 0. Then it sends @signal to the others, and SIGKILL a
 * few seconds later.
 *
 * -ENOENT: SET_RESTORE was not called before; -ESRCH: the process does not exist; -ENOSPC: the session
 * already has RECORD_SKB_MAX_PROCESSES processes.
 */
struct record_skb_process {
	__s32 pid;
	__s32 signal;
};

/*
 * A random number in struct record_skb_program. It distinguishes helper calls that are meant for the module
 * from helper calls of other BPF programs.
 */
#define RECORD_SKB_PROGRAM_MAGIC 0x191d3c103c16062cULL

#define RECORD_SKB_PROGRAM_NAME_LEN 16
#define RECORD_SKB_PROGRAM_TAG_LEN  8

/**
 * struct record_skb_program - a BPF program that has run on a packet
 * @magic: RECORD_SKB_PROGRAM_MAGIC
 * @id: id of the program
 * @type: BPF_PROG_TYPE_* of the program
 * @recording: number of the recording that has attached the fexit program; 0 if it is not shared
 * @result: what the program has returned
 * @tag: hash of the program's instructions
 * @name: name of the program, NUL-terminated, as in struct bpf_prog_info
 * @context: the structure that the kernel passed to the program
 *
 * User space attaches a BPF program of its own (fexit) to another BPF program that handles skbs or sockets.
 * This fexit program passes the packet and this structure to the helper bpf_skb_output(), with flags that the
 * helper rejects. The module observes calls of this helper. If the packet belongs to the recording, the
 * module emits an event record_skb:program. Each shared recording attaches a fexit program of its own. Some
 * types of programs get no skb. For them, the module ignores the skb that the helper gets: the program
 * belongs to the packet or call of the open graph.
 */
struct record_skb_program {
	__u64 magic;
	__u32 id;
	__u16 type;
	__u16 recording;
	__s64 result;
	__u8 tag[RECORD_SKB_PROGRAM_TAG_LEN];
	char name[RECORD_SKB_PROGRAM_NAME_LEN];
	__u64 context;
};

/* The target of a BPF program that redirects a packet; the field "to" of the event record_skb:program. */
enum record_skb_redirect {
	RECORD_SKB_TO_NONE,	/* the program does not redirect, or the target is not known */
	RECORD_SKB_TO_DEVICE,	/* bpf_redirect(): transmit on a device */
	RECORD_SKB_TO_INPUT,	/* bpf_redirect() with BPF_F_INGRESS: receive on a device */
	RECORD_SKB_TO_PEER,	/* bpf_redirect_peer() */
	RECORD_SKB_TO_NEIGH,	/* bpf_redirect_neigh() */
	RECORD_SKB_TO_DEVMAP,	/* a device in an entry of a map */
	RECORD_SKB_TO_CPU,	/* a CPU in an entry of a map */
	RECORD_SKB_TO_XSK,	/* an AF_XDP socket in an entry of a map */
	RECORD_SKB_TO_SENDER,	/* a socket of a sockmap, which sends the data */
	RECORD_SKB_TO_MAP,	/* several devices of a map, or another kind of map */
	RECORD_SKB_TO_RECEIVER, /* a socket of a sockmap, which gets the data without a packet */
};

/* A decision of the kernel about the path of a packet; the field "kind" of the event record_skb:decision. */
enum record_skb_decision {
	RECORD_SKB_DECISION_RULE = 1,	   /* a policy rule applies */
	RECORD_SKB_DECISION_ROUTE = 2,	   /* a lookup in a routing table */
	RECORD_SKB_DECISION_VRF = 3,	   /* the packet belongs to a VRF */
	RECORD_SKB_DECISION_IPVS = 4,	   /* IPVS sends the packet to a real server */
	RECORD_SKB_DECISION_FLOWTABLE = 5, /* the packet takes the fast path of a flowtable */
	RECORD_SKB_DECISION_OVS = 6,	   /* Open vSwitch handles the packet */
	RECORD_SKB_DECISION_TAP = 7,	   /* a packet socket (AF_PACKET) does not get the packet */
	RECORD_SKB_DECISION_KINDS,
};

/* Why a packet socket does not get a packet; the field "result" of such a decision. */
enum record_skb_tap {
	RECORD_SKB_TAP_FULL = 1, /* the buffer of the socket is full */
	RECORD_SKB_TAP_LOST =
		2, /* a full buffer, no memory, or no header for the packet: the cause is not known */
	RECORD_SKB_TAP_UNKNOWN = 3, /* the socket may have got the packet */
};

/* How the name of a network namespace was found; the field "kind" of the event record_skb:netns. */
enum record_skb_netns_kind {
	RECORD_SKB_NETNS_SEEN =
		0, /* no name yet: the first matching packet was seen in the namespace */
	RECORD_SKB_NETNS_HOST = 1,     /* the first namespace of the machine */
	RECORD_SKB_NETNS_IP_NETNS = 2, /* a name of ip-netns(8) */
	RECORD_SKB_NETNS_POD = 3,    /* a Kubernetes pod; the detail is its Kubernetes namespace */
	RECORD_SKB_NETNS_DOCKER = 4, /* a container; the detail is its id, as for the next two */
	RECORD_SKB_NETNS_PODMAN = 5,
	RECORD_SKB_NETNS_CONTAINERD = 6,
	RECORD_SKB_NETNS_NSPAWN = 7,  /* a machine of systemd-nspawn */
	RECORD_SKB_NETNS_LXC = 8,     /* an LXC container */
	RECORD_SKB_NETNS_PROCESS = 9, /* the first process there; the detail is its PID */
	RECORD_SKB_NETNS_TAP =
		10, /* no namespace but a packet socket: the process that has it; the detail is its PID */
	RECORD_SKB_NETNS_KINDS,
	RECORD_SKB_NETNS_LAST =
		255, /* not a namespace: all names of the recording precede this event */
};

/* Bit of the cookie of a packet socket. The other bits are the inode number of the socket. */
#define RECORD_SKB_NETNS_SOCKET (1ULL << 63)

#define RECORD_SKB_NETNS_NAME_LEN   256
#define RECORD_SKB_NETNS_DETAIL_LEN 128

/**
 * struct record_skb_netns - a network namespace in which a matching packet was seen, or a packet socket that
 * did not get a matching packet
 * @index: GET_NETNS, in: number of the namespace in the order of the first packets, from 0
 * @inum: GET_NETNS, out: inode number, as in /proc/PID/ns/net or, for a socket, in /proc/PID/fd
 * @cookie: cookie of the namespace (SO_NETNS_COOKIE), which is never used again, unlike its inode number. For
 *	a socket, RECORD_SKB_NETNS_SOCKET is set. GET_NETNS, out; NAME_NETNS, in
 * @is_host: GET_NETNS, out: 1 for the first namespace of the machine
 * @kind: NAME_NETNS, in: how the name was found, enum record_skb_netns_kind. GET_NETNS, out:
 *	RECORD_SKB_NETNS_PROCESS if the next three members describe the process that ran when the first packet
 *	was seen. RECORD_SKB_NETNS_SEEN if this process is not in the namespace, and always for the first
 *	namespace of the machine
 * @name: NAME_NETNS, in: the name, any bytes, NUL-terminated
 * @detail: NAME_NETNS, in: see the kinds; NUL-terminated, may be empty
 * @cgroup: GET_NETNS, out: id of the cgroup (v2), which is the inode number of its directory
 *
 * poll() of the file reports POLLIN while there are namespaces that GET_NETNS has not returned yet.
 * NAME_NETNS emits an event record_skb:netns with the name, and can be repeated with a better name. The
 * module emits these events again at the end of the recording. So a ring has the names, too, and a reader
 * finds all of them in the last rows.
 *
 * GET_NETNS: -ERANGE if no packet was seen in further namespaces. NAME_NETNS: -ENOENT if no packet was seen
 * in this namespace; -EINVAL for an unknown kind or an unterminated text.
 */
struct record_skb_netns {
	__u32 index;
	__u32 inum;
	__u64 cookie;
	__u32 is_host;
	__u32 kind;
	char name[RECORD_SKB_NETNS_NAME_LEN];
	char detail[RECORD_SKB_NETNS_DETAIL_LEN];
	__u64 cgroup;
};

#define RECORD_SKB_IOC 0xb5

#define RECORD_SKB_GET_INFO _IOR(RECORD_SKB_IOC, 0, struct record_skb_info)
/*
 * -EBUSY: another session or several sessions hold the recording; see GET_INFO. -EAGAIN: settings of an
 * earlier recording are not restored yet (struct record_skb_restore).
 */
#define RECORD_SKB_CLAIM       _IO(RECORD_SKB_IOC, 1)
#define RECORD_SKB_SET_FILTER  _IOW(RECORD_SKB_IOC, 2, struct record_skb_filter)
#define RECORD_SKB_ADD_POINT   _IOW(RECORD_SKB_IOC, 3, struct record_skb_point)
#define RECORD_SKB_SET_OPTIONS _IOW(RECORD_SKB_IOC, 4, struct record_skb_options)
#define RECORD_SKB_FOLLOW      _IOW(RECORD_SKB_IOC, 5, struct record_skb_follow)
/*
 * Start matching. Call this while function_graph is running: then the event of a match precedes its
 * graph. -EINVAL: the session has no probe points. -EALREADY: the session is armed. -EBUSY: another
 * user of ftrace redirects one of the functions (a live patch).
 */
#define RECORD_SKB_ARM _IO(RECORD_SKB_IOC, 6)
/* Stop matching. Returns at once; tasks inside a gate leave it later. */
#define RECORD_SKB_DISARM	 _IO(RECORD_SKB_IOC, 7)
#define RECORD_SKB_GET_STATS	 _IOR(RECORD_SKB_IOC, 8, struct record_skb_stats)
#define RECORD_SKB_GET_SYMBOL	 _IOWR(RECORD_SKB_IOC, 9, struct record_skb_symbol)
#define RECORD_SKB_SET_RING	 _IOW(RECORD_SKB_IOC, 10, struct record_skb_ring)
#define RECORD_SKB_GET_FUNCTION	 _IOWR(RECORD_SKB_IOC, 11, struct record_skb_function)
#define RECORD_SKB_SET_GRAPH	 _IOW(RECORD_SKB_IOC, 12, struct record_skb_graph)
#define RECORD_SKB_SET_ADDRESSES _IOW(RECORD_SKB_IOC, 13, struct record_skb_addresses)
#define RECORD_SKB_CLAIM_SHARED	 _IOR(RECORD_SKB_IOC, 14, struct record_skb_share)
/*
 * The user in slot 0 of fgraph: one of the values below. The first call after the module is loaded costs 70
 * million instructions. On kernels where the answer does not matter to the recording, it is always
 * RECORD_SKB_SLOT0_TAKEN. -ENOLCK: the session has not claimed the recording.
 */
#define RECORD_SKB_GET_SLOT0   _IOR(RECORD_SKB_IOC, 15, __u32)
#define RECORD_SKB_SET_RESTORE _IOW(RECORD_SKB_IOC, 16, struct record_skb_restore)
#define RECORD_SKB_ADD_PROCESS _IOW(RECORD_SKB_IOC, 17, struct record_skb_process)
#define RECORD_SKB_GET_NETNS   _IOWR(RECORD_SKB_IOC, 18, struct record_skb_netns)
#define RECORD_SKB_NAME_NETNS  _IOW(RECORD_SKB_IOC, 19, struct record_skb_netns)

/*
 * The values of GET_SLOT0. If any user of fgraph asked for the return of a function, the kernel also reports
 * this return to the user in slot 0. If this user is fprobe, the kernel warns at each return from a function
 * that fprobe does not trace. This is a fault of the kernel.
 */
#define RECORD_SKB_SLOT0_FREE	0
#define RECORD_SKB_SLOT0_TAKEN	1
#define RECORD_SKB_SLOT0_FPROBE 2

/* The values of the field "how" in the event record_skb:packet. */
enum record_skb_how {
	RECORD_SKB_HOW_OPEN = 0,   /* opens a graph: the next entry of the same task is the gate */
	RECORD_SKB_HOW_NESTED = 1, /* in an open graph: the task's next entry is the probe point */
	RECORD_SKB_HOW_HIDDEN = 2, /* no graph could be opened: the probe point has no entry */
};

/*
 * Flags of the field "tls" in the events call and return, about the direction in which the call moves data.
 *
 * RECORD_SKB_TLS: the kernel encrypts or decrypts the data
 * RECORD_SKB_TLS_KNOWN: the fields tls_plain and tls_records are valid
 * RECORD_SKB_TLS_OPEN: the sequence number is not at the end of the record with the last bytes: this record
 *	was not sent yet, or later records were decrypted and not read
 * RECORD_SKB_TLS_CONTROL: the call moves a control record, and not data of the application
 * RECORD_SKB_TLS_ANY_TYPE: the type of the record is not known
 */
#define RECORD_SKB_TLS		(1U << 0)
#define RECORD_SKB_TLS_KNOWN	(1U << 1)
#define RECORD_SKB_TLS_OPEN	(1U << 2)
#define RECORD_SKB_TLS_CONTROL	(1U << 3)
#define RECORD_SKB_TLS_ANY_TYPE (1U << 4)

/* Special values of the field "copy" in events. All other values are numbers of skbs. */
#define RECORD_SKB_COPY_UNKNOWN (~0U) /* the skb is not tracked: no event will report its end */
/* From this value on, the numbers of a packet's skbs still increase, but not always by 1. */
#define RECORD_SKB_COPY_UNCOUNTED (1U << 30)

/* The values of the field "kind" in the event record_skb:copy. */
enum record_skb_copy_kind {
	RECORD_SKB_COPY_CLONE = 0,    /* another skb with the same bytes */
	RECORD_SKB_COPY_COPY = 1,     /* another skb with bytes of its own */
	RECORD_SKB_COPY_SEGMENT = 2,  /* a segment of the packet (GSO) */
	RECORD_SKB_COPY_FRAGMENT = 3, /* an IP fragment of the packet */
	RECORD_SKB_COPY_PART = 4, /* member of the packet's fragment list when the packet matched */
	RECORD_SKB_COPY_MORPH = 5, /* an skb that became this packet: reassembled IP fragments */
};

/* The values of the field "kind" in the event record_skb:limit: the queue or the limit. */
enum record_skb_limit {
	RECORD_SKB_LIMIT_NONE = 0,
	RECORD_SKB_LIMIT_ACCEPT_QUEUE = 1,   /* connections that wait for accept(2) */
	RECORD_SKB_LIMIT_RECEIVE_BUFFER = 2, /* memory of a socket in bytes */
	RECORD_SKB_LIMIT_BACKLOG = 3,	/* memory of a socket in bytes; the limit may be unknown */
	RECORD_SKB_LIMIT_QDISC = 4,	/* packets */
	RECORD_SKB_LIMIT_NEIGHBOUR = 5, /* bytes of memory */
	RECORD_SKB_LIMIT_CONNTRACK = 6, /* connections */
	RECORD_SKB_LIMIT_CPU_BACKLOG = 7, /* packets */
	RECORD_SKB_LIMIT_MTU = 8,	  /* bytes from the network header on */
	RECORD_SKB_LIMIT_TTL = 9,	  /* TTL or hop limit */
	RECORD_SKB_LIMITS,
};

/* Number of functions in the field "callers" of the event record_skb:reset. */
#define RECORD_SKB_RESET_CALLERS 8

#endif /* _UAPI_RECORD_SKB_H */
