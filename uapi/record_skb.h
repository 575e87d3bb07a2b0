/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * record_skb.h - what user space and record_skb.ko say to each other
 *
 * One open file of /dev/record_skb is one session. RECORD_SKB_CLAIM makes it *the* session of the
 * machine, or RECORD_SKB_CLAIM_SHARED one of several; filter, probe points and options are set on it, and
 * RECORD_SKB_ARM starts the matching. Closing the file, for whatever reason, disarms and forgets everything
 * that was set on it.
 *
 * The file needs CAP_SYS_ADMIN to be opened. Every call fails with -EINVAL for an unknown flag or
 * a reserved field that is not 0, with -EFAULT for a bad pointer and with -ENOTTY for an unknown
 * number. Calls other than CLAIM, CLAIM_SHARED, LARGE_READS and GET_* fail with -ENOLCK on a session that has
 * not claimed, and SET_FILTER, SET_OPTIONS, SET_RING, SET_GRAPH, ADD_POINT and GET_FUNCTION with -EBUSY
 * on one that is armed.
 */
#ifndef _UAPI_RECORD_SKB_H
#define _UAPI_RECORD_SKB_H

#include <linux/filter.h>
#include <linux/ioctl.h>
#include <linux/types.h>

#define RECORD_SKB_DEVICE "/dev/record_skb"
#define RECORD_SKB_MODULE "record_skb"

/* Changes when a structure or a meaning below does. */
#define RECORD_SKB_ABI 10

/*
 * The function that a recorder puts into set_graph_function. Its own line is the root of every
 * graph.
 */
#define RECORD_SKB_GATE "record_skb_gate"

/*
 * Of a session that shares the recording: RECORD_SKB_GATE and RECORD_SKB_HIDE with "_" and its number behind.
 * The first goes into set_graph_function, the second into set_graph_notrace. Both go into set_ftrace_filter
 * of the session's own instance of tracing, and none of another's do: an instance begins a graph, and leaves
 * out what is below a function, by those that it traces itself. The events of an instance have to be
 * filtered by the field "recording", too.
 */
#define RECORD_SKB_HIDE	      "record_skb_hide"
#define RECORD_SKB_MAX_SHARED 4

/*
 * Likewise. What it shows is what a recorded call costs: the second one, which does nothing, is called by it
 * again and again when a recording with RECORD_SKB_OPT_CALIBRATE begins.
 */
#define RECORD_SKB_CALIBRATION "record_skb_calibration"
#define RECORD_SKB_NOTHING     "record_skb_nothing"

#define RECORD_SKB_COMM_LEN   16
#define RECORD_SKB_FUNC_LEN   128
#define RECORD_SKB_MAX_POINTS 512
/* Most bytes of a packet, from its network header on, that an event carries. */
#define RECORD_SKB_SNAPLEN 128

/**
 * struct record_skb_info - what the loaded module is
 * @abi: RECORD_SKB_ABI of the module
 * @points: probe points of the session so far
 * @holder_pid: process that holds the recording (in the init pid namespace), 0 if nobody; one of them, if
 *	it is shared
 * @holder_comm: its name, NUL-terminated
 * @shared: how many sessions share the recording; 0 if one has it for itself, or nobody
 * @graph_first: whether somebody has function_graph's first place, in which he would be told of returns from
 *	functions that he does not trace, on kernels that do so; on others, and for a session that does not
 *	share, 1
 */
struct record_skb_info {
	__u32 abi;
	__u32 points;
	__s32 holder_pid;
	char holder_comm[RECORD_SKB_COMM_LEN];
	__u32 shared;
	__u32 graph_first;
	__u32 reserved;
};

/**
 * struct record_skb_share - a session among others
 * @recording: out: its number, from 1 to RECORD_SKB_MAX_SHARED; the field "recording" of its events
 * @reserved: 0
 *
 * Each has its own filter, points, packets, flows, followed tasks and counts. SET_RING, SET_GRAPH,
 * GET_FUNCTION with a flag, and OPT_RULES, OPT_SCHED, OPT_CALIBRATE and OPT_PAUSE are for one that has the
 * recording for itself: -EOPNOTSUPP. -EBUSY: one has it for itself, or there are RECORD_SKB_MAX_SHARED
 * already; -EOPNOTSUPP: function_graph has no instances on this kernel.
 */
struct record_skb_share {
	__u32 recording;
	__u32 reserved;
};

