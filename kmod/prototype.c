// SPDX-License-Identifier: GPL-2.0
/*
 * prototype.c - whether a function's arguments are what a probe point says they are
 *
 * What is said to be an skb is going to be dereferenced as one, at each call of the function. So it is the
 * kernel's word that counts (btf.c). Only where it has none, for the function or at all, it is a list of
 * functions that we know.
 */
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/string.h>
#include <record_skb.h>
#include <record_skb_refused.h>

#include "btf.h"
#include "prototype.h"

/* What is in registers: more arguments are on the stack, where a gate does not pass them on. */
#define MAX_ARGS   6
#define PEER_FLAGS (RECORD_SKB_POINT_PEER | RECORD_SKB_POINT_MSG)
/* Modules whose types are kept while points are added. */
#define MAX_MODULES 8

/* Guarded by session_lock. */
static struct types *kernel_types;
static struct {
	char name[MODULE_NAME_LEN];
	struct types *types;
} module_types[MAX_MODULES];
static int nr_modules;

/* These take all of the list that they are given. Nothing else in the kernel says so of a function. */
/* clang-format off */
static const char * const take_lists[] = {
	"netif_receive_skb_list_internal",
	"__netif_receive_skb_list_core",
	"ip_list_rcv",
	"ip_sublist_rcv",
	"ipv6_list_rcv",
	"ip6_sublist_rcv",
};
/* clang-format on */

/*
 * What the kernel may have no types of: the skb or socket of these has been this argument in all kernels, and
 * the peer's address or message (RECORD_SKB_POINT_PEER, _MSG) the next. Where a packet is with its socket,
 * skb->dev may be something else by then (no_dev).
 */
