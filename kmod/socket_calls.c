// SPDX-License-Identifier: GPL-2.0
/*
 * socket_calls.c - probe points at functions that get a socket and not a packet: decide which calls are
 * recorded, and follow the flows of their sockets
 */
#include <linux/err.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/net.h>
#include <linux/nsproxy.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/socket.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include <net/tcp.h>
#include <net/tcp_states.h>

#include "active_config.h"
#include "filter.h"
#include "flow_table.h"
#include "flow_tuple.h"
#include "match.h"
#include "tasks.h"
#include "probes.h"
#include "socket_calls.h"

/* Return: true if the current task is followed, and the current context is not an interrupt or softirq. */
static bool match_current(const struct active_config *a)
{
	return (a->options.flags & RECORD_SKB_OPT_FOLLOW) && in_task() &&
	       task_table_current(a->recording->follow);
}

/* Return: true if the addresses and ports of both ends are known, so that the tuple identifies one flow. */
static bool match_complete(const struct tuple *t)
{
	return t->sport && t->dport && !ipv6_addr_any(&t->saddr) && !ipv6_addr_any(&t->daddr);
}

/* Return: true if the socket accepts packets from any peer that sends to its port. */
static bool match_is_open(const struct sock *sk)
{
	return sk->sk_type != SOCK_STREAM || sk->sk_state == TCP_LISTEN;
}

/* Follow the flows of a socket of a followed task. Return: false if the options leave the socket out. */
static bool match_learn_of(const struct active_config *a, const struct sock *sk,
			   const struct tuple *t)
{
	if ((a->options.flags & RECORD_SKB_OPT_FOLLOW_PORTLESS) && !t->portless)
		return false;
	/*
	 * Do not follow the flow of a tunnel, because other packets in the tunnel between the same hosts do
	 * not belong to the task.
	 */
	if (tuple_is_tunnel(t))
		return true;
	if (match_complete(t))
		flow_table_follow(a->recording->flows, t, sock_net(sk)->net_cookie);
	else if (t->sport && match_is_open(sk))
		flow_table_follow_local(a->recording->flows, t, sock_net(sk)->net_cookie,
					!ipv6_only_sock(sk));
	return true;
}

/**
 * match_learn() - follow the flows of a socket that the current task uses
 * @a: the active configuration
 * @sk: the socket
 * @t: tuple of the socket
 *
 * Return: true if the current task is followed. The flows of the socket are then followed, too.
 */
static bool match_learn(const struct active_config *a, const struct sock *sk, const struct tuple *t)
{
	return match_current(a) && match_learn_of(a, sk, t);
}

/**
 * match_unlearn() - stop following the local port of a socket that is being closed
 * @a: the active configuration
 * @sk: the socket
 * @t: tuple of the socket
 *
 * Packets that arrive at the port later belong to another socket.
 */
static void match_unlearn(const struct active_config *a, const struct sock *sk,
			  const struct tuple *t)
{
	/*
	 * Keep following the port if other sockets may share it, because these sockets may belong to
	 * followed tasks.
	 */
	if (sk->sk_reuseport || (sk->sk_type != SOCK_STREAM && (sk->sk_reuse || t->dport)))
		return;
	if (flow_table_any_local(a->recording->flows) && t->sport && match_is_open(sk))
		flow_table_unfollow_local(a->recording->flows, t, sock_net(sk)->net_cookie,
					  !ipv6_only_sock(sk));
}

/**
 * match_call() - decide whether to record a call of a socket function
 * @a: the active configuration
 * @point: probe of the function
 * @sk: the socket
 * @t: tuple of the socket, with the peer address that was passed to the call
 * @resets: the call sends a TCP reset; then a filter for resets matches, too
 * @flow: set to the number of the flow, 0 while either end is unknown
 *
 * A call does not match if the recording has a condition on fields of an skb, because a call has no skb. With
 * sampling, a call does not match while an end of its flow is unknown.
 *
 * Return: true if the call matches.
 */