#define RECORD_SKB_MAX_TERMS 32

enum record_skb_term_kind {
	RECORD_SKB_TERM_PORT = 0,  /* from @lo to @hi */
	RECORD_SKB_TERM_PROTO = 1, /* IP protocol @lo */
	RECORD_SKB_TERM_IPV4 = 2,  /* the first word of @address, as far as @mask says */
	RECORD_SKB_TERM_IPV6 = 3,  /* all of @address, as far as @mask says */
};

#define RECORD_SKB_END_SRC (1U << 0)
#define RECORD_SKB_END_DST (1U << 1)

/**
 * struct record_skb_term - something that a filter asks for
 * @kind: enum record_skb_term_kind
 * @ends: RECORD_SKB_END_*: of which end, one of them is enough; not 0 but for a protocol
 * @more: the next term is an alternative to this one; 0 or 1, and 0 in the last
 * @lo, @hi: in host byte order
 * @address, @mask: in network byte order; no bit of @address outside @mask
 *
 * Of TCP, UDP and SCTP a packet in whose headers none of some alternatives holds does not match, and
 * that is found out without running a program. The programs still have to agree on what is left.
 */
struct record_skb_term {
	__u8 kind;
	__u8 ends;
	__u8 more;
	__u8 reserved;
	__u16 lo;
	__u16 hi;
	__be32 address[4];
	__be32 mask[4];
};

/**
 * struct record_skb_filter - the packets to record
 * @raw: user address of the classic BPF program that reads from the network header on (DLT_RAW),
 *	every packet load rebased by SKF_NET_OFF
 * @ll: user address of the one that reads from an Ethernet header on (DLT_EN10MB), every load rebased
 *	by SKF_LL_OFF
 * @at_data: user address of @raw's program as it was compiled, nothing rebased
 * @raw_len: instructions in @raw, 0 for none, at most BPF_MAXINSNS
 * @ll_len: the same for @ll
 * @at_data_len: the same for @at_data
 * @nr_terms: how many of @terms there are, at most RECORD_SKB_MAX_TERMS
 * @terms: user address of what the programs ask for at least, struct record_skb_term
 *
 * IPv4 and IPv6 packets are judged by @raw (at points with RECORD_SKB_POINT_AT_DATA by @at_data)
 * where there is one; all others, and those if there is no @raw, by @ll wherever they have an
 * Ethernet header. Sockets are judged by @raw, given a packet made of their tuple. A program
 * matches by returning non-zero. Setting a filter replaces the one before. -EINVAL: a program
 * that the kernel's checker refuses, or that loads what is behind a pointer of the skb (SKF_AD_IFINDEX,
 * _HATYPE, _NLATTR, _NLATTR_NEST, _PAY_OFFSET), or a term that asks for nothing there is; -ENOMEM.
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
};

/*
 * What a probe point's argument is. Packets are SKB and LIST; the others are calls: they match by
 * the filter given the socket's own tuple, or because a followed task makes them in process
 * context.
 */
enum record_skb_kind {
	RECORD_SKB_KIND_SKB = 0,  /* struct sk_buff * */
	RECORD_SKB_KIND_LIST = 1, /* struct list_head * of skbs, all of which the function takes */
	RECORD_SKB_KIND_SOCK = 2, /* struct sock * */
	RECORD_SKB_KIND_SOCKET = 3, /* struct socket * */
	RECORD_SKB_KIND_FD = 4,	    /* int, a socket's file descriptor */
	RECORD_SKB_KIND_KIOCB = 5,  /* struct kiocb * of a socket's file */
	RECORD_SKB_KIND_FAMILY = 6, /* int, the first argument of socket(2): no socket yet */
};

enum record_skb_dir {
	RECORD_SKB_DIR_NONE = 0,
	RECORD_SKB_DIR_RX = 1,
	RECORD_SKB_DIR_TX = 2,
};

/*
 * Unrelated packets inside the function are left in the graph: it delivers packets other than the one in its
 * argument (GRO flushes, chains of packets), whose points are inside it.
 */
#define RECORD_SKB_POINT_CARRIER (1U << 0)
/*
 * In process context the packet here is the calling task's own: what a followed task sends is
 * learned at such a point.
 */