/* clang-format off */
static const struct {
	const char *func;
	u8 kind;
	u8 arg;
	u8 peer;
	bool no_dev;
} known[] = {
	{ "gro_receive_skb", RECORD_SKB_KIND_SKB, 1 },
	{ "napi_gro_receive", RECORD_SKB_KIND_SKB, 1 },
	{ "netif_receive_skb", RECORD_SKB_KIND_SKB, 0 },
	{ "netif_receive_skb_list_internal", RECORD_SKB_KIND_LIST, 0 },
	{ "netif_rx_internal", RECORD_SKB_KIND_SKB, 0 },
	{ "__netif_receive_skb", RECORD_SKB_KIND_SKB, 0 },
	{ "__netif_receive_skb_list_core", RECORD_SKB_KIND_LIST, 0 },
	{ "br_handle_frame_finish", RECORD_SKB_KIND_SKB, 2 },
	{ "arp_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "ip_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "ip_list_rcv", RECORD_SKB_KIND_LIST, 0 },
	{ "ip_sublist_rcv", RECORD_SKB_KIND_LIST, 0 },
	{ "ipv6_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "ipv6_list_rcv", RECORD_SKB_KIND_LIST, 0 },
	{ "ip6_sublist_rcv", RECORD_SKB_KIND_LIST, 0 },
	{ "ip_defrag", RECORD_SKB_KIND_SKB, 1 },
	{ "ipv6_frag_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "ip_forward", RECORD_SKB_KIND_SKB, 0 },
	{ "ip6_forward", RECORD_SKB_KIND_SKB, 0 },
	{ "ip_local_deliver", RECORD_SKB_KIND_SKB, 0 },
	{ "ip6_input", RECORD_SKB_KIND_SKB, 0 },
	{ "vxlan_rcv", RECORD_SKB_KIND_SKB, 1 },
	{ "gre_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "ipip_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "tcp_v4_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "tcp_v6_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "tcp_v4_do_rcv", RECORD_SKB_KIND_SKB, 1 },
	{ "tcp_v6_do_rcv", RECORD_SKB_KIND_SKB, 1 },
	{ "udp_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "udpv6_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "icmp_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "icmpv6_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "raw_rcv", RECORD_SKB_KIND_SKB, 1 },
	{ "rawv6_rcv", RECORD_SKB_KIND_SKB, 1 },
	{ "igmp_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "sctp_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "__udp_enqueue_schedule_skb", RECORD_SKB_KIND_SKB, 1, .no_dev = true },
	{ "sock_queue_rcv_skb_reason", RECORD_SKB_KIND_SKB, 1, .no_dev = true },
	{ "packet_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "tpacket_rcv", RECORD_SKB_KIND_SKB, 0 },
	{ "__ip_local_out", RECORD_SKB_KIND_SKB, 2 },
	{ "__ip6_local_out", RECORD_SKB_KIND_SKB, 2 },
	{ "ip_output", RECORD_SKB_KIND_SKB, 2 },
	{ "ip_mc_output", RECORD_SKB_KIND_SKB, 2 },
	{ "ip6_output", RECORD_SKB_KIND_SKB, 2 },
	{ "neigh_resolve_output", RECORD_SKB_KIND_SKB, 1 },
	{ "arp_xmit", RECORD_SKB_KIND_SKB, 0 },
	{ "br_dev_queue_push_xmit", RECORD_SKB_KIND_SKB, 2 },
	{ "__dev_queue_xmit", RECORD_SKB_KIND_SKB, 0 },
	{ "sch_direct_xmit", RECORD_SKB_KIND_SKB, 0 },
	{ "dev_hard_start_xmit", RECORD_SKB_KIND_SKB, 0 },
	{ "__tcp_transmit_skb", RECORD_SKB_KIND_SOCK, 0 },
	{ "tcp_v4_connect", RECORD_SKB_KIND_SOCK, 0, RECORD_SKB_POINT_PEER },
	{ "tcp_v6_connect", RECORD_SKB_KIND_SOCK, 0, RECORD_SKB_POINT_PEER },
	{ "tcp_sendmsg", RECORD_SKB_KIND_SOCK, 0 },
	{ "tcp_recvmsg", RECORD_SKB_KIND_SOCK, 0 },
	{ "udp_sendmsg", RECORD_SKB_KIND_SOCK, 0, RECORD_SKB_POINT_MSG },
	{ "udpv6_sendmsg", RECORD_SKB_KIND_SOCK, 0, RECORD_SKB_POINT_MSG },
	{ "udp_recvmsg", RECORD_SKB_KIND_SOCK, 0 },
	{ "udpv6_recvmsg", RECORD_SKB_KIND_SOCK, 0 },
	{ "raw_sendmsg", RECORD_SKB_KIND_SOCK, 0, RECORD_SKB_POINT_MSG },
	{ "rawv6_sendmsg", RECORD_SKB_KIND_SOCK, 0, RECORD_SKB_POINT_MSG },
	{ "ping_v4_sendmsg", RECORD_SKB_KIND_SOCK, 0, RECORD_SKB_POINT_MSG },
	{ "ping_v6_sendmsg", RECORD_SKB_KIND_SOCK, 0, RECORD_SKB_POINT_MSG },
	{ "__sys_socket", RECORD_SKB_KIND_FAMILY, 0 },
	{ "__sys_bind", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_connect", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_listen", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_accept4", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_sendto", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_sendmsg", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_sendmmsg", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_recvfrom", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_recvmsg", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_recvmmsg", RECORD_SKB_KIND_FD, 0 },
	{ "do_recvmmsg", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_setsockopt", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_getsockopt", RECORD_SKB_KIND_FD, 0 },
	{ "__sys_shutdown", RECORD_SKB_KIND_FD, 0 },
	{ "sock_write_iter", RECORD_SKB_KIND_KIOCB, 0 },
	{ "sock_read_iter", RECORD_SKB_KIND_KIOCB, 0 },
	{ "sock_sendmsg", RECORD_SKB_KIND_SOCKET, 0, RECORD_SKB_POINT_MSG },
	{ "sock_recvmsg", RECORD_SKB_KIND_SOCKET, 0 },
	{ "inet_stream_connect", RECORD_SKB_KIND_SOCKET, 0, RECORD_SKB_POINT_PEER },
	{ "inet_dgram_connect", RECORD_SKB_KIND_SOCKET, 0, RECORD_SKB_POINT_PEER },
	{ "inet_release", RECORD_SKB_KIND_SOCKET, 0 },
};
/* clang-format on */

/* Which of the list a point is; -1 for none. */
static int find_known(const struct record_skb_point *point)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].func, point->func))
			return known[i].kind == point->kind && known[i].arg == point->arg &&
					       known[i].peer == (point->flags & PEER_FLAGS) ?
				       i :
				       -1;
	return -1;
}

