// SPDX-License-Identifier: GPL-2.0
/*
 * probe_types.c - check that the arguments of a probed function have the expected types
 *
 * User space tells the module which argument of a function is an skb or a socket, and the module
 * dereferences this argument at each call. Therefore the type of the argument is checked with the kernel's
 * BTF (kernel_symbols.c). Functions without BTF are only accepted if they are in the list known[] below.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/string.h>
#include <record_skb.h>
#include <record_skb_refused.h>

#include "kernel_symbols.h"
#include "probe_types.h"

/* Number of arguments in registers. A gate does not pass on arguments that are on the stack. */
#define MAX_ARGS   6
#define PEER_FLAGS (RECORD_SKB_POINT_PEER | RECORD_SKB_POINT_MSG)
/* Maximum number of modules for which the types are cached while probes are added. */
#define MAX_MODULES 8

/* Protected by session_lock. */
static struct types *kernel_types;
static struct {
	char name[MODULE_NAME_LEN];
	struct types *types;
} module_types[MAX_MODULES];
static int nr_modules;
/*
 * True if memory was short when types were loaded. Functions may then seem to have other arguments than they
 * have. Protected by session_lock.
 */
static bool no_memory;

/*
 * Functions that send or receive the data of a TCP socket. Their callers hold a reference to the socket
 * until after the return.
 */
/* clang-format off */
static const char * const keep_sockets[] = {
	"tcp_sendmsg",
	"tcp_sendpage",
	"tcp_recvmsg",
	"tcp_splice_read",
	"tls_sw_sendmsg",
	"tls_sw_sendpage",
	"tls_sw_recvmsg",
	"tls_sw_splice_read",
};
/* clang-format on */

/* Functions that consume the whole list of packets that they get. BTF does not contain this information. */
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
 * Functions that are accepted without BTF. In all supported kernels, argument @arg is the skb or the socket,
 * and the next argument is the address or message of the peer (RECORD_SKB_POINT_PEER, _MSG). If @no_dev is
 * set, the packet is in a socket's queue, where skb->dev may have another meaning.
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
	{ "tcp_sendpage", RECORD_SKB_KIND_SOCK, 0 },
	{ "tcp_bpf_sendmsg", RECORD_SKB_KIND_SOCK, 0 },
	{ "tcp_recvmsg", RECORD_SKB_KIND_SOCK, 0 },
	{ "tcp_splice_read", RECORD_SKB_KIND_SOCKET, 0 },
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

/* Return: index of the probe's function in known[], or -1. */
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

/* Return: true if skb->dev is known to be the packet's device in the probed function. */
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

static bool is_skippable(const char *func)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(record_skb_skippable); i++)
		if (str_has_prefix(func, record_skb_skippable[i]))
			return true;
	return false;
}

/* Return: true if the socket still exists when the probed function returns, because its caller holds it. */
bool prototype_keeps_sock(const struct record_skb_point *point)
{
	return is_one_of(point->func, keep_sockets, ARRAY_SIZE(keep_sockets));
}

/* Return: true if the function moves TLS records and its second argument is the struct msghdr. */
bool prototype_has_tls_message(const struct record_skb_point *point)
{
	return !strcmp(point->func, "tls_sw_sendmsg") || !strcmp(point->func, "tls_sw_recvmsg");
}

/* Return: true if the fourth argument has the MSG_* flags of a receiving call. */
bool prototype_has_recv_flags(const struct record_skb_point *point)
{
	return !strcmp(point->func, "tcp_recvmsg") || !strcmp(point->func, "tls_sw_recvmsg");
}

/* Return: type of an argument without qualifiers, NULL if the function has no such argument. */
static const struct btf_type *argument_type(const struct types *types, const struct btf_type *proto,
					    u32 arg)
{
	const struct btf_param *params = (const struct btf_param *)(proto + 1);

	return arg < BTF_INFO_VLEN(proto->info) ? types_plain(types, params[arg].type) : NULL;
}

static bool points_to(const struct types *types, const struct btf_type *proto, u32 arg,
		      const char *what)
{
	const struct btf_type *type = argument_type(types, proto, arg);

	if (!type || BTF_INFO_KIND(type->info) != BTF_KIND_PTR)
		return false;
	type = types_plain(types, type->type);
	if (!type)
		return false;
	/*
	 * The BTF of a module may only declare a structure that the kernel defines. So accept a declaration,
	 * too.
	 */
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_FWD:
		return !strcmp(types_name(types, type), what);
	}
	return false;
}

static bool is_int(const struct types *types, const struct btf_type *proto, u32 arg)
{
	const struct btf_type *type = argument_type(types, proto, arg);

	return type && BTF_INFO_KIND(type->info) == BTF_KIND_INT && type->size == sizeof(int);
}

/* Return: true if a value of this type fits into one register, as argument and as return value. */
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

