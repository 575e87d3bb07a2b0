// SPDX-License-Identifier: GPL-2.0
/*
 * programs.c - attach BPF programs with BTF to a device until standard input ends; see usage_text
 *
 * The programs are written as machine words, and the program makes their BTF types itself. So the tests need
 * no BPF compiler.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <linux/if_xdp.h>
#include <net/if.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <stdbool.h>

#include "bpf_insn.h"

static const char *const usage_text =
	"usage: programs HOOK DEVICE NAME RESULT PORT [NAME RESULT PORT]...\n"
	"HOOK: xdp-generic, xdp-native, tc-ingress, tc-egress, tcx-ingress or tcx-egress. With the\n"
	"directory of a cgroup for DEVICE: cgroup-ingress, cgroup-egress, connect4, sendmsg4 or bind4.\n"
	"With the file of a network namespace for DEVICE: sk_lookup. With a number of a netfilter hook\n"
	"for DEVICE: netfilter, which does not look at PORT. With a port for DEVICE: socket-filter or\n"
	"reuseport, at a UDP socket of this process with this port; the programs do not look at PORT.\n"
	"With a path in a BPF file system for DEVICE: lwt-in, lwt-out, lwt-xmit, seg6local or classifier,\n"
	"which is pinned there for ip-route(8) or tc(8); seg6local does not look at PORT.\n"
	"RESULT: a number, or redirect:DEVICE, peer:DEVICE, neigh:DEVICE, devmap:DEVICE, cpumap:CPU,\n"
	"xskmap:KEY\n"
	"If the variable NO_BTF is set, the programs have no types. If NO_STATS is set, their runs are\n"
	"not counted.\n"
	"Each program returns RESULT for UDP to PORT, and lets all other packets pass. If PORT is 0, it\n"
	"returns RESULT for all packets. Prints a line with NAME, id and tag for each program. For each\n"
	"line of standard input, prints a line with the number of runs of each.\n"
	"       programs list\n"
	"Prints the names of all programs that are loaded.\n";

/* Offsets in an Ethernet frame with IPv4 without options and UDP. */
#define AT_PROTOCOL 23
#define AT_DPORT    36
#define NEEDED	    38

/* Values of enum bpf_attach_type that the headers of Debian 12 lack. */
#define TCX_INGRESS 46
#define TCX_EGRESS  47
/* Values of enum bpf_prog_type and of enum bpf_attach_type. */
#define PROG_TYPE_NETFILTER 32
#define ATTACH_NETFILTER    45
/* The program is attached to a socket by a socket option. */
#define ATTACH_SOCKET -1
/*
 * The program is not attached. It is only pinned in a file system, so that another command can attach it.
 */
#define ATTACH_PIN -2

#define MAX 64