#define RECORD_SKB_POINT_SENDER (1U << 1)
/* The network header is not set yet: it is where skb->data points. */
#define RECORD_SKB_POINT_AT_DATA (1U << 2)
/* For calls: the next arguments are the peer's struct sockaddr in kernel memory, or NULL, and its length. */
#define RECORD_SKB_POINT_PEER (1U << 3)
/* For calls: the next argument is a struct msghdr whose msg_name is the peer's, or NULL. */
#define RECORD_SKB_POINT_MSG (1U << 4)
/*
 * skb->dev and the packet's route may be something else here (sockets' queues use the room for
 * their own): do not look. For any function of which no better is known.
 */
#define RECORD_SKB_POINT_NO_DEV (1U << 5)
/* For calls: the socket ends, so that nothing comes to it any more, whoever makes the call. */
#define RECORD_SKB_POINT_RELEASE (1U << 6)
/*
 * The function says by what it returns whether it took what it was given: an event says it also where
 * the match is nested in an open graph.
 */
#define RECORD_SKB_POINT_RETURN (1U << 7)

/**
 * struct record_skb_point - one function that packets are matched at
 * @func: its name, NUL-terminated
 * @kind: enum record_skb_kind
 * @arg: which argument holds it, from 0; at most 5
 * @dir: enum record_skb_dir, what the events say
 * @flags: RECORD_SKB_POINT_*
 *
 * -ENOENT: the kernel has no such function; -EOPNOTSUPP: it is there but cannot be traced by
 * ftrace; -EPROTOTYPE: the kernel does not say that its arguments are so (BTF), or it has others than
 * registers hold, or there is no packet; -EEXIST: already a point; -ENOSPC: RECORD_SKB_MAX_POINTS are set.
 */
struct record_skb_point {
	char func[RECORD_SKB_FUNC_LEN];
	__u32 kind;
	__u32 arg;
	__u32 dir;
	__u32 flags;
};

/* Packets and socket calls of the followed tasks match, filter or not. */
#define RECORD_SKB_OPT_FOLLOW (1U << 0)
/*
 * With OPT_FOLLOW and a filter: of the followed tasks' flows those without ports only (ICMP echo);
 * flows with ports are for the filter to judge.
 */
#define RECORD_SKB_OPT_FOLLOW_PORTLESS (1U << 1)
/* Do not follow what the followed tasks fork; new threads are followed all the same. */
#define RECORD_SKB_OPT_NO_CHILDREN (1U << 2)
/* A packet is what the filter says at each point anew; do not remember it. */
#define RECORD_SKB_OPT_NO_TRACK (1U << 3)
/* ICMP errors do not match by the packet they quote. */
#define RECORD_SKB_OPT_NO_ICMP_ERRORS (1U << 4)
/* What interrupts an open graph, and the softirqs that it runs at its end, stay in the graph. */
#define RECORD_SKB_OPT_IRQS (1U << 5)
/*
 * Say which rule of nftables gave which verdict on a packet that matched. While armed, nf_tables cannot be
 * unloaded, and does for each packet what it does for traces. Without nf_tables it does nothing.
 */
#define RECORD_SKB_OPT_RULES (1U << 6)
/*
 * function_graph is paused for every task of the machine, but inside the gates that open a graph: then a
 * traced function that is called anywhere else costs a fifth. Nobody else may be using function_graph: he
 * would see nothing. From 6.14 on others' probes would be paused too, so there it does nothing.
 */
#define RECORD_SKB_OPT_PAUSE (1U << 7)
/*
 * Arming records graphs of RECORD_SKB_CALIBRATION, before any packet's: readers see by them what recording a
 * call costs here.
 */
#define RECORD_SKB_OPT_CALIBRATE (1U << 8)
/*
 * Say when tasks sleep, are woken, lose their CPU and have one again: those that are inside a graph, and
 * those that are woken in one, until they have a CPU. And who has the CPUs while one of them waits.
 */
#define RECORD_SKB_OPT_SCHED (1U << 9)
/*
 * A function by which packets may be given to a socket could not be a point: the events of packets say so,
 * for then their ends do not tell what became of them.
 */
#define RECORD_SKB_OPT_LACKS_POINTS (1U << 10)

#define RECORD_SKB_MAX_WHERE 16
#define RECORD_SKB_MAX_MARKS 8

/**
 * struct record_skb_where - a place that packets are to be in
 * @netns: inode number of a network namespace, 0 for any
 * @ifindex: an interface, which the packet arrived on or leaves by, 0 for any
 */
struct record_skb_where {
	__u32 netns;
	__u32 ifindex;
};

