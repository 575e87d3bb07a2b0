// SPDX-License-Identifier: GPL-2.0
/* calls.c - probe points that are given a socket and no packet */
#include <linux/err.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/net.h>
#include <linux/sched/task.h>
#include <linux/socket.h>
#include <net/sock.h>

#include "armed.h"
#include "calls.h"
#include "compat/ftrace.h"
#include "follow.h"
#include "match.h"
#include "sock.h"
#include "tuple.h"

/* The peer that the call's next argument names; behind an address stands its length. */
static void read_peer(const struct point *point, struct ftrace_regs *fregs, struct tuple *t)
{
	const void *next = (const void *)ftrace_regs_get_argument(fregs, point->arg + 1);
	const struct msghdr *msg = next;

	if (!next)
		return;
	if (point->flags & RECORD_SKB_POINT_PEER)
		sock_set_peer(t, next, ftrace_regs_get_argument(fregs, point->arg + 2));
	else if (point->flags & RECORD_SKB_POINT_MSG && msg->msg_name)
		sock_set_peer(t, msg->msg_name, msg->msg_namelen);
}

static enum gate sock_seen(const struct armed *a, const struct point *point, const struct sock *sk,
			   int fd, struct ftrace_regs *fregs)
{
	struct tuple t __attribute__((__uninitialized__));
	bool matches;
	u32 flow;

	if (IS_ERR_OR_NULL(sk) || !sk_fullsock(sk) || !sock_tuple(sk, &t))
		return GATE_NONE;
	read_peer(point, fregs, &t);
	matches = match_call(a, point, sk, &t, &flow);
	if (point->flags & RECORD_SKB_POINT_RELEASE)
		match_unlearn(a, sk, &t);
	if (matches)
		return graph_matched_call(a, point, sk, &t, flow, fd);
	return graph_unrelated(a, point, sk);
}

static enum gate socket_seen(const struct armed *a, const struct point *point,
			     const struct socket *sock, struct ftrace_regs *fregs)
{
	return sock ? sock_seen(a, point, sock->sk, -1, fregs) : GATE_NONE;
}

static enum gate fd_seen(const struct armed *a, const struct point *point, int fd,
			 struct ftrace_regs *fregs)
{
	struct socket *sock;
	enum gate gate;
	int err;

	/* A descriptor says something only about the task whose table it is in. */
	if (!in_task())
		return GATE_NONE;
	sock = sockfd_lookup(fd, &err);
	if (!sock)
		return GATE_NONE;
	gate = sock_seen(a, point, sock->sk, fd, fregs);
	sockfd_put(sock);
	return gate;
}

/* The arguments of socket(2), from the family on. */
static enum gate family_seen(const struct armed *a, const struct point *point,
			     struct ftrace_regs *fregs)
{
	struct tuple t;

	if (!sock_new_tuple(ftrace_regs_get_argument(fregs, point->arg),
			    ftrace_regs_get_argument(fregs, point->arg + 1),
			    ftrace_regs_get_argument(fregs, point->arg + 2), &t))
		return GATE_NONE;
	return match_new_sock(a, &t) ? graph_matched_call(a, point, NULL, &t, 0, -1) : GATE_NONE;
}

/**
 * call_seen() - a probe point that is no packet's was called
 * @a: what is armed
 * @point: which
 * @fregs: with what
 */
enum gate call_seen(const struct armed *a, const struct point *point, struct ftrace_regs *fregs)
{
	const unsigned long arg = ftrace_regs_get_argument(fregs, point->arg);

	switch (point->kind) {
	case RECORD_SKB_KIND_SOCK:
		return sock_seen(a, point, (const struct sock *)arg, -1, fregs);
	case RECORD_SKB_KIND_SOCKET:
		return socket_seen(a, point, (const struct socket *)arg, fregs);
	case RECORD_SKB_KIND_FD:
		return fd_seen(a, point, arg, fregs);
	case RECORD_SKB_KIND_KIOCB:
		return arg ? socket_seen(a, point, sock_from_file(((struct kiocb *)arg)->ki_filp),
					 fregs) :
			     GATE_NONE;
	case RECORD_SKB_KIND_FAMILY:
		return family_seen(a, point, fregs);
	}
	return GATE_NONE;
}

/**
 * call_left() - a call on a descriptor has returned
 * @a: what is armed
 * @fd: the descriptor
 *
 * The socket may be bound or connected only now: learn its flow before the first packet comes.
 */
void call_left(const struct armed *a, int fd)
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
	/* Of threads with one table, one is enough. */
	if (task != task->group_leader && task->files == task->group_leader->files)
		return;
	/* Neither sleeps; netprio and classid of cgroups look at the files of others like this. */
	task_lock(task);
	if (task->files)
		iterate_fd(task->files, 0, learn_file, armed);
	task_unlock(task);
}

/**
 * calls_learn() - what the followed tasks already have open is theirs too
 * @a: what is armed
 *
 * In process context.
 */
void calls_learn(const struct armed *a)
{
	if (a->options.flags & RECORD_SKB_OPT_FOLLOW)
		follow_each(a->of->follow, learn_files, a);
}