static bool match_call(const struct active_config *a, const struct point *point,
		       const struct sock *sk, const struct tuple *t, bool resets, u32 *flow)
{
	if (a->options.nr_steps || (a->options.sample > 1 && !match_complete(t)) ||
	    !match_sample(&a->options, t) || !match_mark(&a->options, sk->sk_mark) ||
	    !match_where(&a->options, sk->sk_bound_dev_if, sock_net(sk)->ns.inum))
		return false;
	if (!match_learn(a, sk, t) &&
	    !filter_run_tuple(&a->filter, t, point->dir == RECORD_SKB_DIR_RX) &&
	    !(resets && filter_run_reset(&a->filter, t)))
		return false;
	*flow = match_complete(t) ?
			flow_table_number(a->recording->flows, t, sock_net(sk)->net_cookie) :
			0;
	return true;
}

/**
 * match_new_sock() - decide whether to record a call that creates a socket
 * @a: the active configuration
 * @t: tuple from sock_new_tuple()
 *
 * The socket is not bound or connected yet, so a filter for addresses or ports cannot decide. Only the
 * current task and the options are tested.
 *
 * Return: true if the call matches.
 */
static bool match_new_sock(const struct active_config *a, const struct tuple *t)
{
	const struct record_skb_options *o = &a->options;

	return !o->nr_steps && o->sample <= 1 && match_current(a) &&
	       (t->portless || !(o->flags & RECORD_SKB_OPT_FOLLOW_PORTLESS)) && match_mark(o, 0) &&
	       match_where(o, 0, current->nsproxy->net_ns->ns.inum);
}

/*
 * Read the peer's address from the argument after the socket. That argument is a struct msghdr, or an address
 * that is followed by its length.
 */
static void read_peer(const struct point *point, const struct hit *hit, struct tuple *t)
{
	const void *next = (const void *)hit->arg[point->arg + 1];
	const struct msghdr *msg = next;

	if (!next)
		return;
	if (point->flags & RECORD_SKB_POINT_PEER)
		sock_set_peer(t, next, hit->arg[point->arg + 2]);
	else if (point->flags & RECORD_SKB_POINT_MSG && msg->msg_name)
		sock_set_peer(t, msg->msg_name, msg->msg_namelen);
}

/*
 * Return: true if closing the TCP socket sends a reset. This is so in three cases:
 *
 * - The socket listens, and connections wait in its accept queue.
 * - Data was received and not read.
 * - SO_LINGER is set with a time of 0.
 *
 * The socket is not locked. If its state changes before it is closed, the graph only begins when the reset is
 * sent.
 */
static bool sends_reset(const struct sock *sk)
{
	u32 unread;

	if (!sk_is_tcp(sk))
		return false;
	switch (READ_ONCE(sk->sk_state)) {
	case TCP_LISTEN:
		return READ_ONCE(sk->sk_ack_backlog);
	case TCP_ESTABLISHED:
	case TCP_CLOSE_WAIT:
	case TCP_FIN_WAIT1:
	case TCP_FIN_WAIT2:
		unread = READ_ONCE(tcp_sk(sk)->rcv_nxt) - READ_ONCE(tcp_sk(sk)->copied_seq);
		/* A received FIN has a sequence number, too, so it counts as one unread byte. */
		return unread > (READ_ONCE(sk->sk_state) == TCP_CLOSE_WAIT) ||
		       (sock_flag(sk, SOCK_LINGER) && !READ_ONCE(sk->sk_lingertime));
	}
	return false;
}

static enum gate sock_seen(const struct active_config *a, const struct point *point,
			   const struct sock *sk, int fd, const struct hit *hit)
{
	struct tuple t __attribute__((__uninitialized__));
	bool matches;
	u32 flow;

	if (IS_ERR_OR_NULL(sk) || !sk_fullsock(sk) || !sock_tuple(sk, &t))
		return GATE_NONE;
	/* Without these flags, the socket may be the last argument. */
	if (point->flags & (RECORD_SKB_POINT_PEER | RECORD_SKB_POINT_MSG))
		read_peer(point, hit, &t);
	matches = match_call(a, point, sk, &t,
			     point->flags & RECORD_SKB_POINT_RELEASE && sends_reset(sk), &flow);
	if (point->flags & RECORD_SKB_POINT_RELEASE)
		match_unlearn(a, sk, &t);
	if (matches)
		return graph_matched_call(a, point, sk, hit, &t, flow, fd);
	return graph_unrelated(a, point, sk);
}

