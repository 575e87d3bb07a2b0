// SPDX-License-Identifier: GPL-2.0
/*
 * programs.c - attach BPF programs with BTF to a device, until standard input ends; see usage_text
 *
 * The programs are in machine words, and their types are made here, so the tests need no BPF compiler.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf_insn.h"

static const char *const usage_text =
	"usage: programs HOOK DEVICE NAME RESULT PORT [NAME RESULT PORT]...\n"
	"HOOK: xdp-generic, xdp-native, tc-ingress, tc-egress, tcx-ingress or tcx-egress\n"
	"Each program returns RESULT for UDP to PORT, and lets all other packets pass. Prints a line with NAME, id\n"
	"and tag for each program. For each line of standard input, prints a line with the number of runs of each.\n"
	"       programs list\n"
	"Prints the names of all programs that are loaded.\n";

/* Offsets in an Ethernet frame with IPv4 without options and UDP. */
#define AT_PROTOCOL 23
#define AT_DPORT    36
#define NEEDED	    38

/* enum bpf_attach_type; the headers of Debian 12 lack them. */
#define TCX_INGRESS 46
#define TCX_EGRESS  47

#define MAX 8

static void die(const char *what)
{
	fprintf(stderr, "programs: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Make the types of "int NAME(struct CONTEXT *)". Returns the type of the function. */
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

static int load(int xdp, const char *name, int result, int port)
{
	static char log[65536];
	const int data = xdp ? offsetof(struct xdp_md, data) : offsetof(struct __sk_buff, data);
	const int end = xdp ? offsetof(struct xdp_md, data_end) :
			      offsetof(struct __sk_buff, data_end);
	const struct bpf_insn program[] = {
		LOAD(BPF_W, 2, 1, data),
		LOAD(BPF_W, 3, 1, end),
		COPY(4, 2),
		ADD(4, NEEDED),
		SKIP_IF_ABOVE(4, 3, 6),
		LOAD(BPF_B, 5, 2, AT_PROTOCOL),
		SKIP_UNLESS(5, 17, 4),
		LOAD(BPF_H, 5, 2, AT_DPORT),
		SKIP_UNLESS(5, htons(port), 2),
		SET(0, result),
		EXIT(),
		SET(0, xdp ? XDP_PASS : -1),
		EXIT(),
	};
	struct btf *btf = btf__new_empty();
	const struct bpf_func_info function = {
		.type_id = add_types(btf, name, xdp ? "xdp_md" : "__sk_buff"),
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .func_info = &function, .func_info_cnt = 1,
		    .func_info_rec_size = sizeof(function), .log_buf = log,
		    .log_size = sizeof(log));
	int fd;

	if (btf__load_into_kernel(btf))
		die("BTF");
	opts.prog_btf_fd = btf__fd(btf);
	fd = bpf_prog_load(xdp ? BPF_PROG_TYPE_XDP : BPF_PROG_TYPE_SCHED_CLS, name, "GPL", program,
			   sizeof(program) / sizeof(*program), &opts);
	if (fd < 0) {
		fputs(log, stderr);
		die(name);
	}
	return fd;
}

static void attach_link(int program, int device, int type, int flags)
{
	union bpf_attr attr = {
		.link_create.prog_fd = program,
		.link_create.target_ifindex = device,
		.link_create.attach_type = type,
		.link_create.flags = flags,
	};

	/* The link ends with this process. */
	if (syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr)) < 0)
		die("attach");
}

static void attach(const char *hook, int device, int program, int place)
{
	LIBBPF_OPTS(bpf_tc_hook, tc, .ifindex = device,
		    .attach_point = strstr(hook, "ingress") ? BPF_TC_INGRESS : BPF_TC_EGRESS);
	LIBBPF_OPTS(bpf_tc_opts, opts, .prog_fd = program, .priority = place + 1, .handle = 1);

	if (!strcmp(hook, "xdp-generic"))
		attach_link(program, device, BPF_XDP, XDP_FLAGS_SKB_MODE);
	else if (!strcmp(hook, "xdp-native"))
		attach_link(program, device, BPF_XDP, XDP_FLAGS_DRV_MODE);
	else if (!strncmp(hook, "tcx", 3))
		attach_link(program, device, strstr(hook, "ingress") ? TCX_INGRESS : TCX_EGRESS, 0);
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
		/* The BPF program may have been removed since its id was read. */
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
	if (bpf_enable_stats(BPF_STATS_RUN_TIME) < 0)
		die("statistics");
	for (int i = 3; i < argc; i += 3) {
		programs[n] = load(!strncmp(argv[1], "xdp", 3), argv[i], atoi(argv[i + 1]),
				   atoi(argv[i + 2]));
		attach(argv[1], device, programs[n], n);
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