static void die(const char *what)
{
	fprintf(stderr, "programs: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Make the BTF types of a function "int NAME(struct CONTEXT *)". Return: the type id of the function. */
static int add_types(struct btf *btf, const char *name, const char *context)
{
	const int integer = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	const int structure = btf__add_struct(btf, context, 4);
	int pointer, proto;

	btf__add_field(btf, "data", integer, 0, 0);
	pointer = btf__add_ptr(btf, structure);
	proto = btf__add_func_proto(btf, integer);
	btf__add_func_param(btf, "ctx", pointer);
	return btf__add_func(btf, name, BTF_FUNC_GLOBAL, proto);
}

/*
 * struct kind - a kind of hook
 * @hook: beginning of the hook's name
 * @type: type of its programs
 * @attach: type of the attachment
 * @context: structure that the program gets as its argument
 * @data: offset of the packet's data pointer in @context, which the pointer to the packet's end follows
 * @end: offset of the pointer to the packet's end; 0 if the program has no access to packets
 * @link: number of bytes before the network header
 * @port: offset of the port in @context, for programs without access to packets
 * @other: result for packets with other ports
 */
static const struct kind {
	const char *hook;
	int type, attach;
	const char *context;
	int data, end, link, port, other;
} kinds[] = {
#define SKB offsetof(struct __sk_buff, data), offsetof(struct __sk_buff, data_end)
	{ "xdp", BPF_PROG_TYPE_XDP, 0, "xdp_md", offsetof(struct xdp_md, data),
	  offsetof(struct xdp_md, data_end), 14, 0, XDP_PASS },
	{ "tc", BPF_PROG_TYPE_SCHED_CLS, 0, "__sk_buff", SKB, 14, 0, -1 },
	{ "cgroup-ingress", BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_INGRESS, "__sk_buff", SKB, 0,
	  0, 1 },
	{ "cgroup-egress", BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_EGRESS, "__sk_buff", SKB, 0, 0,
	  1 },
	{ "connect4", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, BPF_CGROUP_INET4_CONNECT, "bpf_sock_addr", 0,
	  0, 0, offsetof(struct bpf_sock_addr, user_port), 1 },
	{ "sendmsg4", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, BPF_CGROUP_UDP4_SENDMSG, "bpf_sock_addr", 0,
	  0, 0, offsetof(struct bpf_sock_addr, user_port), 1 },
	{ "bind4", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, BPF_CGROUP_INET4_BIND, "bpf_sock_addr", 0, 0, 0,
	  offsetof(struct bpf_sock_addr, user_port), 1 },
	{ "sk_lookup", BPF_PROG_TYPE_SK_LOOKUP, BPF_SK_LOOKUP, "bpf_sk_lookup", 0, 0, 0,
	  offsetof(struct bpf_sk_lookup, local_port), 1 },
	{ "socket-filter", BPF_PROG_TYPE_SOCKET_FILTER, ATTACH_SOCKET, "__sk_buff", 0, 0, 0, 0, 1 },
	{ "reuseport", BPF_PROG_TYPE_SK_REUSEPORT, BPF_SK_REUSEPORT_SELECT, "sk_reuseport_md", 0, 0,
	  0, 0, 1 },
	{ "classifier", BPF_PROG_TYPE_SCHED_CLS, ATTACH_PIN, "__sk_buff", SKB, 14, 0, -1 },
	{ "lwt-in", BPF_PROG_TYPE_LWT_IN, ATTACH_PIN, "__sk_buff", SKB, 0, 0, 0 },
	{ "lwt-out", BPF_PROG_TYPE_LWT_OUT, ATTACH_PIN, "__sk_buff", SKB, 0, 0, 0 },
	{ "lwt-xmit", BPF_PROG_TYPE_LWT_XMIT, ATTACH_PIN, "__sk_buff", SKB, 0, 0, 0 },
	{ "seg6local", BPF_PROG_TYPE_LWT_SEG6LOCAL, ATTACH_PIN, "__sk_buff", 0, 0, 0, 0, 0 },
	{ "netfilter", PROG_TYPE_NETFILTER, ATTACH_NETFILTER, "bpf_nf_ctx", 0, 0, 0, 0, 1 },
};

static const struct kind *kind_of(const char *hook)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strncmp(hook, kinds[i].hook, strlen(kinds[i].hook)))
			return &kinds[i];
	fputs(usage_text, stderr);
	exit(2);
}

/* Make a BPF map with one entry. Return: its file descriptor. */
static int make_map(enum bpf_map_type type, uint32_t key, uint32_t value)
{
	const int fd = bpf_map_create(type, "targets", sizeof(key), sizeof(value), 64, NULL);

	if (fd < 0 || bpf_map_update_elem(fd, &key, &value, 0))
		die("map");
	return fd;
}

/*
 * Make a socket with a ring for frames. Newer kernels only accept such sockets in a map. Return: its file
 * descriptor.
 */
static int make_xdp_socket(void)
{
	const int s = socket(AF_XDP, SOCK_RAW, 0), entries = 64;

	if (setsockopt(s, SOL_XDP, XDP_RX_RING, &entries, sizeof(entries)))
		die("AF_XDP");
	return s;
}

/* Write the instructions that set the result of the program. Return: their number. */
static int make_result(struct bpf_insn *to, const char *result)
{
	const char *target = strchr(result, ':');
	const int device = target ? if_nametoindex(target + 1) : 0;
	const int number = target ? atoi(target + 1) : 0;
	struct bpf_insn set[] = { SET(0, atoi(result)) };
	struct bpf_insn redirect[] = { SET(1, device), SET(2, 0), CALL(BPF_FUNC_redirect) };
	struct bpf_insn peer[] = { SET(1, device), SET(2, 0), CALL(BPF_FUNC_redirect_peer) };
	struct bpf_insn neigh[] = { SET(1, device), SET(2, 0), SET(3, 0), SET(4, 0),
				    CALL(BPF_FUNC_redirect_neigh) };
	struct bpf_insn map[] = { SET_MAP(1, 0), SET(2, number), SET(3, 0),
				  CALL(BPF_FUNC_redirect_map) };

#define MAKE(array) (memcpy(to, array, sizeof(array)), (int)(sizeof(array) / sizeof(*(array))))
	if (!target)
		return MAKE(set);
	if (!strncmp(result, "redirect", 8))
		return MAKE(redirect);
	if (!strncmp(result, "peer", 4))
		return MAKE(peer);
	if (!strncmp(result, "neigh", 5))
		return MAKE(neigh);
	if (!strncmp(result, "devmap", 6)) {
		map[0].imm = make_map(BPF_MAP_TYPE_DEVMAP, 3, device);
		map[2].imm = 3;
	} else if (!strncmp(result, "cpumap", 6)) {
		map[0].imm = make_map(BPF_MAP_TYPE_CPUMAP, number, 192);
	} else {
		map[0].imm = make_map(BPF_MAP_TYPE_XSKMAP, number, make_xdp_socket());
	}
	return MAKE(map);
}