static enum gate socket_seen(const struct active_config *a, const struct point *point,
			     const struct socket *sock, const struct hit *hit)
{
	return sock ? sock_seen(a, point, sock->sk, -1, hit) : GATE_NONE;
}

static enum gate fd_seen(const struct active_config *a, const struct point *point, int fd,
			 const struct hit *hit)
{
	struct socket *sock;
	enum gate gate;
	int err;

	/* In an interrupt, the descriptor table of the current task does not belong to the call. */
	if (!in_task())
		return GATE_NONE;
	sock = sockfd_lookup(fd, &err);
	if (!sock)
		return GATE_NONE;
	gate = sock_seen(a, point, sock->sk, fd, hit);
	sockfd_put(sock);
	return gate;
}

/*
 * Handle socket(2). Only its arguments family, type and protocol are known, because the socket does not
 * exist yet.
 */
static enum gate family_seen(const struct active_config *a, const struct point *point,
			     const struct hit *hit)
{
	struct tuple t;

	if (!sock_new_tuple(hit->arg[point->arg], hit->arg[point->arg + 1],
			    hit->arg[point->arg + 2], &t))
		return GATE_NONE;
	return match_new_sock(a, &t) ? graph_matched_call(a, point, NULL, hit, &t, 0, -1) :
				       GATE_NONE;
}

/**
 * decide_call() - handle a call of a probed function that gets a socket instead of a packet
 * @a: the active configuration
 * @point: the probe
 * @hit: the call
 *
 * Return: the gate to which the call is redirected; GATE_NONE if the call is not redirected.
 */
enum gate decide_call(const struct active_config *a, const struct point *point,
		      const struct hit *hit)
{
	const unsigned long arg = hit->arg[point->arg];

	switch (point->kind) {
	case RECORD_SKB_KIND_SOCK:
		return sock_seen(a, point, (const struct sock *)arg, -1, hit);
	case RECORD_SKB_KIND_SOCKET:
		return socket_seen(a, point, (const struct socket *)arg, hit);
	case RECORD_SKB_KIND_FD:
		return fd_seen(a, point, arg, hit);
	case RECORD_SKB_KIND_KIOCB:
		return arg ? socket_seen(a, point, sock_from_file(((struct kiocb *)arg)->ki_filp),
					 hit) :
			     GATE_NONE;
	case RECORD_SKB_KIND_FAMILY:
		return family_seen(a, point, hit);
	}
	return GATE_NONE;
}

/**
 * call_left() - handle the return of a call on a descriptor
 * @a: the active configuration
 * @fd: the descriptor
 *
 * The call may have bound or connected the socket. Add the flow of the socket before its first packet
 * arrives.
 */
void call_left(const struct active_config *a, int fd)
{
	struct socket *sock;
	struct tuple t;
	int err;

	sock = sockfd_lookup(fd, &err);
	if (!sock)
		return;
	if (sock->sk && sk_fullsock(sock->sk) && sock_tuple(sock->sk, &t))
		match_learn(a, sock->sk, &t);
	sockfd_put(sock);
}

static int learn_file(const void *armed, struct file *file, unsigned int fd)
{
	const struct socket *sock = sock_from_file(file);
	struct tuple t;

	if (sock && sock->sk && sk_fullsock(sock->sk) && sock_tuple(sock->sk, &t))
		match_learn_of(armed, sock->sk, &t);
	return 0;
}

static void learn_files(struct task_struct *task, const void *armed)
{
	/* Skip a thread that shares its descriptor table with the group leader. */
	if (task != task->group_leader && task->files == task->group_leader->files)
		return;
	/*
	 * task_lock() and iterate_fd() do not sleep. The cgroup controllers net_prio and net_cls read the
	 * files of other tasks in the same way.
	 */
	task_lock(task);
	if (task->files)
		iterate_fd(task->files, 0, learn_file, armed);
	task_unlock(task);
}

/**
 * calls_learn() - add the flows of sockets that the followed tasks have already opened
 * @a: the active configuration
 *
 * Call this from process context.
 */
void calls_learn(const struct active_config *a)
{
	if (a->options.flags & RECORD_SKB_OPT_FOLLOW)
		task_table_each(a->recording->follow, learn_files, a);
}
