// SPDX-License-Identifier: GPL-2.0
/* kernel_types.c - read the prototypes of functions from BTF, and classify them */
#include <assert.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/kernel_types.h"
#include "record_skb.h"
#include "text.h"

/**
 * struct part - the BTF types of the kernel itself, or of one module
 * @module: name of the module; "" for the kernel itself
 * @btf: the types; NULL if they could not be read
 * @slots: hash table in which the name of a function leads to its type ID; a free slot is 0
 * @mask: number of slots minus 1; the number of slots is a power of 2
 */
struct part {
	char *module;
	struct btf *btf;
	uint32_t *slots;
	uint32_t mask;
};

/**
 * struct btf_set - all BTF types that were read so far
 * @dir: directory with the BTF files: BTF_DIR, or the directory of a test
 * @parts: the types of the kernel, and then those of modules; empty until types are needed
 * @nr_parts: number of elements in @parts
 * @has_all: true if the types of all modules in @dir were read
 */
struct btf_set {
	char *dir;
	struct part *parts;
	size_t nr_parts;
	bool has_all;
};

/* Print no messages of libbpf. If BTF is missing, the callers print their own messages. */
static int keep_quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level, (void)format, (void)args;
	return 0;
}

static uint32_t hash_name(const char *name)
{
	uint32_t h = 2166136261U; /* FNV-1a */

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619U;
	return h;
}

static const char *name_of(const struct btf *btf, const struct btf_type *type)
{
	const char *name = btf__name_by_offset(btf, type->name_off);

	return name ? name : "";
}

static void index_functions(struct part *part, uint32_t first)
{
	const uint32_t end = btf__type_cnt(part->btf);
	const struct btf_type *type;
	uint32_t slot;

	/*
	 * Make a hash table with at least twice as many slots as types. In practice, it is even emptier,
	 * because only some of the types are functions.
	 */
	for (part->mask = 1; part->mask < end - first; part->mask = part->mask << 1 | 1)
		;
	part->mask = part->mask << 1 | 1;
	part->slots = xrealloc(NULL, ((size_t)part->mask + 1) * sizeof(*part->slots));
	memset(part->slots, 0, ((size_t)part->mask + 1) * sizeof(*part->slots));
	for (uint32_t id = first; id < end; id++) {
		type = btf__type_by_id(part->btf, id);
		if (!btf_is_func(type))
			continue;
		slot = hash_name(name_of(part->btf, type)) & part->mask;
		while (part->slots[slot])
			slot = (slot + 1) & part->mask;
		part->slots[slot] = id;
	}
}

/*
 * Read the types of @module and index its functions. libbpf's functions for this do not suffice.
 * btf__load_vmlinux_btf() and btf__load_module_btf() cannot read BTF files from another directory, which
 * tests need. btf__find_by_name_kind() searches all types for each name.
 */
static void add_part(struct btf_set *set, const char *module)
{
	struct btf *base = set->nr_parts ? set->parts[0].btf : NULL;
	struct part part = { .module = xstrdup(module) };
	char *path = xasprintf("%s/%s", set->dir, *module ? module : "vmlinux");

	part.btf = base ? btf__parse_raw_split(path, base) : btf__parse_raw(path);
	free(path);
	if (libbpf_get_error(part.btf))
		part.btf = NULL;
	if (part.btf)
		index_functions(&part, base ? btf__type_cnt(base) : 1);
	set->parts = xrealloc(set->parts, (set->nr_parts + 1) * sizeof(*set->parts));
	set->parts[set->nr_parts++] = part;
}

struct btf_set *btf_open(const char *dir)
{
	char *path = xasprintf("%s/vmlinux", dir);
	struct btf_set *set = NULL;

	if (!access(path, R_OK)) {
		set = xrealloc(NULL, sizeof(*set));
		memset(set, 0, sizeof(*set));
		libbpf_set_print(keep_quiet);
		set->dir = xstrdup(dir);
	}
	free(path);
	return set;
}

void btf_close(struct btf_set *set)
{
	if (!set)
		return;
	/*
	 * Free the types of modules before the types of the kernel, to which they refer. The kernel's types
	 * are the first element.
	 */
	while (set->nr_parts--) {
		btf__free(set->parts[set->nr_parts].btf);
		free(set->parts[set->nr_parts].slots);
		free(set->parts[set->nr_parts].module);
	}
	free(set->parts);
	free(set->dir);
	free(set);
}

/*
 * Return the types of a module, or of the kernel itself if @module is "". If they have not been read before,
 * read them.
 */
static const struct part *part_of(struct btf_set *set, const char *module)
{
	if (!set->nr_parts)
		add_part(set, "");
	for (size_t i = 0; i < set->nr_parts; i++)
		if (!strcmp(set->parts[i].module, module))
			return &set->parts[i];
	add_part(set, module);
	return &set->parts[set->nr_parts - 1];
}

