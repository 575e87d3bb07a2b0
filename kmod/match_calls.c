// SPDX-License-Identifier: GPL-2.0
/* match_calls.c - decide which socket calls are recorded, and follow the flows of their sockets */
#include <linux/nsproxy.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include <net/tcp_states.h>

#include "active_config.h"
#include "filter.h"
#include "flow_table.h"
#include "flow_tuple.h"
#include "match.h"
#include "task_table.h"

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

/**
 * match_learn() - follow the flows of a socket that the current task uses
 * @a: the active configuration
 * @sk: the socket
 * @t: tuple of the socket
 *
 * Return: true if the current task is followed. The flows of the socket are then followed, too.
 */
bool match_learn(const struct active_config *a, const struct sock *sk, const struct tuple *t)
{
	return match_current(a) && match_learn_of(a, sk, t);
}

/* Return: true if the socket accepts packets from any peer that sends to its port. */
static bool match_is_open(const struct sock *sk)
{
	return sk->sk_type != SOCK_STREAM || sk->sk_state == TCP_LISTEN;
}

/* Do the work of match_learn() for a socket of a followed task. */
bool match_learn_of(const struct active_config *a, const struct sock *sk, const struct tuple *t)
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
 * match_unlearn() - stop following the local port of a socket that is being closed
 * @a: the active configuration
 * @sk: the socket
 * @t: tuple of the socket
 *
 * Packets that arrive at the port later belong to another socket.
 */
void match_unlearn(const struct active_config *a, const struct sock *sk, const struct tuple *t)
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
 * A condition on fields of an skb cannot be tested without a packet, and sampling only if both ends are
 * known. The call then does not match.
 *
 * Return: true if the call matches.
 */
bool match_call(const struct active_config *a, const struct point *point, const struct sock *sk,
		const struct tuple *t, bool resets, u32 *flow)
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
bool match_new_sock(const struct active_config *a, const struct tuple *t)
{
	const struct record_skb_options *o = &a->options;

	return !o->nr_steps && o->sample <= 1 && match_current(a) &&
	       (t->portless || !(o->flags & RECORD_SKB_OPT_FOLLOW_PORTLESS)) && match_mark(o, 0) &&
	       match_where(o, 0, current->nsproxy->net_ns->ns.inum);
}