/*
 * Write a program that returns @result for UDP packets to @port, or for all packets if @port is 0. Return: the
 * number of instructions.
 */
static int make_program(struct bpf_insn *to, const struct kind *kind, const char *result, int port)
{
	struct bpf_insn returns[16];
	const int n = make_result(returns, result), base = kind->link - 14;
	const struct bpf_insn packet[] = {
		LOAD(BPF_W, 2, 1, kind->data),
		LOAD(BPF_W, 3, 1, kind->end),
		COPY(4, 2),
		ADD(4, NEEDED + base),
		SKIP_IF_ABOVE(4, 3, 5 + n),
		LOAD(BPF_B, 5, 2, AT_PROTOCOL + base),
		SKIP_UNLESS(5, 17, 3 + n),
		LOAD(BPF_H, 5, 2, AT_DPORT + base),
		SKIP_UNLESS(5, htons(port), 1 + n),
	};
	/* Programs for socket lookups get the port in host byte order, and all others in network byte order. */
	const struct bpf_insn call[] = {
		LOAD(BPF_W, 5, 1, kind->port),
		SKIP_UNLESS(5, kind->type == BPF_PROG_TYPE_SK_LOOKUP ? port : htons(port), 1 + n),
	};
	const struct bpf_insn other[] = { EXIT(), SET(0, kind->other), EXIT() };
	int length = !port ? 0 : kind->end ? MAKE(packet) : kind->port ? MAKE(call) : 0;

	memcpy(to + length, returns, n * sizeof(*to));
	to += length + n;
	if (!length) {
		/* The kernel rejects programs with unreachable instructions. */
		to[0] = other[0];
		return n + 1;
	}
	return length + n + MAKE(other);
}

static int load(const struct kind *kind, const char *name, const char *result, int port)
{
	static char log[65536];
	struct bpf_insn program[64];
	const int n = make_program(program, kind, result, port);
	struct btf *btf = btf__new_empty();
	const struct bpf_func_info function = {
		.type_id = add_types(btf, name, kind->context),
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .log_buf = log, .log_size = sizeof(log),
		    .expected_attach_type = kind->attach < 0 ? 0 : kind->attach);
	int fd;

	if (!getenv("NO_BTF")) {
		if (btf__load_into_kernel(btf))
			die("BTF");
		opts.prog_btf_fd = btf__fd(btf);
		opts.func_info = &function;
		opts.func_info_cnt = 1;
		opts.func_info_rec_size = sizeof(function);
	}
	fd = bpf_prog_load(kind->type, name, "GPL", program, n, &opts);
	if (fd < 0) {
		fputs(log, stderr);
		die(name);
	}
	return fd;
}

/* Attach the program to a new socket, which exists until this process ends. */
static void attach_socket(const struct kind *kind, const char *port, int program)
{
	const struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(atoi(port)) };
	const int s = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
	const int option = kind->type == BPF_PROG_TYPE_SK_REUSEPORT ? SO_ATTACH_REUSEPORT_EBPF :
								      SO_ATTACH_BPF;

	if (setsockopt(s, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) ||
	    bind(s, (const struct sockaddr *)&address, sizeof(address)) ||
	    setsockopt(s, SOL_SOCKET, option, &program, sizeof(program)))
		die("socket");
}

/*
 * Attach the program to a cgroup, a network namespace or a netfilter hook. The kernel detaches it when this
 * process ends.
 */
