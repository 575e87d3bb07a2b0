// SPDX-License-Identifier: GPL-2.0
/* refused_calls.c - the table of causes: why a socket call fails, and a command that shows the cause */
#include <errno.h>
#include <stddef.h>

#include "model/cause_command.h"
#include "model/causes.h"

/* The errors of socket calls. The first row that matches the error and the function is used. */
/* clang-format off */
static const struct cause refusals[] = {
	{ NULL, "__sys_socket", EACCES,
	  "the process may not open such a socket: no CAP_NET_RAW, nor a group of ping_group_range; or a "
	  "security module",
	  "sysctl net.ipv4.ping_group_range" },
	{ NULL, "__sys_socket", EPERM,
	  "the process may not open such a socket: no CAP_NET_RAW; or a BPF program, or a security module",
	  NULL },
	{ NULL, "__sys_socket", EINVAL, "such a socket does not exist: family, type and protocol do not fit",
	  NULL },
	{ NULL, "__sys_bind", EACCES,
	  "the process may not take a port below this without CAP_NET_BIND_SERVICE; or a security module",
	  "sysctl net.ipv4.ip_unprivileged_port_start" },
	{ NULL, "__sys_bind", EINVAL, "the socket has an address already, or this one is not valid", NULL },
	{ NULL, "__sys_setsockopt", EINVAL, "the option does not take this value", NULL },
	{ NULL, "__sys_setsockopt", EPERM, "the process may not set this option", NULL },
	{ NULL, "__sys_getsockopt", EINVAL, "the socket does not have this option", NULL },
	{ NULL, "__sys_bind", EPERM, "a BPF program of the cgroup, or a security module",
	  "bpftool cgroup tree" },
	{ NULL, NULL, EPERM,
	  "a rule of netfilter (output) dropped what it sent; or a BPF program, or a security module",
	  "nft -a list ruleset" },
	{ NULL, NULL, EACCES,
	  "the route is \"prohibit\", it is broadcast without SO_BROADCAST, a router said so (ICMPv6), or a "
	  "security module",
	  SHOW_ROUTE_TO },
	{ NULL, NULL, EINVAL, "the route lookup: the route is \"blackhole\"; or an argument of the call",
	  SHOW_ROUTE_TO },
	{ NULL, NULL, EPIPE,
	  "the socket was shut down for sending, or its connection had ended: reset by the other end, or "
	  "timed out",
	  "ss -%uanm 'sport = :%l'" },
	{ NULL, NULL, EMSGSIZE,
	  "larger than the way's MTU, and not to be fragmented; or than the protocol allows",
	  "ip route get %D; ip link show up" },
	{ NULL, NULL, EADDRINUSE, "another socket has the port", "ss -%uan 'sport = :%P'" },
	{ NULL, "__sys_bind", EADDRNOTAVAIL, "the host does not have this address", "ip address show" },
	{ NULL, NULL, EADDRNOTAVAIL,
	  "no local port is free for this destination, or the host does not have the address",
	  "sysctl net.ipv4.ip_local_port_range" },
	{ NULL, NULL, ENETDOWN, "the device is down", "ip link show" },
	{ NULL, NULL, ENETUNREACH,
	  "the route lookup: no route to the destination; or a router said so (ICMP)", SHOW_ROUTE_TO },
	{ NULL, NULL, ECONNRESET, "a reset (RST) came, from the other end or from a firewall on the way",
	  "nstat -asz TcpEstabResets" },
	{ NULL, NULL, ENOBUFS, "no room: a device's queue, or memory for the socket",
	  "ss -%uanm 'sport = :%P'" },
	{ NULL, NULL, ENOMEM, "no memory", "cat /proc/net/sockstat" },
	{ NULL, NULL, EDESTADDRREQ, "the socket is not connected, and the call gives no destination", NULL },
	{ NULL, NULL, EISCONN, "the socket is connected already", "ss -%uanp 'sport = :%l'" },
	{ NULL, NULL, EAFNOSUPPORT, "the address is not of the socket's family", NULL },
	{ NULL, "tcp_sendmsg|tcp_sendmsg_locked|tcp_recvmsg", ENOTCONN, "the socket is not connected", NULL },
	{ NULL, NULL, ETIMEDOUT, "the other end has not answered in time", "nstat -asz TcpExtTCPTimeouts" },
	{ NULL, NULL, ECONNREFUSED,
	  "no program listens there, or a firewall rejected it (RST, or ICMP port unreachable)",
	  NULL },
	{ NULL, NULL, EHOSTUNREACH,
	  "the route is \"unreachable\", the neighbour did not answer, or a router said so (ICMP)",
	  SHOW_ROUTE_TO "; ip neighbour show nud failed" },
};
/* clang-format on */

#define NR_REFUSALS (sizeof(refusals) / sizeof(refusals[0]))

const struct cause *cause_of_error(int error, const char *func)
{
	for (size_t i = 0; i < NR_REFUSALS; i++) {
		const struct cause *cause = &refusals[i];

		if (cause->error == error && cause_is_in(cause->func, func))
			return cause;
	}
	return NULL;
}