bool btf_is_readable(struct btf_set *set)
{
	return set && part_of(set, "")->btf;
}

static void read_all(struct btf_set *set)
{
	DIR *dir = set->has_all ? NULL : opendir(set->dir);
	struct dirent *entry;

	set->has_all = true;
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "vmlinux"))
			part_of(set, entry->d_name);
	closedir(dir);
}

static int find_in(const struct part *part, const char *function, struct prototype *found, int room)
{
	uint32_t seen[8];
	int n = 0, i;

	if (!part->btf)
		return 0;
	for (uint32_t slot = hash_name(function) & part->mask; part->slots[slot];
	     slot = (slot + 1) & part->mask) {
		const struct btf_type *type = btf__type_by_id(part->btf, part->slots[slot]);
		const struct btf_type *proto;

		if (strcmp(name_of(part->btf, type), function))
			continue;
		proto = btf__type_by_id(part->btf, type->type);
		for (i = 0; i < n && i < 8 && seen[i] != type->type; i++)
			;
		if (!proto || !btf_is_func_proto(proto) || (i < n && i < 8))
			continue;
		if (n < 8)
			seen[n] = type->type;
		if (n < room)
			found[n] = (struct prototype){ part->btf, proto };
		n++;
	}
	return n;
}

int btf_find(struct btf_set *set, const char *function, const char *module, struct prototype *found,
	     int room)
{
	const struct part *part;
	int n = 0;

	if (module) {
		part = part_of(set, module);
		return part->btf ? find_in(part, function, found, room) : -1;
	}
	n = find_in(part_of(set, ""), function, found, room);
	if (n)
		return n;
	read_all(set);
	for (size_t i = 1; i < set->nr_parts && !n; i++)
		n = find_in(&set->parts[i], function, found, room);
	return n;
}

/* Names of structures that only networking uses. A name that ends with "*" is a prefix. */
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

/* Return the type with the ID @id, without typedefs and qualifiers such as const. */
static const struct btf_type *skip_qualifiers(const struct btf *btf, __u32 id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	while (type && (btf_is_mod(type) || btf_is_typedef(type) || btf_is_type_tag(type)))
		type = btf__type_by_id(btf, type->type);
	return type;
}

/*
 * If a type is a pointer to a structure, return the name of the structure; otherwise "". If @directly is
 * false, a pointer to a pointer to a structure counts, too.
 */
static const char *pointee_name(const struct btf *btf, __u32 id, bool directly)
{
	const struct btf_type *type = skip_qualifiers(btf, id);
	const char *name;

	if (!type || !btf_is_ptr(type))
		return "";
	type = skip_qualifiers(btf, type->type);
	while (!directly && type && btf_is_ptr(type))
		type = skip_qualifiers(btf, type->type);
	/* A forward declaration of a structure counts, too, because it has the name. */
	if (!type || !(btf_is_composite(type) || btf_is_fwd(type)))
		return "";
	name = btf__name_by_offset(btf, type->name_off);
	return name ? name : "";
}

static bool is_register(const struct btf *btf, __u32 id)
{
	const struct btf_type *type = skip_qualifiers(btf, id);

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
	ret = p->type->type ? skip_qualifiers(p->btf, p->type->type) : NULL;
	if (ret && !is_register(p->btf, p->type->type) && ret->size > sizeof(long))
		return OBSTACLE_RETURN;
	return OBSTACLE_NONE;
}

bool prototype_points_to(const struct prototype *p, unsigned int arg, const char *structure)
{
	return arg < btf_vlen(p->type) &&
	       !strcmp(pointee_name(p->btf, btf_params(p->type)[arg].type, true), structure);
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
 * Index of net_types by first letter, which rejects most names quickly. All indices are stored plus 1, so
 * that 0 means "none".
 * @first: for each letter, the index of an element that begins with this letter
 * @next: for each element, the index of another element with the same first letter
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
		if (is_net_type(pointee_name(p->btf, btf_params(p->type)[i].type, false)))
			return true;
	return is_net_type(pointee_name(p->btf, p->type->type, false));
}

bool prototype_is_transmit(const struct prototype *p)
{
	const struct btf_type *ret = p->type->type ? skip_qualifiers(p->btf, p->type->type) : NULL;

	return ret && btf_is_any_enum(ret) &&
	       !strcmp(btf__name_by_offset(p->btf, ret->name_off), "netdev_tx") &&
	       btf_vlen(p->type) == 2 && prototype_points_to(p, 0, "sk_buff") &&
	       prototype_points_to(p, 1, "net_device");
}