static void attach_elsewhere(const struct kind *kind, const char *where, int program)
{
	union bpf_attr attr = {
		.link_create.prog_fd = program,
		.link_create.attach_type = kind->attach,
	};

	if (kind->type == PROG_TYPE_NETFILTER) {
		/*
		 * The members pf, hooknum, priority and flags of union bpf_attr. The headers of Debian 12
		 * lack them.
		 */
		const uint32_t netfilter[] = { AF_INET, atoi(where), (uint32_t)-1, 0 };

		memcpy((char *)&attr + offsetof(union bpf_attr, link_create.target_btf_id),
		       netfilter, sizeof(netfilter));
	} else {
		attr.link_create.target_fd = open(where, O_RDONLY);
	}
	if (syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr)) < 0)
		die("attach");
}

static void pin(const char *path, int program)
{
	unlink(path);
	if (bpf_obj_pin(program, path))
		die(path);
}

static void attach_link(int program, int device, int type, int flags)
{
	union bpf_attr attr = {
		.link_create.prog_fd = program,
		.link_create.target_ifindex = device,
		.link_create.attach_type = type,
		.link_create.flags = flags,
	};

	/* The kernel detaches the program when this process ends. */
	if (syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr)) < 0)
		die("attach");
}

static void attach(const char *hook, const char *where, int program, int place)
{
	const struct kind *kind = kind_of(hook);
	const int device = if_nametoindex(where);
	LIBBPF_OPTS(bpf_tc_hook, tc, .ifindex = device,
		    .attach_point = strstr(hook, "ingress") ? BPF_TC_INGRESS : BPF_TC_EGRESS);
	LIBBPF_OPTS(bpf_tc_opts, opts, .prog_fd = program, .priority = place + 1, .handle = 1);

	if (!strcmp(hook, "xdp-generic"))
		attach_link(program, device, BPF_XDP, XDP_FLAGS_SKB_MODE);
	else if (!strcmp(hook, "xdp-native"))
		attach_link(program, device, BPF_XDP, XDP_FLAGS_DRV_MODE);
	else if (!strncmp(hook, "tcx", 3))
		attach_link(program, device, strstr(hook, "ingress") ? TCX_INGRESS : TCX_EGRESS, 0);
	else if (kind->type == BPF_PROG_TYPE_SOCKET_FILTER ||
		 kind->type == BPF_PROG_TYPE_SK_REUSEPORT)
		attach_socket(kind, where, program);
	else if (kind->attach == ATTACH_PIN)
		pin(where, program);
	else if (kind->type != BPF_PROG_TYPE_SCHED_CLS)
		attach_elsewhere(kind, where, program);
	else if ((!place && bpf_tc_hook_create(&tc) && errno != EEXIST) ||
		 bpf_tc_attach(&tc, &opts))
		die("tc");
}

static void detach(const char *hook, int device)
{
	LIBBPF_OPTS(bpf_tc_hook, tc, .ifindex = device,
		    .attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS);

	if (!strncmp(hook, "tc-", 3))
		bpf_tc_hook_destroy(&tc);
}

static struct bpf_prog_info info_of(int program)
{
	struct bpf_prog_info info = {};
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(program, &info, &size))
		die("info");
	return info;
}

static int list(void)
{
	uint32_t id = 0;
	int program;

	while (!bpf_prog_get_next_id(id, &id)) {
		program = bpf_prog_get_fd_by_id(id);
		/* Another process may have removed the BPF program since its id was read. */
		if (program < 0)
			continue;
		puts(info_of(program).name);
		close(program);
	}
	return 0;
}

int main(int argc, char **argv)
{
	int device, programs[MAX], n = 0;
	struct bpf_prog_info info;

	if (argc == 2 && !strcmp(argv[1], "list"))
		return list();
	if (argc < 6 || argc % 3 || argc > 3 + 3 * MAX) {
		fputs(usage_text, stderr);
		return 2;
	}
	libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
	device = if_nametoindex(argv[2]);
	if (!getenv("NO_STATS") && bpf_enable_stats(BPF_STATS_RUN_TIME) < 0)
		die("statistics");
	for (int i = 3; i < argc; i += 3) {
		programs[n] = load(kind_of(argv[1]), argv[i], argv[i + 1], atoi(argv[i + 2]));
		attach(argv[1], argv[2], programs[n], n);
		info = info_of(programs[n++]);
		printf("%s %u ", argv[i], info.id);
		for (size_t k = 0; k < sizeof(info.tag); k++)
			printf("%02x", info.tag[k]);
		putchar('\n');
	}
	fflush(stdout);
	while (getchar() != EOF) {
		for (int i = 0; i < n; i++)
			printf("%llu%c", (unsigned long long)info_of(programs[i]).run_cnt,
			       i + 1 < n ? ' ' : '\n');
		fflush(stdout);
	}
	detach(argv[1], device);
	return 0;
}
