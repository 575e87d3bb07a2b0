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

#include "calls.h"
#include "compat/ftrace.h"
#include "emit.h"
#include "follow.h"
#include "match.h"
#include "points.h"
#include "session.h"
#include "sock.h"

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

static gate_fn *sock_seen(const struct session *s, const struct point *point,
			  const struct sock *sk, int fd, struct ftrace_regs *fregs)
{
	struct tuple t;
	bool matches;
	u32 flow;

	if (IS_ERR_OR_NULL(sk) || !sk_fullsock(sk) || !sock_tuple(sk, &t))
		return NULL;
	read_peer(point, fregs, &t);
	matches = match_call(s, point, sk, &t, &flow);
	if (point->flags & RECORD_SKB_POINT_RELEASE)
		match_unlearn(sk, &t);
	if (matches)
		return point_matched_call(s, point, sk, &t, flow, fd);
	return point_other(s, point, sk);
}

static gate_fn *socket_seen(const struct session *s, const struct point *point,
			    const struct socket *sock, struct ftrace_regs *fregs)
{
	return sock ? sock_seen(s, point, sock->sk, -1, fregs) : NULL;
}

static gate_fn *fd_seen(const struct session *s, const struct point *point, int fd,
			struct ftrace_regs *fregs)
{
	struct socket *sock;
	gate_fn *gate;
	int err;

	/* A descriptor says something only about the task whose table it is in. */
	if (!in_task())
		return NULL;
	sock = sockfd_lookup(fd, &err);
	if (!sock)
		return NULL;
	gate = sock_seen(s, point, sock->sk, fd, fregs);
	sockfd_put(sock);
	return gate;
}

/* The arguments of socket(2), from the family on. */
static gate_fn *family_seen(const struct session *s, const struct point *point,
			    struct ftrace_regs *fregs)
{
	struct tuple t;

	if (!sock_new_tuple(ftrace_regs_get_argument(fregs, point->arg),
			    ftrace_regs_get_argument(fregs, point->arg + 1),
			    ftrace_regs_get_argument(fregs, point->arg + 2), &t))
		return NULL;
	return match_new_sock(s, &t) ? point_matched_call(s, point, NULL, &t, 0, -1) : NULL;
}

/**
 * call_seen() - a probe point that is no packet's was called
 * @s: the armed session
 * @point: which
 * @fregs: with what
 *
 * Return: the gate to lead the call through, its frame pushed; NULL to let it pass.
 */
gate_fn *call_seen(const struct session *s, const struct point *point, struct ftrace_regs *fregs)
{
	const unsigned long arg = ftrace_regs_get_argument(fregs, point->arg);

	switch (point->kind) {
	case RECORD_SKB_KIND_SOCK:
		return sock_seen(s, point, (const struct sock *)arg, -1, fregs);
	case RECORD_SKB_KIND_SOCKET:
		return socket_seen(s, point, (const struct socket *)arg, fregs);
	case RECORD_SKB_KIND_FD:
		return fd_seen(s, point, arg, fregs);
	case RECORD_SKB_KIND_KIOCB:
		return arg ? socket_seen(s, point, sock_from_file(((struct kiocb *)arg)->ki_filp),
					 fregs) : NULL;
	case RECORD_SKB_KIND_FAMILY:
		return family_seen(s, point, fregs);
	}
	return NULL;
}

/**
 * call_left() - a call on a descriptor has returned
 * @s: the armed session
 * @fd: the descriptor
 *
 * The socket may be bound or connected only now: learn its flow before the first packet comes.
 */
void call_left(const struct session *s, int fd)
{
	struct socket *sock;
	struct tuple t;
	int err;

	sock = sockfd_lookup(fd, &err);
	if (!sock)
		return;
	if (sock->sk && sk_fullsock(sock->sk) && sock_tuple(sock->sk, &t))
		match_learn(s, sock->sk, &t);
	sockfd_put(sock);
}

static int learn_file(const void *session, struct file *file, unsigned int fd)
{
	const struct socket *sock = sock_from_file(file);
	struct tuple t;

	if (sock && sock->sk && sk_fullsock(sock->sk) && sock_tuple(sock->sk, &t))
		match_learn_of(session, sock->sk, &t);
	return 0;
}

static void learn_files(struct task_struct *task, const void *session)
{
	/* Of threads with one table, one is enough. */
	if (task != task->group_leader && task->files == task->group_leader->files)
		return;
	/* Neither sleeps; netprio and classid of cgroups look at the files of others like this. */
	task_lock(task);
	if (task->files)
		iterate_fd(task->files, 0, learn_file, session);
	task_unlock(task);
}

/**
 * calls_learn() - what the followed tasks already have open is theirs too
 * @s: the session
 *
 * In process context.
 */
void calls_learn(const struct session *s)
{
	if (s->options.flags & RECORD_SKB_OPT_FOLLOW)
		follow_each(learn_files, s);
}