/**
 * struct record_skb_mark - a mark that packets are to have: skb->mark & @mask == @value
 * @value: with no bit outside @mask
 * @mask: not 0
 */
struct record_skb_mark {
	__u32 value;
	__u32 mask;
};

/**
 * struct record_skb_options - what else narrows or widens
 * @flags: RECORD_SKB_OPT_*
 * @dirs: bit mask of 1 << RECORD_SKB_DIR_RX and _TX to record at, 0 for both
 * @nr_where: how many of @where there are, one of which a packet has to be in; 0 for anywhere
 * @nr_marks: how many of @marks there are, one of which a packet has to have; 0 for any
 */
struct record_skb_options {
	__u32 flags;
	__u32 dirs;
	__u32 nr_where;
	__u32 nr_marks;
	struct record_skb_where where[RECORD_SKB_MAX_WHERE];
	struct record_skb_mark marks[RECORD_SKB_MAX_MARKS];
};

/* What a task does. */
enum record_skb_sched {
	RECORD_SKB_SCHED_ASLEEP = 0,	/* it leaves its CPU until somebody wakes it */
	RECORD_SKB_SCHED_PREEMPTED = 1, /* it leaves its CPU, and would go on if it had one */
	RECORD_SKB_SCHED_WOKEN = 2,	/* it is to go on as soon as it has a CPU */
	RECORD_SKB_SCHED_ON = 3,	/* it has a CPU */
	RECORD_SKB_SCHED_OTHER = 4,	/* another has a CPU, while one of those waits for one */
};

/* How a packet can end a ring. */
enum record_skb_by {
	RECORD_SKB_BY_NOBODY = 0,
	RECORD_SKB_BY_DROP = 1,	      /* it is thrown away */
	RECORD_SKB_BY_SLOW = 2,	      /* it is there for too long */
	RECORD_SKB_BY_MATCH = 3,      /* it is one that was looked for */
	RECORD_SKB_BY_UNANSWERED = 4, /* it is not answered for too long */
};

#define RECORD_SKB_MAX_REASONS	 8
#define RECORD_SKB_REASON_LEN	 48
#define RECORD_SKB_MAX_AFTER_NS	 (60ULL * 1000000000)
#define RECORD_SKB_MAX_SLOWER_NS (600ULL * 1000000000)

/**
 * struct record_skb_ring - the trace buffer is a ring: it is read when the recording has ended
 * @on: bit mask of 1 << enum record_skb_by: which packets end it, but for _NOBODY
 * @nr_reasons: how many of @reasons there are; 0 for any
 * @slower_ns: with _SLOW, from a packet's first point to the end of one of its skbs; one that does not
 *	end is found within a quarter of a second. Else 0
 * @unanswered_ns: with _UNANSWERED, from the first point of a packet that asks (a SYN, or data of the end
 *	that connects, if it is known) to that of its flow's next one from the other end, acknowledgements of
 *	TCP aside; one that has no answer is found within a quarter of a second. Else 0
 * @after_ns: how long what comes after is recorded, too
 * @match: with _MATCH, the programs that say which packet, as in SET_FILTER
 * @reasons: with _DROP, for what it is thrown away: names without "SKB_DROP_REASON_", NUL-terminated
 *
 * The first packet to do so switches the top trace buffer off (tracing_on) as soon as the graph around it is
 * closed, and @after_ns later; with _MATCH when it has ended, or a second later; with _UNANSWERED when the
 * late answer has ended, or a second later. Then, or when the session is disarmed before that, the buffer's
 * last event is record_skb:stop. Nothing more is recorded until the next ARM, before which user space has to
 * switch the buffer on.
 *
 * -ENOENT: this kernel has no such reason.
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
 * struct record_skb_follow - a task to follow, with its children from now on
 * @pid: in the caller's pid namespace; 0 for the caller itself
 * @flags: none so far
 *
 * May be called before and after ARM. -ESRCH: no such task; -ENOSPC: too many tasks.
 */
struct record_skb_follow {
	__s32 pid;
	__u32 flags;
};

