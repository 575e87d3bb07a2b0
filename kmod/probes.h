/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PROBES_H
#define RECORD_SKB_PROBES_H

#include <linux/types.h>
#include <record_skb.h>

/* Number of the functions that decisions.c observes. */
#define DECISION_SITES 21

struct Qdisc;
struct module;
struct net_device;

/*
 * Kinds of the probe points that the module itself needs. The values follow those of enum record_skb_kind.
 */
enum {
	POINT_KIND_IRQ = 64, /* the end of an interrupt, where softirqs run for unrelated packets */
	POINT_KIND_MAKER,    /* the function copies an skb, and only the module needs this point */
	/* Calls of the following kinds are observed and never redirected. */
	POINT_KIND_FREE,     /* the skb is being freed */
	POINT_KIND_HEADER,   /* the header of an skb is copied to another skb */
	POINT_KIND_RULE,     /* an nftables rule has decided on a packet: drops_and_rules.c */
	POINT_KIND_ENQUEUE,  /* a queueing discipline gets the skb */
	POINT_KIND_PROGRAM,  /* a BPF program has run on an skb: bpf_programs.c */
	POINT_KIND_REDIRECT, /* the kernel redirects an skb for a BPF program: bpf_programs.c */
	POINT_KIND_DECISION, /* the kernel decides about the path of a packet: decisions.c */
	POINT_KIND_COPYING,  /* a task is about to be copied */
	POINT_KIND_COPIED,   /* a task has been copied, and the copy is not on the task list yet */
};

/* Values of @copies in struct point for functions that run BPF programs and return their decision. */
enum {
	/* __cgroup_bpf_run_filter_skb(socket, packet): a program of the cgroup may refuse the packet. */
	POINT_REFUSES_CGROUP = 64,
	/* sk_filter_trim_cap(socket, packet): the filter of the socket may refuse the packet. */
	POINT_REFUSES_FILTER,
	/* bpf_dispatcher_xdp_func(frame, program): runs an XDP program. See xdp_programs.c. */
	POINT_RUNS_XDP,
};

/*
 * struct point - a probe point: a function that the module attaches to
 * @ip: address of the function's ftrace site, which ftrace callbacks get and funcgraph_entry records
 * @kind, @arg, @dir, @flags: as in struct record_skb_point; @kind may also be one of POINT_KIND_*
 * @copies: 1 + enum record_skb_copy_kind if the function returns copies of the skb; POINT_REFUSES_* or
 *	POINT_RUNS_XDP if it runs BPF programs; 0 for all other functions
 * @site: for POINT_KIND_DECISION, the number of the function in decisions.c
 * @inside: only calls inside a gate matter
 * @enqueues: user space named the function, and it is also the enqueue function of a queueing discipline
 * @keeps_sock: the caller of the function holds the socket until after the return
 * @tls_message: the function moves TLS records, and its second argument is the struct msghdr
 * @recv_flags: the fourth argument has the MSG_* flags of a receiving call
 * @sole_user: function_graph is not attached to the function; ftrace_callback.c passes the calls to be
 *	recorded to function_graph
 */
struct point {
	unsigned long ip;
	u32 kind;
	u32 arg;
	u32 dir;
	u32 flags;
	u32 copies;
	u8 site;
	bool inside;
	bool enqueues;
	bool keeps_sock;
	bool tls_message;
	bool recv_flags;
	bool sole_user;
};

/*
 * struct points - a set of probe points, without duplicates
 * @point: array of the probe points
 * @nr: number of points
 * @max: number of points that fit into @point
 * @no_memory: a point that the module itself needs may be missing, because a lookup ran out of memory
 * @lacks_taps: a point is missing that shows if packet sockets get a packet (decisions.c)
 */
struct points {
	struct point *point;
	u32 nr;
	u32 max;
	bool no_memory;
	bool lacks_taps;
};

/*
 * struct hit - a call of a probe point that the prefilter has not rejected
 * @ip: address of the probe point
 * @parent_ip: address in the calling function
 * @arg: the arguments that the call passes in registers
 */
struct hit {
	unsigned long ip;
	unsigned long parent_ip;
	unsigned long arg[6];
};

int points_init(struct points *p, u32 max);
int points_copy(struct points *p, const struct points *from);
int points_complete(struct points *p, const struct points *users,
		    struct record_skb_options *options);
struct point *points_find(const struct points *p, unsigned long ip);
void points_free(struct points *p);
int points_add(struct points *p, const struct record_skb_point *want);
int points_take_function(struct point *point, struct record_skb_function *function);
void points_forget_module(struct points *p, const struct module *mod);
/* A device can have tens of thousands of qdiscs, as with HTB. No more than this number is looked at. */
#define MAX_QDISCS 256

bool qdisc_has_parts(const struct net_device *dev, const struct Qdisc *queue);

#endif
