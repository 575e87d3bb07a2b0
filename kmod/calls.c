// SPDX-License-Identifier: GPL-2.0
/* calls.c - probe points that are given a socket and no packet */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/net.h>
#include <linux/socket.h>
#include <net/sock.h>

#include "calls.h"
#include "compat/ftrace.h"
#include "emit.h"
#include "match.h"
#include "points.h"
#include "session.h"
#include "sock.h"

/* The peer that the call's next argument names. */
static void read_peer(const struct point *point, struct ftrace_regs *fregs, struct tuple *t)
{
	const void *next = (const void *)ftrace_regs_get_argument(fregs, point->arg + 1);

	if (!next)
		return;
	if (point->flags & RECORD_SKB_POINT_MSG)
		next = ((const struct msghdr *)next)->msg_name;
	else if (!(point->flags & RECORD_SKB_POINT_PEER))
		return;
	if (next)
		sock_set_peer(t, next);
}

static void sock_seen(const struct session *s, const struct point *point, const struct sock *sk,
		      int fd, struct ftrace_regs *fregs)
{
	struct tuple t;
	u32 flow;

	if (!sk || !sk_fullsock(sk) || !sock_tuple(sk, &t))
		return;
	read_peer(point, fregs, &t);
	if (match_call(s, point, sk, &t, &flow))
		point_matched_call(s, point, sk, &t, flow, fd, fregs);
	else
		point_other(point, sk, fregs);
}

static void file_seen(const struct session *s, const struct point *point, struct file *file,
		      struct ftrace_regs *fregs)
{
	struct socket *sock = sock_from_file(file);

	if (sock)
		sock_seen(s, point, sock->sk, -1, fregs);
}

static void fd_seen(const struct session *s, const struct point *point, int fd,
		    struct ftrace_regs *fregs)
{
	struct socket *sock;
	int err;

	/* A descriptor says something only about the task whose table it is in. */
	if (!in_task())
		return;
	sock = sockfd_lookup(fd, &err);
	if (!sock)
		return;
	sock_seen(s, point, sock->sk, fd, fregs);
	sockfd_put(sock);
}

static void family_seen(const struct session *s, const struct point *point, int family,
			struct ftrace_regs *fregs)
{
	const struct tuple t = { .family = family };

	if (match_family(s, family))
		point_matched_call(s, point, NULL, &t, 0, -1, fregs);
}

/**
 * call_seen() - a probe point that is no packet's was called
 * @s: the armed session
 * @point: which
 * @fregs: with what
 */
void call_seen(const struct session *s, const struct point *point, struct ftrace_regs *fregs)
{
	const unsigned long arg = ftrace_regs_get_argument(fregs, point->arg);

	switch (point->kind) {
	case RECORD_SKB_KIND_SOCK:
		sock_seen(s, point, (const struct sock *)arg, -1, fregs);
		break;
	case RECORD_SKB_KIND_SOCKET:
		if (arg)
			sock_seen(s, point, ((struct socket *)arg)->sk, -1, fregs);
		break;
	case RECORD_SKB_KIND_FD:
		fd_seen(s, point, arg, fregs);
		break;
	case RECORD_SKB_KIND_KIOCB:
		if (arg)
			file_seen(s, point, ((struct kiocb *)arg)->ki_filp, fregs);
		break;
	case RECORD_SKB_KIND_FAMILY:
		family_seen(s, point, arg, fregs);
		break;
	}
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