/**
 * struct record_skb_stats - counted since ARM; stays readable after DISARM until the next ARM
 * @packets: packets that matched (numbers given)
 * @flows: flows they belong to
 * @hits: matches, one a probe point passed
 * @graphs: graphs opened
 * @unrelated: non-matching packets inside an open graph, of which only a line is recorded
 * @calls: socket calls of followed tasks that matched
 * @lost_frames: matches that opened no graph, or whose return is not recorded, and interrupts that are not
 *	kept out of a graph, for want of room to remember the task or its depth; likewise wake-ups (OPT_SCHED)
 * @lost_recursion: probe points passed where ftrace could not be entered again; not looked at
 * @lost_tracked: packets whose memory of having matched was dropped for want of room
 * @lost_flows: flows given up for want of room, those that were not seen for the longest time
 * @lost_tasks: children not followed for want of room
 * @lost_functions: graphs that lack points and functions of SET_GRAPH: function_graph had another user
 *	meanwhile, and drops what it is given then
 * @inside: tasks inside a gate now (asleep readers among them): while not 0 the module cannot unload
 * @armed: 1 while armed
 * @untracked: 1 if packets are not remembered although they should be: this kernel does not let us
 *	see their end
 * @uncopied: 1 if copies of packets are not known as such: a live patch holds a function that makes
 *	them
 * @unruled: 1 if verdicts of rules are not told (OPT_RULES) although nf_tables is there
 * @stopped_ns: when a ring ended, by CLOCK_MONOTONIC; 0 if it has not
 * @stopped: 1 if a packet has ended the ring: nothing is recorded any more
 * @by: enum record_skb_by: how it did
 * @by_pkt: its number, 0 if none has
 * @by_copy: which of its skbs
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
	__u32 reserved;
};

#define RECORD_SKB_SYMBOL_LEN 256

/**
 * struct record_skb_symbol - what the kernel calls an address
 * @address: any
 * @text: out: "function+0xoffset/0xsize [module]", without the last for the kernel's own; the address in
 *	hexadecimal if there is nothing known
 */
struct record_skb_symbol {
	__u64 address;
	char text[RECORD_SKB_SYMBOL_LEN];
};

/* Calls of the function are no longer seen by function_graph itself: the module has to give them to it. */
#define RECORD_SKB_FUNCTION_ALONE (1U << 0)

/**
 * struct record_skb_function - one of the functions that the module stands at while it is armed
 * @index: which, from 0
 * @flags: RECORD_SKB_FUNCTION_ALONE if it was taken out of what function_graph traces
 * @address: out: the function, as ftrace names it; with a flag it goes in
 *
 * Points of the session and the module's own, as they would be if it were armed now. A function with one
 * user of ftrace costs half of what it costs with two; so, before ARM, function_graph may be made to trace
 * without it, and then be given those calls that it would record. -ERANGE: there are no more; -EAGAIN: it is
 * another one by now, for a module was unloaded; -EOPNOTSUPP, with a flag: on this kernel function_graph
 * takes no calls.
 */
struct record_skb_function {
	__u32 index;
	__u32 flags;
	__u64 address;
};

/* All functions of modules that are loaded from now on, too. */
#define RECORD_SKB_GRAPH_LATER (1U << 0)

/**
 * struct record_skb_graph - functions whose calls are given to function_graph, which does without them
 * @functions: __u64 each: addresses as ftrace names them
 * @nr_functions: how many, from 1
 * @flags: RECORD_SKB_GRAPH_*
 *
 * function_graph takes 58 instructions to find out that a task is paused; this way it is seven. So, before
 * ARM, function_graph is made to trace without them. -EINVAL: an address is no function of ftrace's, maybe
 * not any more; -EOPNOTSUPP: on this kernel function_graph takes no calls.
 */
struct record_skb_graph {
	__u64 functions;
	__u32 nr_functions;
	__u32 flags;
};

#define RECORD_SKB_MAX_ADDRESSES 1024

/**
 * struct record_skb_addresses - where functions are that will be asked for by name
 * @functions: __u64 each, as RECORD_SKB_GET_FUNCTION has told them since the machine was booted
 * @nr_functions: how many, from 1 to RECORD_SKB_MAX_ADDRESSES
 * @reserved: 0
 *
 * To look a function up by its name costs some million instructions, and this nearly nothing. What is not
 * among them is looked up; a name is the kernel's word for the address, not user space's. Those of modules
 * are passed over: they may go. It holds until the file is closed or others are set. -EINVAL: an address is
 * no function of ftrace's.
 */
struct record_skb_addresses {
	__u64 functions;
	__u32 nr_functions;
	__u32 reserved;
};

