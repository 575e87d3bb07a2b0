// SPDX-License-Identifier: GPL-2.0
/* What a function's prototype tells about it. */
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "prototype.h"
#include "record_skb.h"

/* Structures of networking, and prefixes of their names ("*"). */
/* clang-format off */
static const char * const net_types[] = {
	"sk_*", "skb_*", "sock", "socket", "sock_*", "socket_*", "sockaddr*", "sockcm_*", "msghdr",
	"user_msghdr", "mmsghdr", "ubuf_info*", "scm_*", "proto", "proto_ops",
	"net", "net_*", "netdev_*", "netns_*", "napi_*", "softnet_data", "packet_type",
	"packet_offload", "gro_*", "xdp_*", "Qdisc*", "qdisc_*", "tcf_*",
	"dst_*", "neigh*", "neigh_*", "rtable", "rt6_info", "fib_*", "fib6_*", "fib_rule*",
	"flowi*", "flow_*", "inet_*", "inet6_*", "in_device", "in_ifaddr", "in6_addr", "ip_*",
	"ip6_*", "ipv6_*", "iphdr", "ipv6hdr", "ipcm_*", "ipcm6_*", "ip_tunnel*", "ipfrag*",
	"icmp*", "igmp*", "mld*", "raw_sock", "raw6_sock", "raw_hashinfo", "ping_*",
	"tcp_*", "tcp6_*", "tcphdr", "udp_*", "udp6_*", "udphdr", "request_sock*",
	"inet_request_sock", "unix_*", "bictcp",
	"nf_*", "nft_*", "xt_*", "ipt_*", "xfrm_*", "arphdr", "ethhdr", "net_bridge*", "br_*",
	"vlan_*", "vxlan*", "gre_*", "pcpu_sw_netstats", "lwtunnel_*", "metadata_dst",
};
/* clang-format on */

/* Typedefs, const and the like say how, not what. */
static const struct btf_type *plain(const struct btf *btf, __u32 id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	while (type && (btf_is_mod(type) || btf_is_typedef(type) || btf_is_type_tag(type)))
		type = btf__type_by_id(btf, type->type);
	return type;
}

/* The name of the structure that a pointer (or a pointer to it) points to, "" for anything else. */
static const char *pointee(const struct btf *btf, __u32 id, bool directly)
{
	const struct btf_type *type = plain(btf, id);
	const char *name;

	if (!type || !btf_is_ptr(type))
		return "";
	type = plain(btf, type->type);
	while (!directly && type && btf_is_ptr(type))
		type = plain(btf, type->type);
	/* A structure that its unit only declares is known all the same. */
	if (!type || !(btf_is_composite(type) || btf_is_fwd(type)))
		return "";
	name = btf__name_by_offset(btf, type->name_off);
	return name ? name : "";
}

static bool is_register(const struct btf *btf, __u32 id)
{
	const struct btf_type *type = plain(btf, id);

	if (!type)
		return false;
	return btf_is_ptr(type) ||
	       ((btf_is_int(type) || btf_is_any_enum(type)) && type->size <= sizeof(long));
}

enum obstacle prototype_obstacle(const struct prototype *p)
{
	const struct btf_param *params = btf_params(p->type);
	const struct btf_type *ret;

	for (unsigned int i = 0; i < btf_vlen(p->type); i++) {
		if (!params[i].type)
			return OBSTACLE_VARARGS;
		if (!is_register(p->btf, params[i].type))
			return OBSTACLE_STRUCT;
	}
	if (btf_vlen(p->type) > PROTOTYPE_REGISTERS)
		return OBSTACLE_MANY;
	ret = p->type->type ? plain(p->btf, p->type->type) : NULL;
	if (ret && !is_register(p->btf, p->type->type) && ret->size > sizeof(long))
		return OBSTACLE_RETURN;
	return OBSTACLE_NONE;
}

bool prototype_points_to(const struct prototype *p, unsigned int arg, const char *structure)
{
	return arg < btf_vlen(p->type) &&
	       !strcmp(pointee(p->btf, btf_params(p->type)[arg].type, true), structure);
}

bool prototype_is_int(const struct prototype *p, unsigned int arg)
{
	const struct btf_type *type;

	if (arg >= btf_vlen(p->type))
		return false;
	type = plain(p->btf, btf_params(p->type)[arg].type);
	return type && btf_is_int(type) && type->size == sizeof(int);
}

bool prototype_find_packet(const struct prototype *p, unsigned int *kind, unsigned int *arg)
{
	static const struct {
		const char *structure;
		unsigned int kind;
	} wanted[] = {
		{ "sk_buff", RECORD_SKB_KIND_SKB },
		{ "sock", RECORD_SKB_KIND_SOCK },
		{ "socket", RECORD_SKB_KIND_SOCKET },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		for (*arg = 0; *arg < PROTOTYPE_REGISTERS; ++*arg) {
			*kind = wanted[i].kind;
			if (prototype_points_to(p, *arg, wanted[i].structure))
				return true;
		}
	}
	return false;
}

#define NR_NET_TYPES (sizeof(net_types) / sizeof(net_types[0]))

/*
 * What makes it quick to find that a name is not among them, as most are not.
 * @first: by a name's first letter, one more than the index of the first that begins with it
 * @next: by index, the same of the next one
 */
static struct {
	unsigned char first[UCHAR_MAX + 1];
	unsigned char next[NR_NET_TYPES];
	bool filled;
} by_letter;

static void fill_by_letter(void)
{
	static_assert(NR_NET_TYPES < UCHAR_MAX, "an index is a byte");
	for (size_t i = 0; i < NR_NET_TYPES; i++) {
		unsigned char *first = &by_letter.first[(unsigned char)net_types[i][0]];

		by_letter.next[i] = *first;
		*first = i + 1;
	}
	by_letter.filled = true;
}

static bool is_net_type(const char *name)
{
	if (!by_letter.filled)
		fill_by_letter();
	for (size_t i = by_letter.first[(unsigned char)*name]; i; i = by_letter.next[i - 1]) {
		const char *type = net_types[i - 1];
		const size_t n = strlen(type);

		if (type[n - 1] == '*' ? !strncmp(name, type, n - 1) : !strcmp(name, type))
			return true;
	}
	return false;
}

bool prototype_is_net(const struct prototype *p)
{
	for (unsigned int i = 0; i < btf_vlen(p->type); i++)
		if (is_net_type(pointee(p->btf, btf_params(p->type)[i].type, false)))
			return true;
	return is_net_type(pointee(p->btf, p->type->type, false));
}

bool prototype_is_transmit(const struct prototype *p)
{
	const struct btf_type *ret = p->type->type ? plain(p->btf, p->type->type) : NULL;

	return ret && btf_is_any_enum(ret) &&
	       !strcmp(btf__name_by_offset(p->btf, ret->name_off), "netdev_tx") &&
	       btf_vlen(p->type) == 2 && prototype_points_to(p, 0, "sk_buff") &&
	       prototype_points_to(p, 1, "net_device");
}