/* Return: true if a gate can call the function: all arguments and the return value are in registers. */
static bool all_in_registers(const struct types *types, const struct btf_type *proto)
{
	const u32 nr = BTF_INFO_VLEN(proto->info);
	const struct btf_type *type;
	u32 i;

	if (nr > MAX_ARGS)
		return false;
	for (i = 0; i < nr; i++) {
		type = argument_type(types, proto, i);
		/* An argument without a type stands for a variable number of arguments. */
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
	/* Newer kernels use sockaddr_unsized for addresses that may be longer than a struct sockaddr. */
	return (points_to(types, proto, next, "sockaddr") ||
		points_to(types, proto, next, "sockaddr_unsized")) &&
	       is_int(types, proto, next + 1);
}

static bool prototype_fits(const struct types *types, const struct btf_type *proto,
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

/*
 * Check all functions with the name of the probe, because BTF does not tell which of them is at its address.
 */
static int check_prototypes(const struct types *types, const struct record_skb_point *point)
{
	const struct btf_type *proto = types ? types_function(types, point->func, 0) : NULL;
	u32 i;

	if (!proto)
		return find_known(point) >= 0 ? 0 : -EPROTOTYPE;
	for (i = 0; proto; proto = types_function(types, point->func, ++i))
		if (!prototype_fits(types, proto, point))
			return -EPROTOTYPE;
	return 0;
}

/* Return: types of the kernel, NULL if they cannot be loaded. */
static const struct types *types_of_kernel(void)
{
	if (!kernel_types)
		kernel_types = types_load("vmlinux", NULL);
	if (!IS_ERR(kernel_types))
		return kernel_types;
	kernel_types = NULL;
	no_memory = true;
	return NULL;
}

/* Return: types of a module, NULL if its types cannot be loaded. The types of the kernel are loaded. */
static const struct types *types_of(const char *name)
{
	struct types *types;
	int i;

	for (i = 0; i < nr_modules; i++)
		if (!strcmp(module_types[i].name, name))
			return module_types[i].types;
	types = types_load(name, kernel_types);
	if (IS_ERR(types)) {
		no_memory = true;
		return NULL;
	}
	if (nr_modules == MAX_MODULES)
		types_free(module_types[--nr_modules].types);
	i = nr_modules++;
	strscpy(module_types[i].name, name, sizeof(module_types[i].name));
	module_types[i].types = types;
	return types;
}

/* Return: true if the function runs XDP programs: its arguments are the frame and the instructions. */
static bool runs_xdp(const struct record_skb_point *point)
{
	const struct types *types = types_of_kernel();
	const struct btf_type *proto = types ? types_function(types, point->func, 0) : NULL;

	return proto && !strcmp(point->func, "bpf_dispatcher_xdp_func") && !point->arg &&
	       all_in_registers(types, proto) && points_to(types, proto, 1, "bpf_insn");
}

static int check_arguments(const struct record_skb_point *point, unsigned long ip)
{
	const struct types *types;
	char symbol[KSYM_SYMBOL_LEN], *module, *end;

	if (point->kind == RECORD_SKB_KIND_FRAME)
		return runs_xdp(point) ? 0 : -EPROTOTYPE;
	/*
	 * BTF is not sufficient for these kinds of probes. An int need not be a file descriptor. A pointer
	 * may point into user memory. And the function may never return.
	 */
	if ((point->kind > RECORD_SKB_KIND_SOCKET || point->flags & PEER_FLAGS) &&
	    find_known(point) < 0)
		return -EPROTOTYPE;
	if (is_one_of(point->func, record_skb_no_packets, ARRAY_SIZE(record_skb_no_packets)) ||
	    is_one_of(point->func, record_skb_own_calls, ARRAY_SIZE(record_skb_own_calls)) ||
	    is_one_of(point->func, record_skb_no_sockets, ARRAY_SIZE(record_skb_no_sockets)) ||
	    is_skippable(point->func) ||
	    (point->kind == RECORD_SKB_KIND_LIST &&
	     !is_one_of(point->func, take_lists, ARRAY_SIZE(take_lists))))
		return -EPROTOTYPE;
	types = types_of_kernel();
	/* "func [module]" */
	sprint_symbol_no_offset(symbol, ip);
	module = strchr(symbol, '[');
	if (!module)
		return check_prototypes(types, point);
	end = strchr(++module, ']');
	if (end)
		*end = '\0';
	return check_prototypes(types ? types_of(module) : NULL, point);
}

/**
 * prototype_check() - check the arguments of a probed function
 * @point: the probe
 * @ip: address of the function
 *
 * The first call reads the kernel's types and keeps them until prototype_forget(). May sleep. The caller
 * holds session_lock.
 *
 * Return: 0; -EPROTOTYPE if the function does not have the arguments that the probe expects; -ENOMEM.
 */
int prototype_check(const struct record_skb_point *point, unsigned long ip)
{
	int err = check_arguments(point, ip);

	if (err && no_memory)
		err = -ENOMEM;
	no_memory = false;
	return err;
}

/**
 * prototype_begins() - check the type of a function's first argument
 * @module: name of the module; if it is NULL or has no types of its own, the types of the kernel are searched
 * @func: name of the function
 * @what: name of the structure that the argument has to point to
 *
 * Return: true if BTF has the function and the argument has this type. After false, prototype_lacks_memory()
 * tells if memory was short.
 */
bool prototype_begins(const char *module, const char *func, const char *what)
{
	const struct btf_type *proto;
	const struct types *kernel = types_of_kernel();
	const struct types *types = kernel && module ? types_of(module) : NULL;

	if (!types)
		types = kernel;
	proto = types ? types_function(types, func, 0) : NULL;
	return proto && points_to(types, proto, 0, what);
}

/* Return: true if memory was short in prototype_begins() since the last prototype_forget(). */
bool prototype_lacks_memory(void)
{
	return no_memory;
}

/* Release the types that prototype_check() has cached. */
void prototype_forget(void)
{
	no_memory = false;
	while (nr_modules)
		types_free(module_types[--nr_modules].types);
	types_free(kernel_types);
	kernel_types = NULL;
}