/**
 * struct record_skb_large_reads - a file that is to be read in large pieces
 * @fd: the caller's, of which nothing has been read
 * @bytes: how much a read may return, from a page to 1 MB
 *
 * The kernel writes available_filter_functions by the page, and for each page goes through the functions from
 * the first one on, which is most of what reading it costs. -EBADF: no file; -EINVAL: not one of tracefs that
 * is written this way (a seq_file), open to be read, or @bytes is too small or large; -EBUSY: somebody has
 * read from it; -ENOMEM.
 */
struct record_skb_large_reads {
	__s32 fd;
	__u32 bytes;
};

#define RECORD_SKB_IOC 0xb5

#define RECORD_SKB_GET_INFO _IOR(RECORD_SKB_IOC, 0, struct record_skb_info)
/* -EBUSY: another session has it, or some share it; GET_INFO says whose. */
#define RECORD_SKB_CLAIM       _IO(RECORD_SKB_IOC, 1)
#define RECORD_SKB_SET_FILTER  _IOW(RECORD_SKB_IOC, 2, struct record_skb_filter)
#define RECORD_SKB_ADD_POINT   _IOW(RECORD_SKB_IOC, 3, struct record_skb_point)
#define RECORD_SKB_SET_OPTIONS _IOW(RECORD_SKB_IOC, 4, struct record_skb_options)
#define RECORD_SKB_FOLLOW      _IOW(RECORD_SKB_IOC, 5, struct record_skb_follow)
/*
 * Start matching. Call it when function_graph is on: then the match event stands before its
 * graph. -EINVAL: no probe point; -EALREADY: armed; -EBUSY: one of the functions is held by
 * another user of ftrace that changes where a call goes (a live patch).
 */
#define RECORD_SKB_ARM _IO(RECORD_SKB_IOC, 6)
/* Stop matching. Returns at once; tasks inside a gate leave it in their own time. */
#define RECORD_SKB_DISARM	 _IO(RECORD_SKB_IOC, 7)
#define RECORD_SKB_GET_STATS	 _IOR(RECORD_SKB_IOC, 8, struct record_skb_stats)
#define RECORD_SKB_GET_SYMBOL	 _IOWR(RECORD_SKB_IOC, 9, struct record_skb_symbol)
#define RECORD_SKB_SET_RING	 _IOW(RECORD_SKB_IOC, 10, struct record_skb_ring)
#define RECORD_SKB_GET_FUNCTION	 _IOWR(RECORD_SKB_IOC, 11, struct record_skb_function)
#define RECORD_SKB_SET_GRAPH	 _IOW(RECORD_SKB_IOC, 12, struct record_skb_graph)
#define RECORD_SKB_SET_ADDRESSES _IOW(RECORD_SKB_IOC, 13, struct record_skb_addresses)
#define RECORD_SKB_CLAIM_SHARED	 _IOR(RECORD_SKB_IOC, 14, struct record_skb_share)
#define RECORD_SKB_LARGE_READS	 _IOW(RECORD_SKB_IOC, 15, struct record_skb_large_reads)

/* The values of the field "how" in the event record_skb:packet. */
enum record_skb_how {
	RECORD_SKB_HOW_OPEN = 0,   /* a gate is opened: the next entry in this task is the gate's */
	RECORD_SKB_HOW_NESTED = 1, /* inside an open graph: the next entry is the probe point's */
	RECORD_SKB_HOW_HIDDEN = 2, /* no graph could be opened: no entry follows */
};

/* The values of the field "copy" in the events that are not just a number. */
#define RECORD_SKB_COPY_UNKNOWN (~0U) /* the skb is not remembered: nothing will say that it ends */
/* From here on the order is right, but there are gaps. */
#define RECORD_SKB_COPY_UNCOUNTED (1U << 30)

/* The values of the field "kind" in the event record_skb:copy. */
enum record_skb_copy_kind {
	RECORD_SKB_COPY_CLONE = 0,    /* another skb with the same bytes */
	RECORD_SKB_COPY_COPY = 1,     /* another skb with bytes of its own */
	RECORD_SKB_COPY_SEGMENT = 2,  /* one of the segments that a packet was cut into */
	RECORD_SKB_COPY_FRAGMENT = 3, /* one of its IP fragments */
	RECORD_SKB_COPY_PART = 4,     /* was in its list of fragments when it matched */
	RECORD_SKB_COPY_MORPH = 5, /* an skb that became this packet: IP fragments put together */
};

#endif /* _UAPI_RECORD_SKB_H */