/* Whether skb->dev is the packet's device at a point, as far as we know. */
bool prototype_has_dev(const struct record_skb_point *point)
{
	const int i = find_known(point);

	return i >= 0 && !known[i].no_dev;
}

static bool is_one_of(const char *func, const char *const *names, size_t nr)
{
	while (nr--)
		if (!strcmp(names[nr], func))
			return true;
	return false;
}

/* The prototype's argument, without const and the like; NULL if there is none. */
static const struct btf_type *argument(const struct types *types, const struct btf_type *proto,
				       u32 arg)
{
	const struct btf_param *params = (const struct btf_param *)(proto + 1);

	return arg < BTF_INFO_VLEN(proto->info) ? types_plain(types, params[arg].type) : NULL;
}

static bool points_to(const struct types *types, const struct btf_type *proto, u32 arg,
		      const char *what)
{
	const struct btf_type *type = argument(types, proto, arg);

	if (!type || BTF_INFO_KIND(type->info) != BTF_KIND_PTR)
		return false;
	type = types_plain(types, type->type);
	if (!type)
		return false;
	/* A structure that a module only declares is the kernel's. */
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_FWD:
		return !strcmp(types_name(types, type), what);
	}
	return false;
}

static bool is_int(const struct types *types, const struct btf_type *proto, u32 arg)
{
	const struct btf_type *type = argument(types, proto, arg);

	return type && BTF_INFO_KIND(type->info) == BTF_KIND_INT && type->size == sizeof(int);
}

/* Whether a value is in one register, as an argument and when it is returned. */
static bool in_register(const struct btf_type *type)
{
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
		return true;
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return type->size <= sizeof(long);
	}
	return false;
}

/* Whether a gate can stand in for the function. */
static bool all_in_registers(const struct types *types, const struct btf_type *proto)
{
	const u32 nr = BTF_INFO_VLEN(proto->info);
	const struct btf_type *type;
	u32 i;

	if (nr > MAX_ARGS)
		return false;
	for (i = 0; i < nr; i++) {
		type = argument(types, proto, i);
		/* None: any number of them may follow. */
		if (!type || !in_register(type))
			return false;
	}
	if (!proto->type)
		return true;
	type = types_plain(types, proto->type);
	return type && (in_register(type) || type->size <= sizeof(long));
}

static bool peer_fits(const struct types *types, const struct btf_type *proto,
		      const struct record_skb_point *point)
{
	const u32 next = point->arg + 1;

	if (point->flags & RECORD_SKB_POINT_MSG && !points_to(types, proto, next, "msghdr"))
		return false;
	if (!(point->flags & RECORD_SKB_POINT_PEER))
		return true;
	/* Newer kernels say that it may be longer than a struct sockaddr. */
	return (points_to(types, proto, next, "sockaddr") ||
		points_to(types, proto, next, "sockaddr_unsized")) &&
	       is_int(types, proto, next + 1);
}

static bool fits(const struct types *types, const struct btf_type *proto,
		 const struct record_skb_point *point)
{
	static const char *const structures[] = {
		[RECORD_SKB_KIND_SKB] = "sk_buff", [RECORD_SKB_KIND_LIST] = "list_head",
		[RECORD_SKB_KIND_SOCK] = "sock",   [RECORD_SKB_KIND_SOCKET] = "socket",
		[RECORD_SKB_KIND_KIOCB] = "kiocb",
	};

	if (!all_in_registers(types, proto) || !peer_fits(types, proto, point))
		return false;
	switch (point->kind) {
	case RECORD_SKB_KIND_FAMILY:
		return is_int(types, proto, point->arg) && is_int(types, proto, point->arg + 1) &&
		       is_int(types, proto, point->arg + 2);
	case RECORD_SKB_KIND_FD:
		return is_int(types, proto, point->arg);
	}
	return point->kind < ARRAY_SIZE(structures) &&
	       points_to(types, proto, point->arg, structures[point->kind]);
}

/* Whichever of that name it is, it has to fit. */
static int check(const struct types *types, const struct record_skb_point *point)
{
	const struct btf_type *proto = types ? types_function(types, point->func, 0) : NULL;
	u32 i;

	if (!proto)
		return find_known(point) >= 0 ? 0 : -EPROTOTYPE;
	for (i = 0; proto; proto = types_function(types, point->func, ++i))
		if (!fits(types, proto, point))
			return -EPROTOTYPE;
	return 0;
}

/* The types of a module, NULL if there are none. */
static struct types *types_of(const char *name)
{
	int i;

	for (i = 0; i < nr_modules; i++)
		if (!strcmp(module_types[i].name, name))
			return module_types[i].types;
	if (nr_modules == MAX_MODULES)
		types_free(module_types[--nr_modules].types);
	i = nr_modules++;
	strscpy(module_types[i].name, name, sizeof(module_types[i].name));
	module_types[i].types = types_load(name, kernel_types);
	return module_types[i].types;
}

/**
 * prototype_check() - whether a function has the arguments that a point is made for
 * @point: the point
 * @ip: where its function is
 *
 * Reads the kernel's types when it is called first, and keeps them until prototype_forget(). May sleep;
 * with session_lock held.
 *
 * Return: 0, or -EPROTOTYPE.
 */
int prototype_check(const struct record_skb_point *point, unsigned long ip)
{
	char symbol[KSYM_SYMBOL_LEN], *module, *end;

	/* An int may be anything, a pointer the program's own, and what is given it never be left. */
	if ((point->kind > RECORD_SKB_KIND_SOCKET || point->flags & PEER_FLAGS) &&
	    find_known(point) < 0)
		return -EPROTOTYPE;
	if (is_one_of(point->func, record_skb_no_packets, ARRAY_SIZE(record_skb_no_packets)) ||
	    is_one_of(point->func, record_skb_own_calls, ARRAY_SIZE(record_skb_own_calls)) ||
	    is_one_of(point->func, record_skb_no_sockets, ARRAY_SIZE(record_skb_no_sockets)) ||
	    (point->kind == RECORD_SKB_KIND_LIST &&
	     !is_one_of(point->func, take_lists, ARRAY_SIZE(take_lists))))
		return -EPROTOTYPE;
	if (!kernel_types)
		kernel_types = types_load("vmlinux", NULL);
	/* "func [module]" */
	sprint_symbol_no_offset(symbol, ip);
	module = strchr(symbol, '[');
	if (!module)
		return check(kernel_types, point);
	end = strchr(++module, ']');
	if (end)
		*end = '\0';
	return check(kernel_types ? types_of(module) : NULL, point);
}

/**
 * prototype_begins() - whether a module's function is given a structure of this name first
 * @module: which; it may be built in
 * @func: one that its BTF has
 * @what: the structure
 */
bool prototype_begins(const char *module, const char *func, const char *what)
{
	const struct btf_type *proto;
	const struct types *types;

	if (!kernel_types)
		kernel_types = types_load("vmlinux", NULL);
	types = kernel_types ? types_of(module) : NULL;
	if (!types)
		types = kernel_types;
	proto = types ? types_function(types, func, 0) : NULL;
	return proto && points_to(types, proto, 0, what);
}

/* No points will be added soon. */
void prototype_forget(void)
{
	while (nr_modules)
		types_free(module_types[--nr_modules].types);
	types_free(kernel_types);
	kernel_types = NULL;
}
